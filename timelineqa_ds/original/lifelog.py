"""A log of the original in hand: its persona, episodes, questions and derived tables as Arrow."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from ..declared.events import declarations
from ..tables.derived import derived_tables
from . import atomic, persona, tables
from .entries import Entries, read_entries, shapes
from .folder import Place, places


_SPILLING = ("read", "social_media")


class Log:
    """A log; each part is read when first asked for.

    What a part needs: `persona` persona.json; `episodes` NAME.json; `atomic_questions` NAME.json or the QA file;
    `multihop_questions` queries.csv with qN-result.csv or the QA file; a table its CSV.
    """

    def __init__(self, place: Place) -> None:
        self.place = place
        self.lifelog_id = place.lifelog_id
        self._tables: dict[tuple[str, bool], pa.Table] = {}

    def has(self, file: str) -> bool:
        """Whether the log's folder has a file."""
        return self.place.has(file)

    def file(self, name: str) -> Path:
        """The path of a file of the log.

        Raises:
            FileNotFoundError: if it is not there.
        """
        if self.place.folder is None or not self.has(name):
            folder = self.place.folder or "the folder of the log, which is missing"
            raise FileNotFoundError(f"{self.place.name}: expected {name} in {folder}, found none")
        return self.place.folder / name

    @property
    def json_name(self) -> str:
        """NAME.json."""
        return f"{self.place.name}.json"

    @cached_property
    def entries(self) -> Entries | None:
        """The episodes as NAME.json has them; None without that file."""
        return read_entries(self.file(self.json_name)) if self.has(self.json_name) else None

    def need_entries(self) -> Entries:
        """The episodes as NAME.json has them.

        Raises:
            FileNotFoundError: if it is not there.
        """
        return self.entries or read_entries(self.file(self.json_name))

    @cached_property
    def years(self) -> tuple[int, int] | None:
        """First and last year of the log; None if no file tells.

        Events of a lifetime may lie before or after them, and reading may spill over to the next new year.
        """
        if self.entries is not None:
            scales = {event: declarations().events[event].scale for event in shapes()}
            found = {row.start[:4] for row in self.entries.rows if scales[row.event] != "lifetime"
                     and row.event not in _SPILLING}  # fmt: skip
            years = {int(year) for year in found}
        else:
            names = [name for name in self.tables if name not in ("marriages", "moves", "daily_read")]
            days = [self.tables[name][tables.first_day(derived_tables()[name])] for name in names]
            years = {year for column in days for year in pc.unique(pc.year(column)).to_pylist()}
        return (min(years), max(years)) if years else None

    @cached_property
    def persona(self) -> pa.Table:
        """The persona, one row (columns of the config `personas`)."""
        return persona.read_persona(self.file("persona.json"), self.place.number)

    @cached_property
    def episodes(self) -> pa.Table:
        """The episodes by day (columns of `D_episodes`)."""
        return self.need_entries().table(self.lifelog_id)

    @cached_property
    def atomic_questions(self) -> pa.Table:
        """The atomic questions (columns of `D_atomic`)."""
        return atomic.question_table(self)

    @cached_property
    def multihop_questions(self) -> pa.Table:
        """The multi-hop questions (columns of `D` and `known_fault`)."""
        from . import multihop

        return multihop.question_table(self)

    def table(self, name: str, repeats: bool = False) -> pa.Table:
        """A derived table (columns of `D_NAME`); with `repeats`, names that are twice in a list stay so."""
        key = (name, repeats)
        if key not in self._tables:
            self._tables[key] = tables.read_table(self, name, repeats)
        return self._tables[key]

    @cached_property
    def tables(self) -> Mapping[str, pa.Table]:
        """The derived tables whose CSV is there, by name."""
        return {name: self.table(name) for name in tables.known_columns() if self.has(tables.file_name(name))}


def lifelog(folder: str | Path) -> Log:
    """The log in a folder, such as ``benchmark/sparse-0``, with the QA file in it or in a ``QA`` near it.

    Raises:
        FileNotFoundError: if there is no log.
        ValueError: if there are several.
    """
    found = places(folder)
    if len(found) > 1:
        raise ValueError(f"{folder}: expected the folder of one log, found {', '.join(place.name for place in found)}")
    return Log(found[0])
