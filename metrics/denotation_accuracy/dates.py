"""Dates as they are written: year first, month first, day first, or with the name of the month."""

from __future__ import annotations

import re
from typing import Any

from .units import MONTHS, WEEKDAYS


Date = int | tuple[Any, ...]  # a year alone, or ("date", year, month, day) with None for parts that are not given

_ISO = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")
_YEAR_FIRST = re.compile(r"([0-9]{4}|xx|xxxx)([-/.])([0-9]{1,2}|xx)\2([0-9]{1,2}|xx)(?:[t ]00:00(?::00(?:\.0+)?)?z?)?")
_YEAR_LAST = re.compile(r"([0-9]{1,2})([-/.])([0-9]{1,2})\2([0-9]{4})")
_YEAR_MONTH = re.compile(r"([0-9]{4})[-/]([0-9]{1,2})")
_COMPACT = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})")
_DATE_TOKEN = re.compile(r"[a-z]+|[0-9]+|[ ,./-]+|.", re.DOTALL)
_LONGEST_DATE = 60


def iso_date(text: str) -> Date | None:
    """The most frequent form, without what the others need."""
    match = _ISO.fullmatch(text)
    return _checked_date(int(match[1]), int(match[2]), int(match[3])) if match is not None else None


def date(folded: str, kind: str | None) -> Date | None:
    if len(folded) > _LONGEST_DATE:
        return None
    match = _YEAR_FIRST.fullmatch(folded)
    if match is not None:
        return _checked_date(*(None if part[0] == "x" else int(part) for part in match.group(1, 3, 4)))
    match = _YEAR_LAST.fullmatch(folded)
    if match is not None:
        first, second, year = map(int, match.group(1, 3, 4))
        return _checked_date(year, first, second) or _checked_date(year, second, first)
    match = _YEAR_MONTH.fullmatch(folded)
    if match is not None:
        return _checked_date(int(match[1]), int(match[2]), None)
    match = _COMPACT.fullmatch(folded) if kind == "date" else None
    return _checked_date(*map(int, match.groups())) if match is not None else _date_in_words(folded)


def _date_in_words(folded: str) -> Date | None:
    """A month by name with a day, a year or both, in any order."""
    month = day = year = None
    for token in _DATE_TOKEN.findall(folded):
        if token in MONTHS and month is None:
            month = MONTHS[token]
        elif token.isdecimal() and len(token) == 4 and year is None:
            year = int(token)
        elif token.isdecimal() and len(token) <= 2 and day is None:
            day = int(token)
        elif token in WEEKDAYS or token[0] in " ,./-" or (day is not None and token in ("st", "nd", "rd", "th")):
            continue
        else:
            return None
    return _checked_date(year, month, day) if month is not None and (day, year) != (None, None) else None


def _checked_date(year: int | None, month: int | None, day: int | None) -> Date | None:
    """The key of a date; None if there is no such month or day. A day too many for the month is let through."""
    if (year, month, day) == (None, None, None) or not (month is None or 1 <= month <= 12):
        return None
    if not (day is None or 1 <= day <= 31):
        return None
    return year if year is not None and month is None and day is None else ("date", year, month, day)
