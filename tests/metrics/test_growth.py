"""No input of n characters costs more than about n log n, in any metric and in the reading of answers."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

from .scorers import DenotationAccuracy


def bench() -> Any:
    path = Path(__file__).parents[2] / "scripts" / "bench_growth.py"
    spec = importlib.util.spec_from_file_location("bench_growth", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


BENCH = bench()


@pytest.mark.slow
@pytest.mark.parametrize("reader", BENCH.READERS)
def test_the_cost_grows_with_the_size(reader: str) -> None:
    """CPU times of two sizes in one process; a kind that seems steep is measured again, since machines are busy."""
    assert len(BENCH.KINDS) >= 40
    steep = []
    for kind, taken in BENCH.READERS[reader]():
        exponents = [BENCH.exponent(taken, 4000)]
        while exponents[-1] >= BENCH.LIMIT and len(exponents) < 4:
            exponents.append(BENCH.exponent(taken, 4000))
        if exponents[-1] >= BENCH.LIMIT:
            steep.append((kind, exponents))
    assert not steep


@pytest.mark.parametrize("config", ["timelineqa", "wtq"])
def test_a_limit_is_said(config: str) -> None:
    """More combining marks in a row than can be normalised in good time are refused, with the row and the limit."""
    metric = DenotationAccuracy(config)
    marks = "a" + "\N{COMBINING ACUTE ACCENT}" * 1001
    with pytest.raises(ValueError, match="row 1: expected at most 1,000 combining marks .* in a row, since Unicode"):
        metric.compute(predictions=["x", marks], references=["x", "e\u0301"])
    scores = metric.compute(predictions=["x", marks[:-1]], references=["x", "e"])
    assert scores and scores["n"] == 2


def test_nested_objects_are_read_at_once() -> None:
    """A list of JSON mode that begins with line breaks and holds an object."""
    text = "[" + "\n" * 100_000 + '{"a": 1}]'
    scores = DenotationAccuracy().compute(predictions=[text], references=[["a", "b"]])
    assert scores and scores["denotation_accuracy"] == 0.0
