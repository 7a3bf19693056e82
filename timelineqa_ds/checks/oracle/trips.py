"""The extended templates about trips."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

from .parts import (
    Found,
    Program,
    Row,
    Rows,
    Tables,
    Values,
    age,
    average,
    during,
    in_year,
    in_years,
    most,
    named_trip,
    only,
    two_years,
    yes,
)


def _or_none(values: Iterable[str]) -> list[str]:
    return sorted(values) or ["none"]


def _nights(trips: Iterable[Row]) -> int:
    return sum((trip["end_date"] - trip["start_date"]).days for trip in trips)


def _cities(tables: Tables, *cities: str) -> Rows:
    return [r for r in tables["travel"] if r["city"] in cities]


def _first(trips: Rows, city: str) -> date:
    day: date = min(r["start_date"] for r in trips if r["city"] == city)
    return day


def _before_another(tables: Tables, p: Values) -> Found:
    trips = _cities(tables, p["city"], p["other"])
    if "year" in p:
        trips = [r for r in trips if in_year(r["start_date"], p)]
    return yes(_first(trips, p["city"]) < _first(trips, p["other"])), trips


def _talks_on_a_trip(tables: Tables, p: Values) -> Found:
    trip = named_trip(tables, p)
    talks = [
        r for r in during(tables["daily_chat"], trip["start_date"], trip["end_date"]) if p["friend"] in r["friends"]
    ]
    return [len(talks)], [trip, *talks]


def _of_trip(tables: Tables, table: str, p: Values) -> Rows:
    trip = named_trip(tables, p)
    return [r for r in tables[table] if r["trip_episode_id"] == trip["episode_id"]]


def _restaurants_of_a_trip(tables: Tables, p: Values) -> Found:
    meals = _of_trip(tables, "travel_dining", p)
    return {r["food_location"] for r in meals}, meals


def _places_with(tables: Tables, p: Values) -> Found:
    visits = [r for r in _of_trip(tables, "travel_places_visited", p) if p["person"] in r["people"]]
    return {r["place"] for r in visits}, visits


def _nth_day(tables: Tables, p: Values) -> Found:
    meals = [
        r
        for r in _of_trip(tables, "travel_dining", p)
        if r["dining_date"] == r["start_date"] + timedelta(days=p["n"] - 1)
    ]
    return [r["food_location"] for r in meals], meals


def _visits(tables: Tables, p: Values) -> Rows:
    return [r for r in tables["travel_places_visited"] if (r["place"], r["city"]) == (p["place"], p["city"])]


def _first_food(tables: Tables, p: Values) -> Found:
    meals = [r for r in tables["travel_dining"] if (r["food_type"], r["city"]) == (p["food"], p["city"])]
    return [min(r["dining_date"] for r in meals)], meals


def _begun(tables: Tables, p: Values) -> Rows:
    return [r for r in tables["travel"] if in_years(r["start_date"], p)]


def _nights_a_year(tables: Tables, p: Values) -> Found:
    return average(_nights(trips := _begun(tables, p)), p["to_year"] - p["from_year"] + 1), trips


def _year_of_most_nights(tables: Tables, p: Values) -> Found:
    trips = _begun(tables, p)
    return most(r["start_date"].year for r in trips for _ in range(_nights([r]))), trips


def _longest_trip(tables: Tables, p: Values) -> Found:
    trips = _begun(tables, p)
    return {r["city"] for r in trips if _nights([r]) == max(_nights([other]) for other in trips)}, trips


def _last_company(tables: Tables, p: Values) -> Found:
    trips = _cities(tables, p["city"])
    return max(trips, key=lambda r: r["start_date"])["people"], trips


def _cities_in_order(tables: Tables, p: Values) -> Found:
    trips = sorted((r for r in tables["travel"] if in_year(r["start_date"], p)), key=lambda r: r["start_date"])
    return [r["city"] for r in trips], trips


def _more_nights(tables: Tables, p: Values) -> Found:
    one, other = two_years(tables["travel"], "start_date", p)
    return yes(_nights(one) > _nights(other)), one + other


def _groceries_between_trips(tables: Tables, p: Values) -> Found:
    trip = named_trip(tables, p)
    later = min((r for r in tables["travel"] if r["start_date"] > trip["start_date"]), key=lambda r: r["start_date"])
    only([later] if later["city"] == p["other"] else [])
    bought = [
        r for r in tables["weekly_grocery"] if trip["end_date"] < r["date"] < later["start_date"] and not r["online"]
    ]
    return [len(bought)], [trip, later, *bought]


def _reading_on_trips(tables: Tables, p: Values) -> Found:
    reading = [r for r in tables["daily_read"] if r["readtype"] == p["kind"]]
    evidence: Rows = []
    minutes = 0
    for trip in tables["travel"]:
        if in_year(trip["start_date"], p) and (read := during(reading, trip["start_date"], trip["end_date"])):
            minutes += sum(r["howlong"] for r in read)
            evidence += [trip, *read]
    return [minutes], evidence


def _between_first_trips(tables: Tables, p: Values) -> Found:
    trips = _cities(tables, p["city"], p["other"])
    return [(_first(trips, p["other"]) - _first(trips, p["city"])).days], trips


def _age_at_first_trip(tables: Tables, p: Values) -> Found:
    trips = _cities(tables, p["city"])
    return age(p["birthday"], _first(trips, p["city"])), trips


def _restaurants_in_years(tables: Tables, p: Values) -> Found:
    meals = [r for r in tables["travel_dining"] if r["city"] == p["city"] and in_years(r["dining_date"], p)]
    return _or_none({r["food_location"] for r in meals}), meals


def _trips_with(tables: Tables, p: Values) -> Found:
    trips = [r for r in tables["travel"] if p["person"] in r["people"]]
    return [len(trips)], trips


PROGRAMS: dict[str, Program] = {
    "x01": _before_another,
    "x02": _before_another,
    "x03": _talks_on_a_trip,
    "x04": _restaurants_of_a_trip,
    "x05": _places_with,
    "x06": _nth_day,
    "x07": lambda t, p: ([max(r["place_visit_date"] for r in _visits(t, p))], _visits(t, p)),
    "x08": _first_food,
    "x09": lambda t, p: ([_nights(_cities(t, p["city"]))], _cities(t, p["city"])),
    "x10": _nights_a_year,
    "x11": _year_of_most_nights,
    "x12": _longest_trip,
    "x13": _last_company,
    "x14": _cities_in_order,
    "x15": _more_nights,
    "x16": _groceries_between_trips,
    "x17": _reading_on_trips,
    "x18": _between_first_trips,
    "x19": _age_at_first_trip,
    "x20": lambda t, p: (yes(bool(_cities(t, p["city"]))), _cities(t, p["city"])),
    "x21": _restaurants_in_years,
    "x22": _trips_with,
    "x23": lambda t, p: (_or_none(r["place_visit_date"] for r in _visits(t, p))[:1], _visits(t, p)),
}
