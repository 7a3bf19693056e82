"""Numbers in words: "three hundred and five thousand", "half a million", "three point one four"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from .units import MAGNITUDES, NUMBERS, PARTS


_TOKEN = re.compile(r"[^\W_]+")
_ARTICLES = ("a", "an")


def number_in_words(text: str) -> tuple[Fraction, str] | None:
    """The number that `text` begins with, and what follows it."""
    tokens = list(_TOKEN.finditer(text))
    # Other marks than blanks and hyphens end a number.
    size = next(
        (at for at in range(1, len(tokens)) if text[tokens[at - 1].end() : tokens[at].start()] not in " -"), None
    )
    words = [token[0].lower() for token in tokens[:size]]
    found = _number(words) if text[:1].isalpha() else None
    return None if found is None else (found[0], text[tokens[found[1] - 1].end() :])


def _number(words: Sequence[str]) -> tuple[Fraction, int] | None:
    """The number that a list of words begins with, and how many of them are its."""
    if words[0] == "half":
        return Fraction(1, 2), 2 if len(words) > 2 and words[1] in _ARTICLES else 1
    if words[0] in _ARTICLES and len(words) > 1 and (words[1] in MAGNITUDES or words[1] in PARTS):
        words = ["one", *words[1:]]
    whole, size = _whole(words)
    if not size:
        return None
    decimals = _decimals(words[size + 1 :]) if words[size : size + 1] == ["point"] else ""
    if decimals:
        return whole + Fraction(int(decimals), 10 ** len(decimals)), size + 1 + len(decimals)
    return Fraction(whole), size


def _whole(words: Sequence[str]) -> tuple[int, int]:
    """The whole number that a list of words begins with, and how many of them are its, 0 if there is none."""
    total, last, place = 0, 10**30, 0
    group: int | None = None  # what was read since the last thousand
    while place < len(words):
        joined = words[place] == "and" and place > 0 and words[place - 1] in MAGNITUDES and place + 1 < len(words)
        word = words[place + joined]
        number = NUMBERS.get(word)
        # Letters and short forms follow digits, or what was read here.
        magnitude = MAGNITUDES.get(word, 0) if not joined and len(word) > 3 else 0
        if number is not None and _may_follow(group, number):
            group = (group or 0) + number
        elif magnitude == 100 and group is not None and 0 < group < 100:
            group *= 100
        elif 1000 <= magnitude < last and group:
            total, group, last = total + group * magnitude, None, magnitude
        else:
            break
        place += 1 + joined
    return total + (group or 0), place


def _may_follow(group: int | None, number: int) -> bool:
    """Whether a number continues its group: the first of one, anything after hundreds, ones after tens."""
    if group is None:
        return True
    return number > 0 and ((group % 100 == 0 and group > 0) or (group % 10 == 0 and group % 100 >= 20 and number < 10))


def _decimals(words: Sequence[str]) -> str:
    """The digits that a list of words begins with."""
    digits = ""
    for word in words:
        if NUMBERS.get(word, 10) > 9:
            break
        digits += str(NUMBERS[word])
    return digits
