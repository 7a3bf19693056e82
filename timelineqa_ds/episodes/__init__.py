"""What happens in a lifelog, by time scale, and the rows of all events in one chronological order."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..declared.events import Event, declarations
from ..world.calendar import day_number
from ..world.streams import Ints
from . import occasions, trips
from .rows import Rows
from .world import Occasions, World


__all__ = ["Log", "Occasions", "Rows", "World", "make_log"]

_SCALES = {
    "daily": occasions.daily,
    "weekly": occasions.weekly,
    "monthly": occasions.monthly,
    "annual": occasions.annual,
    "lifetime": occasions.lifetime,
}
_ON_TRIPS = {"places_visited": trips.places_visited, "dining": trips.dining}


@dataclass(frozen=True)
class Log:
    """All episodes of a lifelog.

    Attributes:
        rows: the rows of each event.
        order: for each event, the place of its rows in the log: their episode_id (-1: cut off by `duration`).
        size: number of episodes in the log.
    """

    world: World
    rows: dict[str, Rows]
    order: dict[str, Ints]
    size: int
    _kept: dict[str, Ints] = field(default_factory=dict)

    @property
    def lifelog_id(self) -> str:
        """The name of the lifelog, as in ``dense-0007``."""
        return f"{self.world.density}-{self.world.persona.index:04d}"

    def kept(self, event: str) -> Ints:
        """The rows of an event that are in the log, in order."""
        if event not in self._kept:
            self._kept[event] = np.flatnonzero(self.order[event] >= 0)
        return self._kept[event]


def make_log(density: str, index: int, seed: int, year: int, duration: int | None = None) -> Log:
    """The lifelog of a persona in a density, its values not yet drawn.

    Args:
        duration: how many years up to and with `year` to keep, None for all from the year of age 18 on.
    """
    world = World(density, index, seed, year)
    when: dict[str, Occasions] = {}
    for event in declarations().events.values():
        when[event.name] = _occasions(world, event, when)
        _mark(world, when[event.name])
    trips = Rows(world, when["travel"], None)
    rows = {name: Rows(world, found, trips) if name != "travel" else trips for name, found in when.items()}
    order, size = _chronological(world, when, duration)
    return Log(world, rows, order, size)


def _occasions(world: World, event: Event, when: dict[str, Occasions]) -> Occasions:
    if event.name == "travel":
        return trips.travel(world, event)
    if event.name in _ON_TRIPS:
        return _ON_TRIPS[event.name](world, event, when["travel"])
    return _SCALES[event.scale](world, event)


def _mark(world: World, when: Occasions) -> None:
    """Take the days of events that exclude others."""
    if when.event.excludes:
        days = trips.trip_days(when) if when.end is not None else when.start
        world.calendar.mark(when.event.name, days)


def _chronological(world: World, when: dict[str, Occasions], duration: int | None) -> tuple[dict[str, Ints], int]:
    """The place of every row by start, then by order of declaration; -1 for what `duration` cuts off.

    A birth is never cut off: it is what a log begins with.
    """
    start = np.concatenate([one.start for one in when.values()])
    # Days from the birth on fit 16 bits, which numpy sorts by counting.
    by_start = np.argsort((start - start.min()).astype(np.uint16), kind="stable")
    place = np.empty(len(start), dtype=np.int64)
    if duration is None:
        place[by_start] = np.arange(len(start))
        size = len(start)
    else:
        first = day_number(world.calendar.last_year - duration + 1) - world.calendar.first
        kept = start >= first
        kept[: len(when["birth_info"])] = True
        place[by_start] = np.cumsum(kept[by_start]) - 1
        place[~kept] = -1
        size = int(kept.sum())
    edges = np.cumsum([len(one) for one in when.values()])[:-1]
    return dict(zip(when, np.split(place, edges), strict=True)), size
