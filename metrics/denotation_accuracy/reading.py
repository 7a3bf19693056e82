"""What an item of an answer says, read as a person would: a number with its unit, a date, yes or no, or a text.

The key of an item is its folded text (str), a number without a unit (int or float), or a tuple: ("unit", amount,
unit), ("date", year, month, day) with None for parts that are not given, ("bool", value).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from math import isinf
from typing import Any, TypeVar

from .words import ARTICLES, BOOLEANS, MONTHS, NO_UNITS, NUMBERS, SCALES, SHORT_BOOLEANS, UNITS, WEEKDAYS


Key = str | int | float | tuple[Any, ...]

_FOLDED = str.maketrans(
    {
        **dict.fromkeys(map(chr, range(0x300, 0x370))),
        **dict.fromkeys("\u200b\u2060\ufeff\u00ad"),
        **dict.fromkeys("‘’´`′‚‛", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        "⁄": "/",
        "、": ", ",
        "。": ". ",
    }
)
_DIGIT = re.compile(r"\d")
# Lower-case words of ASCII letters and digits: no punctuation, and what it may be shows in the first word.
_WORDS = re.compile(r"([a-z]+)(?: [a-z0-9]+)*")
_NUMBER = re.compile(r"[+-]?[0-9]{1,300}(\.[0-9]{0,300})?")
_FIRST_WORD = re.compile(r"[a-z]*")
_AMOUNT = re.compile(
    r"(?P<sign>[+-]?) ?(?P<currency>[$€£¥]?) ?(?P<minus>-?)"
    r"(?P<digits>(?:[0-9]{1,3}(?P<mark>[, '])[0-9]{3}(?:(?P=mark)[0-9]{3})*(?![0-9])|[0-9]+)(?:\.[0-9]*)?|\.[0-9]+)"
    r"(?P<power>e[+-]?[0-9]{1,4}(?![0-9]))?(?P<tail>.*)",
    re.DOTALL,
)
_UNIT = re.compile(r"(?: ?-)? ?([^\W\d_]+|[%°$€£¥])\.?((?:[ /-][^\W\d_]+\.?){0,2})")
_FRACTION = re.compile(r"([+-]?[0-9]{1,15}) ?/ ?([0-9]{1,15})")
_ISO = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")
_YEAR_FIRST = re.compile(r"([0-9]{4}|xx|xxxx)([-/.])([0-9]{1,2}|xx)\2([0-9]{1,2}|xx)(?:[t ]00:00(?::00(?:\.0+)?)?z?)?")
_YEAR_LAST = re.compile(r"([0-9]{1,2})([-/.])([0-9]{1,2})\2([0-9]{4})")
_YEAR_MONTH = re.compile(r"([0-9]{4})[-/]([0-9]{1,2})")
_COMPACT = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})")
_DATE_TOKEN = re.compile(r"[a-z]+|[0-9]+|[ ,./-]+|.", re.DOTALL)
_FLOAT_DIGITS = 15
_LONGEST_DATE = 60
_LONGEST_NUMBER = 300


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
            amount = float(text)
            return _number(text) if amount.is_integer() else amount
    if text[4:5] == "-" and kind in (None, "date"):
        iso = _iso_date(text)
        if iso is not None:
            return iso
    lowered = text.lower()
    words = _WORDS.fullmatch(lowered)
    if words is not None and words[1] not in _SPECIAL:
        return lowered
    folded = fold(text)
    if kind in (None, "number", "date"):
        found = _in_words(folded)
        if found is None and _may_hold_number(folded):
            found = (_date(folded, kind) if kind != "number" else None) or _quantity(folded)
        if found is not None:
            return found
    return _yes_no_or_text(folded, kind)


def _yes_no_or_text(folded: str, kind: str | None) -> Key:
    answers = BOOLEANS if kind is None else SHORT_BOOLEANS if kind == "boolean" else {}
    if folded in answers:
        return "bool", answers[folded]
    first, _, rest = folded.partition(" ")
    return rest if rest and first in ARTICLES else folded


def fold(text: str) -> str:
    """Lower case, one form for accents, widths, digits, quotes, dashes and white space; no outer quotes or full stop.

    Text that is more than white space never becomes empty: an answer of one article or mark still says something.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", unicodedata.normalize("NFKD", text).translate(_FOLDED))
        text = _DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), text)
    text = " ".join(text.casefold().split())
    return text.strip("\"'*` ").rstrip(".,;:!?\"'*` ") or text


def _may_hold_number(folded: str) -> bool:
    """Whether the text has digits, and begins as an amount or a date does."""
    first = _FIRST_WORD.match(folded)
    word = first[0] if first is not None else ""
    return (not word or word in MONTHS or word in WEEKDAYS or word[0] == "x") and bool(_DIGIT.search(folded))


def _number(digits: str) -> int | float:
    """A number of at most 600 digits, whole if its value is."""
    amount = float(digits)
    if not amount.is_integer():
        return amount
    # Beyond this a float has lost digits.
    return int(amount) if -(2**53) < amount < 2**53 else _exact(digits)


def _exact(digits: str) -> int | float:
    whole, _, part = digits.partition(".")
    return float(digits) if part.strip("0") else int(whole)


def _quantity(folded: str) -> Key | None:
    """A number in digits, with or without a unit."""
    fraction = _FRACTION.fullmatch(folded)
    if fraction is not None and int(fraction[2]):
        return _whole(int(fraction[1]) / int(fraction[2]))
    match = _AMOUNT.fullmatch(folded)
    if match is None:
        return None
    if len(match["digits"]) > _LONGEST_NUMBER:
        return None
    digits = match["digits"].replace(match["mark"], "") if match["mark"] else match["digits"]
    if (match["sign"] and match["minus"]) or (match["currency"] == "" and match["minus"]):
        return None
    sign = "-" if "-" in (match["sign"], match["minus"]) else ""
    if match["power"]:
        amount = float(sign + digits + match["power"])
        if isinf(amount):
            return None
    else:
        amount = _number(sign + digits)
    return _with_unit(_whole(amount), match["tail"], UNITS.get(match["currency"], ""))


def _whole(amount: int | float) -> int | float:
    return int(amount) if isinstance(amount, float) and amount.is_integer() else amount


def _in_words(folded: str) -> Key | None:
    """A number below 100 as a word, alone or before a known unit: "Seven Samurai" is no amount."""
    first, _, rest = folded.partition(" ")
    if first not in NUMBERS:
        return None
    number = NUMBERS[first]
    ones, _, after = rest.partition(" ")
    if number >= 20 and number % 10 == 0 and 0 < NUMBERS.get(ones, 0) < 10:
        number, rest = number + NUMBERS[ones], after
    known = not rest or all(word in UNITS or word in SCALES for word in rest.split(" "))
    return _with_unit(number, rest and f" {rest}", "") if known else None


def _with_unit(amount: int | float, tail: str, unit: str) -> Key | None:
    """The key of a number followed by `tail`; None if `tail` is no unit."""
    match = _UNIT.fullmatch(tail) if tail.strip() else None
    if tail.strip() and match is None:
        return None
    words = re.split(r"[ /-]", (match[1] + match[2]).replace(".", "")) if match is not None else []
    if words and words[0] in SCALES:
        try:
            amount = amount * SCALES[words.pop(0)]
        except OverflowError:
            return None
        amount = _whole(round(amount, 6)) if isinstance(amount, float) else amount
    if not NO_UNITS.isdisjoint(words) or (words and words[0] in MONTHS):
        return None
    unit = unit or " ".join(map(_singular, words))
    if unit in ("st", "nd", "rd", "th"):
        unit = ""
    return ("unit", amount, unit) if unit else amount


def _singular(word: str) -> str:
    return UNITS.get(word) or (word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word)


def _iso_date(text: str) -> Key | None:
    """The most frequent form, without what the others need."""
    match = _ISO.fullmatch(text)
    return _checked_date(int(match[1]), int(match[2]), int(match[3])) if match is not None else None


def _date(folded: str, kind: str | None) -> Key | None:
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


def _date_in_words(folded: str) -> Key | None:
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


def _checked_date(year: int | None, month: int | None, day: int | None) -> Key | None:
    """The key of a date; None if there is no such month or day. A day too many for the month is let through."""
    if (year, month, day) == (None, None, None) or not (month is None or 1 <= month <= 12):
        return None
    if not (day is None or 1 <= day <= 31):
        return None
    return year if year is not None and month is None and day is None else ("date", year, month, day)


_SPECIAL = ARTICLES | SHORT_BOOLEANS.keys() | NUMBERS.keys() | MONTHS.keys() | WEEKDAYS
