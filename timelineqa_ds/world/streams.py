"""Every random number of the package: raw integers of a counter-based generator, turned into arrays.

A stream is named by (dataset version, seed, lifelog, purpose). Its 128-bit key is a digest of that name, so that any
stream can be drawn alone, in any order and in any process, and two purposes never share numbers. Only the raw 64-bit
integers of numpy's Philox are used: NEP 19 keeps those fixed across numpy versions and platforms, which it does not
promise for the methods of `numpy.random.Generator`. Everything after the raw integers is integer arithmetic, or a
product with a power of two.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import accumulate
from typing import TypeVar

import numpy as np
import numpy.typing as npt


T = TypeVar("T")
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Words32 = npt.NDArray[np.uint32]
FULL = 1 << 32


class Streams:
    """The streams of one lifelog (or persona) of one seed.

    Args:
        version: version of the dataset; other versions draw other numbers.
        seed: the world's seed.
        lifelog: what the numbers are for, e.g. ``"dense-7"``, or ``"7"`` for what all densities share.
    """

    def __init__(self, version: str, seed: int, lifelog: str) -> None:
        self._name = hashlib.blake2b(f"timelineqa\0{version}\0{seed}\0{lifelog}\0".encode(), digest_size=16)
        self._bits = np.random.Philox(key=0)
        self._state = self._bits.state

    def raw(self, purpose: str, size: int) -> npt.NDArray[np.uint64]:
        """The first `size` raw 64-bit integers of the stream of `purpose`."""
        self._seek(purpose)
        raw: npt.NDArray[np.uint64] = self._bits.random_raw(size)
        return raw

    def one(self, purpose: str, low: int, high: int) -> int:
        """A single integer in low..high-1: ``integers(purpose, 1, low, high)[0]`` at a tenth of its cost."""
        self._seek(purpose)
        word: int = self._bits.random_raw() & (FULL - 1)
        return low + (word * (high - low) >> 32)

    def _seek(self, purpose: str) -> None:
        """Go to the beginning of a stream; setting the state costs a tenth of building a generator."""
        digest = self._name.copy()
        digest.update(purpose.encode())
        self._state["state"]["key"] = np.frombuffer(digest.digest(), dtype="<u8").astype(np.uint64, copy=False)
        self._bits.state = self._state

    def words(self, purpose: str, size: int) -> Words32:
        """`size` integers in 0..2**32-1: the halves of the raw integers, low half first."""
        halves = self.raw(purpose, (size + 1) // 2).astype("<u8", copy=False).view("<u4")
        return halves[:size]

    def integers(self, purpose: str, size: int, low: int | Ints, high: int | Ints) -> Ints:
        """`size` integers in low..high-1; `low` and `high` may be arrays of that size, with low < high everywhere."""
        return low + scaled(self.words(purpose, size), high - low)

    def chances(self, purpose: str, size: int, probability: float | npt.NDArray[np.float64]) -> Bools:
        """`size` booleans, each true with its `probability` (one number, or an array of that size)."""
        threshold = np.asarray(np.rint(np.asarray(probability, dtype=np.float64) * FULL), dtype=np.uint64)
        hits: Bools = self.words(purpose, size) < threshold
        return hits

    def choices(self, purpose: str, size: int, weights: Sequence[int]) -> Ints:
        """`size` indices into `weights` (whole numbers), each drawn in proportion to its weight."""
        return pick(self.words(purpose, size), weights)

    def shuffles(self, purpose: str, rows: int, items: int) -> Ints:
        """`rows` random orders of the numbers 0..items-1, one a row."""
        keys = self.raw(purpose, rows * items).reshape(rows, items)
        return np.argsort(keys, axis=1, kind="stable").astype(np.int64)


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


def scaled(words: Words32, span: int | Ints) -> Ints:
    """Integers in 0..span-1 from 32-bit words: the high half of the product, hence no rejection and no division."""
    product = words.astype(np.uint64) * np.asarray(span, dtype=np.uint64)
    high: Ints = (product >> np.uint64(32)).astype(np.int64)
    return high


def pick(words: Words32, weights: Sequence[int]) -> Ints:
    """Indices into `weights` from 32-bit words, in proportion to the weights."""
    edges = np.cumsum(np.asarray(weights, dtype=np.int64))
    return np.searchsorted(edges, scaled(words, int(edges[-1])), side="right").astype(np.int64)
