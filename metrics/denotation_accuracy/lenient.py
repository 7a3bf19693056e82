"""Comparison of answers as a person would make it: the default mode of the metric. The card lists its rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from .equality import Numbers, equal, near, near_floats
from .reading import Key, Memo, absent, is_decimal, read
from .units import BOOLEANS


Answer = str | list[str]

# A comma of a number, full width or not, is none between items.
CUT = re.compile(r",?\s(?:and|&)\s|,\s|[;|\n；、؛]|(?<!\d)[，،]|[，،](?!\d)", re.IGNORECASE)
CUT_EVERY_COMMA = re.compile(r",?\s(?:and|&)\s|[,;|\n；、؛，،]", re.IGNORECASE)
_MARK = re.compile(r"\s*(?:[-*+•‣◦▪●–—·]|[0-9]{1,3}[.)]|[A-Za-z]\)|\((?:[0-9]{1,3}|[A-Za-z])\))\s+(?=\S)")
_BLANK = re.compile(r"\s*")
_QUOTED = {quote: re.compile(rf"{quote}([^{quote}\\]*(?:\\.[^{quote}\\]*)*){quote}", re.DOTALL) for quote in "'\""}
_BARE = re.compile(r"""[^,'"\[\]]+""")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)


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
        start = _blank(body, place)
        quoted = _QUOTED.get(body[start : start + 1])
        match = quoted.match(body, start) if quoted is not None else _BARE.match(body, place)
        if match is None:
            return None
        found.append(match[0].strip() if quoted is None else _ESCAPE.sub(_unescape, match[1]))
        place = _blank(body, match.end())
        if body[place : place + 1] not in ("", ","):
            return None
        place += 1
    return found


def _blank(text: str, place: int) -> int:
    """Where the white space that begins at `place` ends."""
    match = _BLANK.match(text, place)
    return place if match is None else match.end()


def _unescape(match: re.Match[str]) -> str:
    code = match[1]
    if len(code) > 1:
        return chr(int(code[1:], 16))
    return {"n": "\n", "t": "\t", "r": "\r"}.get(code, code)


def pieces(text: str, cut: re.Pattern[str]) -> list[tuple[int, int]]:
    """Where the pieces of `text` that are not blank begin and end; marks before lines are left out."""
    ends = [(match.start(), match.end()) for match in cut.finditer(text)]
    starts = [0, *(end for _, end in ends)]
    spans = zip(starts, [*(start for start, _ in ends), len(text)], strict=True)
    found = [(start, end) for start, end in spans if text[start:end].strip()]
    if "\n" not in text:
        return found
    return [(marked(text, start, end), end) for start, end in found]


def marked(text: str, start: int = 0, end: int | None = None) -> int:
    """Where the part of `text` begins that follows the mark before an item ("-", "2.", "a)"), if there is one."""
    if text[start : start + 1].isalpha() and text[start + 1 : start + 2] != ")":
        return start
    mark = _MARK.match(text, start, len(text) if end is None else end)
    return start if mark is None else mark.end()


_PLAIN = frozenset({int, float})
# "Wednesday, March 3, 2021"
_DATE_PIECES = (2, 3)
_MOST_PIECES = 20  # of one item among those of a string: each place of the string is tried with as many
_FIRST_ITEMS = 8  # that are looked for before all are
# "No. 5" is not a no.
_SAYS = re.compile(
    r"[\s\"'*_`(]{0,9}(?:(yes|true|false)|(no)(?!\.\s*\d))[\"'*_`)]{0,9}(?:\s{0,9}[,.;:!…，。；！、(\n]|\s{1,9}[-–]\s|\s{0,9}—)",
    re.IGNORECASE,
)


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
        found_items, wanted_items = self._items(prediction), self._items(gold)
        if not found_items or not wanted_items:
            return not found_items and not wanted_items
        if self._cover([self.reader[i] for i in found_items], [self.reader[i] for i in wanted_items]):
            return True
        if len(wanted_items) == 1:
            return self._one(found_items, wanted_items[0])
        if len(found_items) == 1 and CUT_EVERY_COMMA.search(found_items[0]):
            return any(self._cut(found_items[0], wanted_items, cut) for cut in (CUT, CUT_EVERY_COMMA))
        return False

    def _items(self, answer: Answer) -> list[str]:
        """The items of an answer; the only one without the mark of a list before it, unless it says more with it."""
        found = items(answer)
        if len(found) == 1 and "\n" not in found[0].strip() and marked(found[0]):
            return [found[0][marked(found[0]) :]] if type(self.reader[found[0]]) is str else found
        return found

    def _texts(self, prediction: str, gold: str) -> bool | None:
        """Whether both say the same; None if one may be a list."""
        if self.numeric and is_decimal(prediction) and is_decimal(gold):
            # Most answers of this form occur once, so that remembering them costs more than reading them.
            return near_floats(float(prediction), float(gold), self.tolerance)
        wanted = self.reader[gold]
        if type(wanted) is str and absent(wanted, prediction):
            return False
        found = self.reader[prediction]
        if found == wanted:
            return True
        if type(found) in _PLAIN and type(wanted) in _PLAIN:
            return near(found, wanted, self.tolerance)  # type: ignore[arg-type]
        if type(found) is str and _may_hold_items(found, prediction):
            return None
        if type(wanted) is str and _may_hold_items(wanted, gold):
            return None
        return self._one_item(found, wanted, prediction)

    def _joined(self, prediction: str, gold: Sequence[str]) -> bool | None:
        """False if an item of `gold` is surely not in `prediction`, True if both are the same text, None otherwise."""
        if ", ".join(gold) == prediction:
            return True
        for item in gold[:_FIRST_ITEMS]:
            key = self.reader[item]
            if type(key) is str and absent(key, prediction):
                return False
        return None

    def _one_item(self, found: Key, wanted: Key, prediction: str) -> bool:
        if type(wanted) is tuple and wanted[0] == "bool":
            says = _SAYS.match(prediction)
            return says is not None and wanted[1] == BOOLEANS[(says[1] or says[2]).lower()]
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
            if not all(map(Numbers(others, self.tolerance).hold, left)):
                return False
        return True

    def _cut(self, found: str, wanted: Sequence[str], cut: re.Pattern[str]) -> bool:
        """Whether `found`, cut where `cut` matches, is made up of the items of `wanted`, each at least once.

        An item of `wanted`, or what is written for it, may hold such places itself; the longest that fits is taken.
        """
        keys = [self.reader[item] for item in wanted]
        known = set(keys)
        numbers = Numbers(known, self.tolerance)
        sizes = sorted({1, *_DATE_PIECES, *(len(pieces(item, cut)) for item in wanted)}, reverse=True)
        sizes = [size for size in sizes if size <= _MOST_PIECES]
        spans = pieces(found, cut)
        place, read = 0, []
        while place < len(spans):
            for size in sizes:
                if place + size > len(spans):
                    continue
                key = self.reader[found[spans[place][0] : spans[place + size - 1][1]]]
                if key in known or (type(key) is not str and numbers.hold(key)):
                    read.append(key)
                    place += size
                    break
            else:
                return False
        return self._cover(read, keys)


def _may_hold_items(read: str, text: str) -> bool:
    """Whether a text that was read as a text may be a list, or an item with the mark of a list before it."""
    return read[:1] in ("[", "") or marked(text) > 0
