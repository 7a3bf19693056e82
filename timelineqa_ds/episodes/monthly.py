"""Events of every month."""

from __future__ import annotations

from ..declared.events import Event
from .occasions import Occasions
from .weekly import in_periods
from .world import World


def occasions(world: World, event: Event) -> Occasions:
    """The days of a monthly event, on a day of each month that nothing excludes."""
    return in_periods(world, event, world.calendar.months)
