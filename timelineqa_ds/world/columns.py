"""The values of one field of many episodes, as codes that words for a text and arrays for a table are made of."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ..declared.vocabulary import vocabulary
from .streams import Ints


@dataclass(frozen=True)
class Words:
    """A list of words that codes refer to; equal names mean equal lists within a lifelog."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Choice:
    """One word an episode."""

    words: Words
    codes: Ints

    def arrow(self, rows: Ints) -> pa.Array:
        """The words of these rows."""
        codes = pa.array(self.codes[rows].astype(np.int32))
        return pa.array(self.words.values, pa.string()).take(codes)


@dataclass(frozen=True)
class Items:
    """Several words an episode: shape (episodes, most), padded with -1 at the end."""

    words: Words
    codes: npt.NDArray[np.int16]

    def arrow(self, rows: Ints) -> pa.Array:
        """The word lists of these rows."""
        codes = self.codes[rows]
        offsets = np.zeros(len(codes) + 1, dtype=np.int32)
        np.cumsum((codes >= 0).sum(axis=1), out=offsets[1:])
        values = pa.array(self.words.values, pa.string()).take(pa.array(codes[codes >= 0].astype(np.int32)))
        return pa.ListArray.from_arrays(pa.array(offsets), values)


@dataclass(frozen=True)
class Number:
    """A whole number an episode."""

    values: Ints

    def arrow(self, rows: Ints) -> pa.Array:
        """The numbers of these rows."""
        return pa.array(self.values[rows].astype(np.int32))


@dataclass(frozen=True)
class Flag:
    """Yes or no; it chooses the words of the text through the variant, and is no placeholder."""

    values: npt.NDArray[np.bool_]

    def arrow(self, rows: Ints) -> pa.Array:
        """The values of these rows."""
        return pa.array(self.values[rows])


Column = Choice | Items | Number | Flag


@functools.cache
def shared_words(*names: str) -> Words:
    """The words of one or more lists of the vocabulary, one after the other."""
    known = vocabulary()
    if names == ("destinations",):
        return Words("destinations", tuple(place.city for place in known.destinations))
    if names == ("places",):
        return Words("places", tuple(sight for place in known.destinations for sight in place.places))
    return Words("+".join(names), tuple(word for name in names for word in known[name]))


def dates(days: Ints, first: int) -> pa.Array:
    """date32 of day indices, counted from the day number `first`."""
    return pa.array((days + first).astype(np.int32)).view(pa.date32())


def repeated(value: str, count: int) -> pa.Array:
    """`count` times the same string."""
    return pa.array([value], pa.string()).take(pa.array(np.zeros(count, dtype=np.int32)))
