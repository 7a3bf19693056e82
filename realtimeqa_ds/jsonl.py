"""JSON Lines with the file and the line in every error: as rows for small files, as Arrow columns for large ones."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.json

from .errors import DataError
from .report import Report


@dataclass(frozen=True)
class Row:
    """One line of a file: `path` and `line` (1-based) say where it stands, `fields` what it holds."""

    path: str
    line: int
    fields: Mapping[str, Any]

    @property
    def where(self) -> str:
        """The place as reports print it."""
        return f"{self.path}, line {self.line}"

    def error(self, message: str) -> DataError:
        """An error about this row, to be raised."""
        return DataError(self.path, message, self.line)

    def text(self, key: str) -> str:
        """The string at `key`.

        Raises:
            DataError: if there is none.
        """
        value = self.fields.get(key)
        if not isinstance(value, str):
            raise self.error(f"expected a string at {key!r}, found {_short(value)}")
        return value

    def texts(self, key: str) -> list[str]:
        """The list of strings at `key`.

        Raises:
            DataError: if there is none.
        """
        value = self.fields.get(key)
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.error(f"expected a list of strings at {key!r}, found {_short(value)}")
        return value


def rows(path: str, data: bytes, known: frozenset[str], report: Report) -> list[Row]:
    """Parse the bytes of `path`; keys outside `known` are counted and ignored.

    Raises:
        DataError: for a line that is not a JSON object.
    """
    lines = data.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    parsed = []
    for number, line in enumerate(lines, 1):
        try:
            fields = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise DataError(path, f"expected one JSON object, found {_short(line)} ({error})", number) from None
        if not isinstance(fields, dict):
            raise DataError(path, f"expected one JSON object, found {_short(fields)}", number)
        if not fields.keys() <= known:
            report.count("unknown_field", f"{path}, line {number}", len(fields.keys() - known))
        parsed.append(Row(path, number, fields))
    return parsed


def columns(path: str, data: bytes, schema: pa.Schema, known: Set[str], pinned: bool, report: Report) -> pa.Table:
    """Parse the bytes of `path` straight to Arrow; fields outside `schema` and `known`, nested ones too, are counted.

    `known` names fields of whatever type, nested ones after their parents (/a/b). A field that a row lacks is null.
    Long texts never become Python objects, which is what makes pools fast.

    Raises:
        DataError: for a line that is not a JSON object, or has a field of another type.
    """
    try:
        table = pa.json.read_json(
            pa.BufferReader(data),
            # One block: columns in one piece, and row numbers in errors that count from the first line.
            read_options=pa.json.ReadOptions(use_threads=False, block_size=len(data) + 1),
            parse_options=pa.json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="infer"),
        )
        if not pinned:
            table.validate(full=True)  # that strings are UTF-8, which is known of pinned files
    except pa.ArrowInvalid as error:
        row = re.search(r"in row (\d+)", str(error))
        line = int(row[1]) + 1 if row else None
        raise DataError(path, f"expected JSON objects with {', '.join(schema.names)}, found: {error}", line) from None
    extra = 0 if table.schema.equals(schema) else len(_leaves(table.schema) - _leaves(schema) - known)
    if extra:
        report.count("unknown_field", path, extra)
    return table


def _leaves(schema: pa.Schema) -> set[str]:
    """The names of all fields, nested ones after their parents."""
    found = set()
    todo = [("", field) for field in schema]
    while todo:
        parent, field = todo.pop()
        name = f"{parent}/{field.name}"
        found.add(name)
        kind = field.type.value_type if pa.types.is_list(field.type) else field.type
        if pa.types.is_struct(kind):
            todo += [(name, kind.field(i)) for i in range(kind.num_fields)]
    return found


def _short(value: Any) -> str:
    text = repr(value)
    return f"{text[:80]}..." if len(text) > 80 else text
