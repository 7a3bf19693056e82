"""The course of a life: schools, marriages, children and jobs, none of it after the final year.

The laws are those of the original program; ages are counted by calendar year.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from ..declared.vocabulary import Place, vocabulary
from .streams import Draw


YEAR = 365.25
MARRIED_FOR_GOOD = 60  # per cent of the last marriages that a plan holds


@dataclass(frozen=True)
class School:
    """A college or graduate school in another city; `graduated` is None for who still studies in the final year."""

    name: str
    major: str
    city: str
    country: str
    moved: date
    graduated: date | None


@dataclass(frozen=True)
class Marriage:
    """A marriage; `divorced` is None if it lasts beyond the final year."""

    married: date
    divorced: date | None


@dataclass(frozen=True)
class Employment:
    """A job in a city moved to for it; `end` is None if it lasts beyond the final year."""

    title: str
    employer: str
    city: str
    country: str
    start: date
    end: date | None


def schools(draw: Draw, born: int, year: int, home: str) -> tuple[School | None, School | None]:
    """College (half of all) and after it graduate school (a fifth of those), each with its own name and city."""
    finished = born + draw.integer("kindergarten", 5, 6) + 3
    finished += 5 + draw.weighted("primary school", (10, 80, 10)) + 3 + draw.weighted("high school", (10, 80, 10))
    places = [place for place in draw.several("school cities", vocabulary().cities, 3) if place.name != home]
    majors = draw.several("majors", vocabulary()["work.majors"], 2)
    if not draw.chance("goes to college", 50) or finished > year:
        return None, None
    graduated = finished + 3 + draw.weighted("college", (10, 80, 10))
    college = _school(draw, "college", "work.colleges", majors[0], places[0], (finished, graduated), year)
    if not draw.chance("goes to graduate school", 20) or graduated > year:
        return college, None
    last = graduated + 3 + draw.weighted("graduate school", (20, 20, 40, 10, 10))
    names = "work.graduate_schools"
    return college, _school(draw, "graduate school", names, majors[1], places[1], (graduated, last), year)


def _school(draw: Draw, which: str, names: str, major: str, place: Place, years: tuple[int, int], year: int) -> School:
    name, moved = draw.one(which, vocabulary()[names]), draw.day(f"{which} move", years[0], 8, 9)
    graduated = _by(draw.day(f"{which} graduation", years[1], 5, 6), year)
    return School(name, major, place.name, place.country, moved, graduated)


def marriages(draw: Draw, born: int, year: int) -> tuple[Marriage, ...]:
    """Marriages in order: the first at 20-34, each for 2-14 years, with 2-6 years between."""
    age = year - born
    law = (80, 20) if age < 25 else (30, 40, 20, 10) if age < 40 else (30, 40, 20, 7, 3)
    planned = draw.weighted("marriages", law)
    wed: list[Marriage] = []
    when = born + draw.integer("first marriage", 20, 34)
    for number in range(planned):
        if when > year:
            break
        lasts = draw.integer(f"marriage {number} lasts", 2, 14)
        married = draw.day(f"marriage {number}", when)
        divorced: date | None = draw.day(f"divorce {number}", when + lasts)
        if number == planned - 1 and draw.chance("for good", MARRIED_FOR_GOOD):
            divorced = None
        wed.append(Marriage(married, _by(divorced, year)))
        when += lasts + draw.integer(f"after marriage {number}", 2, 6)
    return tuple(wed)


def births(draw: Draw, born: int, year: int) -> tuple[date, ...]:
    """Birthdays of the children: the first at 20-29, later ones 1-6 years apart."""
    age = year - born
    law = (70, 30) if age < 25 else (30, 30, 30, 10) if age < 30 else (1, 1, 1, 1, 1)
    planned = draw.weighted("children", law)
    if planned == 0 or age < 20:
        return ()
    days = [draw.day("first child", born + draw.integer("first child at", 20, min(29, age)))]
    for number in range(1, planned):
        gap = 1 + draw.weighted(f"child {number} after", (25, 20, 15, 20, 10, 10))
        days.append(days[-1] + timedelta(int(gap * YEAR) + draw.integer(f"child {number}", -60, 60)))
    return tuple(day for day in days if day.year <= year)


def jobs(
    draw: Draw, born: int, year: int, home: str, studies: tuple[School | None, School | None]
) -> tuple[Employment, ...]:
    """Jobs in order: the first at 20-24 or after the studies, each for 2-14 years, with up to a year between.

    Who still studies in the final year has no job yet.
    """
    age = year - born
    law = (40, 30, 20, 10) if age < 25 else (5, 30, 30, 20, 15) if age < 40 else (20, 40, 20, 10, 10)
    planned = draw.weighted("jobs", law)
    start = draw.day("first job", born + draw.integer("first job at", 20, 24))
    for school in studies:
        if school and school.graduated is None:
            return ()
        if school and school.graduated:
            start = max(start, school.graduated + timedelta(draw.integer("after school", 30, 200)))
    titles = _titles(draw, planned)
    employers = draw.several("employers", vocabulary()["work.employers"], planned)
    cities = draw.several("job cities", vocabulary().cities, planned + 3)
    lived = {home, *(school.city for school in studies if school)}
    cities = [city for city in cities if city.name not in lived]
    held: list[Employment] = []
    for number in range(planned):
        if start.year > year:
            break
        end = start + timedelta(int(draw.integer(f"job {number} lasts", 2 * 12, 14 * 12) * YEAR / 12))
        place = cities[number]
        held.append(Employment(titles[number], employers[number], place.name, place.country, start, _by(end, year)))
        start = end + timedelta(draw.integer(f"after job {number}", 1, 365))
    return tuple(held)


def _titles(draw: Draw, count: int) -> list[str]:
    """Different job titles, mostly of one profession."""
    professions = vocabulary().professions
    titles: list[str] = []
    own = draw.one("profession", professions)
    for number in range(count):
        changes = draw.chance(f"job {number} is of another profession", 30)
        field = draw.one(f"profession {number}", professions) if changes else own
        left = [title for title in field if title not in titles] or [t for t in own if t not in titles]
        titles.append(draw.one(f"title {number}", left))
    return titles


def _by(day: date | None, year: int) -> date | None:
    """`day`, or None if it lies after `year`."""
    return day if day and day.year <= year else None
