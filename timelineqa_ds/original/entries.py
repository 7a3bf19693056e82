"""NAME.json: the episodes of a log, each with its text and the atomic questions that it answers.

The file maps days to episodes, which are keyed by event and number ("chat0"). What an episode's
``logical_representation`` holds depends on the event: ``data/original/entries.json`` says how many values there are
and which of them are the people, the place and the last day.
"""

from __future__ import annotations

import functools
import itertools
import operator
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from ..declared import vocabulary
from ..declared.events import declarations
from ..tables.diary import SCALE_NAMES, SCHEMA
from ..world.columns import repeated
from ..world.streams import Bools, Ints
from . import reading
from .reading import OutputError, read_days, short


_CHILD = re.compile(r"(?:I took )?([^.]+?) for his/her ")
_NUMBER = re.compile(r"\d+$")


class EpisodeEntry(NamedTuple):
    """An episode; `start` is written YYYY-MM-DD, `place` None where the event has none."""

    start: str
    number: int
    event: str
    end: str
    text: str
    people: list[str]
    place: str | None
    pairs: list[list[str]]


class _Shape(NamedTuple):
    """How many values the representation of an event has, and which of them are what."""

    length: int
    people: int | None = None
    place: int | None = None
    end: int | None = None


@dataclass(frozen=True)
class Entries:
    """The episodes of a log in order of their start, those of one day by number."""

    path: Path
    rows: Sequence[EpisodeEntry]

    @functools.cached_property
    def numbers(self) -> Ints:
        """The episode ids: 7 for the original's e7."""
        return np.array([row.number for row in self.rows], dtype=np.int64)

    @functools.cached_property
    def by_number(self) -> Mapping[int, EpisodeEntry]:
        """The episodes by id."""
        return {row.number: row for row in self.rows}

    def of(self, events: Sequence[str]) -> Ints:
        """The ids of the episodes of some events, ascending."""
        return np.sort(self.numbers[self.is_of(events)])

    def is_of(self, events: Sequence[str]) -> Bools:
        """Which episodes are of some events."""
        wanted = set(events)
        return np.array([row.event in wanted for row in self.rows], dtype=np.bool_)

    def table(self, lifelog_id: str, columns: Sequence[str] | None = None) -> pa.Table:
        """The columns of `D_episodes`; only `columns` if given, and nothing else is made."""
        names = SCHEMA.names if columns is None else list(columns)
        made = [self._column(name, lifelog_id) for name in names]
        return pa.table(made, schema=pa.schema([SCHEMA.field(name) for name in names]))

    def _column(self, name: str, lifelog_id: str) -> pa.Array:
        kind = SCHEMA.field(name).type
        if name == "lifelog_id":
            return repeated(lifelog_id, len(self.rows))
        if name == "episode_id":
            return pa.array(self.numbers, kind)
        if name == "time_scale":
            return pa.array([_scale(row.event) for row in self.rows], kind)
        if name == "parent_id":
            return self._parents()
        written = pa.string() if name in ("start", "end") else kind
        return pa.array([getattr(row, name) for row in self.rows], written).cast(kind)

    def _parents(self) -> pa.Array:
        """The trip of each sub-episode: the last one that had begun, if the text names its city."""
        starts = np.array([row.start for row in self.rows], dtype="datetime64[D]")
        trips = np.flatnonzero(self.is_of(["travel"]))
        parents: list[int | None] = [None] * len(self.rows)
        inside = np.flatnonzero(self.is_of(["places_visited", "dining"]))
        before = np.searchsorted(starts[trips], starts[inside], "right").tolist()
        for row, place in zip(inside.tolist(), before, strict=True):
            trip = self.rows[int(trips[place - 1])] if place else None
            if trip is not None and (trip.place or "") in self.rows[row].text:
                parents[row] = trip.number
        return pa.array(parents, pa.int32())


def read_entries(path: Path) -> Entries:
    """The episodes of a log.

    Raises:
        OutputError: naming the entry, for one that is not as the original program writes it, and for a file that
            is not JSON or lacks an episode.
    """
    rows: list[EpisodeEntry] = []
    for day, episodes in read_days(path):
        rows += _entries_of(path, day, episodes)
    rows.sort(key=operator.itemgetter(0, 1))
    entries = Entries(path, rows)
    numbers = np.sort(entries.numbers)
    if not np.array_equal(numbers, np.arange(len(rows))):
        wrong = int(np.argmax(numbers != np.arange(len(rows))))
        raise OutputError(path, f"expected the episodes e0 .. e{len(rows) - 1}, each once; e{wrong} is not so")
    return entries


def _entries_of(path: Path, day: str, episodes: object) -> list[EpisodeEntry]:
    try:
        start = reading.day(day).isoformat()
    except ValueError as error:
        raise OutputError(path, f"{error}, found {short(day)}", f"entry {day}") from None
    if not isinstance(episodes, dict):
        raise OutputError(path, f"expected an object of episodes, found {short(episodes)}", f"entry {day}")
    rows = []
    for key, episode in episodes.items():
        try:
            rows.append(_entry(start, event_of(key), episode))
        except ValueError as error:
            raise OutputError(path, str(error), f"entry {day} {key}") from None
    return rows


@functools.lru_cache(4096)
def event_of(key: str) -> str:
    """The event of an episode's key: watch_tv for "watch tv0".

    Raises:
        ValueError: if there is no such event.
    """
    event = _NUMBER.sub("", key).replace(" ", "_")
    if event not in shapes():
        raise ValueError(f"expected an event such as chat0, found {short(key)}")
    return event


@functools.cache
def shapes() -> Mapping[str, _Shape]:
    """What the episodes of each event hold, as declared."""
    return {event: _Shape(**value) for event, value in vocabulary.read_json("original/entries.json").items()}


@functools.cache
def _scale(event: str) -> str:
    scale = declarations().events[event].scale
    return SCALE_NAMES.get(scale, scale)


def _entry(start: str, event: str, episode: object) -> EpisodeEntry:
    if not isinstance(episode, dict):
        raise ValueError(f"expected an episode, found {short(episode)}")
    text, pairs, held = episode.get("text_template_based"), episode.get("atomic_qa_pairs"), episode.get(_HELD)
    if not isinstance(text, str):
        raise ValueError(f"text_template_based: expected a text, found {short(text)}")
    shape = shapes()[event]
    if not isinstance(held, list) or len(held) != shape.length:
        raise ValueError(f"{_HELD}: expected {shape.length} values, found {short(held)}")
    if not isinstance(pairs, list) or not _are_pairs(pairs):
        raise ValueError(f"atomic_qa_pairs: expected pairs of question and answer, found {short(pairs)}")
    end = start if shape.end is None else reading.day(_text(held[shape.end])).isoformat()
    if end < start:
        raise ValueError(f"{_HELD}: expected an end on or after {start}, found {end}")
    number = reading.eid(_text(episode.get("eid")))
    place = None if shape.place is None else reading.words(_text(held[shape.place]))
    return EpisodeEntry(start, number, event, end, text, _people(event, shape, held, text), place, pairs)


_HELD = "logical_representation"


def _are_pairs(pairs: list[list[object]]) -> bool:
    return (
        {*map(type, pairs)} <= {list}
        and {*map(len, pairs)} <= {2}
        and {*map(type, itertools.chain.from_iterable(pairs))} <= {str}
    )


def _text(value: object) -> str:
    if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
        return str(value[0])  # a place of birth: city and country
    if not isinstance(value, str):
        raise ValueError(f"expected a text, found {short(value)}")
    return value


def _people(event: str, shape: _Shape, held: list[object], text: str) -> list[str]:
    """Who is named: the original also draws people whom the chosen text leaves out."""
    if event == "child_medical_care":
        child = _CHILD.match(text)
        return [child[1]] if child else []
    if shape.people is None:
        return []
    people = held[shape.people]
    if isinstance(people, list) and all(isinstance(name, str) for name in people):
        people = ", ".join(people)
    if not isinstance(people, str):
        raise ValueError(f"{_HELD}: expected people, found {short(people)}")
    names = reading.distinct(people)
    return names if all(name in text for name in names) else []
