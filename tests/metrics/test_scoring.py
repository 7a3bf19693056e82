"""Intervals, input checks and the options that all metrics share."""

from __future__ import annotations

import json
import math
import random
import statistics
from collections import UserList
from decimal import Decimal

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from timeline_realtime_qa.scoring.columns import as_list, checked_rows, count_missing, plain
from timeline_realtime_qa.scoring.results import Options, bootstrap_mean, wilson


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        # Newcombe 1998, table I (method 3), to the digits printed there.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_matches_published_values(successes: int, n: int, low: float, high: float) -> None:
    found = wilson(successes, n, 0.95)
    assert found == pytest.approx((low, high), abs=6e-5)
    mirrored = wilson(n - successes, n, 0.95)
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=6e-5)


def test_wilson_at_the_ends() -> None:
    assert wilson(0, 7, 0.95)[0] == 0.0
    assert wilson(7, 7, 0.95)[1] == 1.0
    assert all(math.isnan(bound) for bound in wilson(0, 0, 0.95))
    assert wilson(3, 7, 0.99)[0] < wilson(3, 7, 0.95)[0] < 3 / 7 < wilson(3, 7, 0.95)[1] < wilson(3, 7, 0.99)[1]


def test_bootstrap_is_the_same_every_time_and_in_any_order() -> None:
    values = [0.0, 0.5, 1.0, 1.0, 0.25] * 20
    shuffled = random.Random(3).sample(values, len(values))
    np.random.seed(1)
    first = bootstrap_mean(values, 0.95)
    np.random.seed(2)
    assert bootstrap_mean(shuffled, 0.95) == first
    assert all(type(bound) is float for bound in first)


def test_bootstrap_agrees_with_the_normal_interval() -> None:
    generator = random.Random(5)
    values = [generator.choice([0.0, 0.4, 2 / 3, 1.0]) for _ in range(4000)]
    error = statistics.stdev(values) / math.sqrt(len(values))
    expected = [statistics.fmean(values) + side * 1.96 * error for side in (-1, 1)]
    assert bootstrap_mean(values, 0.95) == pytest.approx(expected, abs=0.15 * error)


def test_bootstrap_of_equal_values_has_no_width() -> None:
    assert bootstrap_mean([0.1] * 9, 0.95) == (0.1, 0.1)


@pytest.mark.parametrize(
    "column",
    [
        ["a", "b"],
        ("a", "b"),
        np.array(["a", "b"]),
        pd.Series(["a", "b"], index=[7, 9]),
        pa.array(["a", "b"]),
        pa.chunked_array([["a"], ["b"]]),
        datasets.Dataset.from_dict({"x": ["a", "b"]})["x"],
        datasets.Dataset.from_dict({"x": ["a", "b"]}).to_iterable_dataset()["x"],
        {"k": "a", "l": "b"}.values(),
        (letter for letter in "ab"),
    ],
    ids=lambda column: type(column).__name__,
)
def test_every_kind_of_column_is_read(column: object) -> None:
    assert checked_rows(column, "x", ({str},), "a string") == ["a", "b"]


@pytest.mark.parametrize("column", ["ab", b"ab", {"a": 1}, {"a"}, 3, np.array(3), None])
def test_what_is_no_column_is_refused(column: object) -> None:
    with pytest.raises(ValueError, match="x: expected a list or an array"):
        as_list(column, "x")


def test_plain_reaches_into_rows() -> None:
    value = plain([np.int64(1), (np.str_("a"), pa.scalar(2)), np.array([[3]])])
    assert value == [1, ["a", 2], [[3]]]
    assert json.dumps(value) == '[1, ["a", 2], [[3]]]'


def test_a_wrong_row_is_named() -> None:
    with pytest.raises(ValueError, match=r"x row 2: expected a string, found float 1\.5"):
        checked_rows(["a", "b", 1.5], "x", ({str},), "a string")
    with pytest.raises(ValueError, match="x row 1: expected texts, found list"):
        checked_rows([["a"], ["b", ["c"]]], "x", ({list}, {str}), "texts")


def test_missing_predictions() -> None:
    assert count_missing(["a", None, None], "wrong") == 2
    assert count_missing(["a"], "error") == 0
    with pytest.raises(ValueError, match=r"row 1: .*found None \(2 of 3 rows\); pass missing='wrong'"):
        count_missing(["a", None, None], "error")


@pytest.mark.parametrize(
    "options",
    [
        {"missing": "drop"},
        {"missing": None},
        {"confidence_level": 95},
        {"confidence_level": 1.0},
        {"confidence_level": True},
        {"confidence_level": "0.95"},
        {"return_per_example": "yes"},
        {"return_signature": 1},
    ],
)
def test_option_values_are_checked(options: dict[str, object]) -> None:
    (name,) = options
    with pytest.raises(ValueError, match=f"{name}: expected"):
        Options(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "column",
    [
        pd.Series(["x", None]),
        pd.Series(["x", math.nan], dtype=object),
        pd.Series(["x", None], dtype="string"),
        pd.Series(["x", pd.NA], dtype=object),
        ["x", pd.NaT],
        ["x", np.float64("nan")],
        ["x", Decimal("nan")],
        pa.array(["x", None]),
        ["x", pa.scalar(None)],
        pd.Series(["x", None], dtype=pd.ArrowDtype(pa.string())),
    ],
    ids=lambda column: f"{type(column).__name__} {getattr(column, 'dtype', '')}",
)
def test_what_libraries_have_for_nothing_is_missing(column: object) -> None:
    """A missing answer, whatever the library calls it, is counted where None is allowed, and refused elsewhere."""
    assert checked_rows(column, "x", ({str, type(None)},), "a string or None") == ["x", None]
    with pytest.raises(ValueError, match="x row 1: expected a string, found"):
        checked_rows(column, "x", ({str},), "a string")


@pytest.mark.parametrize("column", [range(3), UserList([0, 1, 2]), bytearray(b"\0\1\2"), memoryview(b"\0\1\2")])
def test_slices_of_the_same_type(column: object) -> None:
    """A sequence whose slices are of its own type is read like any other."""
    assert checked_rows(column, "x", ({int},), "an int") == [0, 1, 2]


def test_rows_nested_too_deep() -> None:
    """A row nested deeper than Python can follow is refused like any other of a wrong type."""
    row: list[object] = []
    for _ in range(100_000):
        row = [row]
    with pytest.raises(ValueError, match="x row 0: expected a string, found list"):
        checked_rows([row], "x", ({str, list}, {str}), "a string")


def test_a_confidence_level_next_to_one() -> None:
    """A level whose upper tail rounds to nothing."""
    low, high = wilson(3, 7, 1 - 1e-16)
    assert 0 < low < 0.1 and 0.9 < high < 1
