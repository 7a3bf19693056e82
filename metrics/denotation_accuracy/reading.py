"""What an item of an answer says, read as a person would: a number with its unit, a date, yes or no, or a text.

The key of an item is its folded text (str), a number without a unit (int or float), or a tuple: ("unit", amount,
unit), ("date", year, month, day) with None for parts that are not given, ("bool", value).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

from .amounts import amount
from .dates import date, iso_date
from .folding import shape
from .units import ARTICLES, BOOLEANS, CURRENCIES, MONTHS, NUMBERS, SHORT_BOOLEANS, SIGNS, WEEKDAYS


Key = str | int | float | tuple[Any, ...]

_DIGIT = re.compile(r"\d")
# Lower-case words of ASCII letters and digits: no punctuation, and what it may be shows in the first word.
_WORDS = re.compile(r"([a-z]+)(?: [a-z0-9]+)*")
_NUMBER = re.compile(r"[+-]?[0-9]{1,300}(\.[0-9]{0,300})?")
_FIRST_WORD = re.compile(r"[a-z]*")
_QUOTES = "'\"`′″‘’“”"
_FLOAT_DIGITS = 15
# What an amount in digits and one in words may begin with.
_BEFORE_DIGITS = CURRENCIES.keys() | SIGNS.keys() | {word.rstrip("$.") for word in CURRENCIES}
_NUMBER_WORDS = NUMBERS.keys() | SIGNS.keys() | {"a", "an", "half"}


Read = TypeVar("Read")


class Memo(dict[str, Read]):
    """`memo[text]` is `read(text)`, called once while the text is remembered; the memory used is bounded."""

    SIZE = 200_000
    LONGEST = 500

    def __init__(self, read: Callable[[str], Read]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, text: str) -> Read:
        value = self._read(text)
        if len(text) <= self.LONGEST:
            if len(self) >= self.SIZE:
                self.clear()
            self[text] = value
        return value


def is_decimal(text: str) -> bool:
    """Whether `text` is digits, with a point perhaps, and few enough for a float to tell whole numbers apart."""
    size = len(text)
    if size > _FLOAT_DIGITS and (size > 2 * _FLOAT_DIGITS or "." not in text[:_FLOAT_DIGITS]):
        return False
    return text.replace(".", "", 1).isdecimal()


def absent(wanted: str, text: str) -> bool:
    """Whether a folded text is surely not in `text`, without reading that: folding ASCII text changes no letters."""
    word = wanted.rpartition(" ")[2]
    return word.isalnum() and text.isascii() and word not in text.lower() and "[" not in text


def read(text: str, kind: str | None = None) -> Key:
    """The key of one item; `kind` (one of `KINDS`) limits the readings that are tried to its own and text."""
    if kind in (None, "number"):
        match = _NUMBER.fullmatch(text)
        if match is not None:
            if match[1] is None:
                return int(text)
            number = float(text)
            return _whole(text) if number.is_integer() else number
    if text[4:5] == "-" and kind in (None, "date"):
        iso = iso_date(text)
        if iso is not None:
            return iso
    lowered = text.lower()
    words = _WORDS.fullmatch(lowered)
    if words is not None and words[1] not in _SPECIAL:
        return lowered
    shaped = shape(text)
    folded = shaped.casefold()
    if kind in (None, "number", "date") and not _in_feet(text):
        found = _date_or_amount(shaped, folded, kind)
        if found is not None:
            return found
    return _yes_no_or_text(folded, kind, "\n" not in text)


def _in_feet(text: str) -> bool:
    """Whether a number is followed by a mark of feet or inches, which is no closing quote: none is open."""
    text = text.rstrip()
    if text[-1:] not in _QUOTES:
        return False
    bare = text.rstrip(_QUOTES)
    return bare[-1:].isdecimal() and not any(quote in bare for quote in _QUOTES)


def _date_or_amount(shaped: str, folded: str, kind: str | None) -> Key | None:
    start = _FIRST_WORD.match(folded)
    first = start[0] if start is not None else ""
    found = None
    if (not first or first in MONTHS or first in WEEKDAYS or first[0] == "x") and _DIGIT.search(folded):
        found = date(folded, kind) if kind != "number" else None
        return amount(shaped) if found is None else found
    return amount(shaped) if first in _NUMBER_WORDS or first in _BEFORE_DIGITS else None


def _yes_no_or_text(folded: str, kind: str | None, one_line: bool) -> Key:
    answers = BOOLEANS if kind is None else SHORT_BOOLEANS if kind == "boolean" else {}
    if folded in answers:
        return "bool", answers[folded]
    first, _, rest = folded.partition(" ")
    return rest if rest and one_line and first in ARTICLES else folded


def _whole(digits: str) -> int | float:
    """The value of digits whose value as a float is whole; beyond 2 ** 53 a float has lost some."""
    number = float(digits)
    if -(2**53) < number < 2**53:
        return int(number)
    whole, _, part = digits.partition(".")
    return number if part.strip("0") else int(whole)


_SPECIAL = ARTICLES | SHORT_BOOLEANS.keys() | MONTHS.keys() | WEEKDAYS | _BEFORE_DIGITS | _NUMBER_WORDS
