"""Who can be there: people drawn for many episodes at once, only from those who are about on the day.

A person belongs to a group from a first to a last day. Between two changes of any group everybody's membership is
constant, so a draw is a look-up of the stretch a day falls in and of a rank among the members then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .streams import FULL, Ints, Words32, pick


Codes = npt.NDArray[np.int16]
NOBODY = -1


@dataclass(frozen=True)
class Membership:
    """A person (index in the persona's people) in a group, from day `since` to day `until`, both included."""

    person: int
    group: str
    since: int
    until: int


class Company:
    """The groups of one persona over time."""

    def __init__(self, memberships: Sequence[Membership]) -> None:
        changes = {m.since for m in memberships} | {m.until + 1 for m in memberships}
        self._edges = np.array(sorted(changes), dtype=np.int64)
        self.groups = sorted({m.group for m in memberships})
        stretches = len(self._edges) + 1
        self._count = {group: np.zeros(stretches, dtype=np.int64) for group in self.groups}
        self._members: dict[str, Codes] = {}
        for group in self.groups:
            inside = [m for m in memberships if m.group == group]
            table = np.full((stretches, len(inside) + 1), NOBODY, dtype=np.int16)
            count = self._count[group]
            for member in inside:
                low, high = np.searchsorted(self._edges, [member.since, member.until + 1])
                for stretch in range(low + 1, high + 1):
                    table[stretch, count[stretch]] = member.person
                    count[stretch] += 1
            self._members[group] = table

    def present(self, group: str, days: Ints) -> Ints:
        """How many of `group` are about on each of `days`."""
        if group not in self._count:
            return np.zeros(len(days), dtype=np.int64)
        return self._count[group][self._stretch(days)]

    def groups_for(self, weights: Mapping[str, int], days: Ints, words: Words32) -> Ints:
        """A group for each day in proportion to `weights`, passing over groups with nobody about.

        Returns:
            Positions in `weights`, or -1 where all the groups are empty.
        """
        filled = np.zeros(len(days), dtype=np.int64)
        for place, group in enumerate(weights):
            filled |= (self.present(group, days) > 0).astype(np.int64) << place
        chosen = np.full(len(days), NOBODY, dtype=np.int64)
        for pattern in np.flatnonzero(np.bincount(filled)):
            able = [weight * (int(pattern) >> place & 1) for place, weight in enumerate(weights.values())]
            rows = np.flatnonzero(filled == pattern)
            if any(able):
                chosen[rows] = pick(words[rows], able)
        return chosen

    def members(self, weights: Mapping[str, int], group: Ints, days: Ints, words: Words32, most: int) -> Codes:
        """Different people of each row's group about on its day.

        Args:
            weights: the groups that the positions in `group` stand for.
            group: position of each row's group, or -1 for nobody.
            words: one 32-bit integer a row: how many (1 .. most, evenly, or as many as there are), and which.

        Returns:
            Shape (rows, most): indices of people, padded with -1.
        """
        stretch = self._stretch(days)
        people = nobody(len(days), most)
        for position, name in enumerate(weights):
            rows = np.flatnonzero(group == position)
            if len(rows):
                within = stretch[rows]
                ranks = different(words[rows], self._count[name][within], most)
                table = self._members[name]
                # The last column of the table stands for the padding's rank -1.
                people[rows] = table.ravel()[within[:, None] * table.shape[1] + ranks % table.shape[1]]
        return people

    def _stretch(self, days: Ints) -> Ints:
        return np.searchsorted(self._edges, days, side="right").astype(np.int64)


def different(words: Words32, count: int | Ints, most: int) -> Codes:
    """Between one and `most` different ranks below `count`, in random order, padded with -1.

    Args:
        words: one 32-bit integer a row. Read as a fraction, its product with the number of choices is a whole part,
            the choice, and a rest to make the next choice by; all choices together must be far fewer than 2**32.
        count: how many there are to choose from in each row, at least 1.
    """
    rest = words.astype(np.uint64)
    wanted = np.minimum(_peel(rest, most) + 1, count)
    ranks = nobody(len(words), most)
    taken: list[Codes] = []  # so far, ascending in each row
    for column in range(most):
        rank = _peel(rest, np.maximum(count - column, 1)).astype(np.int16)
        for other in taken:  # the rank counts only those not taken yet: step over the taken ones
            rank += rank >= other
        np.copyto(ranks[:, column], rank, where=column < wanted)
        for place, other in enumerate(taken):
            taken[place], rank = np.minimum(other, rank), np.maximum(other, rank)
        taken.append(rank)
    return ranks


def _peel(rest: npt.NDArray[np.uint64], choices: int | Ints) -> Ints:
    """Choose by the fraction `rest` (in 2**-32) and leave what remains of it there."""
    rest *= np.asarray(choices, dtype=np.uint64)
    chosen: Ints = (rest >> np.uint64(32)).astype(np.int64)
    rest &= np.uint64(FULL - 1)
    return chosen


def size(people: Codes) -> Ints:
    """How many people each row names."""
    counted = np.zeros(len(people), dtype=np.int64)
    for column in people.T:  # a sum over so short an axis costs three times as much
        counted += column >= 0
    return counted


def nobody(rows: int, most: int = 1) -> Codes:
    """Rows without people."""
    return np.full((rows, most), NOBODY, dtype=np.int16)
