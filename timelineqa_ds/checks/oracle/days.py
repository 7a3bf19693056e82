"""The extended templates about daily and weekly things."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from ...spec import MONTHS
from .parts import (
    Found,
    Program,
    Rows,
    Tables,
    Values,
    average,
    during,
    in_month,
    in_year,
    named_trip,
    two_years,
    yes,
)


MEALS = ("breakfast", "lunch", "dinner")


def _exercise_before_a_trip(tables: Tables, p: Values) -> Found:
    trip = named_trip(tables, p)
    one = timedelta(days=1)
    done = during(tables["daily_exercise"], trip["start_date"] - p["n"] * one, trip["start_date"] - one)
    return [len(done)], [trip, *done]


def _exercise(tables: Tables, p: Values) -> Rows:
    return [r for r in tables["daily_exercise"] if r["exercise"] == p["kind"]]


def _minutes_of_exercise(tables: Tables, p: Values) -> Found:
    done = [r for r in _exercise(tables, p) if in_month(r["date"], p)]
    return [sum(r["minutes"] for r in done)], done


def _talks(tables: Tables, p: Values) -> Rows:
    return [r for r in tables["daily_chat"] if p["friend"] in r["friends"]]


def _minutes_at_a_part_of_the_day(tables: Tables, p: Values) -> Found:
    talks = [r for r in _talks(tables, p) if r["timeofday"] == p["part"] and in_month(r["date"], p)]
    return [sum(r["howlong"] for r in talks)], talks


def _watched_long(tables: Tables, p: Values) -> Found:
    kind, year, least = p["kind"], p["year"], p["minutes"]
    watched = [
        r
        for r in tables["daily_watchtv"]
        if r["watchtype"] == kind and r["date"].year == year and r["howlong"] >= least
    ]
    return [max(r["date"] for r in watched)], watched


def _last_sessions(tables: Tables, p: Values) -> Found:
    done = sorted((r for r in _exercise(tables, p) if in_year(r["date"], p)), key=lambda r: r["date"])[-p["n"] :]
    return [sum(r["minutes"] for r in done)], done


def _long_talks(tables: Tables, p: Values) -> Found:
    talks = [r for r in _talks(tables, p) if r["howlong"] >= p["minutes"] and in_month(r["date"], p)]
    return [len(talks)], talks


def _made(tables: Tables, p: Values) -> Found:
    made = [r for r in tables["weekly_bakeorcook"] if p["dish"] in r["cuisine"] and in_year(r["date"], p)]
    return yes(bool(made)), made


def _more_sessions(tables: Tables, p: Values) -> Found:
    one, other = two_years(_exercise(tables, p), "date", p)
    return yes(len(one) > len(other)), one + other


def _earlier_hobby(tables: Tables, p: Values) -> Found:
    done = [r for r in tables["weekly_hobby"] if r["hobby"] in (p["hobby"], p["other"])]
    earliest = min(r["date"] for r in done)
    return {r["hobby"] for r in done if r["date"] == earliest}, done


def _longest_run(tables: Tables, p: Values) -> Found:
    done = [r for r in tables["daily_exercise"] if in_year(r["date"], p)]
    days = {r["date"] for r in done}
    longest = 0
    for day in days:
        run = 1
        while day + timedelta(days=run) in days:
            run += 1
        longest = max(longest, run)
    return [longest], done


def _two_months(rows: Rows, p: Values) -> tuple[Rows, Rows]:
    other = {"year": p["year"], "month": p["other_month"]}
    return [r for r in rows if in_month(r["date"], p)], [r for r in rows if in_month(r["date"], other)]


def _members(rows: Rows, column: str) -> set[str]:
    return {member for r in rows for member in r[column]}


def _friends_of_both_months(tables: Tables, p: Values) -> Found:
    one, other = _two_months(tables["daily_chat"], p)
    both = _members(one, "friends") & _members(other, "friends")
    return both, [r for r in one + other if both & set(r["friends"])]


def _only_in_one_month(table: str, column: str) -> Callable[[Tables, Values], Found]:
    def program(tables: Tables, p: Values) -> Found:
        one, other = _two_months(tables[table], p)
        return _members(one, column) - _members(other, column), one + other

    return program


def _share_of_days(tables: Tables, p: Values) -> Found:
    done = [r for r in tables["daily_exercise"] if in_month(r["date"], p)]
    start = date(p["year"], MONTHS.index(p["month"]) + 1, 1)
    days = ((start + timedelta(days=31)).replace(day=1) - start).days
    return average(100 * len({r["date"] for r in done}), days), done


def _last_talk_before(tables: Tables, p: Values) -> Found:
    talks = [r for r in _talks(tables, p) if 0 < (p["day"] - r["date"]).days <= p["n"]]
    return [max(r["date"] for r in talks)], talks


def _meals_after_a_trip(tables: Tables, p: Values) -> Found:
    trip = named_trip(tables, p)
    meals = [r for r in tables["daily_meal"] if (r["date"] - trip["end_date"]).days == 1]
    return [r["foodtype"] for meal in MEALS for r in meals if r["mealtype"] == meal], [trip, *meals]


def _watched_on_days_of_exercise(tables: Tables, p: Values) -> Found:
    done = {r["date"]: r for r in _exercise(tables, p) if in_month(r["date"], p)}
    watched = [r for r in tables["daily_watchtv"] if r["date"] in done]
    return {r["watchtype"] for r in watched}, watched + [done[r["date"]] for r in watched]


PROGRAMS: dict[str, Program] = {
    "x24": _exercise_before_a_trip,
    "x25": _minutes_of_exercise,
    "x26": _minutes_at_a_part_of_the_day,
    "x27": _watched_long,
    "x28": _last_sessions,
    "x29": _long_talks,
    "x30": _made,
    "x31": _more_sessions,
    "x32": _earlier_hobby,
    "x33": _longest_run,
    "x34": _friends_of_both_months,
    "x35": _only_in_one_month("daily_chat", "friends"),
    "x36": _share_of_days,
    "x37": _only_in_one_month("weekly_grocery", "fruits"),
    "x38": _last_talk_before,
    "x39": _meals_after_a_trip,
    "x40": _watched_on_days_of_exercise,
}
