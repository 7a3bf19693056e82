"""Every promise about lifelogs and questions, over 30 lifelogs of each density; those about episodes over 100."""

from __future__ import annotations

import pytest

from timelineqa_ds import spec
from timelineqa_ds.checks import atomic as atomic_check
from timelineqa_ds.checks import lifelogs as consistency
from timelineqa_ds.checks import multihop as multihop_check
from timelineqa_ds.generator import lifelog


ASKED = range(40, 70)


@pytest.mark.slow
@pytest.mark.parametrize("index", ASKED)
@pytest.mark.parametrize("density", spec.DENSITIES)
def test_no_promise_is_broken(density: str, index: int) -> None:
    one = lifelog(density, index)
    case = multihop_check.Case(one)
    found = {
        "episodes": consistency.violations(one, spec.YEAR),
        "multihop": multihop_check.violations(case, "multihop"),
        "extended": multihop_check.violations(case, "extended"),
        "atomic": atomic_check.violations(one),
    }
    assert not any(count for counts in found.values() for count in counts.values()), found


@pytest.mark.slow
@pytest.mark.parametrize("density", spec.DENSITIES)
def test_no_promise_about_episodes_is_broken(density: str) -> None:
    for index in (index for index in range(100) if index not in ASKED):
        found = consistency.violations(lifelog(density, index), spec.YEAR)
        assert not any(found.values()), (index, found)
