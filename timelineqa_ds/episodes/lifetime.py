"""Events that come once in a while in a life, straight from the persona; those before the log begins are kept too."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date

import numpy as np

from ..declared.events import Event
from ..world.columns import Choice, Words
from ..world.company import NOBODY
from ..world.life import School
from ..world.persona import Persona
from .world import Occasions, World


MOST_HELPERS = 3


@dataclass(frozen=True)
class Moment:
    """One lifetime event: when, with the people of these indices, and its fields."""

    day: date
    people: tuple[int, ...]
    fields: dict[str, str]


def occasions(world: World, event: Event) -> Occasions:
    """The episodes of a lifetime event."""
    moments = sorted(_MOMENTS[event.name](world, event), key=lambda moment: moment.day)
    most = max([len(moment.people) for moment in moments], default=0) or 1
    people = np.full((len(moments), most), NOBODY, dtype=np.int16)
    for row, moment in enumerate(moments):
        people[row, : len(moment.people)] = moment.people
    codes = np.arange(len(moments))
    given = {
        name: Choice(Words(f"{event.name}.{name}", tuple(m.fields[name] for m in moments)), codes)
        for name in event.fields
    }
    start = np.array([world.day(moment.day) for moment in moments], dtype=np.int64)
    return Occasions(event, start, people=people, given=given)


def _birth(world: World, event: Event) -> Iterable[Moment]:
    persona = world.persona
    parents = [n for n, person in enumerate(persona.people) if person.relation in ("mother", "father")]
    yield Moment(persona.born, tuple(parents), {"place": persona.birth_city, "country": persona.birth_country})


def _school_moves(which: str) -> Callable[[World, Event], Iterable[Moment]]:
    def moments(world: World, event: Event) -> Iterable[Moment]:
        school: School | None = getattr(world.persona, which)
        if school:
            fields = {"school": school.name, "destination": school.city, "country": school.country}
            yield Moment(school.moved, _helpers(world, event, school.moved), fields)

    return moments


def _graduations(which: str) -> Callable[[World, Event], Iterable[Moment]]:
    def moments(world: World, event: Event) -> Iterable[Moment]:
        school: School | None = getattr(world.persona, which)
        if school and school.graduated:
            fields = {"school": school.name, "major": school.major, "destination": school.city}
            yield Moment(school.graduated, (), fields)

    return moments


def _job_moves(world: World, event: Event) -> Iterable[Moment]:
    for job in world.persona.jobs:
        fields = {"title": job.title, "employer": job.employer, "destination": job.city, "country": job.country}
        yield Moment(job.start, _household(world.persona, job.start), fields)


def _job_ends(world: World, event: Event) -> Iterable[Moment]:
    for job in world.persona.jobs:
        if job.end:
            yield Moment(job.end, (), {"title": job.title, "employer": job.employer, "destination": job.city})


def _marriages(world: World, event: Event) -> Iterable[Moment]:
    for number, person in enumerate(world.persona.people):
        if person.relation == "partner" and person.since:
            yield Moment(person.since, (number,), {"location": world.persona.home_on(person.since)})


def _divorces(world: World, event: Event) -> Iterable[Moment]:
    for number, person in enumerate(world.persona.people):
        if person.relation == "partner" and person.until:
            yield Moment(person.until, (number,), {"location": world.persona.home_on(person.until)})


def _helpers(world: World, event: Event, day: date) -> tuple[int, ...]:
    """One to three of the parents and siblings already born."""
    known = [
        number
        for number, person in enumerate(world.persona.people)
        if person.relation in ("mother", "father", "sibling") and (person.since is None or person.since <= day)
    ]
    streams = world.streams(event)
    order = streams.shuffles(f"{event.name}/who", 1, len(known))[0]
    count = int(streams.integers(f"{event.name}/how many", 1, 1, min(MOST_HELPERS, len(known)) + 1)[0])
    return tuple(known[place] for place in order[:count])


def _household(persona: Persona, day: date) -> tuple[int, ...]:
    """The partner and the children under 18 on `day`, who move along."""
    partner = [n for n, p in enumerate(persona.people) if p.relation == "partner" and p.since and p.since <= day
               and (p.until is None or day <= p.until)]  # fmt: skip
    children = [n for n, p in enumerate(persona.people) if p.relation == "child" and p.since and p.since <= day
                and day.year - p.since.year < 18]  # fmt: skip
    return (*partner, *children)


_MOMENTS: dict[str, Callable[[World, Event], Iterable[Moment]]] = {
    "birth_info": _birth,
    "college_move": _school_moves("college"),
    "college_graduation": _graduations("college"),
    "graduate_school_move": _school_moves("graduate_school"),
    "graduate_school_graduation": _graduations("graduate_school"),
    "job_move": _job_moves,
    "job_end": _job_ends,
    "marriage": _marriages,
    "divorce": _divorces,
}
