"""One persona in one density, what every time scale draws from; and when an event takes place, what each gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

import numpy as np

from ..declared.events import Event, declarations
from ..spec import DRAWN
from ..world.calendar import Calendar, day_number
from ..world.columns import Column, Words
from ..world.company import Codes, Company, Membership
from ..world.persona import YOUNGEST, Person, Persona, make_persona
from ..world.streams import Bools, Ints, Streams


ALWAYS = 10**6  # days beyond any log


class World:
    """A persona, the calendar of their log and the people around them.

    What happens alike in every density (lifetime, annual and monthly events and trips) draws from streams of the
    persona, the rest from streams of the lifelog, so that a denser log tells the same life in more detail.
    """

    def __init__(self, density: str, index: int, seed: int, year: int) -> None:
        self.density = density
        self.persona: Persona = make_persona(index, seed, year)
        self.calendar = Calendar(self.persona.born.year + YOUNGEST, year)
        self._shared = Streams(DRAWN, seed, f"life-{index}")
        self._own = Streams(DRAWN, seed, f"{density}-{index}")

    def streams(self, event: Event) -> Streams:
        """The streams that an event draws from."""
        return self._shared if event.shared else self._own

    def day(self, when: date) -> int:
        """Day index of a date (negative before the log)."""
        return day_number(when.year, when.month, when.day) - self.calendar.first

    @cached_property
    def company(self) -> Company:
        """The declared companies of the persona's people."""
        memberships = []
        for name, group in declarations().groups.items():
            for number, person in enumerate(self.persona.people):
                if person.relation in group.relations:
                    years = group.from_age.get(person.relation, 0)
                    memberships.append(Membership(number, name, self._since(person, years), self._until(person)))
        return Company(memberships)

    @cached_property
    def names(self) -> Words:
        """Names of the persona's people, by their index."""
        return Words("people", tuple(person.name for person in self.persona.people))

    @cached_property
    def homes(self) -> tuple[Ints, Words]:
        """First days of living somewhere, ascending, and where."""
        homes = self.persona.homes()
        days = np.array([self.day(since) for since, _ in homes])
        return days, Words("homes", tuple(city for _, city in homes))

    def home_code(self, days: Ints) -> Ints:
        """Index into `homes` of where the persona lives on each day."""
        return np.searchsorted(self.homes[0], days, side="right").astype(np.int64) - 1

    def admitted(self, event: Event, days: Ints) -> Bools:
        """Whether `event` can take place on each day as far as the declared last years go."""
        if event.last_years is None:
            return np.ones(len(days), dtype=np.bool_)
        first = day_number(self.calendar.last_year - event.last_years + 1) - self.calendar.first
        admitted: Bools = days >= first
        return admitted

    def factor(self, event: Event, days: Ints) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        """What the frequency of `event` is multiplied with at the persona's age on each day."""
        if not event.ages:
            return np.ones(len(days))
        age = self.calendar.year_of(days) - self.persona.born.year
        factor = np.zeros(len(days))
        for low, high, value in event.ages:
            factor[(age >= low) & (age <= high)] = value
        return factor

    def _since(self, person: Person, years: int) -> int:
        if person.since is None:
            return -ALWAYS
        since = person.since
        try:
            return self.day(since.replace(year=since.year + years))
        except ValueError:  # 29 February, in a year that has none
            return self.day(date(since.year + years, 3, 1))

    def _until(self, person: Person) -> int:
        return ALWAYS if person.until is None else self.day(person.until)


@dataclass(frozen=True)
class Occasions:
    """The episodes of one event, in order of their start.

    Attributes:
        start, end: day indices of the log's calendar; lifetime events may be before 0. No `end`: the same day.
        trip: index of the trip that each belongs to (sub-episodes).
        slot: which slot of its period each is (annual events).
        people: people given by the time scale.
        given: fields given by the time scale.
    """

    event: Event
    start: Ints
    end: Ints | None = None
    trip: Ints | None = None
    slot: Ints | None = None
    people: Codes | None = None
    given: Mapping[str, Column] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.start)
