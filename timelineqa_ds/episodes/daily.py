"""Events of every day: a day has as many tries as the density declares, each with its probability."""

from __future__ import annotations

import numpy as np

from ..declared.events import Event, declarations
from ..world.streams import Bools, pick
from .occasions import Occasions
from .world import World


def occasions(world: World, event: Event) -> Occasions:
    """The days of a daily event; a day that gets several comes several times."""
    days = world.calendar.free_days(event.excluded_by)
    days = days[world.admitted(event, days)]
    tries = event.frequency[world.density]
    chances = np.outer(world.factor(event, days), tries).ravel().astype(np.float64, copy=False)
    purpose = event.one_of or event.name
    happens = world.streams(event).chances(f"{purpose}/when", len(chances), chances)
    count = happens.reshape(len(days), len(tries)).sum(axis=1)
    if event.one_of:
        count = count * _takes_place(world, event, event.one_of, len(days))
    return Occasions(event, np.repeat(days, count))


def _takes_place(world: World, event: Event, shared: str, days: int) -> Bools:
    """Whether it is this event that takes place, among those that share the occasion."""
    weights = declarations().one_of[shared]
    words = world.streams(event).words(f"{shared}/which", days)
    taken: Bools = pick(words, list(weights.values())) == list(weights).index(event.name)
    return taken
