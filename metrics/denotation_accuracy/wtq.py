"""Comparison of answers as the evaluators of WikiTableQuestions 1.0.2 and of TAPEX make it, written anew.

WikiTableQuestions: each item of an answer is a number, a date or a string, read from its text (or from its canonical
value, where there is one). Items are compared by value, or by their normalised texts. Behaviour source: Pasupat and
Liang 2015 (arXiv 1508.00305) and the evaluator's answers; its limits are kept (see the card), its crashes are not.

TAPEX: an answer is one string. In lower case it is split at ", " into spans; a span that Python reads as a float
counts as that number, any other as its text without outer white space; both sides must hold the same spans equally
often. Behaviour source: Liu et al. 2022 (arXiv 2107.07653) and the evaluator's answers.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from math import isfinite, isnan
from typing import Any

from .folding import decomposed


DELIMITER = ", "
_NUMBER_STARTS = frozenset("0123456789+-.in \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f")


def span(text: str) -> str | float:
    """The value of one lower-case span."""
    # An exception costs more than all the rest, so text that cannot be a number is not tried.
    if not text or (text[0] not in _NUMBER_STARTS and text[0].isascii()):
        return text.strip()
    try:
        return float(text)
    except ValueError:
        return text.strip()


def same_spans(prediction: str, gold: str) -> bool:
    """Whether two answers, each one string, hold the same spans. "nan" is equal to nothing, not even to itself."""
    prediction, gold = prediction.lower(), gold.lower()
    if prediction == gold and "nan" not in gold:
        return True
    if DELIMITER not in prediction and DELIMITER not in gold:
        # True for nan too: it differs from itself.
        return span(prediction) == span(gold)
    found, wanted = prediction.split(DELIMITER), gold.split(DELIMITER)
    if len(found) != len(wanted):
        return False
    counts = Counter(map(span, wanted))
    return not any(type(key) is float and isnan(key) for key in counts) and Counter(map(span, found)) == counts


WTQ_TOLERANCE = 1e-6
# The evaluator folds these after the compatibility decomposition.
_FOLDED = str.maketrans(
    {**dict.fromkeys("‘’´`", "'"), **dict.fromkeys("“”", '"'), **dict.fromkeys("‐‑‒–—−", "-")},
)
_NUMBERED = re.compile(r"\[[0-9]+\]")
_MARKS = frozenset("•♦†‡*#+")
# Text in which nothing is dropped or folded except upper case and the final full stop.
_SIMPLE = re.compile(r"[\w,.%$:;/!?&@'-]+(?: [\w,.%$:;/!?&@'-]+)*", re.ASCII)
# What ASCII text of a number or a date can begin with.
_VALUE_STARTS = frozenset("0123456789+-.xX \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f")


# One item: its normalised text, its type ("number", "date" or "string"), and its amount, (year, month, day) with -1
# for unknown parts, or text again. The last two are its identity among the items of an answer.
Value = tuple[str, str, Any]


def normalize(text: str) -> str:
    """The evaluator's normal form: no accents, citations, trailing marks, details in parentheses or outer quotes."""
    if _SIMPLE.fullmatch(text):
        return text.lower().removesuffix(".").rstrip()
    text = "".join(c for c in decomposed(text) if unicodedata.category(c) != "Mn")
    text = text.translate(_FOLDED)
    before = None
    while text != before:
        before = text
        text = _without_details(_without_citations(text.strip()).strip()).strip()
        if len(text) > 1 and text[0] == text[-1] == '"' and '"' not in text[1:-1]:
            text = text[1:-1]
    return " ".join(text.removesuffix(".").lower().split())


def _without_citations(text: str) -> str:
    """Without bracketed notes and footnote marks at the end; a note that is all of the text stays unless a number."""
    end = len(text)
    while end:
        if text[end - 1] in _MARKS:
            end -= 1
            continue
        if text[end - 1] != "]":
            break
        after = text.rfind("]", 0, end - 1) + 1
        start = text.find("[", after, end)
        if start == 0 and not _NUMBERED.fullmatch(text, 0, end):
            start = text.find("[", 1, end)
        if start < 0:
            break
        end = start
    return text[:end]


def _without_details(text: str) -> str:
    """Without " (...)" at the end, any number of times."""
    end = len(text)
    while end and text[end - 1] == ")":
        start = text.find(" (", text.rfind(")", 0, end - 1) + 1, end)
        if start < 0:
            break
        end = start
    return text[:end]


def value(text: str, canonical: str | None = None) -> Value:
    """The item that `text` stands for; its type and amount come from `canonical` when that is given and not empty."""
    source = canonical or text
    if not source[:1].isascii() or source[:1] in _VALUE_STARTS:
        # First, because no text is both and a failed attempt at a number costs more.
        date = _date(source) if source.count("-") == 2 else None
        if date is not None and date[1:] != (-1, -1):
            return normalize(text) if text else "-".join(map(str, date)), "date", date
        amount = _amount(source) if date is None else date[0]
        if amount is not None:
            # The evaluator's texts of values are those of Python 2: twelve digits of a float.
            written = str(amount) if isinstance(amount, int) else f"{amount:.12g}"
            return normalize(text) if text else written, "number", amount
    normal = normalize(text)
    return normal, "string", normal


def _integer(text: str) -> int:
    # The evaluator is a Python 2 program: digits have no underscores between them.
    if "_" in text:
        raise ValueError("underscore")
    return int(text)


def _amount(text: str) -> int | float | None:
    if "." not in text:
        try:
            return _integer(text)
        except ValueError:
            pass
    try:
        amount = float(text)
    except ValueError:
        return None
    if "_" in text or not isfinite(amount):
        return None
    # Cut off, not rounded: the evaluator takes 2.9999999 for 2.
    return int(amount) if abs(amount - round(amount)) < WTQ_TOLERANCE else amount


def _date(text: str) -> tuple[int, int, int] | None:
    parts = text.lower().split("-")
    try:
        year = -1 if parts[0] in ("xx", "xxxx") else _integer(parts[0])
        month, day = (-1 if part == "xx" else _integer(part) for part in parts[1:])
    except ValueError:
        return None
    possible = (month == -1 or 1 <= month <= 12) and (day == -1 or 1 <= day <= 31)
    return (year, month, day) if possible and not year == month == day == -1 else None


def values(texts: Sequence[str], canonical: Sequence[str] | None = None) -> list[Value]:
    """The distinct items of an answer; of items with the same value the first stands for all."""
    read = map(value, texts) if canonical is None else map(value, texts, canonical)
    distinct: dict[tuple[str, Any], Value] = {}
    for item in read:
        distinct.setdefault(item[1:], item)
    return list(distinct.values())


def near_decimals(one: str, other: str) -> bool:
    """:func:`matches` for two texts of digits, perhaps with a point."""
    left, right = _amount(one), _amount(other)
    return left is not None and right is not None and abs(left - right) < WTQ_TOLERANCE


def matches(one: Value, other: Value) -> bool:
    """Whether two items are the same: by normalised text, by number within 1e-6, or by date."""
    if one[0] == other[0]:
        return True
    return _near(one[2], other[2]) if one[1] == other[1] == "number" else one[1:] == other[1:]


def same_values(target: Sequence[Value], predicted: Sequence[Value]) -> bool:
    """Whether both answers have as many distinct items, and each of `target` is among `predicted`."""
    if len(target) != len(predicted):
        return False
    texts = {item[0] for item in predicted}
    dates = {item[2] for item in predicted if item[1] == "date"}
    numbers = sorted(item[2] for item in predicted if item[1] == "number")
    return all(
        text in texts or (kind == "date" and amount in dates) or (kind == "number" and _near_one(amount, numbers))
        for text, kind, amount in target
    )


def _near_one(amount: int | float, numbers: Sequence[int | float]) -> bool:
    """Whether one of some numbers in order is within the tolerance."""
    place = bisect_left(numbers, amount)
    return any(_near(amount, other) for other in numbers[max(0, place - 1) : place + 1])


def _near(one: int | float, other: int | float) -> bool:
    try:
        return bool(abs(one - other) < WTQ_TOLERANCE)
    except OverflowError:  # a whole number beyond all floats, at which the evaluator stops
        return False
