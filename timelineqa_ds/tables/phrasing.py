"""Sentences for a whole lifelog at once.

Every word, with the literal text that follows it in a template, is a string of one pool. A sentence is then a run of
indices into the pool, and the sentences of a lifelog are one long array of indices: taking these from the pool writes
the texts end to end, and the texts are the same bytes cut at other offsets. No string is ever joined in Python.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ..declared.events import Event, declarations
from ..declared.templates import SentenceTemplate, Slot, templates
from ..episodes import Log, Rows
from ..world.columns import Choice, Column, Items, Number, Words, shared_words
from ..world.company import size
from ..world.streams import Ints, scaled


Pieces = npt.NDArray[np.int32]
# Forms that a word takes: as it is, before the last but one item of a list, before any other, at the beginning.
PLAIN, BEFORE_LAST, BEFORE_MORE, CAPITAL = range(4)
_SUFFIX = {BEFORE_LAST: " and ", BEFORE_MORE: ", "}


class PiecePool:
    """Strings with an index each. Word lists are added whole, in a form and with the text that follows them."""

    def __init__(self, parent: PiecePool | None = None) -> None:
        self.strings: list[str] = [] if parent else [""]
        self._parent = parent
        self._start = len(parent) if parent else 0
        self._bases: dict[tuple[str, int, str], int] = {}

    def __len__(self) -> int:
        return self._start + len(self.strings)

    def literal(self, text: str) -> int:
        """Index of a literal text, added if it is new."""
        return self.words(Words("", (text,)), PLAIN, text)

    def words(self, words: Words, form: int, after: str = "") -> int:
        """Index of the first of `words`, in a form and followed by a text; the others follow it."""
        key = (words.name, form, after)
        if self._parent and key in self._parent._bases:
            return self._parent._bases[key]
        if key not in self._bases:
            self._bases[key] = len(self)
            self.strings += [_formed(word, form) + (after if words.name else "") for word in words.values]
        return self._bases[key]


def _formed(word: str, form: int) -> str:
    return word[:1].upper() + word[1:] if form == CAPITAL else word + _SUFFIX.get(form, "")


class _Shared:
    """What every lifelog of a process shares: a pool of all vocabularies and numbers with what may follow them."""

    def __init__(self) -> None:
        self.pool = PiecePool()
        for event in declarations().events.values():
            for template in (one for group in templates()[event.name].values() for one in group):
                self.pool.literal(template.lead)
                for slot in template.slots:
                    self._add(event, slot)
        self.array = pa.array(self.pool.strings, pa.string())

    def _add(self, event: Event, slot: Slot) -> None:
        field = event.fields.get(slot.field)
        if field is None:
            return
        if field.high:
            self.pool.words(_numbers(field.low, field.high, field.step), PLAIN, slot.after)
        elif field.of:
            words = shared_words(*field.of)
            self.pool.words(words, CAPITAL if slot.capital else PLAIN, slot.after)
            if field.kind == "items":
                self.pool.words(words, BEFORE_LAST)
                self.pool.words(words, BEFORE_MORE)
        elif event.name in ("travel", "places_visited", "dining"):
            for name in ("destinations", "places", "food.restaurants"):
                self.pool.words(shared_words(name), PLAIN, slot.after)


@functools.cache
def _numbers(low: int, high: int, step: int) -> Words:
    return Words(f"numbers {low}:{high}:{step}", tuple(str(number) for number in range(low, high + 1, step)))


@functools.cache
def _shared() -> _Shared:
    return _Shared()


class _Phrase:
    """The episodes of one event that share a template, and the pieces of their sentences."""

    def __init__(self, rows: Rows, template: SentenceTemplate, which: Ints) -> None:
        self.rows, self.template, self.which = rows, template, which
        self.width = bool(template.lead) + sum(self._width(slot) for slot in template.slots)

    def _width(self, slot: Slot) -> int:
        column = self._column(slot)
        return int(column.codes.shape[1]) if isinstance(column, Items) else 1

    def _column(self, slot: Slot) -> Column:
        return self.rows.people_column if slot.field == "people" else self.rows.field(slot.field)

    def write(self, pieces: Pieces, at: Ints, pool: PiecePool) -> None:
        """Put the pieces of each sentence into `pieces`, from the positions `at` on (which are moved along)."""
        if self.template.lead:
            pieces[at] = pool.literal(self.template.lead)
            at += 1
        for slot in self.template.slots:
            column = self._column(slot)
            if isinstance(column, Items):
                listed = self._list(pool, column, slot)
                for place in range(listed.shape[1]):
                    pieces[at] = listed[:, place]
                    at += 1
            else:
                pieces[at] = self._single(pool, column, slot)
                at += 1

    def _single(self, pool: PiecePool, column: Column, slot: Slot) -> Ints:
        if isinstance(column, Choice):
            return pool.words(column.words, CAPITAL if slot.capital else PLAIN, slot.after) + column.codes[self.which]
        if isinstance(column, Number):
            field = self.rows.event.fields[slot.field]
            numbers = pool.words(_numbers(field.low, field.high, field.step), PLAIN, slot.after)
            return numbers + (column.values[self.which] - field.low) // field.step
        raise TypeError(f"{self.template.event}: {slot.field} cannot be put in a sentence")

    def _list(self, pool: PiecePool, column: Items, slot: Slot) -> Pieces:
        """ "A, B and C": each word in the form that its distance from the end asks for, then empty pieces.

        Where the sentence goes on with "and" itself, it is "A, B, C".
        """
        most = column.codes.shape[1]
        more = pool.words(column.words, BEFORE_MORE)
        last = more if slot.goes_on else pool.words(column.words, BEFORE_LAST)
        forms = [pool.words(column.words, PLAIN, slot.after), last, *[more] * most]
        # By count and place; the padding code -1 added to 1 is the empty piece 0.
        base = np.ones((most + 1, most), dtype=np.int32)
        for count in range(1, most + 1):
            base[count, :count] = forms[:count][::-1]
        codes = column.codes[self.which]
        listed: Pieces = np.add(base[size(codes)], codes, dtype=np.int32)
        return listed


def phrase(log: Log) -> pa.Array:
    """The sentence of every episode of a lifelog, by episode_id."""
    phrases = [group for event in declarations().events.values() for group in _phrases(log, event)]
    offsets = np.zeros(log.size + 1, dtype=np.int64)
    places = [log.order[group.rows.event.name][group.which] for group in phrases]
    for group, place in zip(phrases, places, strict=True):
        offsets[place + 1] = group.width
    np.cumsum(offsets, out=offsets)
    pieces = np.zeros(int(offsets[-1]), dtype=np.int32)
    pool = PiecePool(_shared().pool)
    for group, place in zip(phrases, places, strict=True):
        group.write(pieces, offsets[place], pool)
    strings = pa.concat_arrays([_shared().array, pa.array(pool.strings, pa.string())])
    return _joined(pc.take(strings, pa.array(pieces), boundscheck=False), offsets)


def _phrases(log: Log, event: Event) -> Iterable[_Phrase]:
    """The rows of an event that are in the log, by template."""
    rows, kept = log.rows[event.name], log.kept(event.name)
    if not len(kept):
        return
    variant = rows.variant[kept]
    for number, declared in enumerate(event.variants):
        chosen = kept[variant == number]
        choices = templates()[event.name][declared.name]
        which = scaled(rows.template_words[chosen], len(choices))
        for place, template in enumerate(choices):
            told = chosen[which == place]
            if len(told):
                yield _Phrase(rows, template, told)


def _joined(pieces: pa.Array, offsets: Ints) -> pa.Array:
    """Strings made of the runs of `pieces` between `offsets`: the same bytes, cut less often."""
    _, cuts, data = pieces.buffers()
    starts = np.frombuffer(cuts, dtype=np.int32)[offsets].astype(np.int32)
    return pa.StringArray.from_buffers(len(offsets) - 1, pa.py_buffer(starts), data)
