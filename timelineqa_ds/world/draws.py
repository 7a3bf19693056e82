"""Single draws of a persona's life, one stream each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import accumulate
from typing import TypeVar

from .streams import Streams


T = TypeVar("T")


class Draw:
    """Single values from the streams of one persona; every purpose is a stream of its own."""

    def __init__(self, streams: Streams) -> None:
        self._streams = streams

    def integer(self, purpose: str, low: int, high: int) -> int:
        """An integer in low..high, both included."""
        return self._streams.one(purpose, low, high + 1)

    def weighted(self, purpose: str, weights: Sequence[int]) -> int:
        """An index into `weights`, in proportion to them."""
        place = self._streams.one(purpose, 0, sum(weights))
        return bisect_right(list(accumulate(weights)), place)

    def chance(self, purpose: str, percent: int) -> bool:
        """True `percent` times in a hundred."""
        return self.integer(purpose, 0, 99) < percent

    def one(self, purpose: str, values: Sequence[T]) -> T:
        """One of `values`, evenly."""
        return values[self.integer(purpose, 0, len(values) - 1)]

    def several(self, purpose: str, values: Sequence[T], count: int) -> list[T]:
        """`count` different values, in random order (all of them if there are fewer)."""
        order = self._streams.shuffles(purpose, 1, len(values))[0]
        return [values[place] for place in order[:count]]

    def day(self, purpose: str, year: int, first_month: int = 1, last_month: int = 12) -> date:
        """A day of the months first_month..last_month of `year`."""
        first = date(year, first_month, 1)
        end = date(year + last_month // 12, last_month % 12 + 1, 1)
        return first + timedelta(self.integer(purpose, 0, (end - first).days - 1))
