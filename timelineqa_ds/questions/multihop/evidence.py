"""Evidence as tables of text: list<list<string>> built from Arrow columns, without a Python object per cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...world.columns import repeated
from ...world.streams import Ints


TABLE = pa.struct(
    {"name": pa.string(), "header": pa.list_(pa.string()), "rows": pa.list_(pa.list_(pa.string()))},
)
HIDDEN = ("lifelog_id",)  # the same in every row, and a column of the question anyway


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
    inner = pa.ListArray.from_arrays(_offsets(np.repeat(widths, heights)), pa.concat_arrays([_NONE, *cells]))
    headers = pa.array([evidence.rows.column_names for evidence in tables], TABLE.field("header").type)
    names = pa.array([evidence.name for evidence in tables], pa.string())
    rows = pa.ListArray.from_arrays(_offsets(np.array(heights)), inner)
    return pa.StructArray.from_arrays([names, headers, rows], fields=list(TABLE))


_NONE = pa.array([], pa.string())


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
