"""Comparison of answers as a person would make it: the default mode of the metric. The card lists its rules."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import partial

from .reading import Key, Memo, absent, is_decimal, read
from .words import BOOLEANS, SECONDS


Answer = str | list[str]

_WRITTEN_ITEM = re.compile(r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^,'"\[\]]+))\s*(,|\Z)""", re.DOTALL)
_PLAIN = frozenset({int, float})
# "Wednesday, March 3, 2021"
_DATE_PIECES = (2, 3)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_CUT = re.compile(r",?\s(?:and|&)\s|,\s|[;|\n]", re.IGNORECASE)
_CUT_EVERY_COMMA = re.compile(r",?\s(?:and|&)\s|[,;|\n]", re.IGNORECASE)
_BULLET = re.compile(r"\s*(?:[-*•]|[0-9]+[.)])\s")
_SAYS = re.compile(r"\s*(yes|no|true|false)\s*[,.;:!]", re.IGNORECASE)


class Judge:
    """Compares answers of one type.

    Args:
        kind: the type of the answers, None if not known.
        tolerance: how far numbers may differ, as a share of the larger one, or absolutely below 1.
    """

    def __init__(self, kind: str | None, tolerance: float) -> None:
        self.reader: Memo[Key] = Memo(partial(read, kind=kind))
        self.tolerance = tolerance
        self.numeric = kind in (None, "number")

    def same(self, prediction: Answer, gold: Answer) -> bool:
        """Whether both hold the same items, in any order; an answer without items equals no other."""
        if type(prediction) is str:
            known = self._texts(prediction, gold) if type(gold) is str else self._joined(prediction, gold)
            if known is not None:
                return known
        found_items, wanted_items = items(prediction), items(gold)
        if not found_items or not wanted_items:
            return not found_items and not wanted_items
        if self._cover([self.reader[i] for i in found_items], [self.reader[i] for i in wanted_items]):
            return True
        if len(wanted_items) == 1:
            return self._one(found_items, wanted_items[0])
        if len(found_items) == 1 and _CUT_EVERY_COMMA.search(found_items[0]):
            return any(self._cut(found_items[0], wanted_items, cut) for cut in (_CUT, _CUT_EVERY_COMMA))
        return False

    def _texts(self, prediction: str, gold: str) -> bool | None:
        """Whether both say the same; None if one may be a list."""
        if self.numeric and is_decimal(prediction) and is_decimal(gold):
            # Most answers of this form occur once, so that remembering them costs more than reading them.
            return _near_floats(float(prediction), float(gold), self.tolerance)
        wanted = self.reader[gold]
        if type(wanted) is str and absent(wanted, prediction):
            return False
        found = self.reader[prediction]
        if found == wanted:
            return True
        if type(found) in _PLAIN and type(wanted) in _PLAIN:
            return near(found, wanted, self.tolerance)  # type: ignore[arg-type]
        if _may_be_list(found) or _may_be_list(wanted):
            return None
        return self._one_item(found, wanted, prediction)

    def _joined(self, prediction: str, gold: Sequence[str]) -> bool | None:
        """False if an item of `gold` is surely not in `prediction`, True if both are the same text, None otherwise."""
        if ", ".join(gold) == prediction:
            return True
        keys = map(self.reader.__getitem__, gold)
        return False if any(type(key) is str and absent(key, prediction) for key in keys) else None

    def _one_item(self, found: Key, wanted: Key, prediction: str) -> bool:
        if type(wanted) is tuple and wanted[0] == "bool":
            says = _SAYS.match(prediction)
            return says is not None and wanted[1] == BOOLEANS[says[1].lower()]
        return type(found) is not str and type(wanted) is not str and equal(found, wanted, self.tolerance)

    def _one(self, found: Sequence[str], gold: str) -> bool:
        """Against a gold answer of one item: `found` may be that item, cut at its commas."""
        text = ", ".join(found)
        return self.reader[text] == self.reader[gold] or self._one_item(self.reader[text], self.reader[gold], text)

    def _cover(self, found: Sequence[Key], wanted: Sequence[Key]) -> bool:
        """Whether each item of either side has an equal on the other."""
        first, second = set(found), set(wanted)
        if first == second:
            return True
        for left, others in ((first - second, second), (second - first, first)):
            # Only numbers can be equal without having the same key.
            if any(type(key) is str for key in left):
                return False
            near = _Numbers(others, self.tolerance)
            if not all(map(near.hold, left)):
                return False
        return True

    def _cut(self, found: str, wanted: Sequence[str], cut: re.Pattern[str]) -> bool:
        """Whether `found`, cut where `cut` matches, is made up of the items of `wanted`, each at least once.

        An item of `wanted`, or what is written for it, may hold such places itself; the longest that fits is taken.
        """
        keys = [self.reader[item] for item in wanted]
        known = set(keys)
        numbers = _Numbers(known, self.tolerance)
        sizes = sorted({1, *_DATE_PIECES, *(len(_pieces(item, cut)) for item in wanted)}, reverse=True)
        pieces = _pieces(found, cut)
        place, read = 0, []
        while place < len(pieces):
            for size in sizes:
                if place + size > len(pieces):
                    continue
                key = self.reader[found[pieces[place][0] : pieces[place + size - 1][1]]]
                if key in known or (type(key) is not str and numbers.hold(key)):
                    read.append(key)
                    place += size
                    break
            else:
                return False
        return self._cover(read, keys)


def _pieces(text: str, cut: re.Pattern[str]) -> list[tuple[int, int]]:
    """Where the pieces of `text` that are not blank begin and end; bullets and numbers of lines are left out."""
    ends = [(match.start(), match.end()) for match in cut.finditer(text)]
    starts = [0, *(end for _, end in ends)]
    spans = zip(starts, [*(start for start, _ in ends), len(text)], strict=True)
    pieces = [(start, end) for start, end in spans if text[start:end].strip()]
    if "\n" not in text:
        return pieces
    bullets = [_BULLET.match(text, start, end) for start, end in pieces]
    return [(mark.end() if mark else start, end) for mark, (start, end) in zip(bullets, pieces, strict=True)]


def _may_be_list(key: Key) -> bool:
    return type(key) is str and key[:1] in ("[", "")


class _Numbers:
    """The numbers among some keys, in order, to look for one that is near."""

    def __init__(self, keys: set[Key], tolerance: float) -> None:
        self.tolerance = tolerance
        self.plain: list[int | float] = sorted(key for key in keys if isinstance(key, (int, float)))
        self.others = [key for key in keys if isinstance(key, tuple)]

    def hold(self, key: Key) -> bool:
        if isinstance(key, (int, float)):
            place = bisect_left(self.plain, key)
            near: Sequence[Key] = self.plain[max(0, place - 1) : place + 1]
        else:
            near = self.plain
        return any(equal(key, other, self.tolerance) for other in (*near, *self.others))


def equal(one: Key, other: Key, tolerance: float) -> bool:
    """Whether two keys say the same. A number without a unit equals one with any; units of time are converted."""
    if one == other:
        return True
    first, second = _amount(one), _amount(other)
    if first is None or second is None:
        return False
    (left, unit), (right, other_unit) = first, second
    if unit and other_unit and unit != other_unit:
        if unit not in SECONDS or other_unit not in SECONDS:
            return False
        left, right = left * SECONDS[unit], right * SECONDS[other_unit]
    return near(left, right, tolerance)


def _near_floats(left: float, right: float, tolerance: float) -> bool:
    """The same for numbers that are floats although they may be whole."""
    return left == right or (not (left.is_integer() and right.is_integer()) and near(left, right, tolerance))


def near(left: int | float, right: int | float, tolerance: float) -> bool:
    """Whether two numbers are equal: whole numbers exactly, others within the tolerance."""
    if type(left) is type(right) is int:
        return left == right
    try:
        return bool(abs(left - right) <= tolerance * max(1.0, abs(left), abs(right)))
    except OverflowError:
        return False


def _amount(key: Key) -> tuple[int | float, str] | None:
    if isinstance(key, tuple):
        return (key[1], key[2]) if key[0] == "unit" else None
    return None if isinstance(key, str) else (key, "")


def items(answer: Answer) -> list[str]:
    """The items of an answer that are not blank; a string is one item unless it is a list in Python or JSON."""
    if type(answer) is list and len(answer) != 1:
        return [item for item in answer if item.strip()]
    text = answer if type(answer) is str else answer[0]
    written = _written(text.strip())
    return [item for item in ([text] if written is None else written) if item.strip()]


def _written(text: str) -> list[str] | None:
    """The items of "['a', 'b']" or '["a", 2]'; None if `text` is not such a list."""
    if text[:1] != "[" or text[-1:] != "]" or len(text) < 2:
        return None
    body, place = text[1:-1].rstrip(), 0
    found = []
    while place < len(body):
        match = _WRITTEN_ITEM.match(body, place)
        if match is None:
            return None
        quoted = match[1] if match[1] is not None else match[2]
        found.append(match[3].strip() if quoted is None else _ESCAPE.sub(_unescape, quoted))
        place = match.end()
    return found


def _unescape(match: re.Match[str]) -> str:
    code = match[1]
    if len(code) > 1:
        return chr(int(code[1:], 16))
    return {"n": "\n", "t": "\t", "r": "\r"}.get(code, code)
