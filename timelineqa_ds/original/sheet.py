"""CSV files, read strictly: all rows of one width, the last one finished, every error with its line."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from .errors import DataError, short


@dataclass(frozen=True)
class Sheet:
    """A CSV file: its columns by name, as text, and the line that each row ends in."""

    path: Path
    columns: Mapping[str, list[str]]
    lines: list[int]

    def __len__(self) -> int:
        return len(self.lines)

    def error(self, row: int, message: str) -> DataError:
        """An error about a row (from 0), to be raised."""
        return DataError(self.path, message, f"line {self.lines[row]}")


def read_sheet(path: Path, needed: Collection[str]) -> Sheet:
    """The CSV file at `path`, which must have the columns `needed`, in any order and among others.

    Raises:
        DataError: if it is not UTF-8, ends within a row, lacks a column, or has a row of another width.
    """
    text = _text(path)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    header: list[str] = []
    rows, lines = [], []
    try:
        header = next(reader)
        for row in reader:
            if len(row) != len(header):
                where = f"line {reader.line_num}"
                raise DataError(path, f"expected {len(header)} values, found {len(row)}: {short(row)}", where)
            rows.append(row)
            lines.append(reader.line_num)
    except csv.Error as error:
        raise DataError(path, f"expected comma-separated values ({error})", f"line {reader.line_num}") from None
    lacking = [name for name in needed if name not in header]
    if lacking or len(set(header)) < len(header):
        expected = f"the columns {', '.join(map(repr, needed))}, each once"
        raise DataError(path, f"expected {expected}, found {', '.join(map(repr, header))}", "line 1")
    values = zip(*rows, strict=True) if rows else ([] for _ in header)
    return Sheet(path, dict(zip(header, map(list, values), strict=True)), lines)


def _text(path: Path) -> str:
    data = path.read_bytes()
    last = data.count(b"\n") + 1
    if not data.endswith(b"\n"):
        raise DataError(
            path, "expected a line end after the last row: the file is cut off, write it anew", f"line {last}"
        )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise DataError(path, f"expected UTF-8, found the byte {data[error.start]:#04x}", f"line {line}") from None
