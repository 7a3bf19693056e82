"""Comparison of answers as a person would make it: the default mode of the metric. The card lists its rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from .equality import Numbers, equal, near, near_floats
from .lists import CUT, CUT_EVERY_COMMA, Answer, items, marked, pieces
from .reading import Key, Memo, absent, is_decimal, read
from .words import BOOLEANS


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
        keys = map(self.reader.__getitem__, gold[:_FIRST_ITEMS])
        return False if any(type(key) is str and absent(key, prediction) for key in keys) else None

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
