"""Which questions are asked: as evenly over question types and events as the log allows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...world.streams import Ints, Streams, scaled
from .forms import TYPES
from .values import Values


Cell = tuple[str, str]  # event, question type
TYPE, OWN, EXHAUSTED = 2, 2, np.int64(1 << 40)  # weights, see `shares`
NEAR = 40  # episodes of the event before and after, from which another value is taken
TRIES = 8


def shares(capacities: Mapping[Cell, int], limit: int) -> dict[Cell, int]:
    """How many questions each cell gives, `limit` in all if there are as many.

    One by one, the cell with the least weight gives another question, which adds to the weights of its event, of its
    type and its own. So events, types and the types of an event grow as evenly as the log allows, and what one cell
    lacks is spread over the others.
    """
    events = list(dict.fromkeys(event for event, _ in capacities))
    left = np.array([[capacities.get((event, kind), 0) for kind in TYPES] for event in events], np.int64)
    given = np.zeros_like(left)
    weight = (left == 0) * EXHAUSTED
    for _ in range(min(limit, int(left.sum()))):
        row, column = divmod(int(weight.argmin()), len(TYPES))
        given[row, column] += 1
        weight[row] += 1
        weight[:, column] += TYPE
        weight[row, column] += OWN if given[row, column] < left[row, column] else EXHAUSTED
    return {(event, kind): int(given[events.index(event), TYPES.index(kind)]) for event, kind in capacities}


def other_values(values: Values, field: str, rows: Ints, streams: Streams, purpose: str) -> Ints:
    """A code of `field` for each row that is not true of it but could have been.

    It is true of an episode of the event around that time, and of some before and some after the row: so the person
    was about, and the food or kind is one of this persona's.

    Returns:
        The codes, -1 where none was found.
    """
    codes = values.codes(field)
    size = (codes >= 0).sum(axis=1)
    around = scaled(streams.words(f"{purpose}/near", len(rows) * TRIES), 2 * NEAR + 1).reshape(-1, TRIES) - NEAR
    donor = np.clip(rows[:, None] + around, 0, len(values) - 1)
    item = scaled(streams.words(f"{purpose}/item", len(rows) * TRIES), np.maximum(size[donor], 1).ravel())
    code = codes[donor, item.reshape(donor.shape)]
    first, last = values.lifetimes(field)
    about = (first[code] <= rows[:, None]) & (rows[:, None] <= last[code])
    own, other = values.alike(field, codes[rows]), values.alike(field, code)
    true = (own[:, None, :] == other[:, :, None]).any(axis=2)
    fits = (code >= 0) & about & ~true
    chosen = code[np.arange(len(rows)), fits.argmax(axis=1)]
    others: Ints = np.where(fits.any(axis=1), chosen, -1)
    return others


def told_wrongly(able: Sequence[bool]) -> list[bool]:
    """Which yes/no questions are to have the answer no: half of all, evenly among those that are able to."""
    wanted, possible = len(able) // 2, sum(able)
    wanted = min(wanted, possible)
    chosen, seen = [], 0
    for one in able:
        chosen.append(one and (seen + 1) * wanted // possible > seen * wanted // possible)
        seen += one
    return chosen


def shuffled(count: int, streams: Streams, purpose: str) -> Ints:
    """The numbers 0..count-1 in random order.

    The lower bits of the random keys give way to the numbers themselves, so that the keys are different and a plain
    sort, which is several times as fast as a stable one of indices, can have but one outcome.
    """
    bits = np.uint64(max(count - 1, 0).bit_length())
    keys = streams.raw(purpose, count) >> bits << bits | np.arange(count, dtype=np.uint64)
    keys.sort()
    order: Ints = (keys & ((np.uint64(1) << bits) - np.uint64(1))).astype(np.int64)
    return order
