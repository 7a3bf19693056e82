"""What `compute` returns: the options that every metric takes, intervals, and the signature."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np


UNDEFINED = math.nan
BOOTSTRAP_SEED = 12345
BOOTSTRAP_RESAMPLES = 1000
Scores = dict[str, float | str | list[float]]


@dataclass(frozen=True)
class Options:
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


def wilson(successes: int, n: int, level: float) -> tuple[float, float]:
    """Wilson score interval of a proportion (Wilson 1927); undefined (nan, nan) when n is 0."""
    if n == 0:
        return UNDEFINED, UNDEFINED
    upper = 0.5 + level / 2
    # A level so near to 1 that its upper tail rounds to nothing still has a lower one.
    z = NormalDist().inv_cdf(upper) if upper < 1 else -NormalDist().inv_cdf((1 - level) / 2)
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
    scores: Mapping[str, float],
    options: Options,
    *,
    proportions: Mapping[str, tuple[int, int]],
    means: Mapping[str, Sequence[float]],
    per_example: Mapping[str, list[float]],
    signature: Mapping[str, object],
    version: str,
) -> Scores:
    """The scores with what the options ask for on top.

    Args:
        scores: the result that is always returned.
        options: of this call.
        proportions: {key: (successes, rows)} of the scores that get a Wilson interval.
        means: {key: value of each row} of the scores that get a bootstrap interval.
        per_example: {key: value of each row}.
        signature: the metric's own part of the signature, in order.
        version: of the metric; it changes whenever a score can.
    """
    level, result = options.confidence_level, Scores(scores)
    if level is not None:
        intervals = {key: wilson(*counts, level) for key, counts in proportions.items()}
        intervals.update({key: bootstrap_mean(values, level) for key, values in means.items()})
        for key, (low, high) in intervals.items():
            result[f"{key}_low"], result[f"{key}_high"] = low, high
    if options.return_per_example:
        result.update({f"{key}_per_example": values for key, values in per_example.items()})
    if options.return_signature:
        interval = "none" if level is None else f"{level:g}/wilson"
        if level is not None and means:
            interval += f"/bootstrap{BOOTSTRAP_RESAMPLES}seed{BOOTSTRAP_SEED}"
        parts = {**signature, "missing": options.missing, "ci": interval, "version": version}
        result["signature"] = "|".join(f"{key}:{value}" for key, value in parts.items())
    return result
