"""When two keys say the same: numbers within a tolerance, units of time converted, a unit left out."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable

from .reading import Key
from .units import FAMILIES, UNCLEAR


# A number as it is compared: what with, and how much. "" goes with "" and "any", "any" with "", a unit with itself.
Face = tuple[str, int | float]


def faces(key: Key) -> tuple[Face, ...]:
    """What a number may be compared as; nothing for what is no number."""
    if isinstance(key, (int, float)):
        return (("", key),)
    if isinstance(key, str) or key[0] != "unit":
        return ()
    _, number, unit = key
    if unit in UNCLEAR:
        magnitude, units = UNCLEAR[unit]
        return (("", number * magnitude), *(_converted(number, other) for other in units))
    return ("any", number), _converted(number, unit)


def _converted(number: int | float, unit: str) -> Face:
    family, factor = FAMILIES.get(unit, (unit, 1))
    try:
        return family, number * factor
    except OverflowError:  # a whole number beyond all floats
        return unit, number


_PARTNERS = {"": ("", "any"), "any": ("",)}


def equal(one: Key, other: Key, tolerance: float) -> bool:
    """Whether two keys say the same. A number without a unit equals one with any; units of time are converted."""
    if one == other:
        return True
    first = faces(one)
    second = faces(other) if first else ()
    return any(
        theirs in _PARTNERS.get(unit, (unit,)) and near(left, right, tolerance)
        for unit, left in first
        for theirs, right in second
    )


class Numbers:
    """The numbers among some keys, in order, to look for one that is near."""

    def __init__(self, keys: Iterable[Key], tolerance: float) -> None:
        self.tolerance = tolerance
        self.amounts: defaultdict[str, list[int | float]] = defaultdict(list)
        for key in keys:
            for unit, number in faces(key):
                self.amounts[unit].append(number)
        for numbers in self.amounts.values():
            numbers.sort()

    def hold(self, key: Key) -> bool:
        """Whether one of the numbers is equal to `key`, which may be no number."""
        return any(
            self._holds(partner, number)
            for unit, number in faces(key)
            for partner in _PARTNERS.get(unit, (unit,))
            if partner in self.amounts
        )

    def _holds(self, unit: str, number: int | float) -> bool:
        numbers = self.amounts[unit]
        place = bisect_left(numbers, number)
        return any(near(number, other, self.tolerance) for other in numbers[max(0, place - 1) : place + 1])


def near(left: int | float, right: int | float, tolerance: float) -> bool:
    """Whether two numbers are equal: whole numbers exactly, others within the tolerance."""
    if type(left) is type(right) is int:
        return left == right
    try:
        return bool(abs(left - right) <= tolerance * max(1.0, abs(left), abs(right)))
    except OverflowError:
        return False


def near_floats(left: float, right: float, tolerance: float) -> bool:
    """The same for numbers that are floats although they may be whole."""
    return left == right or (not (left.is_integer() and right.is_integer()) and near(left, right, tolerance))
