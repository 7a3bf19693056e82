"""The derived tables of a lifelog, declared in ``data/tables.json``.

A derived table has the episodes of some events. Each of its columns is [source, type, meaning], the source being a
field of the event, or start, end, event, people (a list) or person (the first of them); ``trip.`` before a source asks
the trip of a sub-episode, ``EVENT.`` the episode of another event that ends this one (a divorce, the end of a job),
null if there is none. A value that is not in the text is not in a table.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from ..declared.vocabulary import read_json
from ..episodes import Log
from ..world.columns import dates, repeated
from ..world.company import Codes, size
from ..world.streams import Ints


TYPES = {
    "date": pa.date32(),
    "int": pa.int32(),
    "text": pa.string(),
    "list": pa.list_(pa.string()),
    "flag": pa.bool_(),
}


@dataclass(frozen=True)
class DerivedTable:
    """A derived table.

    Attributes:
        about: what a row is.
        events: whose episodes are its rows.
        sources, meanings: of each column, where it comes from and what it holds.
        names: what its rows call an event, where that is not the event's name.
    """

    name: str
    about: str
    events: tuple[str, ...]
    sources: Mapping[str, str]
    meanings: Mapping[str, str]
    schema: pa.Schema
    names: Mapping[str, str]


@functools.cache
def derived_tables() -> Mapping[str, DerivedTable]:
    """The declared tables by name, read once."""
    tables = {}
    for name, value in read_json("tables.json").items():
        columns = {"lifelog_id": pa.string(), "episode_id": pa.int32()}
        columns.update({column: TYPES[kind] for column, (_, kind, _) in value["columns"].items()})
        tables[name] = DerivedTable(
            name=name,
            about=value["about"],
            events=tuple(value["events"]),
            sources={column: source for column, (source, _, _) in value["columns"].items()},
            meanings={column: meaning for column, (_, _, meaning) in value["columns"].items()},
            schema=pa.schema(columns),
            names=value.get("names", {}),
        )
    return tables


def derived_table(log: Log, table: DerivedTable, columns: Sequence[str] | None = None) -> pa.Table:
    """A derived table of a lifelog, ordered by episode_id; only `columns` if given, and nothing else is made."""
    names = table.schema.names if columns is None else list(columns)
    kept = {event: log.kept(event) for event in table.events}
    ids = np.concatenate([log.order[event][rows] for event, rows in kept.items()])
    by_id = np.argsort(ids, kind="stable")
    arrays = {}
    for name in names:
        if name == "lifelog_id":
            arrays[name] = repeated(log.lifelog_id, len(ids))
        elif name == "episode_id":
            arrays[name] = pa.array(ids[by_id].astype(np.int32))
        else:
            parts = [_values(log, table, event, rows, table.sources[name]) for event, rows in kept.items()]
            column = pa.concat_arrays([part.cast(table.schema.field(name).type) for part in parts])
            arrays[name] = column.take(pa.array(by_id)) if len(parts) > 1 else column
    return pa.table(arrays, pa.schema([table.schema.field(name) for name in names]))


def _values(log: Log, table: DerivedTable, event: str, which: Ints, source: str) -> pa.Array:
    """One column of one event's rows."""
    rows = log.rows[event]
    of, _, inner = source.rpartition(".")
    if of == "trip":
        trip = rows.when.trip
        return _values(log, table, "travel", trip[which] if trip is not None else which, inner)
    if of:
        return _ending(log, of, which, inner)
    if source == "episode_id":
        return pa.array(log.order[event][which].astype(np.int32))
    if source in ("start", "end"):
        return dates((rows.when.start if source == "start" else rows.end)[which], log.world.calendar.first)
    if source == "event":
        return repeated(table.names.get(event, event), len(which))
    if source == "people":
        return _people_lists(log, rows.people[which])
    if source == "person":
        first = rows.people[which, 0].astype(np.int32)
        return pa.array(log.world.names.values, pa.string()).take(pa.array(first, mask=first < 0))
    return rows.field(source).arrow(which)


def _ending(log: Log, event: str, which: Ints, source: str) -> pa.Array:
    """`source` of the episode of `event` that ends each row: the first ends the first, the second the second."""
    ends, order = log.rows[event], log.order[event]
    known = which < len(ends)
    row = np.where(known, which, 0)
    missing = ~known if not len(ends) else ~known | (order[row] < 0)
    if not len(ends):
        return pa.nulls(len(which), pa.int32())
    values = order[row] if source == "episode_id" else ends.when.start[row] + log.world.calendar.first
    return pa.array(values.astype(np.int32), mask=missing)


def _people_lists(log: Log, people: Codes) -> pa.Array:
    offsets = np.zeros(len(people) + 1, dtype=np.int32)
    np.cumsum(size(people), out=offsets[1:])
    values = pa.array(log.world.names.values, pa.string()).take(pa.array(people[people >= 0].astype(np.int32)))
    return pa.ListArray.from_arrays(pa.array(offsets), values)
