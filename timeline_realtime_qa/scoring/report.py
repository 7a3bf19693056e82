"""What our metrics share: input checks, the missing-answer policy, intervals and the signature.

Each metric folder links to this file, so that the folder is self-contained as a metric Space.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from statistics import NormalDist
from typing import Any

import numpy as np


UNDEFINED = math.nan
BOOTSTRAP_SEED = 12345
BOOTSTRAP_RESAMPLES = 1000


@dataclass(frozen=True)
class Report:
    """The options that every metric's `compute` takes.

    Args:
        missing: what a None prediction is: "error" (refused) or "wrong" (scores 0 and is counted in n_missing).
        return_per_example: add a list `<key>_per_example` for each score that is a mean over rows.
        confidence_level: for example 0.95; adds `<key>_low` and `<key>_high`.
        return_signature: add `signature`, one string that names every choice that affects the scores.

    Raises:
        ValueError: if a value is not one of these.
    """

    missing: str = "error"
    return_per_example: bool = False
    confidence_level: float | None = None
    return_signature: bool = False

    def __post_init__(self) -> None:
        if self.missing not in ("error", "wrong"):
            raise ValueError(f"missing: expected 'error' or 'wrong', found {self.missing!r}")
        for name in ("return_per_example", "return_signature"):
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name}: expected True or False, found {getattr(self, name)!r}")
        level = self.confidence_level
        numeric = isinstance(level, (int, float)) and not isinstance(level, bool)
        if level is not None and not (numeric and 0 < level < 1):
            raise ValueError(f"confidence_level: expected None or a number between 0 and 1, found {level!r}")


def as_list(column: Any, name: str) -> list[Any]:
    """The rows of a column (list, tuple, NumPy or Arrow array, pandas Series, tensor, `datasets` column) as a list.

    Raises:
        ValueError: if `column` is not a column of rows.
    """
    if type(column) is list:
        return column
    if not isinstance(column, (str, bytes, Mapping, Set)) and getattr(column, "shape", True) != ():
        for method in ("to_pylist", "tolist"):
            if hasattr(column, method):
                rows: list[Any] = getattr(column, method)()
                return rows
        if isinstance(column, Sequence) and not isinstance(column, tuple):
            # A lazy column of `datasets` decodes row by row when iterated, and in bulk when sliced.
            return as_list(column[:], name)
        if isinstance(column, Iterable):
            return list(column)
    raise ValueError(f"{name}: expected a list or an array with one entry per question, found {describe(column)}")


def plain(value: Any) -> Any:
    """`value` with NumPy and Arrow scalars, arrays and tuples inside it turned into plain Python values."""
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    for method in ("as_py", "tolist"):
        if hasattr(value, method):
            converted = getattr(value, method)()
            return plain(converted) if isinstance(converted, list) else converted
    return value


def checked_rows(column: Any, name: str, levels: Sequence[Collection[type]], expected: str) -> list[Any]:
    """The rows of `column` as plain values of the types allowed at each level of nesting.

    Args:
        column: anything that :func:`as_list` takes.
        name: what to call the column in an error.
        levels: the types allowed for a row, for an item of a row, and so on; `list` opens the next level.
        expected: what a row may be, in words.

    Raises:
        ValueError: naming the first row that is something else. No value is converted to another type.
    """
    rows = as_list(column, name)
    if _fit(rows, levels):
        return rows
    rows = [plain(row) for row in rows]
    for number, row in enumerate(rows):
        if not _fit((row,), levels):
            raise ValueError(f"{name} row {number}: expected {expected}, found {describe(row)}")
    return rows


def _fit(rows: Iterable[Any], levels: Sequence[Collection[type]]) -> bool:
    rows = rows if isinstance(rows, Sequence) else list(rows)
    kinds = set(map(type, rows))
    if not kinds <= set(levels[0]):
        return False
    nested = rows if kinds == {list} else [row for row in rows if type(row) is list] if list in kinds else ()
    return not nested or _fit(list(chain.from_iterable(nested)), levels[1:])


def describe(value: Any) -> str:
    """Type and shortened value, for error messages."""
    text = repr(value)
    return f"{type(value).__name__} {text if len(text) <= 80 else text[:77] + '...'}"


def count_missing(predictions: Sequence[Any], missing: str) -> int:
    """How many predictions are None.

    Raises:
        ValueError: if there is one and the policy is "error"; the message names the first.
    """
    count = predictions.count(None)
    if count and missing == "error":
        raise ValueError(
            f"predictions row {predictions.index(None)}: expected an answer, found None ({count} of "
            f"{len(predictions)} rows); pass missing='wrong' to count such rows as wrong"
        )
    return count


def wilson(successes: int, n: int, level: float) -> tuple[float, float]:
    """Wilson score interval of a proportion (Wilson 1927); undefined (nan, nan) when n is 0."""
    if n == 0:
        return UNDEFINED, UNDEFINED
    z = NormalDist().inv_cdf(0.5 + level / 2)
    share, weight = successes / n, z * z / n
    centre = (share + weight / 2) / (1 + weight)
    half = z / (1 + weight) * math.sqrt(share * (1 - share) / n + weight / (4 * n))
    # At 0 and n successes a bound is exactly 0 or 1, which rounding would miss by an ulp.
    return (0.0 if successes == 0 else centre - half), (1.0 if successes == n else centre + half)


def bootstrap_mean(values: Sequence[float], level: float) -> tuple[float, float]:
    """Percentile bootstrap interval of a mean, with a fixed seed, so that equal inputs give equal intervals.

    Resampling n rows with replacement is a multinomial draw over the distinct values, and F1 takes few of those:
    the cost hardly grows with n.
    """
    distinct, counts = np.unique(np.asarray(values, dtype=np.float64), return_counts=True)
    n = int(counts.sum())
    if n == 0:
        return UNDEFINED, UNDEFINED
    generator = np.random.Generator(np.random.PCG64(BOOTSTRAP_SEED))
    means = [float(generator.multinomial(n, counts / n) @ distinct) / n for _ in range(BOOTSTRAP_RESAMPLES)]
    low, high = np.quantile(means, [0.5 - level / 2, 0.5 + level / 2])
    # Rounding in the sum may leave the range of the data by an ulp.
    bounds = float(distinct[0]), float(distinct[-1])
    return min(max(float(low), bounds[0]), bounds[1]), min(max(float(high), bounds[0]), bounds[1])


def ratio(part: float, whole: int) -> float:
    """part / whole as a plain float; undefined (nan) when there is nothing to divide by."""
    return float(part) / whole if whole else UNDEFINED


def with_extras(
    scores: dict[str, Any],
    report: Report,
    *,
    proportions: Mapping[str, tuple[int, int]],
    means: Mapping[str, Sequence[float]],
    per_example: Mapping[str, list[float]],
    signature: Mapping[str, object],
    version: str,
) -> dict[str, Any]:
    """`scores` with what `report` asks for on top.

    Args:
        scores: the result that is always returned.
        report: the options of this call.
        proportions: {key: (successes, rows)} of the scores that get a Wilson interval.
        means: {key: value of each row} of the scores that get a bootstrap interval.
        per_example: {key: value of each row}.
        signature: the metric's own part of the signature, in order.
        version: of the metric; it changes whenever a score can.
    """
    level = report.confidence_level
    if level is not None:
        intervals = {key: wilson(*counts, level) for key, counts in proportions.items()}
        intervals.update({key: bootstrap_mean(values, level) for key, values in means.items()})
        for key, (low, high) in intervals.items():
            scores[f"{key}_low"], scores[f"{key}_high"] = low, high
    if report.return_per_example:
        scores.update({f"{key}_per_example": values for key, values in per_example.items()})
    if report.return_signature:
        interval = "none" if level is None else f"{level:g}/wilson"
        if level is not None and means:
            interval += f"/bootstrap{BOOTSTRAP_RESAMPLES}seed{BOOTSTRAP_SEED}"
        parts = {**signature, "missing": report.missing, "ci": interval, "version": version}
        scores["signature"] = "|".join(f"{key}:{value}" for key, value in parts.items())
    return scores
