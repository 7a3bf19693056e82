"""A log of the original in hand: its persona, episodes and derived tables as Arrow."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ..declared import vocabulary
from ..declared.events import declarations
from ..tables.people import SCHEMA as PERSONA
from . import tables
from .entries import Entries, read_entries, shapes
from .folder import LogPlace
from .reading import OutputError, read_json, short


_SPILLING = ("read", "social_media")


class OriginalLog:
    """A log; each part is read when first asked for.

    What a part needs: `persona` persona.json; `episodes` NAME.json; a table its CSV.
    """

    def __init__(self, place: LogPlace) -> None:
        self.place = place
        self.lifelog_id = place.lifelog_id
        self._tables: dict[str, pa.Table] = {}
        self._rows: dict[str, list[dict[str, Any]]] = {}

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
            inside = {event for event, scale in scales.items() if scale != "lifetime" and event not in _SPILLING}
            years = {int(year) for year in {row.start[:4] for row in self.entries.rows if row.event in inside}}
        else:
            names = [name for name in self.tables if name not in ("marriages", "moves", "daily_read")]
            days = [self.tables[name][tables.first_day(name)] for name in names]
            years = {year for column in days for year in pc.unique(pc.year(column)).to_pylist()}
        return (min(years), max(years)) if years else None

    def need_years(self) -> tuple[int, int]:
        """First and last year of the log.

        Raises:
            FileNotFoundError: if no file tells.
        """
        if self.years is None:
            raise FileNotFoundError(f"{self.lifelog_id}: no file says which years the log has")
        return self.years

    @cached_property
    def persona(self) -> pa.Table:
        """The persona, one row (columns of the config `personas`)."""
        return _persona(self.file("persona.json"), self.place.number)

    @cached_property
    def episodes(self) -> pa.Table:
        """The episodes by day (columns of `D_episodes`)."""
        return self.need_entries().table(self.lifelog_id)

    def table(self, name: str) -> pa.Table:
        """A derived table (columns of `D_NAME`)."""
        if name not in self._tables:
            self._tables[name] = self._read(name)
        return self._tables[name]

    def _read(self, name: str) -> pa.Table:
        if name == tables.JOBS:
            return tables.jobs(self.table("moves"))
        with_trips = tables.is_of_trips(name) and self.has(tables.file_name("travel"))
        trips = self.table("travel") if with_trips else None
        return tables.read_table(self.file(tables.file_name(name)), name, self.lifelog_id, self.entries, trips)

    def rows(self, name: str) -> list[dict[str, Any]]:
        """A derived table as Python values."""
        if name not in self._rows:
            self._rows[name] = self.table(name).to_pylist()
        return self._rows[name]

    @cached_property
    def tables(self) -> Mapping[str, pa.Table]:
        """The derived tables whose CSV is there, by name."""
        return {name: self.table(name) for name in tables.known_columns() if self.has(tables.file_name(name))}


def _persona(path: Path, number: int | None) -> pa.Table:
    """The persona in a file, as ``data/original/persona.json`` says; what the original does not know is null.

    Raises:
        OutputError: naming the key, for a value that is missing or of another kind.
    """
    document = read_json(path)
    year, month, day = (_value(path, document, f"birth_{part}", "whole number") for part in ("year", "month", "day"))
    if not 1000 <= year <= 9999:
        raise OutputError(path, f"expected a year of four digits, found {year}", "key 'birth_year'")
    try:
        row: dict[str, object] = {"persona": number, "birth_date": date(year, month, day)}
    except ValueError as error:
        raise OutputError(path, f"expected a day of birth ({error})", "key 'birth_day'") from None
    for column, declared in vocabulary.read_json("original/persona.json").items():
        value = _value(path, document, declared["key"], declared["kind"])
        row[column] = [{declared["field"]: name} for name in value] if "field" in declared else value
    return pa.Table.from_pylist([{name: row.get(name) for name in PERSONA.names}], PERSONA)


def _value(path: Path, document: Mapping[str, Any], key: str, kind: str) -> Any:
    value = document.get(key)
    if kind == "whole number":
        fits = type(value) is int and abs(value) < 10**6
    elif kind == "text":
        fits = isinstance(value, str)
    else:
        fits = isinstance(value, list) and all(isinstance(item, str) for item in value)
    if not fits:
        raise OutputError(path, f"expected a {kind}, found {short(value)}", f"key {key!r}")
    return value
