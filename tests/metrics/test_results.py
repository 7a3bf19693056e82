"""What the metrics' shared options, intervals and messages are at their edges."""

from __future__ import annotations

import math

import pytest

from timeline_realtime_qa.scoring.columns import describe
from timeline_realtime_qa.scoring.results import Options, Scores, bootstrap_mean, ratio, with_extras


def test_a_value_is_shortened_in_a_message_where_it_is_long() -> None:
    assert describe("x" * 78) == f"str '{'x' * 78}'"
    assert describe("x" * 79) == f"str '{'x' * 76}..."


@pytest.mark.parametrize("level", [0, 0.0, 1, -0.5, math.nan])
def test_a_confidence_level_is_inside_0_and_1(level: float) -> None:
    with pytest.raises(ValueError, match="confidence_level: expected None or a number between 0 and 1"):
        Options(confidence_level=level)
    assert Options(confidence_level=0.001).confidence_level == 0.001


def test_a_bootstrap_is_the_same_as_ever() -> None:
    found = bootstrap_mean([0.0, 0.5, 1.0, 1.0, 0.25] * 20, 0.9)
    assert found == pytest.approx((0.4825, 0.6125), abs=1e-12)


def test_a_bootstrap_of_nothing_is_undefined() -> None:
    assert all(math.isnan(bound) for bound in bootstrap_mean([], 0.95))
    assert math.isnan(ratio(0, 0)) and ratio(1, 4) == 0.25


def _extras(options: Options) -> Scores:
    return with_extras(
        {"hits": 0.5, "f1": 0.6},
        options,
        proportions={"hits": (1, 2)},
        means={"f1": [0.2, 1.0]},
        per_example={"f1": [0.2, 1.0]},
        signature={"metric": "toy"},
        version="2.0.0",
    )


def test_nothing_is_added_that_is_not_asked_for() -> None:
    assert _extras(Options()) == {"hits": 0.5, "f1": 0.6}


def test_each_option_adds_its_own() -> None:
    assert list(_extras(Options(confidence_level=0.9)))[2:] == ["hits_low", "hits_high", "f1_low", "f1_high"]
    assert _extras(Options(return_per_example=True)) == {"hits": 0.5, "f1": 0.6, "f1_per_example": [0.2, 1.0]}
    plain = _extras(Options(return_signature=True))["signature"]
    assert plain == "metric:toy|missing:error|ci:none|version:2.0.0"
    whole = _extras(Options("wrong", confidence_level=0.95, return_signature=True))["signature"]
    assert whole == "metric:toy|missing:wrong|ci:0.95/wilson/bootstrap1000seed12345|version:2.0.0"
