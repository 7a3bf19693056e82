"""The values of all episodes of one event, as codes to compare and as words to show."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ...episodes import Log
from ...spec import MONTHS
from ...world.columns import Choice, Flag, Number, Words
from ...world.streams import Bools, Ints


Alike = Mapping[str, Sequence[Sequence[str]]]
Keys = npt.NDArray[np.uint64]
_UNIX_DAY = date(1970, 1, 1).toordinal()
_UNIX_MONTH = 1970 * 12


class Values:
    """The episodes of an event that are in a log, in order of their start.

    Every field is an array of shape (episodes, most) of codes, padded with -1 at the end; most is 1 for all but lists.
    Equal words have equal codes. A day is its proleptic ordinal, a month counts from the year 0, so that none is
    negative.

    Args:
        alike: for some fields, groups of words of which one could be taken for another.
    """

    def __init__(self, log: Log, event: str, alike: Alike | None = None) -> None:
        self._rows = log.rows[event]
        self._kept = log.kept(event)
        self._first = log.world.calendar.first
        self.episode_ids: Ints = log.order[event][self._kept]
        self._alike = alike or {}
        self._codes: dict[str, Ints] = {}
        self._words: dict[str, Words] = {}
        self._lifetimes: dict[str, tuple[Ints, Ints]] = {}

    def __len__(self) -> int:
        return len(self._kept)

    @cached_property
    def days(self) -> Ints:
        """The ordinal of each episode's first day."""
        starts: Ints = self._rows.when.start[self._kept] + (self._first + _UNIX_DAY)
        return starts

    def codes(self, field: str) -> Ints:
        """The codes of a field."""
        if field not in self._codes:
            self._codes[field] = self._made(field)
        return self._codes[field]

    def alike(self, field: str, codes: Ints) -> Ints:
        """Codes of a field, the same one for all words that could be taken for each other."""
        if field not in self._alike:
            return codes
        words = self._words[field].values
        group = np.append(np.arange(len(words)), -1)  # the last one is for the padding
        for like in self._alike[field]:
            places = [words.index(word) for word in like]
            group[places] = places[0]
        return group[codes]

    def lifetimes(self, field: str) -> tuple[Ints, Ints]:
        """The first and the last episode that each code of a field is true of (the last place is the padding's)."""
        if field not in self._lifetimes:
            codes = self.codes(field)
            first = np.full(int(codes.max(initial=0)) + 2, len(codes), dtype=np.int64)
            last = np.full(len(first), -1, dtype=np.int64)
            rows = np.arange(len(codes))
            for column in codes.T:
                np.minimum.at(first, column, rows)
                np.maximum.at(last, column, rows)
            self._lifetimes[field] = first, last
        return self._lifetimes[field]

    def word(self, field: str, code: int) -> str:
        """A code as it is shown."""
        if field == "day":
            day = date.fromordinal(code)
            return f"{day.year:04d}/{day.month:02d}/{day.day:02d}"
        if field == "month":
            return f"{MONTHS[code % 12]} {code // 12:04d}"
        words = self._words.get(field)
        return words.values[code] if words else str(code)

    def told(self, field: str, row: int) -> list[str]:
        """The words of one episode."""
        return [self.word(field, code) for code in self.codes(field)[row].tolist() if code >= 0]

    def _made(self, field: str) -> Ints:
        if field == "day":
            return self.days[:, None]
        if field in ("month", "year"):
            unix = (self.days - _UNIX_DAY).astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)
            months: Ints = unix + _UNIX_MONTH
            return (months if field == "month" else months // 12)[:, None]
        column = self._rows.people_column if field == "people" else self._rows.field(field)
        if isinstance(column, Number):
            return column.values[self._kept][:, None]
        if isinstance(column, Flag):
            raise TypeError(f"{self._rows.event.name}: {field} has no words")
        self._words[field] = column.words
        codes = column.codes[self._kept].astype(np.int64)
        return _by_word(column.words, codes[:, None] if isinstance(column, Choice) else codes)


def _by_word(words: Words, codes: Ints) -> Ints:
    """Codes such that a word that is in the list twice has one code only."""
    if len(set(words.values)) == len(words.values):
        return codes
    first: dict[str, int] = {}
    same = np.array([first.setdefault(word, place) for place, word in enumerate(words.values)] + [-1])
    keys: Ints = same[codes]
    return keys


class Matches:
    """Which episodes fit the values that another one has in the fields `given`.

    A list fits any episode that has all its items: who talked with Ann, Ben and Carl also talked with Ann and Ben. So
    an episode counts under each selection from its list. Values are compared by the sums of their hashes: two that
    differ and yet have equal sums could only make an episode seem not alone, never the other way round.

    Raises:
        ValueError: for more than one list.
    """

    def __init__(self, values: Values, given: Sequence[str]) -> None:
        base = np.zeros(len(values), dtype=np.uint64)
        self._complete = np.ones(len(values), dtype=np.bool_)
        marks: Keys | None = None
        for field in given:
            codes = values.alike(field, values.codes(field))
            self._complete &= codes[:, 0] >= 0
            hashed = _hashed(field, codes)
            if codes.shape[1] == 1:
                base += hashed[:, 0]
            elif marks is None:
                marks = hashed
            else:
                raise ValueError(f"questions: {given}: a question names one list at most")
        self._own, self._all = _keys(base, marks)
        self._all.sort()

    def alone(self, rows: Ints) -> Bools:
        """Whether no other episode fits what each of these has, which is not blank."""
        own = self._own[rows]
        if not len(self._all):  # no episode has all the fields
            return np.zeros(len(rows), dtype=np.bool_)
        following = np.searchsorted(self._all, own) + 1
        repeated = self._all[np.minimum(following, len(self._all) - 1)] == own
        alone: Bools = self._complete[rows] & ~(repeated & (following < len(self._all)))
        return alone


def _keys(base: Keys, marks: Keys | None) -> tuple[Keys, Keys]:
    """The key of each episode, and the keys of all selections from all episodes."""
    if marks is None:
        return base, base.copy()
    selections = []
    for pattern in range(1, 1 << marks.shape[1]):
        inside = [column for column in range(marks.shape[1]) if pattern >> column & 1]
        rows = np.flatnonzero(marks[:, inside[-1]])  # lists are padded at the end
        key = base[rows]
        for column in inside:
            key += marks[rows, column]
        selections.append(key)
    return base + marks.sum(axis=1, dtype=np.uint64), np.concatenate(selections)


def _hashed(field: str, codes: Ints) -> Keys:
    """A 64-bit hash of each code and its field (SplitMix64's mixer), 0 for padding."""
    key: Keys = codes.astype(np.uint64) + (np.uint64(zlib.crc32(field.encode())) << np.uint64(32))
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        key ^= key >> np.uint64(shift)
        key *= np.uint64(factor)
    key ^= key >> np.uint64(31)
    key[codes < 0] = 0
    return key
