"""Every promise about lifelogs and their questions, over 30 lifelogs of each density."""

from __future__ import annotations

import pytest

from timelineqa_ds import consistency, spec
from timelineqa_ds.generator import lifelog
from timelineqa_ds.questions import atomic_check, multihop_check


@pytest.mark.slow
@pytest.mark.parametrize("index", range(40, 70))
@pytest.mark.parametrize("density", spec.DENSITIES)
def test_no_promise_is_broken(density, index):
    one = lifelog(density, index)
    case = multihop_check.Case(one)
    found = {
        "episodes": consistency.violations(one, spec.YEAR),
        "multihop": multihop_check.violations(case, "multihop"),
        "extended": multihop_check.violations(case, "extended"),
        "atomic": atomic_check.violations(one),
    }
    assert not any(count for counts in found.values() for count in counts.values()), found
