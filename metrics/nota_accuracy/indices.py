"""Choice indices as NumPy arrays: predictions in the spellings that systems use, gold indices, the NOTA choice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from timeline_realtime_qa.scoring.columns import Rows
from timeline_realtime_qa.scoring.nota import is_nota


IntArray = npt.NDArray[np.int64]

INVALID = -1
NO_NOTA = -2
_LARGEST = 2**31 - 1
_INDEX = re.compile(r"0|[1-9][0-9]{0,9}")


def parse_predictions(rows: Rows) -> IntArray:
    """The index that each prediction states, in the base it is written in; INVALID where it states none.

    Args:
        rows: int, str, or a list that holds one of these; None counts as INVALID here.
    """
    kinds = set(map(type, rows))
    if kinds == {list}:
        if set(map(len, rows)) == {1}:
            return parse_predictions([item for (item,) in rows])
        rows = [row[0] if len(row) == 1 else None for row in rows]
    elif kinds == {int}:
        if min(rows) >= 0 and max(rows) <= _LARGEST:
            return np.fromiter(rows, dtype=np.int64, count=len(rows))
    elif list in kinds:
        rows = [row if type(row) is not list else row[0] if len(row) == 1 else None for row in rows]
    known = {row: _parse(row) for row in set(rows)}
    return np.fromiter(map(known.__getitem__, rows), dtype=np.int64, count=len(rows))


def _parse(value: int | str | None) -> int:
    if isinstance(value, str):
        value = int(value) if _INDEX.fullmatch(value) else INVALID
    return value if value is not None and 0 <= value <= _LARGEST else INVALID


@dataclass(frozen=True)
class ChoiceQuestions:
    """What is known about the questions, row by row.

    Args:
        gold: the gold indices of all rows in one array.
        row: the row of each entry of `gold`.
        n: number of rows.
        sizes: number of choices of each row; None when the choices were not given.
        nota: index of each row's NOTA choice or NO_NOTA; None when nothing names it.
    """

    gold: IntArray
    row: IntArray
    n: int
    sizes: IntArray | None
    nota: IntArray | None

    @classmethod
    def read(
        cls, references: Rows, choices: list[list[str]] | None, nota_index: list[int | None] | None
    ) -> ChoiceQuestions:
        """Build from checked columns.

        Args:
            references: int or list of int per row.
            choices: list of str per row, or None.
            nota_index: int or None per row, or None.

        Raises:
            ValueError: for a row without gold index or choices, with two NOTA choices, or with an index out of range.
        """
        n = len(references)
        lists = [row if type(row) is list else [row] for row in references]
        lengths = np.fromiter(map(len, lists), dtype=np.int64, count=n)
        if not lengths.all():
            raise ValueError(
                f"references row {int(np.argmin(lengths))}: expected at least one gold index, found none; questions "
                f"whose answer is not public cannot be scored: leave them out"
            )
        row = np.repeat(np.arange(n), lengths)
        sizes = None if choices is None else _sizes(choices, n)
        gold = _in_range("references", list(chain.from_iterable(lists)), row, sizes)
        nota: IntArray | None
        if nota_index is not None:
            nota = _named_nota(nota_index, n, sizes)
        else:
            nota = None if choices is None else _found_nota(choices)
        return cls(gold, row, n, sizes, nota)

    def any_row(self, hits: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Per row, whether one of its entries of `gold` is in `hits`."""
        found = np.zeros(self.n, dtype=np.bool_)
        found[self.row[hits]] = True
        return found

    def chance(self) -> float | None:
        """Expected accuracy of a uniform guess; None when the choices are not known."""
        if self.sizes is None:
            return None
        distinct = np.unique(np.stack([self.row, self.gold]), axis=1)[0] if len(self.gold) > self.n else self.row
        return float(np.mean(np.bincount(distinct, minlength=self.n) / self.sizes))


def _sizes(choices: Sequence[list[str]], n: int) -> IntArray:
    _same_length("choices", choices, n)
    sizes = np.fromiter(map(len, choices), dtype=np.int64, count=n)
    if not sizes.all():
        raise ValueError(
            f"choices row {int(np.argmin(sizes))}: expected the texts of the choices, found an empty list"
        )
    return sizes


def _same_length(name: str, rows: Sequence[object], n: int) -> None:
    if len(rows) != n:
        raise ValueError(f"{name}: expected one entry for each of the {n} rows, found {len(rows)}")


def _in_range(name: str, values: Sequence[int], row: IntArray, sizes: IntArray | None) -> IntArray:
    """`values` as an array once each is an index of its row's choices."""
    for position, value in enumerate(values) if min(values) < 0 or max(values) > _LARGEST else ():
        if not 0 <= value <= _LARGEST:
            raise ValueError(f"{name} row {int(row[position])}: expected a 0-based index, found {value}")
    indices = np.fromiter(values, dtype=np.int64, count=len(values))
    if sizes is not None and (indices >= sizes[row]).any():
        position = int(np.argmax(indices >= sizes[row]))
        number = int(row[position])
        raise ValueError(
            f"{name} row {number}: expected a 0-based index below {int(sizes[number])} (the number of its choices), "
            f"found {int(indices[position])}; subtract 1 if these indices count from 1"
        )
    return indices


def _named_nota(nota_index: Sequence[int | None], n: int, sizes: IntArray | None) -> IntArray:
    _same_length("nota_index", nota_index, n)
    rows = [number for number, value in enumerate(nota_index) if value is not None]
    nota = np.full(n, NO_NOTA, dtype=np.int64)
    if rows:
        row = np.array(rows, dtype=np.int64)
        nota[row] = _in_range("nota_index", [value for value in nota_index if value is not None], row, sizes)
    return nota


def _found_nota(choices: Sequence[list[str]]) -> IntArray:
    known = {text: is_nota(text) for text in set(chain.from_iterable(choices))}
    nota = np.full(len(choices), NO_NOTA, dtype=np.int64)
    for number, row in enumerate(choices):
        found = [index for index, text in enumerate(row) if known[text]]
        if len(found) > 1:
            raise ValueError(
                f"choices row {number}: expected at most one 'none of the above' choice, found {len(found)} in {row}; "
                f"pass nota_index= to say which one counts"
            )
        if found:
            nota[number] = found[0]
    return nota
