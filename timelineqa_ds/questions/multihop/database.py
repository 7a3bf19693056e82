"""A lifelog's derived tables in an in-memory DuckDB, the SQL of templates run on them, and evidence as text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...declared.vocabulary import vocabulary
from ...world.columns import repeated
from ...world.streams import Ints


Value = str | int | date
Parameters = Mapping[str, Value]
WIDEST = 9  # years between the first and the last year of a range
_NAME = re.compile(r"\$(\w+)")
# What draws choose from beside the derived tables, persona and destinations (what could be visited).
_HELPERS = (
    "CREATE TABLE years AS SELECT y::INTEGER AS year, make_date(y, 1, 1) AS first, make_date(y, 12, 31) AS last, "
    "make_date(y, 12, 31) - make_date(y, 1, 1) + 1 AS days FROM range({0}, {1} + 1) numbers(y)",
    "CREATE TABLE months AS SELECT year, monthname(d) AS month, d AS first, last_day(d) AS last, "
    "day(last_day(d)) AS days FROM (SELECT year, make_date(year, m, 1) AS d FROM years, range(1, 13) numbers(m))",
    f"CREATE TABLE ranges AS SELECT a.year AS from_year, b.year AS to_year, a.first, b.last FROM years a, years b "
    f"WHERE b.year - a.year BETWEEN 1 AND {WIDEST}",
    "CREATE TABLE whole AS SELECT min(year) AS from_year, max(year) AS to_year, min(first) AS first, "
    "max(last) AS last, count(*) AS periods FROM years",
    # Trips that city, month and year tell from all others.
    "CREATE VIEW trips AS SELECT city, monthname(start_date) AS month, year(start_date) AS year, start_date AS first, "
    "end_date AS last FROM travel QUALIFY count(*) OVER (PARTITION BY city, date_trunc('month', start_date)) = 1",
    "CREATE VIEW children AS SELECT unnest(children, recursive := true) FROM persona",
)

TABLE = pa.struct(
    {"name": pa.string(), "header": pa.list_(pa.string()), "rows": pa.list_(pa.list_(pa.string()))},
)
HIDDEN = ("lifelog_id",)  # the same in every row, and a column of the question anyway

_NO_TEXT = pa.array([], pa.string())


class Database:
    """The tables of one lifelog, and helper tables for draws.

    Args:
        tables: derived tables by name.
        persona: one row, as in the config `personas`.
        years: first and last year of the lifelog.
    """

    def __init__(
        self, lifelog_id: str, tables: Mapping[str, pa.Table], persona: pa.Table, years: tuple[int, int]
    ) -> None:
        import duckdb  # here, since who asks no questions need not load it

        self.lifelog_id, self.tables, self.years = lifelog_id, tables, years
        # One thread: a lifelog's queries are short, and lifelogs are made in parallel processes.
        self._connection = duckdb.connect(config={"threads": 1})
        for name, table in {**tables, "persona": persona}.items():
            self._connection.register(f"arrow_{name}", table)
            # Copied, since a template's four or so queries would each read the whole of an Arrow table again.
            self._connection.execute(f"CREATE TABLE {name} AS SELECT * FROM arrow_{name}")
            self._connection.unregister(f"arrow_{name}")
        for statement in _HELPERS:
            self._connection.execute(statement.format(*years))
        sights = [(place.city, sight) for place in vocabulary().destinations for sight in place.places]
        columns = dict(zip(("city", "place"), zip(*sights, strict=True), strict=True))
        self._connection.register("destinations", pa.table({name: list(words) for name, words in columns.items()}))

    def draw_from(self, sql: str) -> int:
        """Make `sql` what `drawn` takes rows of; how many it has."""
        self._connection.execute(f"CREATE OR REPLACE TEMP TABLE candidates AS {sql}")
        ((count,),) = self._connection.execute("SELECT count(*) FROM candidates").fetchall()
        return int(count)

    def drawn(self, place: int) -> dict[str, Value]:
        """A row of what `draw_from` has made, in the order of all its columns."""
        found = self._connection.execute(f"SELECT * FROM candidates ORDER BY ALL LIMIT 1 OFFSET {place}")
        names = [column[0] for column in found.description or ()]
        (row,) = found.fetchall()
        return dict(zip(names, row, strict=True))

    def answers(self, sql: str, parameters: Parameters) -> list[str]:
        """The values of the first column as text, without nulls."""
        rows = self._connection.execute(sql, _used(sql, parameters)).fetchall()
        return [as_text(row[0]) for row in rows if row[0] is not None]

    def ids(self, sql: str, parameters: Parameters) -> Ints:
        """The episode ids that `sql` selects, ascending and once each."""
        (found,) = self._connection.execute(sql, _used(sql, parameters)).fetchnumpy().values()
        return np.unique(found).astype(np.int64)


def as_text(value: Any) -> str:
    """An answer as text: plain integers, averages with two decimals, ISO dates, yes or no."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, int | str | Decimal):
        return str(value)
    raise TypeError(f"expected an answer query to give whole numbers, decimals, dates or texts, found {value!r}")


def finished(sql: str, parameters: Parameters) -> str:
    """`sql` with its parameters written out."""
    return _NAME.sub(lambda found: _literal(parameters[found[1]]), sql)


def _used(sql: str, parameters: Parameters) -> dict[str, Value]:
    """The parameters that `sql` names: DuckDB refuses others."""
    return {name: parameters[name] for name in _NAME.findall(sql)}


def _literal(value: Value) -> str:
    if isinstance(value, date):
        return f"DATE '{value.isoformat()}'"
    if isinstance(value, int):
        return str(value)
    return "'" + value.replace("'", "''") + "'"


@dataclass(frozen=True)
class Evidence:
    """A table to show, of any types."""

    name: str
    rows: pa.Table


def selected(names: Sequence[str], tables: Mapping[str, pa.Table], ids: Ints) -> Evidence:
    """The rows that have these episode ids, of one derived table or of several one below the other.

    Rows of several tables stand in the order of the tables, each with the name of its own first; a column that a
    table lacks is empty there.
    """
    found = [_rows(tables[name], ids) for name in names]
    if len(names) > 1:
        found = [
            rows.add_column(0, "table", repeated(name, len(rows))) for name, rows in zip(names, found, strict=True)
        ]
    return Evidence("_".join(names), pa.concat_tables(found, promote_options="default"))


def _rows(table: pa.Table, ids: Ints) -> pa.Table:
    """The rows of a derived table, which is ordered by episode_id."""
    known = table["episode_id"].to_numpy()
    mine = ids[np.isin(ids, known)]
    return table.drop_columns(list(HIDDEN)).take(pa.array(np.searchsorted(known, mine)))


def as_struct(tables: Sequence[Evidence]) -> pa.StructArray:
    """The tables as one column of type `TABLE`."""
    cells = [_cells(evidence.rows) for evidence in tables]
    heights = [evidence.rows.num_rows for evidence in tables]
    widths = [evidence.rows.num_columns for evidence in tables]
    inner = pa.ListArray.from_arrays(_offsets(np.repeat(widths, heights)), pa.concat_arrays([_NO_TEXT, *cells]))
    headers = pa.array([evidence.rows.column_names for evidence in tables], TABLE.field("header").type)
    names = pa.array([evidence.name for evidence in tables], pa.string())
    rows = pa.ListArray.from_arrays(_offsets(np.array(heights)), inner)
    return pa.StructArray.from_arrays([names, headers, rows], fields=list(TABLE))


def _cells(table: pa.Table) -> pa.Array:
    """The values of all columns as text, row by row: the columns one after the other, then put in order."""
    columns = pa.concat_arrays([_text(column) for column in table.columns])
    rows, width = table.num_rows, table.num_columns
    order = (np.arange(rows)[:, None] + np.arange(width) * rows).ravel()
    return columns.take(pa.array(order))


def _text(column: pa.ChunkedArray) -> pa.Array:
    """A column as text: lists joined by commas, yes or no for flags, nothing for null."""
    values = column.combine_chunks()
    if pa.types.is_list(values.type):
        values = pc.binary_join(values, ", ")
    elif pa.types.is_boolean(values.type):
        values = pc.if_else(values, "yes", "no")
    return pc.fill_null(values.cast(pa.string()), "")


def _offsets(sizes: Ints) -> pa.Array:
    offsets = np.zeros(len(sizes) + 1, dtype=np.int32)
    np.cumsum(sizes, out=offsets[1:])
    return pa.array(offsets)
