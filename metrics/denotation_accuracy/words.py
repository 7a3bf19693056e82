"""The words that the lenient comparison knows: types, booleans, numbers, units, months."""

from __future__ import annotations


KINDS = ("number", "date", "text", "boolean")
ARTICLES = frozenset({"a", "an", "the"})
BOOLEANS = {"yes": True, "true": True, "no": False, "false": False}
# Known to be booleans only when the answer is one.
SHORT_BOOLEANS = {**BOOLEANS, "y": True, "n": False, "t": True, "f": False, "1": True, "0": False}

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
NUMBERS = {
    **{word: number for number, word in enumerate(_SMALL)},
    **{word: number for number, word in zip(range(20, 100, 10), _TENS, strict=True)},
    **{
        f"{tens}-{one}": number + digit
        for number, tens in zip(range(20, 100, 10), _TENS, strict=True)
        for digit, one in enumerate(_SMALL[1:10], 1)
    },
}
SCALES = {"hundred": 10**2, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}

_SPELLINGS = {
    "second": "s sec secs second seconds",
    "minute": "min mins minute minutes",
    "hour": "h hr hrs hour hours",
    "day": "d day days",
    "week": "wk wks week weeks",
    "month": "month months",
    "year": "y yr yrs year years",
    "time": "x time times",
    "person": "person persons people",
    "child": "child children",
    "kilometre": "km kms kilometer kilometers kilometre kilometres",
    "metre": "m meter meters metre metres",
    "mile": "mi mile miles",
    "kilogram": "kg kgs kilo kilos kilogram kilograms",
    "pound": "lb lbs pound pounds £",
    "dollar": "$ dollar dollars usd",
    "euro": "€ euro euros eur",
    "yen": "¥ yen jpy",
    "percent": "% percent pct",
    "degree": "° degree degrees",
}
UNITS = {spelling: unit for unit, spellings in _SPELLINGS.items() for spelling in spellings.split()}
# Units of a fixed length, in seconds.
SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800}
# After one of these a number is no amount: "3 pm", "3 or four", "3 of them".
NO_UNITS = frozenset("am pm bc ad bce ce oclock and or to of not no than is was in on at by but".split())

_MONTHS = "january february march april may june july august september october november december".split()
MONTHS = {
    **{name: number for number, name in enumerate(_MONTHS, 1)},
    **{name[:3]: number for number, name in enumerate(_MONTHS, 1)},
    "sept": 9,
}
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
# What a date in words may hold beside its numbers and its month.
WEEKDAYS = frozenset([*_DAYS, *(day[:3] for day in _DAYS), "tues", "thur", "thurs", "on", "the", "of"])
