"""JSON files of the original program: whole, or day by day where they are large."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from .errors import DataError, short


PIECE = 1 << 20  # bytes that are parsed at once
# A day that is a key: inside a text its quotes would be escaped.
_DAY = re.compile(rb'(?<!\\)"\d{4}/\d\d/\d\d"\s*:\s*\{')


def read_json(path: Path) -> dict[str, Any]:
    """The object that a file holds.

    Raises:
        DataError: naming line and column, if it is not JSON, and if it is something else than an object.
    """
    try:
        document = orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise DataError(path, f"expected JSON ({error.msg}); if the file is cut off, write it anew", where) from None
    if not isinstance(document, dict):
        raise DataError(path, f"expected an object, found {short(document)}", "line 1")
    return document


def read_days(path: Path) -> Iterator[tuple[str, Any]]:
    """The keys (days) and values of the object that a file holds, a piece of the file at a time.

    Objects for the whole of a dense log would take 250 MB.

    Raises:
        DataError: as `read_json`.
    """
    data = path.read_bytes()
    cuts: list[int] = []
    while found := _DAY.search(data, cuts[-1] + PIECE if cuts else 0):
        cuts.append(found.start())
    if not cuts or data[: cuts[0]].strip() != b"{":
        yield from read_json(path).items()
        return
    for first, stop in itertools.pairwise([*cuts, len(data)]):
        piece = data[first:stop].rstrip()
        try:
            document = orjson.loads(b"{" + (piece if stop == len(data) else piece.removesuffix(b",") + b"}"))
        except orjson.JSONDecodeError:
            read_json(path)  # which says where in the file the error is
            raise
        yield from document.items()
