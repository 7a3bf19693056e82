"""The CSV tables of the original as our derived tables: same columns, typed, oldest first.

``data/original/tables.json`` says which of their columns is which of ours. What a CSV does not hold is looked up in
NAME.json if that is there (whether groceries were ordered online, what was baked, where care was given), or in the
table of trips (who dined), and else null.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..declared.vocabulary import read_json
from ..tables.derived import DerivedTable, derived_tables
from ..world.columns import repeated
from . import values
from .errors import DataError
from .sheet import Sheet, read_sheet


if TYPE_CHECKING:
    from .lifelog import Log

JOBS = "jobs"
_ONLINE = re.compile(r"\bonline\b")
_MOVES = {"college move": "college", "graduate school move": "graduate school"}
_FOR_WHOM = {"personal_medical_care": "myself", "parent_medical_care": "parent", "child_medical_care": "child"}


@functools.cache
def known_columns() -> Mapping[str, Mapping[str, str]]:
    """For each table that the original writes, the columns of ours that it has, with their names there."""
    found: dict[str, dict[str, str]] = read_json("original/tables.json")
    return found


def file_name(table: str) -> str:
    """The CSV file of a table; jobs are among the moves."""
    return f"{'moves' if table == JOBS else table}-log.csv"


def read_table(log: Log, name: str, repeats: bool = False) -> pa.Table:
    """A derived table of a log in order of its days, those of one day by episode_id.

    Args:
        repeats: keep names that are twice in one list, as the original has them.

    Raises:
        DataError: naming file and line, for a value of another kind, for an episode that is not in NAME.json or is
            something else there, and for one that NAME.json has and the table lacks.
    """
    if name == JOBS:
        return _jobs(log)
    theirs, table = known_columns()[name], derived_tables()[name]
    sheet = read_sheet(log.file(file_name(name)), ["eid", *theirs.values()])
    ids = values.ids(sheet)
    found = {"lifelog_id": repeated(log.lifelog_id, len(sheet)), "episode_id": ids}
    for field in list(table.schema)[2:]:
        if field.name in theirs:
            parse = _parser(name, field, repeats)
            found[field.name] = values.column(sheet, theirs[field.name], parse, field.type)
    day = found[first_day(table)]
    if log.entries is not None:
        _compare(log, table, sheet, ids.to_numpy(), day)
    for column, more in _MORE.get(name, {}).items():
        found[column] = more(log, found)
    columns = [found.get(field.name, pa.nulls(len(sheet), field.type)) for field in table.schema]
    order = np.lexsort((ids.to_numpy(), day.cast(pa.int32()).to_numpy()))
    return pa.table(columns, schema=table.schema).take(pa.array(order))


def _jobs(log: Log) -> pa.Table:
    """The moves for a job; of the job itself the original knows the city only."""
    moves = log.table("moves")
    moves = moves.filter(pc.equal(moves["type_of_move"], "job"))
    found = {"start_date": moves["date"], "city": moves["destination"]}
    found.update({name: moves[name] for name in ("lifelog_id", "episode_id")})
    schema = derived_tables()[JOBS].schema
    columns = [found.get(field.name, pa.nulls(len(moves), field.type)) for field in schema]
    return pa.table(columns, schema=schema)


def first_day(table: DerivedTable) -> str:
    """The column that holds the day of the episode."""
    return next(column for column, source in table.sources.items() if source == "start")


def _parser(table: str, field: pa.Field, repeats: bool) -> Callable[[str], Any]:
    if table == "moves" and field.name == "type_of_move":
        return _type_of_move
    if field.name == "for_whom":
        return _for_whom
    if pa.types.is_list(field.type):
        return values.items if repeats else values.distinct
    if pa.types.is_date(field.type):
        return values.day
    return values.whole if pa.types.is_integer(field.type) else values.words


def _type_of_move(text: str) -> str:
    if text not in _MOVES and not text.endswith("for a new job"):
        raise ValueError("expected a move for a college, a graduate school or a new job")
    return _MOVES.get(text, "job")


def _for_whom(text: str) -> str:
    if text not in _FOR_WHOM:
        raise ValueError(f"expected one of {', '.join(_FOR_WHOM)}")
    return _FOR_WHOM[text]


def _compare(log: Log, table: DerivedTable, sheet: Sheet, ids: Any, day: pa.Array) -> None:
    """A table and NAME.json have the same episodes on the same days; else one of them is cut off or of another run."""
    entries = log.entries
    assert entries is not None
    for row, (number, start) in enumerate(zip(ids.tolist(), day.to_pylist(), strict=True)):
        entry = entries.by_number.get(number)
        if entry is None or entry.event not in table.events or entry.start != start.isoformat():
            there = "no such episode" if entry is None else f"{entry.event} on {entry.start}"
            raise sheet.error(row, f"expected what {entries.path.name} has for e{number} ({there}), found {start}")
    lacking = np.setdiff1d(entries.of(table.events), ids)
    if len(lacking):
        entry = entries.by_number[int(lacking[0])]
        message = f"expected a row for e{entry.number} ({entry.event} on {entry.start} in {entries.path.name})"
        raise DataError(sheet.path, f"{message}, found none: the file is cut off or of another log", "last line")


Columns = Mapping[str, pa.Array]


def _days(log: Log, found: Columns) -> pa.Array:
    return pc.add(pc.days_between(found["start_date"], found["end_date"]), 1).cast(pa.int32())


def _trips(log: Log, found: Columns) -> list[Any]:
    """The row of the trips' table for each row, None where there is none."""
    if not log.has(file_name("travel")):
        return [None] * len(found["episode_id"])
    trips = log.table("travel").to_pylist()
    by_key = {(trip["start_date"], trip["end_date"], trip["city"]): trip for trip in trips}
    keys = zip(*(found[name].to_pylist() for name in ("start_date", "end_date", "city")), strict=True)
    return [by_key.get(key) for key in keys]


def _trip_id(log: Log, found: Columns) -> pa.Array:
    return pa.array([trip and trip["episode_id"] for trip in _trips(log, found)], pa.int32())


def _trip_people(log: Log, found: Columns) -> pa.Array:
    """Who is on the trip: the people in the table of meals are those of its last visit, or nobody."""
    return pa.array([trip and trip["people"] for trip in _trips(log, found)], pa.list_(pa.string()))


def _from_entries(value: Callable[[Any], Any], kind: pa.DataType) -> Callable[[Log, Columns], pa.Array]:
    """A column of what the entries of the rows say."""

    def column(log: Log, found: Columns) -> pa.Array:
        if log.entries is None:
            return pa.nulls(len(found["episode_id"]), kind)
        by_number = log.entries.by_number
        return pa.array([value(by_number[number]) for number in found["episode_id"].to_pylist()], kind)

    return column


# Columns that the CSV lacks.
_MORE: Mapping[str, Mapping[str, Callable[[Any, Columns], pa.Array]]] = {
    "travel": {"days": _days},
    "travel_places_visited": {"trip_episode_id": _trip_id},
    "travel_dining": {"trip_episode_id": _trip_id, "people": _trip_people},
    "annual_medical_care": {
        "person": _from_entries(lambda entry: entry.people[0] if entry.people else None, pa.string()),
        "clinic": _from_entries(lambda entry: entry.place, pa.string()),
    },
    "weekly_grocery": {"online": _from_entries(lambda entry: bool(_ONLINE.search(entry.text)), pa.bool_())},
    "weekly_bakeorcook": {"activity": _from_entries(lambda entry: entry.event, pa.string())},
}
