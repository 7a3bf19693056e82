"""Events that come again in every day, week, month or year, on days that nothing excludes.

A day has as many tries as the density declares, each with its probability; a week, month or year has slots, each of
which falls on a day of its own.
"""

from __future__ import annotations

import numpy as np

from ..declared.events import Event, declarations
from ..world.calendar import spread
from ..world.company import NOBODY, Codes
from ..world.streams import Bools, Ints, pick
from .world import Occasions, World


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
