"""The episodes of one event with everything that is told about them, drawn when asked for and only then."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ..declared.events import Event, Field
from ..world.columns import Choice, Column, Flag, Items, Number, shared_words
from ..world.company import Codes, different, nobody, size
from ..world.streams import Bools, Ints, Words32, pick
from .trips import trip_on
from .world import Occasions, World


class Rows:
    """The episodes of one event in one lifelog.

    Args:
        trips: the rows of `travel`; None for these themselves.
    """

    def __init__(self, world: World, when: Occasions, trips: Rows | None) -> None:
        self.event: Event = when.event
        self.when = when
        self._world = world
        self._trips = trips
        self._streams = world.streams(when.event)
        self._fields: dict[str, Column] = {}

    def __len__(self) -> int:
        return len(self.when)

    @property
    def end(self) -> Ints:
        """Last day of each episode."""
        return self.when.start if self.when.end is None else self.when.end

    @cached_property
    def _told(self) -> tuple[Ints, Codes]:
        """Index of each episode's variant, and the people it names."""
        event, rows = self.event, len(self)
        naming = [variant.people for variant in event.variants]
        if event.people is None or not any(naming):
            return self._variants(None), nobody(rows)
        if self.when.people is not None:
            return self._variants(size(self.when.people) > 0), self.when.people
        if event.people.given and self._trips is not None and self.when.trip is not None:
            return self._variants(np.ones(rows, dtype=np.bool_)), self._trips.people[self.when.trip]
        variant = self._variants(None)
        named = np.flatnonzero(np.array(naming)[variant])
        people = nobody(rows, event.people.most)
        people[named] = self._draw_people(named)
        # Where none of the companies has anybody on that day, it is told without people.
        lonely = np.array(naming)[variant] & (people[:, 0] < 0)
        if lonely.any():
            if all(naming):
                raise RuntimeError(f"{event.name}: nobody to take part on some day, and no variant without people")
            variant[lonely] = naming.index(False)
        return variant, people

    def _variants(self, named: Bools | None) -> Ints:
        """A variant for each row by weight; where it is known whether people are named, among those that fit."""
        variants = self.event.variants
        if len(variants) == 1:
            return np.zeros(len(self), dtype=np.int64)
        words = self._streams.words(f"{self.event.name}/variant", len(self))
        if named is None:
            return pick(words, [variant.weight for variant in variants])
        chosen = np.zeros(len(self), dtype=np.int64)
        for value in (False, True):
            weights = [variant.weight * (variant.people == value) for variant in variants]
            if sum(weights):
                chosen[named == value] = pick(words[named == value], weights)
        return chosen

    def _draw_people(self, named: Ints) -> Codes:
        people = self.event.people
        if people is None:
            return nobody(len(named))
        days, company = self.when.start[named], self._world.company
        words = self._streams.words(f"{self.event.name}/group", len(named))
        group = company.groups_for(people.groups, days, words)
        which = self._streams.words(f"{self.event.name}/people", len(named))
        drawn = company.members(people.groups, group, days, which, people.most)
        if people.on_trips and self._trips is not None and len(self._trips):
            trip = trip_on(self._trips.when, days)
            away = trip >= 0
            along = self._trips.people[trip[away]]
            drawn[away] = -1
            drawn[away, : along.shape[1]] = along[:, : people.most]
        return drawn

    @property
    def variant(self) -> Ints:
        """Index of the variant that tells each episode."""
        return self._told[0]

    @property
    def people(self) -> Codes:
        """Indices of the people of each episode, padded with -1 at the end."""
        return self._told[1]

    @cached_property
    def people_column(self) -> Items:
        """The people as a column."""
        return Items(self._world.names, self.people)

    @cached_property
    def template_words(self) -> Words32:
        """A random integer for each episode to choose its template by."""
        return self._streams.words(f"{self.event.name}/template", len(self))

    def field(self, name: str) -> Column:
        """The values of a declared field."""
        if name not in self._fields:
            declared = self.event.fields[name]
            self._fields[name] = self.when.given[name] if declared.kind == "given" else self._draw(declared)
        return self._fields[name]

    def _draw(self, field: Field) -> Column:
        purpose, rows = f"{self.event.name}/{field.name}", len(self)
        if field.kind == "number":
            steps = (field.high - field.low) // field.step + 1
            return Number(field.low + field.step * self._streams.integers(purpose, rows, 0, steps))
        if field.kind == "variant":
            values = [bool((variant.values or {})[field.name]) for variant in self.event.variants]
            return Flag(np.array(values)[self.variant])
        words = shared_words(*field.of)
        if field.kind == "items":
            return Items(words, different(self._streams.words(purpose, rows), len(words.values), field.most))
        if field.kind == "slot":
            lengths = np.array([len(shared_words(name).values) for name in field.of])
            slot = self.when.slot if self.when.slot is not None else np.zeros(rows, dtype=np.int64)
            first = (np.cumsum(lengths) - lengths)[slot]
            return Choice(words, first + self._streams.integers(purpose, rows, 0, lengths[slot]))
        if field.among:
            own = [words.values.index(str(value)) for value in getattr(self._world.persona, field.among)]
            return Choice(words, np.array(own)[self._streams.integers(purpose, rows, 0, len(own))])
        return Choice(words, self._streams.integers(purpose, rows, 0, len(words.values)))
