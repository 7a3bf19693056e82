"""Rows of a derived table, filtered column by column: what the right answers are derived from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..tables.derived import DerivedTable
from .tables import first_day


class Rows:
    """Some rows of a derived table; columns `year` and `month` are those of the episode's day."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table

    @classmethod
    def of(cls, table: pa.Table, declared: DerivedTable) -> Rows:
        """All rows of a table."""
        day = table[first_day(declared)]
        return cls(table.append_column("year", pc.year(day)).append_column("month", pc.month(day)))

    def __len__(self) -> int:
        return int(self.table.num_rows)

    @property
    def ids(self) -> set[int]:
        """The episodes."""
        return set(self.table["episode_id"].to_pylist())

    def at(self, **equal: Any) -> Rows:
        """The rows with these values."""
        found = self.table
        for column, value in equal.items():
            found = found.filter(pc.equal(found[column], value))
        return Rows(found)

    def since(self, year: int) -> Rows:
        """The rows from the first day of a year on."""
        return Rows(self.table.filter(pc.greater_equal(self.table["year"], year)))

    def having(self, column: str, item: str, whole: bool = True) -> Rows:
        """The rows whose list has an item; with `whole` False, one that contains it."""
        lists = self.table[column].combine_chunks()
        items = lists.flatten()
        hit = pc.equal(items, item) if whole else pc.match_substring(items, item)
        kept = np.zeros(len(lists), dtype=np.bool_)
        kept[pc.list_parent_indices(lists).filter(hit).to_numpy(zero_copy_only=False)] = True
        return Rows(self.table.filter(pa.array(kept)))

    def where(self, kept: pa.Array) -> Rows:
        """The rows for which `kept` is true."""
        return Rows(self.table.filter(kept))

    def values(self, *columns: str) -> list[Any]:
        """The values of a column, or tuples of those of several."""
        found = [self.table[column].to_pylist() for column in columns]
        return found[0] if len(found) == 1 else list(zip(*found, strict=True))

    def each(self, column: str, repeats: bool = False) -> Iterator[tuple[int, str]]:
        """Each item of the lists of a column with the place of its row, once a row unless `repeats`."""
        for place, some in enumerate(self.table[column].to_pylist()):
            for item in some if repeats else dict.fromkeys(some):
                yield place, item
