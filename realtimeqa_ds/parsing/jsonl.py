"""JSON Lines with the file and the line in every error: as rows for small files, as Arrow columns for large ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import orjson
import pyarrow as pa
import pyarrow.json

from timeline_realtime_qa.strict import repeated_key

from .errors import DataError, short
from .report import Report


LONGEST = 10_000  # characters of a question, its choices or its explanation; the longest published one has 1,835


@dataclass(frozen=True)
class Row:
    """One line of a file: `path` and `line` (1-based) say where it stands, `fields` what it holds."""

    path: str
    line: int
    fields: Mapping[str, object]

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
            raise self.error(f"expected a string at {key!r}, found {short(value)}")
        return value

    def short_text(self, key: str) -> str:
        """The string at `key`, short enough to be cleaned: the cost of that grows faster than the length.

        Raises:
            DataError: if there is none, or it is longer than any published one by far.
        """
        return self._short(key, [self.text(key)])[0]

    def short_texts(self, key: str) -> list[str]:
        """The list of strings at `key`, as `short_text`."""
        return self._short(key, self.texts(key))

    def _short(self, key: str, values: list[str]) -> list[str]:
        if (size := sum(map(len, values))) > LONGEST:
            raise self.error(f"expected at most {LONGEST} characters at {key!r}, found {size}")
        return values

    def texts(self, key: str) -> list[str]:
        """The list of strings at `key`.

        Raises:
            DataError: if there is none.
        """
        value = self.fields.get(key)
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.error(f"expected a list of strings at {key!r}, found {short(value)}")
        return value


def rows(path: str, data: bytes, known: frozenset[str], report: Report) -> list[Row]:
    """Parse the bytes of `path`; keys outside `known` are counted and ignored.

    Raises:
        DataError: for a line that is not a JSON object, or has an object with a key twice.
    """
    lines = data.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    parsed = []
    for number, line in enumerate(lines, 1):
        try:
            fields = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise DataError(path, f"expected one JSON object, found {short(line)} ({error})", number) from None
        if not isinstance(fields, dict):
            raise DataError(path, f"expected one JSON object, found {short(fields)}", number)
        if again := repeated_key(line):
            raise DataError(path, f"expected each key of an object once, found {short(again[0])} again", number)
        if not fields.keys() <= known:
            report.count("unknown_field", f"{path}, line {number}", len(fields.keys() - known))
        parsed.append(Row(path, number, fields))
    return parsed


def columns(path: str, data: bytes, schema: pa.Schema, known: bool, report: Report) -> pa.Table:
    """Parse the bytes of `path` to Arrow; fields outside `schema`, nested ones too, are counted and left out.

    A field that a row lacks is null. `known` says that the bytes are well-formed and have no other fields: they go
    straight to Arrow, where long texts never become Python objects, which is what makes pools fast. Other bytes are
    checked row by row, since Arrow's parser does not survive everything (a line that says null ends the process).

    Raises:
        DataError: for a line that is not a JSON object, or has a field of another type.
    """
    if not known:
        parsed = rows(path, data, frozenset(schema.names), report)
        return pa.Table.from_pylist([_fitted(row, schema, report) for row in parsed], schema)
    return pa.json.read_json(
        pa.BufferReader(data),
        read_options=pa.json.ReadOptions(use_threads=False, block_size=len(data) + 1),
        parse_options=pa.json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="error"),
    )


def _fitted(row: Row, schema: pa.Schema, report: Report) -> dict[str, object]:
    """The fields of a row that `schema` knows, each checked for its type."""
    return {field.name: _fit(row, row.fields.get(field.name), field.type, field.name, report) for field in schema}


def _fit(row: Row, value: object, kind: pa.DataType, name: str, report: Report) -> object:
    if value is None:
        return None
    if pa.types.is_string(kind) and isinstance(value, str):
        return value
    if pa.types.is_list(kind) and isinstance(value, list):
        return [_fit(row, item, kind.value_type, name, report) for item in value]
    if pa.types.is_struct(kind) and isinstance(value, dict):
        extra = len(value.keys() - {field.name for field in kind})
        if extra:
            report.count("unknown_field", row.where, extra)
        return {
            field.name: _fit(row, value.get(field.name), field.type, f"{name}/{field.name}", report) for field in kind
        }
    raise row.error(f"expected {kind} at {name!r}, found {short(value)}")
