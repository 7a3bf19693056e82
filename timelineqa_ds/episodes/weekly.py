"""Events of every week and month: each slot of a period falls on a day of it that nothing excludes."""

from __future__ import annotations

import numpy as np

from ..declared.events import Event
from ..world.calendar import spread
from ..world.streams import Ints
from .occasions import Occasions
from .world import World


def occasions(world: World, event: Event) -> Occasions:
    """The days of a weekly event; a slot of a week that is all taken is left out."""
    return in_periods(world, event, world.calendar.weeks)


def in_periods(world: World, event: Event, periods: Ints) -> Occasions:
    """The days of an event with slots in each of `periods` (first days, and one past the last)."""
    if event.needs and not getattr(world.persona, event.needs):
        return Occasions(event, np.zeros(0, dtype=np.int64))
    chances = event.frequency[world.density]
    slots, count = len(chances), len(periods) - 1
    streams = world.streams(event)
    free = world.calendar.free_days(event.excluded_by)
    days, possible = spread(free, periods, slots, streams.words(f"{event.name}/when", count * slots))
    chance = world.factor(event, days.ravel()).reshape(days.shape) * np.array(chances)
    happens = streams.chances(f"{event.name}/whether", chance.size, chance.ravel()).reshape(chance.shape)
    kept = happens & possible & world.admitted(event, days.ravel()).reshape(days.shape)
    start, slot = days[kept], np.broadcast_to(np.arange(slots), days.shape)[kept]
    order = np.argsort(start, kind="stable")
    return Occasions(event, start[order], slot=slot[order])
