"""Trips, the super-episodes of a log, and what happens on them: places visited and dining.

A persona makes one to three trips a year of three to fifteen days, the first from January to May, none to the same
city twice a year, none over a day that changes a life. A trip leads from the city the persona lives in and back.
"""

from __future__ import annotations

import numpy as np

from ..declared.events import Event
from ..declared.vocabulary import vocabulary
from ..world.columns import Choice, Number, Words, shared_words
from ..world.streams import Bools, Ints
from .world import Occasions, World


FIRST_START_DAYS = 151  # January to May
GAPS = {1: (60, 120), 2: (60, 120), 3: (30, 90)}
MOST_PLACES = 7
RESTAURANTS_A_CITY = 12


def travel(world: World, event: Event) -> Occasions:
    """The trips; their days are marked in the calendar by the caller."""
    streams, calendar = world.streams(event), world.calendar
    years, trips = len(calendar.years) - 1, world.persona.trips_a_year
    low, high = GAPS[trips]
    steps = streams.integers("travel/gap", years * trips, low, high + 1).reshape(years, trips)
    steps[:, 0] = streams.integers("travel/first", years, 0, FIRST_START_DAYS)
    start: Ints = (calendar.years[:-1, None] + np.cumsum(steps, axis=1)).ravel()
    days = event.fields["days"]
    length = streams.integers("travel/days", years * trips, days.low, days.high + 1)
    start = _after_taken(start, length, calendar.taken_days(event.excluded_by))
    end = start + length - 1
    kept = (end < np.repeat(calendar.years[1:], trips)) & np.append(end[:-1] < start[1:], True)
    home, homes = world.home_code(start), world.homes[1]
    city = _cities(world, event, years, trips, home, homes)
    return Occasions(
        event,
        start[kept],
        end[kept],
        trip=np.arange(int(kept.sum())),
        given={
            "city": Choice(shared_words("destinations"), city[kept]),
            "home": Choice(homes, home[kept]),
            "days": Number(length[kept]),
        },
    )


def places_visited(world: World, event: Event, trips: Occasions) -> Occasions:
    """A random few of the city's places on each trip, each on a day of the trip."""
    streams, city = world.streams(event), _city(trips)
    sights = [len(destination.places) for destination in vocabulary().destinations]
    known = np.array(sights, dtype=np.int64)[city]
    first: Ints = (np.cumsum(sights) - np.array(sights))[city]
    order = streams.shuffles("places_visited/which", len(trips), max(sights))
    there = order < known[:, None]
    wanted = streams.integers("places_visited/how many", len(trips), 1, MOST_PLACES + 1)
    chosen = there & (np.cumsum(there, axis=1) <= wanted[:, None])
    trip = np.nonzero(chosen)[0]
    place: Ints = (first[:, None] + order)[chosen]
    day = streams.integers("places_visited/when", len(trip), trips.start[trip], _end(trips)[trip] + 1)
    by_day = np.argsort(day, kind="stable")
    trip, place, day = trip[by_day], place[by_day], day[by_day]
    given = {
        "city": Choice(shared_words("destinations"), city[trip]),
        "place": Choice(shared_words("places"), place),
    }
    return Occasions(event, day, trip=trip, given=given)


def dining(world: World, event: Event, trips: Occasions) -> Occasions:
    """A meal in one of the city's restaurants on most days of a trip."""
    streams, city, end = world.streams(event), _city(trips), _end(trips)
    day = trip_days(trips)
    trip = np.repeat(np.arange(len(trips)), end - trips.start + 1)
    happens = streams.chances("dining/whether", len(day), event.frequency[world.density][0])
    trip, day = trip[happens], day[happens]
    restaurants = shared_words("food.restaurants")
    spot = streams.integers("dining/where", len(day), 0, RESTAURANTS_A_CITY)
    given = {
        "city": Choice(shared_words("destinations"), city[trip]),
        "restaurant": Choice(restaurants, (city[trip] * 7 + spot) % len(restaurants.values)),
    }
    return Occasions(event, day, trip=trip, given=given)


def trip_days(trips: Occasions) -> Ints:
    """Every day of every trip."""
    length = _end(trips) - trips.start + 1
    within: Ints = np.arange(int(length.sum())) - np.repeat(np.cumsum(length) - length, length)
    return within + np.repeat(trips.start, length)


def trip_on(trips: Occasions, days: Ints) -> Ints:
    """Index of the trip under way on each day, or -1."""
    index = np.searchsorted(trips.start, days, side="right") - 1
    away: Bools = (index >= 0) & (days <= np.append(_end(trips), -1)[index])
    return np.where(away, index, -1)


def _end(trips: Occasions) -> Ints:
    return trips.start if trips.end is None else trips.end


def _city(trips: Occasions) -> Ints:
    city = trips.given["city"]
    if not isinstance(city, Choice):
        raise TypeError(f"expected the city of a trip as a choice, found {type(city).__name__}")
    return city.codes


def _after_taken(start: Ints, length: Ints, taken: Ints) -> Ints:
    """Starts put off until the trip holds none of the `taken` days."""
    for _ in range(len(taken)):
        last = np.searchsorted(taken, start + length)
        held = last > np.searchsorted(taken, start)
        if not held.any():
            break
        start = np.where(held, taken[np.maximum(last - 1, 0)] + 1, start)
    return start


def _cities(world: World, event: Event, years: int, trips: int, home: Ints, homes: Words) -> Ints:
    """Different cities within a year, none of them where the persona lives."""
    words = shared_words("destinations").values
    order = world.streams(event).shuffles("travel/where", years, len(words))
    chosen = order[:, :trips].ravel()
    spare = np.repeat(order[:, trips], trips)
    living = np.array([words.index(name) if name in words else -1 for name in homes.values])
    return np.where(chosen == living[home], spare, chosen)
