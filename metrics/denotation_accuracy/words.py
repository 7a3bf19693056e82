"""The words that the lenient comparison knows beside those of numbers: types, booleans, months."""

from __future__ import annotations


KINDS = ("number", "date", "text", "boolean")
ARTICLES = frozenset({"a", "an", "the"})
BOOLEANS = {"yes": True, "true": True, "no": False, "false": False}
# Known to be booleans only when the answer is one.
SHORT_BOOLEANS = {**BOOLEANS, "y": True, "n": False, "t": True, "f": False, "1": True, "0": False}

_MONTHS = "january february march april may june july august september october november december".split()
MONTHS = {
    **{name: number for number, name in enumerate(_MONTHS, 1)},
    **{name[:3]: number for number, name in enumerate(_MONTHS, 1)},
    "sept": 9,
}
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
# What a date in words may hold beside its numbers and its month.
WEEKDAYS = frozenset([*_DAYS, *(day[:3] for day in _DAYS), "tues", "thur", "thurs", "on", "the", "of"])
