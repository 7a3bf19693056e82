"""What the plain-Python programs share: types, periods, ties and averages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from fractions import Fraction
from typing import Any, TypeVar

from ...spec import MONTHS


Value = TypeVar("Value")
Row = dict[str, Any]
Rows = list[Row]
Tables = Mapping[str, Rows]
Values = Mapping[str, Any]  # parameters by name
Found = tuple[Iterable[object], Rows]  # answers, in order for an order, and the rows of the evidence
Program = Callable[[Tables, Values], Found]


class Unclear(ValueError):
    """The wording leaves open what is meant."""


def average(total: int, periods: int) -> list[str]:
    """With two decimals, halves rounded up."""
    cents = int(Fraction(100 * total, periods) + Fraction(1, 2))
    return [f"{cents // 100}.{cents % 100:02d}"]


def most(values: Iterable[Value]) -> list[Value]:
    """The values that come most often."""
    counted = Counter(values)
    best = max(counted.values())
    return [value for value, count in counted.items() if count == best]


def top(values: Iterable[Value], count: int) -> list[Value]:
    """The `count` values that come most often."""
    ranked = Counter(values).most_common()
    if len(ranked) > count and ranked[count - 1][1] == ranked[count][1]:
        raise Unclear("a tie at the cut")
    return [value for value, _ in ranked[:count]]


def each(rows: Rows, column: str) -> Iterator[Any]:
    """The members of a column of lists."""
    for row in rows:
        if len(set(row[column])) < len(row[column]):
            raise Unclear(f"a member twice in {row}")
        yield from row[column]


def in_month(day: date, p: Values) -> bool:
    return (day.year, MONTHS[day.month - 1]) == (p["year"], p["month"])


def in_years(day: date, p: Values) -> bool:
    return bool(p["from_year"] <= day.year <= p["to_year"])


def in_period(day: date, p: Values) -> bool:
    """The period of an average, which must be as long as the question says."""
    words = p["period"].split()
    first, last = (int(words[1]), int(words[-1]))
    whole = date(last, 12, 31) - date(first, 1, 1)
    if p["periods"] != (last - first + 1 if p["unit"] == "year" else whole.days + 1):
        raise Unclear(f"not {p['periods']} periods")
    return first <= day.year <= last


def in_year(day: date, p: Values) -> bool:
    return bool(day.year == p["year"])


def only(rows: Iterable[Row]) -> Row:
    """The one row that the wording speaks of."""
    candidates = list(rows)
    if len(candidates) != 1:
        raise Unclear(f"{len(candidates)} rows where the question speaks of one")
    return candidates[0]


def yes(flag: bool) -> list[str]:
    """The answer of a yes/no question."""
    return ["yes" if flag else "no"]


def age(born: date, day: date) -> list[int]:
    """Age in full years."""
    return [day.year - born.year - ((day.month, day.day) < (born.month, born.day))]


def named_trip(tables: Tables, p: Values) -> Row:
    """The trip that city, month and year name."""
    return only(r for r in tables["travel"] if r["city"] == p["city"] and in_month(r["start_date"], p))


def during(rows: Rows, first: date, last: date, column: str = "date") -> Rows:
    """The rows whose day is from `first` to `last`."""
    return [r for r in rows if first <= r[column] <= last]


def two_years(rows: Rows, column: str, p: Values) -> tuple[Rows, Rows]:
    return ([r for r in rows if r[column].year == p["year"]], [r for r in rows if r[column].year == p["other"]])
