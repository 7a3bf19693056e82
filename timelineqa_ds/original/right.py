"""What the right answer and evidence of each of the original's questions are, derived from the log.

One function for each of the 42 templates. They read the wording of the question, not the original's SQL, and share no
code with the generated dataset's queries. Where a known mistake would give another answer, that answer is given as
well, so that a fault can be named.
"""

from __future__ import annotations

import calendar
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from .case import Case, Right
from .rows import Rows


if TYPE_CHECKING:
    from .lifelog import Log

TOP = 5  # rows of the original's lists of the most common
_K = TypeVar("_K", bound=Hashable)


def right(log: Log, name: str, parameters: Mapping[str, Any]) -> Right:
    """What is right for a question of the template `name`.

    Raises:
        FileNotFoundError: if a file that it follows from is not there.
    """
    return _BY_TEMPLATE[name](Case(log, parameters))


def _number(rows: Rows, value: float | None = None, **more: Any) -> Right:
    return Right([repr(len(rows) if value is None else value)], rows.ids, **more)


def _most(rows: Rows, values: Iterable[_K], **more: Any) -> Right:
    """The most frequent of some values, all of them if they tie."""
    counted = values if isinstance(values, Counter) else Counter(values)
    return Right(_winners(counted), rows.ids, candidates=frozenset(map(_text, counted)), **more)


def _winners(counted: Mapping[_K, int]) -> list[str]:
    best = max(counted.values(), default=0)
    return [_text(value) for value, count in counted.items() if count == best]


def _text(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _set(rows: Rows, column: str, **more: Any) -> Right:
    return Right(sorted(set(rows.values(column))), rows.ids, **more)


def _last(rows: Rows, column: str, first: bool = False, **more: Any) -> Right:
    days = rows.values(column)
    return Right([str((min if first else max)(days))] if days else [], rows.ids, **more)


def _care(case: Case, kind: str) -> Rows:
    rows = case.rows("annual_medical_care").at(for_whom="child")
    return rows.where(pc.match_substring(rows.table["type_of_care"], kind))


def _care_a_year(case: Case) -> Right:
    rows, (first, last) = _care(case, "vision"), case.years
    return _number(rows, len(rows) / (last - first + 1))


def _talked_most(case: Case) -> Right:
    rows = case.at_month(case.rows("daily_chat"))
    minutes = rows.values("howlong")
    spent: dict[bool, Counter[str]] = {}
    for repeats in (False, True):
        spent[repeats] = Counter()
        for place, friend in rows.each("friends", repeats):
            spent[repeats][friend] += minutes[place]
    return _most(rows, spent[False], mistaken={"duplicate names counted": _winners(spent[True])})


def _minutes_a_day(case: Case) -> Right:
    rows = case.rows("daily_chat")
    total, talking = sum(rows.values("howlong")), len(set(rows.values("date")))
    mistaken = {"wrong denominator": [repr(total / talking)]} if talking else {}
    return _number(rows, total / case.days, mistaken=mistaken)


def _talked_to(case: Case) -> Right:
    rows = case.at_month(case.rows("daily_chat"))
    times = sum(friend == case["friends"] for _, friend in rows.each("friends", repeats=True))
    return _number(rows.having("friends", case["friends"]), mistaken={"duplicate names counted": [repr(times)]})


def _dishes_of(case: Case) -> Right:
    rows = case.at_month(case.rows("daily_meal").at(mealtype=case["mealtype"]))
    return _set(rows.having("people", case["people_string"]), "foodtype")


def _reading_a_day(case: Case) -> Right:
    all_ = case.rows("daily_read")
    rows = all_.at(readtype=case["readtype"])
    days = rows.values("date")
    joined = len(set(all_.values("date"))) + len(days) - len(set(days))  # a day with two records is two of them
    total = sum(rows.values("howlong"))
    mistaken = {"wrong denominator": [repr(total / joined)]} if joined else {}
    return _number(rows, total / case.days, mistaken=mistaken)


def _made(case: Case) -> Right:
    rows = case.rows("weekly_bakeorcook").since(case["year"] + 1)
    longer = rows.having("cuisine", case["cuisine"], whole=False)
    mistaken = {"part of a name matched": [repr(len(longer))]}
    return _number(rows.having("cuisine", case["cuisine"]), mistaken=mistaken)


def _dishes_a_day(case: Case) -> Right:
    rows = case.at_month(case.rows("weekly_bakeorcook"))
    dishes = sum(1 for _ in rows.each("cuisine"))
    days = calendar.monthrange(case["year"], case["month"])[1]
    return _number(rows, dishes / days, mistaken={"wrong denominator": [repr(dishes / 31)]})


def _shopped(case: Case) -> Right:
    rows = case.rows("weekly_grocery").at(year=case["year"])
    case.entry_texts(rows)  # which say what was bought online
    return _number(rows.at(online=False), mistaken={"online orders counted": [repr(len(rows))]})


def _bought_most(case: Case) -> Right:
    rows = case.rows("weekly_grocery")
    longer = rows.having("toiletries", case["toiletries"], whole=False)
    mistaken = {"part of a name matched": _winners(Counter(longer.values("year")))}
    rows = rows.having("toiletries", case["toiletries"])
    return _most(rows, rows.values("year"), mistaken=mistaken)


def _shopped_with(case: Case) -> Right:
    rows = case.rows("weekly_grocery").having("people", case["people_string"])
    apart = [" saw " in text for text in case.entry_texts(rows)]
    together = rows.where(pa.array([not met for met in apart], pa.bool_())).at(online=False)
    mistaken = {"meetings counted": _last(rows, "date").answers}
    return _last(together, "date", mistaken=mistaken)


def _played_with(case: Case) -> Right:
    rows = case.rows("weekly_hobby").at(hobby=case["hobbies"])
    longer = rows.having("people", case["people_string"], whole=False)
    mistaken = {"part of a name matched": [repr(len(longer))]}
    return _number(rows.having("people", case["people_string"]), mistaken=mistaken)


def _partner(case: Case) -> Right:
    rows = case.rows("weekly_hobby").at(hobby=case["hobbies"])
    rows = rows.where(pc.greater(pc.list_value_length(rows.table["people"]), 0))
    return _most(rows, [name for _, name in rows.each("people")])


def _common_foods(case: Case, rows: Rows) -> Right:
    ranked = Counter(rows.values("food_type"))
    faults = ("cut at five",) if len(ranked) > TOP else ()
    return Right([], rows.ids, ranked=ranked, faults=faults)


def _eaten_on_the_day(case: Case) -> Right:
    visits = case.rows("travel_places_visited").at(place=case["place"])
    days = set(visits.values("place_visit_date"))
    meals = case.rows("travel_dining")
    meals = meals.where(pc.is_in(meals.table["dining_date"], pa.array(days, pa.date32())))
    foods = sorted(set(meals.values("food_type")))
    return Right(foods, visits.ids | meals.ids, faults=("several days",) if len(days) > 1 else ())


def _visits(case: Case) -> Right:
    rows = case.rows("travel_places_visited").at(place=case["place"])
    return _number(rows, faults=("name in two cities",) if len(set(rows.values("city"))) > 1 else ())


def _places(case: Case) -> Right:
    rows = case.rows("travel_places_visited").at(city=case["city"])
    return _number(rows, len(set(rows.values("place"))))


def _places_with(case: Case) -> Right:
    rows = case.rows("travel_places_visited").at(city=case["city"])
    longer = rows.having("people", case["people"], whole=False)
    mistaken = {"part of a name matched": sorted(set(longer.values("place")))}
    return _set(rows.having("people", case["people"]), "place", mistaken=mistaken)


def _trips_in_year(case: Case) -> Right:
    trips = case.rows("travel").at(city=case["city"])
    always = set(Counter(case.rows("travel").values("city", "year")).values()) == {1}
    return _number(trips.at(year=case["start_year"]), faults=("always the same",) if always else ())


def _top_cities(case: Case) -> Right:
    rows = case.rows("travel")
    return Right([], rows.ids, ranked=Counter(rows.values("city")))


def _counted(table: str, **parameters: str) -> Callable[[Case], Right]:
    """Rows with the parameters asked about, counted."""
    return lambda case: _number(case.rows(table).at(**{column: case[name] for column, name in parameters.items()}))


def _all_each(table: str, column: str) -> Callable[[Case], Right]:
    """The most frequent item of all lists of a column."""

    def most(case: Case) -> Right:
        rows = case.rows(table)
        return _most(rows, [item for _, item in rows.each(column)])

    return most


def _most_at(table: str, columns: tuple[str, ...], **parameters: str) -> Callable[[Case], Right]:
    """The most frequent value among the rows with the parameters asked about."""

    def most(case: Case) -> Right:
        rows = case.rows(table).at(**{column: case[name] for column, name in parameters.items()})
        return _most(rows, rows.values(*columns))

    return most


_MONTH = {"year": "year", "month": "month"}
_BY_TEMPLATE: Mapping[str, Callable[[Case], Right]] = {
    "q01": _care_a_year,
    "q02": lambda case: _number(_care(case, "vision").at(year=case["year"])),
    "q03": lambda case: _number(_care(case, "dental").at(year=case["year"])),
    "q04": _talked_most,
    "q05": _minutes_a_day,
    "q06": _talked_to,
    "q07": _most_at("daily_exercise", ("exercise",), **_MONTH),
    "q08": _counted("daily_exercise", exercise="exercise", **_MONTH),
    "q09": _most_at("daily_exercise", ("year", "month"), exercise="exercise"),
    "q10": _dishes_of,
    "q11": _counted("daily_meal", mealtype="mealtype", foodtype="foodtype", **_MONTH),
    "q12": _reading_a_day,
    "q13": _counted("daily_read", readtype="readtype", year="year"),
    "q14": lambda case: _number(case.rows("daily_watchtv").at(watchtype=case["watchtype"]).since(case["year"])),
    "q15": _most_at("daily_watchtv", ("year",), watchtype="watchtype"),
    "q16": _made,
    "q17": _all_each("weekly_bakeorcook", "cuisine"),
    "q18": _dishes_a_day,
    "q19": _shopped,
    "q20": _bought_most,
    "q21": _all_each("weekly_grocery", "fruits"),
    "q22": _shopped_with,
    "q23": _played_with,
    "q24": _partner,
    "q25": _most_at("weekly_hobby", ("hobby",), year="year"),
    "q26": lambda case: _set(case.rows("travel_dining").at(city=case["city"]), "food_type"),
    "q27": lambda case: _common_foods(case, case.rows("travel_dining")),
    "q28": lambda case: _common_foods(case, case.rows("travel_dining").at(city=case["city"])),
    "q29": _eaten_on_the_day,
    "q30": _visits,
    "q31": _places,
    "q32": _places_with,
    "q33": _counted("marriages"),
    "q34": lambda case: _last(case.rows("marriages"), "married_date", first=True),
    "q35": lambda case: _last(case.rows("marriages"), "married_date"),
    "q36": _counted("moves"),
    "q37": lambda case: _last(case.rows("moves"), "date"),
    "q38": lambda case: _number(case.rows("moves").at(type_of_move="job")),
    "q39": _counted("travel", city="city"),
    "q40": lambda case: _last(case.rows("travel").at(city=case["city"]), "start_date", first=True),
    "q41": _trips_in_year,
    "q42": _top_cities,
}
