"""The CSV tables of the original as our derived tables: same columns, typed, oldest first.

``data/original/tables.json`` says which of their columns is which of ours. What a CSV does not hold is looked up in
NAME.json if that is there (whether groceries were ordered online, what was baked, where care was given), or in the
table of trips (who dined), and else null.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..declared.vocabulary import read_json
from ..tables.derived import DerivedTable, derived_tables
from ..world.columns import repeated
from ..world.streams import Ints
from . import reading
from .entries import Entries, Entry
from .reading import OutputError, Sheet


JOBS = "jobs"
_ONLINE = re.compile(r"\bonline\b")
_MOVES = {"college move": "college", "graduate school move": "graduate school"}
_FOR_WHOM = {"personal_medical_care": "myself", "parent_medical_care": "parent", "child_medical_care": "child"}
# Columns that the CSV lacks: those that the trip has, by their names there, and those that the episode has.
_OF_TRIP = {
    "travel_places_visited": {"trip_episode_id": "episode_id"},
    "travel_dining": {"trip_episode_id": "episode_id", "people": "people"},
}
_OF_EPISODE: Mapping[str, Mapping[str, Callable[[Entry], object]]] = {
    "annual_medical_care": {
        "person": lambda entry: entry.people[0] if entry.people else None,
        "clinic": lambda entry: entry.place,
    },
    "weekly_grocery": {"online": lambda entry: bool(_ONLINE.search(entry.text))},
    "weekly_bakeorcook": {"activity": lambda entry: entry.event},
}


@functools.cache
def known_columns() -> Mapping[str, Mapping[str, str]]:
    """For each table that the original writes, the columns of ours that it has, with their names there."""
    columns: dict[str, dict[str, str]] = read_json("original/tables.json")
    return columns


def file_name(table: str) -> str:
    """The CSV file of a table; jobs are among the moves."""
    return f"{'moves' if table == JOBS else table}-log.csv"


def is_of_trips(table: str) -> bool:
    """Whether the rows of a table are parts of a trip."""
    return table in _OF_TRIP


def first_day(table: str) -> str:
    """The column that holds the day of the episode."""
    return next(column for column, source in derived_tables()[table].sources.items() if source == "start")


def read_table(path: Path, name: str, lifelog_id: str, entries: Entries | None, trips: pa.Table | None) -> pa.Table:
    """A derived table of a log in order of its days, those of one day by episode_id.

    Args:
        entries: the episodes of the log, if they are known.
        trips: the table `travel`, if it is there and this one has parts of trips.

    Raises:
        OutputError: naming file and line, for a value of another kind, for an episode that is not in NAME.json
            or is something else there, and for one that NAME.json has and the table lacks.
    """
    theirs, table = known_columns()[name], derived_tables()[name]
    sheet = reading.read_sheet(path, ["eid", *theirs.values()])
    ids = sheet.ids()
    columns = {"lifelog_id": repeated(lifelog_id, len(sheet)), "episode_id": ids}
    for field in list(table.schema)[2:]:
        if field.name in theirs:
            columns[field.name] = sheet.column(theirs[field.name], _parser(name, field), field.type)
    day = columns[first_day(name)]
    if entries is not None:
        _compare(entries, table, sheet, ids.to_numpy(), day)
        for column, value in _OF_EPISODE.get(name, {}).items():
            known = [value(entries.by_number[number]) for number in ids.to_pylist()]
            columns[column] = pa.array(known, table.schema.field(column).type)
    if trips is not None:
        of_trip = _trips_of(columns, trips)
        for column, theirs_there in _OF_TRIP[name].items():
            known = [trip and trip[theirs_there] for trip in of_trip]
            columns[column] = pa.array(known, table.schema.field(column).type)
    if name == "travel":
        columns["days"] = pc.add(pc.days_between(columns["start_date"], columns["end_date"]), 1).cast(pa.int32())
    order = np.lexsort((ids.to_numpy(), day.cast(pa.int32()).to_numpy()))
    return _shaped(table, columns, len(sheet)).take(pa.array(order))


def jobs(moves: pa.Table) -> pa.Table:
    """The moves for a job; of the job itself the original knows the city only."""
    moves = moves.filter(pc.equal(moves["type_of_move"], "job"))
    columns = {"start_date": moves["date"], "city": moves["destination"]}
    columns.update({name: moves[name] for name in ("lifelog_id", "episode_id")})
    return _shaped(derived_tables()[JOBS], columns, len(moves))


def _shaped(table: DerivedTable, columns: Mapping[str, pa.Array], count: int) -> pa.Table:
    """The table, with null in the columns that are not known."""
    arrays = [columns.get(field.name, pa.nulls(count, field.type)) for field in table.schema]
    return pa.table(arrays, schema=table.schema)


def _parser(table: str, field: pa.Field) -> Callable[[str], object]:
    if table == "moves" and field.name == "type_of_move":
        return _type_of_move
    if field.name == "for_whom":
        return _for_whom
    if pa.types.is_list(field.type):
        return reading.distinct
    if pa.types.is_date(field.type):
        return reading.day
    return reading.whole if pa.types.is_integer(field.type) else reading.words


def _type_of_move(text: str) -> str:
    if text not in _MOVES and not text.endswith("for a new job"):
        raise ValueError("expected a move for a college, a graduate school or a new job")
    return _MOVES.get(text, "job")


def _for_whom(text: str) -> str:
    if text not in _FOR_WHOM:
        raise ValueError(f"expected one of {', '.join(_FOR_WHOM)}")
    return _FOR_WHOM[text]


def _compare(entries: Entries, table: DerivedTable, sheet: Sheet, ids: Ints, day: pa.Array) -> None:
    """A table and NAME.json have the same episodes on the same days; else one of them is cut off or of another run."""
    for row, (number, start) in enumerate(zip(ids.tolist(), day.to_pylist(), strict=True)):
        entry = entries.by_number.get(number)
        if entry is None or entry.event not in table.events or entry.start != start.isoformat():
            there = "no such episode" if entry is None else f"{entry.event} on {entry.start}"
            raise sheet.error(row, f"expected what {entries.path.name} has for e{number} ({there}), found {start}")
    lacking = np.setdiff1d(entries.of(table.events), ids)
    if len(lacking):
        entry = entries.by_number[int(lacking[0])]
        message = f"expected a row for e{entry.number} ({entry.event} on {entry.start} in {entries.path.name})"
        reason = "found none: the file is cut off or of another log"
        raise OutputError(sheet.path, f"{message}, {reason}", "last line")


def _trips_of(columns: Mapping[str, pa.Array], trips: pa.Table) -> list[dict[str, object] | None]:
    """The row of the trips' table for each row, None where there is none.

    The people in the CSV of meals are not those of the trip: they are those of its last visit, or nobody.
    """
    by_key = {(trip["start_date"], trip["end_date"], trip["city"]): trip for trip in trips.to_pylist()}
    keys = zip(*(columns[name].to_pylist() for name in ("start_date", "end_date", "city")), strict=True)
    return [by_key.get(key) for key in keys]
