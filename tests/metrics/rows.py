"""Rows of every kind that each metric takes, and their scores."""

from __future__ import annotations

import math
from typing import Any

import evaluate
import pytest

from timeline_realtime_qa import register
from timeline_realtime_qa.names.registered import METRICS


register()

ROWS: dict[str, tuple[list[Any], list[Any]]] = {
    "denotation_accuracy": (
        ["3 days", "A and B", ["B", "A"], None, ""],
        ["3", ["B", "A"], ["A", "B"], "q", ["", "r"]],
    ),
    "evidence_retrieval": ([[1, 2], [2], [], None, [3]], [[1, 2], [2, 3], [], [1], [4]]),
    "nota_accuracy": ([1, "0", ["2"], None, ""], [[1], 1, [2, 0], [0], [3]]),
    "qa_em_f1": (["x", "The y", ["a", "b"], None, ""], ["x", ["y", "z"], "a, b", "q", ["", "r"]]),
}
names = pytest.mark.parametrize("name", sorted(METRICS))


def load(name: str, **options: Any) -> Any:
    return evaluate.load(name, **options)


def scores(metric: Any, **rows: Any) -> Any:
    return {key: value for key, value in metric.compute(missing="wrong", **rows).items() if not math.isnan(value)}


def direct(name: str) -> Any:
    predictions, references = ROWS[name]
    return scores(load(name), predictions=predictions, references=references)
