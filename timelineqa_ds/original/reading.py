"""Files of the original program, read strictly: CSV, JSON, and what their texts mean (days, numbers, names, lists)."""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pyarrow as pa

from timeline_realtime_qa.strict import Unreadable, read_regular, repeated_key


PIECE = 1 << 20  # bytes of JSON that are parsed at once
ALONE = "myself"  # stands where a person has nobody to name
# A day that is a key: inside a text its quotes would be escaped.
_DAY_KEY = re.compile(rb'(?<!\\)"\d{4}/\d\d/\d\d"\s*:\s*\{')
_DAY = re.compile(r"(\d{4})([-/])(\d{2})\2(\d{2})(?:[ T]00:00:00(?:\.0+)?)?")
_EID = re.compile(r"e(0|[1-9]\d{0,8})")
_WHOLE = re.compile(r"-?\d{1,9}")


class OutputError(ValueError):
    """A file that the original would not write: its `path`, and the `row` in it ("line 3") where there is one."""

    def __init__(self, path: str | Path, message: str, row: str | None = None) -> None:
        self.path = str(path)
        self.message = message
        self.row = row
        # A key of a damaged file can be of any length.
        where = f"{row[:120]}..." if row and len(row) > 120 else row
        super().__init__(f"{path}, {where}: {message}" if where else f"{path}: {message}")

    def __reduce__(self) -> tuple[type[OutputError], tuple[str, str, str | None]]:
        return type(self), (self.path, self.message, self.row)


def short(value: object) -> str:
    """A value as errors show it."""
    text = repr(value)
    return f"{text[:80]}..." if len(text) > 80 else text


@dataclass(frozen=True)
class Sheet:
    """A CSV file: its columns by name, as text, and the line that each row ends in."""

    path: Path
    columns: Mapping[str, list[str]]
    lines: list[int]

    def __len__(self) -> int:
        return len(self.lines)

    def error(self, row: int, message: str) -> OutputError:
        """An error about a row (from 0), to be raised."""
        return OutputError(self.path, message, f"line {self.lines[row]}")

    def column(self, name: str, parse: Callable[[str], object], kind: pa.DataType) -> pa.Array:
        """A column, parsed; each different text once.

        Raises:
            OutputError: naming the line, for a text that `parse` refuses with a ValueError.
        """
        encoded = pa.array(self.columns[name], pa.string()).dictionary_encode()
        parsed = []
        for place, text in enumerate(encoded.dictionary.to_pylist()):
            try:
                parsed.append(parse(text))
            except ValueError as error:
                row = int(np.argmax(encoded.indices.to_numpy() == place))
                raise self.error(row, f"{name}: {error}, found {short(text)}") from None
        return pa.array(parsed, kind).take(encoded.indices)

    def ids(self) -> pa.Array:
        """The episodes of the rows, each of which must be there once.

        Raises:
            OutputError: naming the line.
        """
        episodes = self.column("eid", eid, pa.int32())
        _, first = np.unique(episodes.to_numpy(), return_index=True)
        if len(first) < len(episodes):
            row = int(np.setdiff1d(np.arange(len(episodes)), first)[0])
            raise self.error(row, f"eid: expected each episode once, found {self.columns['eid'][row]} again")
        return episodes


def read_sheet(path: Path, needed: Collection[str]) -> Sheet:
    """The CSV file at `path`, which must have the columns `needed`, in any order and among others.

    Raises:
        OutputError: if it is not UTF-8, ends within a row, lacks a column, or has a row of another width.
    """
    reader = csv.reader(io.StringIO(_text(path), newline=""), strict=True)
    header: list[str] = []
    rows, lines = [], []
    try:
        header = next(reader)
        for row in reader:
            if len(row) != len(header):
                where = f"line {reader.line_num}"
                raise OutputError(path, f"expected {len(header)} values, found {len(row)}: {short(row)}", where)
            rows.append(row)
            lines.append(reader.line_num)
    except csv.Error as error:
        where = f"line {reader.line_num}"
        raise OutputError(path, f"expected comma-separated values ({error})", where) from None
    lacking = [name for name in needed if name not in header]
    if lacking or len(set(header)) < len(header):
        expected = f"the columns {', '.join(map(repr, needed))}, each once"
        raise OutputError(path, f"expected {expected}, found {short(header)}", "line 1")
    values = zip(*rows, strict=True) if rows else ([] for _ in header)
    return Sheet(path, dict(zip(header, map(list, values), strict=True)), lines)


def content(path: Path) -> bytes:
    """All bytes of a file.

    Raises:
        OutputError: if it is not a regular file that can be read.
    """
    try:
        return read_regular(path)
    except Unreadable as error:
        raise OutputError(path, f"{error}; restore or remove it") from error


def _text(path: Path) -> str:
    data = content(path)
    if not data.endswith(b"\n"):
        last = data.count(b"\n") + 1
        message = "expected a line end after the last row: the file is cut off, write it anew"
        raise OutputError(path, message, f"line {last}")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        message = f"expected UTF-8, found the byte {data[error.start]:#04x}"
        raise OutputError(path, message, f"line {line}") from None


def read_json(path: Path) -> dict[str, Any]:
    """The object that a file holds.

    Raises:
        OutputError: naming line and column, if it is not JSON, and if it is something else than an object, or has one
            with a key twice.
    """
    return _object(path, content(path))


def _object(path: Path, data: bytes) -> dict[str, Any]:
    try:
        document = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        message = f"expected JSON ({error.msg}); if the file is cut off, write it anew"
        raise OutputError(path, message, where) from None
    if not isinstance(document, dict):
        raise OutputError(path, f"expected an object, found {short(document)}", "line 1")
    _check_keys(path, data)
    return document


def _check_keys(path: Path, data: bytes) -> None:
    if again := repeated_key(data):
        message = f"expected each key of an object once, found {short(again[0])} again"
        raise OutputError(path, message, f"line {again[1]}")


def read_days(path: Path) -> Iterator[tuple[str, object]]:
    """The keys (days) and values of the object that a file holds, a piece of the file at a time.

    Objects for the whole of a dense log would take 250 MB.

    Raises:
        OutputError: as `read_json`.
    """
    data = content(path)
    cuts: list[int] = []
    while day_key := _DAY_KEY.search(data, cuts[-1] + PIECE if cuts else 0):
        cuts.append(day_key.start())
    if not cuts or data[: cuts[0]].strip() != b"{":
        yield from _object(path, data).items()
        return
    for first, stop in itertools.pairwise([*cuts, len(data)]):
        piece = data[first:stop].rstrip()
        try:
            document = orjson.loads(b"{" + (piece if stop == len(data) else piece.removesuffix(b",") + b"}"))
        except orjson.JSONDecodeError:
            _object(path, data)  # which says where in the file the error is
            raise
        yield from document.items()
    _check_keys(path, data)


# Each of these raises a ValueError for any other text.


def day(text: str) -> date:
    """A day written 2022/01/31 or 2022-01-31, or as its midnight."""
    match = _DAY.fullmatch(text)
    if not match:
        raise ValueError("expected a day such as 2022/01/31 or 2022-01-31 00:00:00")
    try:
        return date(int(match[1]), int(match[3]), int(match[4]))
    except ValueError as error:
        raise ValueError(f"expected a day of the calendar ({error})") from None


def eid(text: str) -> int:
    """The number of an episode: 7 for e7."""
    match = _EID.fullmatch(text)
    if not match:
        raise ValueError("expected an episode such as e7")
    return int(match[1])


def whole(text: str) -> int:
    """A whole number."""
    if not _WHOLE.fullmatch(text):
        raise ValueError("expected a whole number")
    return int(text)


def words(text: str) -> str | None:
    """A text without the blanks around it; None for none."""
    return text.strip() or None


def fields(text: str) -> dict[str, Any]:
    """The JSON object that a cell holds, which may have the bare NaN in it."""
    try:
        held = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"expected a JSON object ({error}), found {short(text)}") from None
    if not isinstance(held, dict):
        raise ValueError(f"expected a JSON object, found {short(text)}")
    if again := repeated_key(text.encode()):
        raise ValueError(f"expected each key of an object once, found {short(again[0])} again")
    return held


def items(text: str) -> list[str]:
    """The items of a comma-separated list, with their repeats; empty for a blank and for "myself"."""
    parts = (part.strip() for part in text.split(","))
    return [part for part in parts if part and part != ALONE]


def distinct(text: str) -> list[str]:
    """The items of a list once each."""
    return list(dict.fromkeys(items(text)))
