"""When events take place, by time scale: once in a while in a life, or again in every day, week, month or year.

Lifetime events come straight from the persona; those before the log begins are kept, too. The others fall on days that
nothing excludes: a day has as many tries as the density declares, each with its probability; a week, month or year has
slots, each of which falls on a day of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date

import numpy as np

from ..declared.events import Event, declarations
from ..world.calendar import spread
from ..world.columns import Choice, Words
from ..world.company import NOBODY, Codes
from ..world.life import School
from ..world.persona import Persona
from ..world.streams import Bools, Ints, pick
from .world import Occasions, World


MOST_HELPERS = 3


def daily(world: World, event: Event) -> Occasions:
    """The days of a daily event; a day that gets several comes several times."""
    days = world.calendar.free_days(event.excluded_by)
    days = days[world.admitted(event, days)]
    tries = event.frequency[world.density]
    chances = np.outer(world.factor(event, days), tries).ravel().astype(np.float64, copy=False)
    purpose = event.one_of or event.name
    happens = world.streams(event).chances(f"{purpose}/when", len(chances), chances)
    count = happens.reshape(len(days), len(tries)).sum(axis=1)
    if event.one_of:
        count = count * _takes_place(world, event, event.one_of, len(days))
    return Occasions(event, np.repeat(days, count))


def _takes_place(world: World, event: Event, shared: str, days: int) -> Bools:
    """Whether it is this event that takes place, among those that share the occasion."""
    weights = declarations().one_of[shared]
    words = world.streams(event).words(f"{shared}/which", days)
    taken: Bools = pick(words, list(weights.values())) == list(weights).index(event.name)
    return taken


def weekly(world: World, event: Event) -> Occasions:
    """The days of a weekly event; a slot of a week that is all taken is left out."""
    return _in_periods(world, event, world.calendar.weeks)


def monthly(world: World, event: Event) -> Occasions:
    """The days of a monthly event, on a day of each month that nothing excludes."""
    return _in_periods(world, event, world.calendar.months)


def _in_periods(world: World, event: Event, periods: Ints) -> Occasions:
    """The days of an event with slots in each of `periods` (first days, and one past the last)."""
    if event.needs and not getattr(world.persona, event.needs):
        return Occasions(event, np.zeros(0, dtype=np.int64))
    chances = event.frequency[world.density]
    slots, count = len(chances), len(periods) - 1
    streams = world.streams(event)
    free = world.calendar.free_days(event.excluded_by)
    days, possible = spread(free, periods, slots, streams.words(f"{event.name}/when", count * slots))
    chance = world.factor(event, days.ravel()).reshape(days.shape) * np.array(chances)
    happens = streams.chances(f"{event.name}/whether", chance.size, chance.ravel()).reshape(chance.shape)
    kept = happens & possible & world.admitted(event, days.ravel()).reshape(days.shape)
    start, slot = days[kept], np.broadcast_to(np.arange(slots), days.shape)[kept]
    order = np.argsort(start, kind="stable")
    return Occasions(event, start[order], slot=slot[order])


def annual(world: World, event: Event) -> Occasions:
    """The days of an annual event: once for the persona, or for each member of a company from birth on."""
    members: list[int] = [NOBODY]
    if event.people and event.people.each:
        relations = declarations().groups[event.people.each].relations
        members = [n for n, person in enumerate(world.persona.people) if person.relation in relations]
    parts = [_for_member(world, event, member) for member in members]
    start = np.concatenate([part[0] for part in parts]) if parts else np.zeros(0, dtype=np.int64)
    slot = np.concatenate([part[1] for part in parts]) if parts else np.zeros(0, dtype=np.int64)
    who = np.repeat(np.array(members, dtype=np.int16), [len(part[0]) for part in parts])
    order = np.argsort(start, kind="stable")
    people: Codes | None = who[order, None] if event.people and event.people.each else None
    return Occasions(event, start[order], slot=slot[order], people=people)


def _for_member(world: World, event: Event, member: int) -> tuple[Ints, Ints]:
    """Days and slots for one member, which are then taken for the next."""
    streams, calendar = world.streams(event), world.calendar
    purpose = f"{event.name}/{member}"
    chances = np.array(event.frequency[world.density])
    years, slots = len(calendar.years) - 1, len(chances)
    free = calendar.free_days([*event.excluded_by, event.name])
    days, possible = spread(free, calendar.years, slots, streams.words(f"{purpose}/when", years * slots))
    # The parts of the year change hands, or each kind of care would have a season of its own.
    slot = streams.shuffles(f"{purpose}/order", years, slots)
    happens = streams.chances(f"{purpose}/whether", slot.size, chances[slot].ravel()).reshape(slot.shape)
    since = world.persona.people[member].since if member != NOBODY else None
    kept = happens & possible & (days >= (world.day(since) if since else 0))
    calendar.mark(event.name, days[kept])
    return days[kept], slot[kept]


@dataclass(frozen=True)
class Moment:
    """One lifetime event: when, with the people of these indices, and its fields."""

    day: date
    people: tuple[int, ...]
    fields: dict[str, str]


def lifetime(world: World, event: Event) -> Occasions:
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
