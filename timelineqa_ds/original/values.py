"""What the texts of the original's files mean: days, numbers, names, lists."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa

from .errors import short
from .sheet import Sheet


ALONE = "myself"  # stands where a person has nobody to name
_DAY = re.compile(r"(\d{4})([-/])(\d{2})\2(\d{2})(?:[ T]00:00:00(?:\.0+)?)?")
_EID = re.compile(r"e(0|[1-9]\d{0,8})")
_WHOLE = re.compile(r"-?\d{1,9}")


def day(text: str) -> date:
    """A day written 2022/01/31 or 2022-01-31, or as its midnight.

    Raises:
        ValueError: for anything else.
    """
    found = _DAY.fullmatch(text)
    if not found:
        raise ValueError("expected a day such as 2022/01/31 or 2022-01-31 00:00:00")
    try:
        return date(int(found[1]), int(found[3]), int(found[4]))
    except ValueError as error:
        raise ValueError(f"expected a day of the calendar ({error})") from None


def eid(text: str) -> int:
    """The number of an episode: 7 for e7.

    Raises:
        ValueError: for anything else.
    """
    found = _EID.fullmatch(text)
    if not found:
        raise ValueError("expected an episode such as e7")
    return int(found[1])


def whole(text: str) -> int:
    """A whole number.

    Raises:
        ValueError: for anything else.
    """
    if not _WHOLE.fullmatch(text):
        raise ValueError("expected a whole number")
    return int(text)


def words(text: str) -> str | None:
    """A text without the blanks around it; None for none."""
    return text.strip() or None


def items(text: str) -> list[str]:
    """The items of a comma-separated list, with their repeats; empty for a blank and for "myself"."""
    found = (part.strip() for part in text.split(","))
    return [part for part in found if part and part != ALONE]


def distinct(text: str) -> list[str]:
    """The items of a list once each."""
    return list(dict.fromkeys(items(text)))


def column(sheet: Sheet, name: str, parse: Callable[[str], Any], kind: pa.DataType) -> pa.Array:
    """A column of a sheet, parsed; each different text once.

    Raises:
        DataError: naming the line, for a text that `parse` refuses with a ValueError.
    """
    encoded = pa.array(sheet.columns[name], pa.string()).dictionary_encode()
    parsed = []
    for place, text in enumerate(encoded.dictionary.to_pylist()):
        try:
            parsed.append(parse(text))
        except ValueError as error:
            row = int(np.argmax(encoded.indices.to_numpy() == place))
            raise sheet.error(row, f"{name}: {error}, found {short(text)}") from None
    return pa.array(parsed, kind).take(encoded.indices)


def ids(sheet: Sheet) -> pa.Array:
    """The episodes of the rows, each of which must be there once.

    Raises:
        DataError: naming the line.
    """
    found = column(sheet, "eid", eid, pa.int32())
    _, first = np.unique(found.to_numpy(), return_index=True)
    if len(first) < len(found):
        row = int(np.setdiff1d(np.arange(len(found)), first)[0])
        raise sheet.error(row, f"eid: expected each episode once, found {sheet.columns['eid'][row]} again")
    return found
