"""The rows that `compute` is given: checked and named where they are wrong; no value is converted to another type."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from itertools import chain
from numbers import Number
from typing import Any


Rows = list[Any]  # of types that differ from metric to metric, and from row to row


def as_list(column: object, name: str) -> Rows:
    """The rows of a column (list, tuple, NumPy or Arrow array, pandas Series, tensor, `datasets` column) as a list.

    Raises:
        ValueError: if `column` is not a column of rows.
    """
    if type(column) is list:
        return column
    if not isinstance(column, (str, bytes, Mapping, Set)) and getattr(column, "shape", True) != ():
        for method in ("to_pylist", "tolist"):
            if hasattr(column, method):
                rows: Rows = getattr(column, method)()
                return rows
        if isinstance(column, Sequence) and not isinstance(column, tuple):
            # A lazy column of `datasets` decodes row by row when iterated, and in bulk when sliced.
            # Other sequences have slices of their own type.
            part = column[:]
            return list(part) if isinstance(part, Sequence) and type(part) is not list else as_list(part, name)
        if isinstance(column, Iterable):
            return list(column)
    raise ValueError(f"{name}: expected a list or an array with one entry per question, found {describe(column)}")


def plain(value: object, depth: int = 8) -> Any:
    """`value` with NumPy and Arrow scalars, arrays and tuples, at most `depth` deep, as plain Python values."""
    if isinstance(value, (list, tuple)):
        return [plain(item, depth - 1) for item in value] if depth else value
    for method in ("as_py", "tolist"):
        if hasattr(value, method):
            converted = getattr(value, method)()
            return plain(converted, depth) if isinstance(converted, list) else converted
    return value


def is_missing(value: object) -> bool:
    """Whether `value` is what pandas or Arrow has where there is nothing: None, NaN, NA, NaT, a null."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, Number) and bool(value != value)  # NaN, of whatever library


def checked_rows(column: object, name: str, levels: Sequence[Collection[type]], expected: str) -> Rows:
    """The rows of `column` as plain values of the types allowed at each level of nesting.

    Args:
        column: anything that :func:`as_list` takes.
        name: what to call the column in an error.
        levels: the types allowed for a row, for an item of a row, and so on; `list` opens the next level. Where a row
            may be None, whatever stands for a missing one in pandas or Arrow is None.
        expected: what a row may be, in words.

    Raises:
        ValueError: naming the first row that is something else. No value is converted to another type.
    """
    rows = as_list(column, name)
    if _fit(rows, levels):
        return rows
    rows = [plain(row, len(levels)) for row in rows]
    if type(None) in levels[0]:
        rows = [None if is_missing(row) else row for row in rows]
    for number, row in enumerate(rows):
        if not _fit((row,), levels):
            raise ValueError(f"{name} row {number}: expected {expected}, found {describe(row)}")
    return rows


def _fit(rows: Iterable[Any], levels: Sequence[Collection[type]]) -> bool:
    rows = rows if isinstance(rows, Sequence) else list(rows)
    kinds = set(map(type, rows))
    if not kinds <= set(levels[0]):
        return False
    nested = rows if kinds == {list} else [row for row in rows if type(row) is list] if list in kinds else ()
    return not nested or _fit(list(chain.from_iterable(nested)), levels[1:])


def describe(value: object) -> str:
    """Type and shortened value, for error messages."""
    try:
        text = repr(value)
    except RecursionError:
        text = "nested too deep to show"
    return f"{type(value).__name__} {text if len(text) <= 80 else text[:77] + '...'}"


def count_missing(predictions: Sequence[object], missing: str) -> int:
    """How many predictions are None.

    Raises:
        ValueError: if there is one and the policy is "error"; the message names the first.
    """
    count = predictions.count(None)
    if count and missing == "error":
        raise ValueError(
            f"predictions row {predictions.index(None)}: expected an answer, found None ({count} of "
            f"{len(predictions)} rows); pass missing='wrong' to count such rows as wrong"
        )
    return count
