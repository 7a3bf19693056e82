"""The paper's templates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import date

from ...spec import MONTHS
from .parts import (
    Found,
    Program,
    Row,
    Rows,
    Tables,
    Values,
    average,
    each,
    in_month,
    in_period,
    in_year,
    in_years,
    most,
    only,
    top,
)


def _care(kind: str, when: Callable[[date, Values], bool]) -> Callable[[Row, Values], bool]:
    return lambda r, p: (r["for_whom"], r["type_of_care"]) == ("child", kind) and when(r["date"], p)


def _every(r: Row, p: Values) -> bool:
    return True


def _number(rows: Rows, p: Values) -> list[int]:
    return [len(rows)]


def _talked(rows: Rows, p: Values) -> list[str]:
    spent: Counter[str] = Counter()
    for row in rows:
        for friend in row["friends"]:
            spent[friend] += row["howlong"] if p["unit"] == "minutes" else 1
    return [friend for friend in spent if spent[friend] == max(spent.values())]


def _days_in(p: Values) -> int:
    month = MONTHS.index(p["month"]) + 1
    return (date(p["year"] + month // 12, month % 12 + 1, 1) - date(p["year"], month, 1)).days


# The table and the rows of it that a question is about, and what it asks of them.
_OF_ONE_TABLE: dict[str, tuple[str, Callable[[Row, Values], object], Callable[[Rows, Values], Iterable[object]]]] = {
    "q01": (
        "annual_medical_care",
        _care("eye exam", in_years),
        lambda rows, p: average(len(rows), p["to_year"] - p["from_year"] + 1),
    ),
    "q02": ("annual_medical_care", _care("eye exam", in_year), _number),
    "q03": ("annual_medical_care", _care("dental cleaning", in_year), _number),
    "q04": ("daily_chat", lambda r, p: in_month(r["date"], p), _talked),
    "q05": (
        "daily_chat",
        lambda r, p: in_period(r["date"], p),
        lambda rows, p: average(sum(r["howlong"] for r in rows), p["periods"]),
    ),
    "q06": ("daily_chat", lambda r, p: p["friend"] in r["friends"] and in_month(r["date"], p), _number),
    "q07": ("daily_exercise", lambda r, p: in_month(r["date"], p), lambda rows, p: most(r["exercise"] for r in rows)),
    "q08": ("daily_exercise", lambda r, p: r["exercise"] == p["kind"] and in_month(r["date"], p), _number),
    "q09": (
        "daily_exercise",
        lambda r, p: r["exercise"] == p["kind"],
        lambda rows, p: most(MONTHS[r["date"].month - 1] for r in rows),
    ),
    "q10": (
        "daily_meal",
        lambda r, p: p["person"] in r["people"] and r["mealtype"] == p["meal"] and in_month(r["date"], p),
        lambda rows, p: {r["foodtype"] for r in rows},
    ),
    "q11": (
        "daily_meal",
        lambda r, p: (r["mealtype"], r["foodtype"]) == (p["meal"], p["food"]) and in_month(r["date"], p),
        _number,
    ),
    "q12": (
        "daily_read",
        lambda r, p: r["readtype"] == p["kind"] and in_period(r["date"], p),
        lambda rows, p: average(sum(r["howlong"] for r in rows), p["periods"]),
    ),
    "q13": ("daily_read", lambda r, p: r["readtype"] == p["kind"] and in_year(r["date"], p), _number),
    "q14": ("daily_watchtv", lambda r, p: r["watchtype"] == p["kind"] and r["date"].year >= p["year"], _number),
    "q15": (
        "daily_watchtv",
        lambda r, p: r["watchtype"] == p["kind"],
        lambda rows, p: most(r["date"].year for r in rows),
    ),
    "q16": ("weekly_bakeorcook", lambda r, p: p["dish"] in r["cuisine"] and r["date"].year > p["year"], _number),
    "q17": ("weekly_bakeorcook", _every, lambda rows, p: most(each(rows, "cuisine"))),
    "q18": (
        "weekly_bakeorcook",
        lambda r, p: in_month(r["date"], p),
        lambda rows, p: average(len(list(each(rows, "cuisine"))), _days_in(p)),
    ),
    "q19": ("weekly_grocery", lambda r, p: not r["online"] and in_year(r["date"], p), _number),
    "q20": (
        "weekly_grocery",
        lambda r, p: p["item"] in r["toiletries"],
        lambda rows, p: most(r["date"].year for r in rows),
    ),
    "q21": ("weekly_grocery", _every, lambda rows, p: most(each(rows, "fruits"))),
    "q22": (
        "weekly_grocery",
        lambda r, p: p["person"] in r["people"] and not r["online"],
        lambda rows, p: [max(r["date"] for r in rows)],
    ),
    "q23": ("weekly_hobby", lambda r, p: r["hobby"] == p["hobby"] and p["person"] in r["people"], _number),
    "q24": (
        "weekly_hobby",
        lambda r, p: r["hobby"] == p["hobby"] and r["people"],
        lambda rows, p: most(each(rows, "people")),
    ),
    "q25": ("weekly_hobby", lambda r, p: in_year(r["date"], p), lambda rows, p: most(r["hobby"] for r in rows)),
    "q26": (
        "travel_dining",
        lambda r, p: r["city"] == p["city"] and in_years(r["dining_date"], p),
        lambda rows, p: {r["food_type"] for r in rows},
    ),
    "q27": ("travel_dining", _every, lambda rows, p: top((r["food_type"] for r in rows), p["top"])),
    "q28": ("travel_dining", lambda r, p: r["city"] == p["city"], lambda rows, p: most(r["food_type"] for r in rows)),
    "q30": ("travel_places_visited", lambda r, p: (r["city"], r["place"]) == (p["city"], p["place"]), _number),
    "q31": (
        "travel_places_visited",
        lambda r, p: r["city"] == p["city"] and in_years(r["place_visit_date"], p),
        _number,
    ),
    "q32": (
        "travel_places_visited",
        lambda r, p: r["city"] == p["city"] and p["person"] in r["people"],
        lambda rows, p: {r["place"] for r in rows},
    ),
    "q33": ("marriages", _every, _number),
    "q34": ("marriages", _every, lambda rows, p: [min(r["married_date"] for r in rows)]),
    "q35": ("marriages", _every, lambda rows, p: [max(r["married_date"] for r in rows)]),
    "q36": ("moves", _every, _number),
    "q37": ("moves", _every, lambda rows, p: [max(r["date"] for r in rows)]),
    "q38": ("moves", lambda r, p: r["type_of_move"] == "job", _number),
    "q39": ("travel", lambda r, p: r["city"] == p["city"], _number),
    "q40": ("travel", lambda r, p: r["city"] == p["city"], lambda rows, p: [min(r["start_date"] for r in rows)]),
    "q41": ("travel", lambda r, p: r["city"] == p["city"] and in_years(r["start_date"], p), _number),
    "q42": ("travel", _every, lambda rows, p: top((r["city"] for r in rows), p["top"])),
}


def _dining_on_the_day_of_a_visit(tables: Tables, p: Values) -> Found:
    visit = only(
        r for r in tables["travel_places_visited"] if r["place"] == p["place"] and in_year(r["place_visit_date"], p)
    )
    meals = [r for r in tables["travel_dining"] if r["dining_date"] == visit["place_visit_date"]]
    return {r["food_type"] for r in meals}, [visit, *meals]


def _of_one_table(
    table: str, about: Callable[[Row, Values], object], asked: Callable[[Rows, Values], Iterable[object]]
) -> Program:
    def program(tables: Tables, p: Values) -> Found:
        chosen = [row for row in tables[table] if about(row, p)]
        return asked(chosen, p), chosen

    return program


PROGRAMS: dict[str, Program] = {
    **{name: _of_one_table(*parts) for name, parts in _OF_ONE_TABLE.items()},
    "q29": _dining_on_the_day_of_a_visit,
}
