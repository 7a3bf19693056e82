"""The episodes of a lifelog as an Arrow table, in chronological order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa

from ..declared.events import declarations
from ..episodes import Log
from ..world.columns import Choice, dates
from ..world.company import nobody, size
from ..world.streams import Bools, Ints
from .phrasing import phrase


SCHEMA = pa.schema(
    {
        "lifelog_id": pa.string(),
        "episode_id": pa.int32(),
        "start": pa.date32(),
        "end": pa.date32(),
        "event": pa.string(),
        "time_scale": pa.string(),
        "text": pa.string(),
        "people": pa.list_(pa.string()),
        "place": pa.string(),
        "parent_id": pa.int32(),
    }
)
ENCODED_TEXTS = ("lifelog_id", "event", "time_scale", "place")
SCALE_NAMES = {"trip": "annual"}  # a sub-episode has the scale of its trip


def encoded_schema() -> pa.Schema:
    """`SCHEMA` where the strings that repeat are dictionaries."""
    words = pa.dictionary(pa.int32(), pa.string())
    types = {name: words if name in ENCODED_TEXTS else SCHEMA.field(name).type for name in SCHEMA.names}
    return pa.schema({**types, "people": pa.list_(words)})


def diary(log: Log, columns: Sequence[str] | None = None, encoded: bool = False) -> pa.Table:
    """The episodes of a lifelog, ordered by episode_id.

    Only `columns` if given, and nothing else is made.

    Args:
        encoded: leave the strings that repeat as dictionaries, as in `encoded_schema`, which are cheaper to write.
    """
    names = SCHEMA.names if columns is None else list(columns)
    events = _event_codes(log)
    arrays = [_COLUMNS[name](log, events) for name in names]
    schema = encoded_schema() if encoded else SCHEMA
    return pa.table(
        arrays if encoded else [_decoded(array) for array in arrays],
        schema=pa.schema([schema.field(name) for name in names]),
    )


def _decoded(column: pa.Array) -> pa.Array:
    if pa.types.is_dictionary(column.type):
        return column.dictionary_decode()
    if pa.types.is_list(column.type):
        return pa.ListArray.from_arrays(column.offsets, column.values.dictionary_decode())
    return column


def _encoded(codes: Ints, words: Sequence[str], mask: Bools | None = None) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32), mask=mask), pa.array(words, pa.string()))


def _event_codes(log: Log) -> Ints:
    """The event of every episode, as its place among the declared events."""
    codes = np.empty(log.size, dtype=np.int64)
    for event, rows in log.rows.items():
        codes[log.order[event][log.kept(event)]] = rows.event.order
    return codes


def _starts(log: Log) -> Ints:
    start = np.empty(log.size, dtype=np.int64)
    for event, rows in log.rows.items():
        kept = log.kept(event)
        start[log.order[event][kept]] = rows.when.start[kept]
    return start


def _start(log: Log, events: Ints) -> pa.Array:
    return dates(_starts(log), log.world.calendar.first)


def _end(log: Log, events: Ints) -> pa.Array:
    end = _starts(log)
    for event, rows in log.rows.items():
        if rows.when.end is not None:
            kept = log.kept(event)
            end[log.order[event][kept]] = rows.when.end[kept]
    return dates(end, log.world.calendar.first)


def _event(log: Log, events: Ints) -> pa.Array:
    return _encoded(events, list(declarations().events))


def _time_scale(log: Log, events: Ints) -> pa.Array:
    scales = [SCALE_NAMES.get(event.scale, event.scale) for event in declarations().events.values()]
    names = sorted(set(scales))
    return _encoded(np.array([names.index(scale) for scale in scales])[events], names)


def _people(log: Log, events: Ints) -> pa.Array:
    taking = {event: rows for event, rows in log.rows.items() if rows.event.people}
    most = max(rows.people.shape[1] for rows in taking.values())
    people = nobody(log.size, most)
    for event, rows in taking.items():
        kept = log.kept(event)
        people[log.order[event][kept], : rows.people.shape[1]] = rows.people[kept]
    offsets = np.zeros(log.size + 1, dtype=np.int32)
    np.cumsum(size(people), out=offsets[1:])
    codes = people[people >= 0].astype(np.int64)
    return pa.ListArray.from_arrays(pa.array(offsets), _encoded(codes, log.world.names.values))


def _place(log: Log, events: Ints) -> pa.Array:
    words: list[str] = []
    bases: dict[str, int] = {}
    codes = np.full(log.size, -1, dtype=np.int64)
    for event, rows in log.rows.items():
        if rows.event.place and len(kept := log.kept(event)):
            column = rows.field(rows.event.place)
            if not isinstance(column, Choice):
                raise TypeError(f"{event}: the place must be a choice, found {type(column).__name__}")
            if column.words.name not in bases:
                bases[column.words.name] = len(words)
                words += column.words.values
            codes[log.order[event][kept]] = bases[column.words.name] + column.codes[kept]
    return _encoded(codes, words, codes < 0)


def _parent(log: Log, events: Ints) -> pa.Array:
    parents = np.full(log.size, -1, dtype=np.int64)
    for event, rows in log.rows.items():
        if rows.when.trip is not None and event != "travel":
            kept = log.kept(event)
            parents[log.order[event][kept]] = log.order["travel"][rows.when.trip[kept]]
    return pa.array(parents.astype(np.int32), mask=parents < 0)


_COLUMNS: dict[str, Callable[[Log, Ints], pa.Array]] = {
    "lifelog_id": lambda log, _: _encoded(np.zeros(log.size, dtype=np.int64), [log.lifelog_id]),
    "episode_id": lambda log, _: pa.array(np.arange(log.size, dtype=np.int32)),
    "start": _start,
    "end": _end,
    "event": _event,
    "time_scale": _time_scale,
    "text": lambda log, _: phrase(log),
    "people": _people,
    "place": _place,
    "parent_id": _parent,
}
