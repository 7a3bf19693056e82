"""The days of a log: which are taken by what, and where a thing that happens so often a period can still go.

Days are counted from the log's first day (0). The end of a log is the last day of its final year.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from .streams import Bools, Ints, Words32, scaled


def day_number(year: int, month: int = 1, day: int = 1) -> int:
    """Days from 1970-01-01 to the given date."""
    return int(np.datetime64(f"{year:04d}-{month:02d}-{day:02d}", "D").astype(np.int64))


class Calendar:
    """The days from 1 January of `first_year` to 31 December of `last_year`.

    Attributes:
        first: day number of day 0.
        days: how many days there are.
        years, months, weeks: index of the first day of each period, with `days` at the end; weeks are seven days
            each, from day 0 on.
    """

    def __init__(self, first_year: int, last_year: int) -> None:
        if first_year > last_year:
            raise ValueError(f"a log cannot start in {first_year}, after its final year {last_year}")
        months = np.arange(f"{first_year:04d}-01", f"{last_year + 1:04d}-02", dtype="datetime64[M]")
        starts = months.astype("datetime64[D]").astype(np.int64)
        self.first_year = first_year
        self.last_year = last_year
        self.first = int(starts[0])
        self.days = int(starts[-1]) - self.first
        self.months: Ints = starts - self.first
        self.years: Ints = self.months[::12]
        self.weeks: Ints = np.append(np.arange(0, self.days, 7), self.days)
        self._marks: dict[str, Bools] = {}
        self._free: dict[frozenset[str], Ints] = {}

    def year_of(self, day: Ints) -> Ints:
        """Calendar year of each day index."""
        return self.first_year + np.searchsorted(self.years, day, side="right") - 1

    def mark(self, event: str, days: Ints) -> None:
        """Note that `event` takes `days` (those outside the log are passed over)."""
        taken = self._marks.setdefault(event, np.zeros(self.days, dtype=np.bool_))
        taken[days[(days >= 0) & (days < self.days)]] = True
        self._free = {key: value for key, value in self._free.items() if event not in key}

    def free_days(self, excluding: Iterable[str]) -> Ints:
        """Indices of the days that none of the events `excluding` takes, ascending."""
        key = frozenset(excluding)
        if key not in self._free:
            taken = np.zeros(self.days, dtype=np.bool_)
            for event in key & self._marks.keys():
                taken |= self._marks[event]
            self._free[key] = np.flatnonzero(~taken)
        return self._free[key]

    def taken_days(self, excluding: Iterable[str]) -> Ints:
        """Indices of the days that some of the events `excluding` takes, ascending."""
        free = np.zeros(self.days, dtype=np.bool_)
        free[self.free_days(excluding)] = True
        return np.flatnonzero(~free)


def spread(free: Ints, periods: Ints, slots: int, words: Words32) -> tuple[Ints, Bools]:
    """One free day for each slot of each period, different slots on different days.

    The free days of a period are cut into as many runs as there are slots, as equal as may be, and each slot draws a
    day of its run: what would fall on a taken day thus moves to another day of the same period, and nothing is drawn
    twice. With fewer free days than slots some runs are empty.

    Args:
        free: indices of the free days, ascending.
        periods: first day of each period, and one past the last.
        words: one 32-bit integer per period and slot.

    Returns:
        The days, and whether there was room, both of shape (periods, slots).
    """
    edges = np.searchsorted(free, periods)
    first, room = edges[:-1, None], np.diff(edges)[:, None]
    slot = np.arange(slots + 1)
    cuts = slot * room // slots
    begin, length = cuts[:, :-1], np.diff(cuts, axis=1)
    place = first + begin + scaled(words, length.ravel()).reshape(length.shape)
    days = free[np.minimum(place, len(free) - 1)] if len(free) else np.zeros_like(place)
    return days, length > 0
