"""Events of every year, each slot (a kind of care) at most once a year and on a day of its own."""

from __future__ import annotations

import numpy as np

from ..declared.events import Event, declarations
from ..world.calendar import spread
from ..world.company import NOBODY, Codes
from ..world.streams import Ints
from .occasions import Occasions
from .world import World


def occasions(world: World, event: Event) -> Occasions:
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
