"""What events there are, as declared in ``data/events.json``: how often, with what, with whom, excluded by what.

Adding an event type is adding one declaration there, its templates in ``data/templates.json`` and the forms of its
atomic questions in ``data/questions``; an event of the daily, weekly, monthly or annual scale needs no code. Keys of a
declaration:

* scale: lifetime, annual, monthly, weekly, daily, or trip (a sub-episode of `travel`).
* frequency: probability of each slot of a period (of each try of a day), one list for all densities or one for each.
* ages: [[from, to, factor], ...] multiplies the frequency at these ages, which else is 0. `last_years`: only that many
  years up to the final one. `needs`: an attribute of the persona that must not be empty. `one_of`: shares its
  occasions with other events, in the proportions declared under that name.
* fields: kind choice (one of vocabularies, or of the persona's own `among`), slot (the vocabulary of that slot), items
  (1..most of a vocabulary), number (low..high by step), variant (set by the variant), given (by the scale's module;
  with low and high if it is a number).
* people: groups (weights of the companies one is drawn from) and most, or each (one episode for each member of a
  company), or given; `on_trips`: on a trip, the people are those of the trip.
* variants: ways to tell it, each with a weight, `people` false where nobody is named, and `set` for variant fields.
* place: the field that is the episode's place.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..spec import DENSITIES
from .vocabulary import check_known, read_json


SCALES = ("lifetime", "annual", "trip", "monthly", "weekly", "daily")
_KEYS = ("scale", "frequency", "fields", "people", "variants", "place", "ages", "last_years", "needs", "one_of")
FIELD_KINDS = ("choice", "slot", "items", "number", "variant", "given")


@dataclass(frozen=True)
class Field:
    """A value that every episode of an event has."""

    name: str
    kind: str
    of: tuple[str, ...] = ()
    among: str | None = None
    most: int = 1
    low: int = 0
    high: int = 0
    step: int = 1


@dataclass(frozen=True)
class People:
    """Who takes part; the names of companies with their weights."""

    groups: Mapping[str, int]
    most: int = 1
    each: str | None = None
    given: bool = False
    on_trips: bool = False


@dataclass(frozen=True)
class Variant:
    """A way to tell an event."""

    name: str
    weight: int = 1
    people: bool = True
    values: Mapping[str, bool] | None = None


@dataclass(frozen=True)
class Event:
    """The declaration of an event type; `order` is its place among the episodes of one day."""

    name: str
    order: int
    scale: str
    frequency: Mapping[str, tuple[float, ...]]
    fields: Mapping[str, Field]
    people: People | None
    variants: tuple[Variant, ...]
    place: str | None
    ages: tuple[tuple[int, int, float], ...]
    last_years: int | None
    needs: str | None
    one_of: str | None
    excluded_by: tuple[str, ...]
    excludes: bool

    @property
    def shared(self) -> bool:
        """Whether the event happens alike in every density, to the same day."""
        return self.scale in ("lifetime", "annual", "trip", "monthly")

    @property
    def vocabulary(self) -> frozenset[str]:
        """The files of the vocabulary that its fields take words from, beside those that a life is drawn from."""
        files = {name.partition(".")[0] for field in self.fields.values() for name in field.of}
        return frozenset({*files, "destinations"} if "city" in self.fields else files)  # a city travelled to


@dataclass(frozen=True)
class Group:
    """A company: the people of these relations, some only from an age on."""

    relations: tuple[str, ...]
    from_age: Mapping[str, int]


@dataclass(frozen=True)
class Declarations:
    """All of ``data/events.json``."""

    events: Mapping[str, Event]
    groups: Mapping[str, Group]
    one_of: Mapping[str, Mapping[str, int]]


@functools.cache
def declarations() -> Declarations:
    """The declarations, read once.

    Raises:
        ValueError: if a declaration has an unknown key or value, or is excluded by an event declared after it.
    """
    document = read_json("events.json")
    groups = {
        name: Group(tuple(value["relations"]), value.get("from_age", {}))
        for name, value in document["company"].items()
    }
    names = list(document["events"])
    excluded = _exclusions(document["exclusions"], names)
    excluding = {name for rule in document["exclusions"] for name in rule["events"]}
    events = {
        name: _event(name, order, value, excluded[name], name in excluding)
        for order, (name, value) in enumerate(document["events"].items())
    }
    for event in events.values():
        if event.people:
            asked = {*event.people.groups, *([event.people.each] if event.people.each else [])}
            check_known(f"events.json: {event.name}: people", asked, groups)
    return Declarations(events, groups, document["one_of"])


def event_names() -> tuple[str, ...]:
    """Names of all event types, in the order of their declaration."""
    return tuple(declarations().events)


def _exclusions(rules: list[dict[str, list[str]]], names: list[str]) -> dict[str, tuple[str, ...]]:
    excluded: dict[str, list[str]] = {name: [] for name in names}
    for rule in rules:
        check_known("events.json: exclusions", {*rule["events"], *rule["exclude"]}, names)
        for name in rule["exclude"]:
            for other in rule["events"]:
                if names.index(other) >= names.index(name):
                    raise ValueError(f"events.json: {name} is excluded by {other}, which must be declared before it")
                excluded[name].append(other)
    return {name: tuple(others) for name, others in excluded.items()}


def _event(name: str, order: int, value: dict[str, Any], excluded_by: tuple[str, ...], excludes: bool) -> Event:
    check_known(f"events.json: {name}: keys", value, _KEYS)
    check_known(f"events.json: {name}: scale", {value["scale"]}, SCALES)
    fields = {key: _field(f"events.json: {name}: {key}", key, field) for key, field in value.get("fields", {}).items()}
    if "place" in value:
        check_known(f"events.json: {name}: place", {value["place"]}, fields)
    return Event(
        name=name,
        order=order,
        scale=value["scale"],
        frequency=_frequency(name, value.get("frequency", [])),
        fields=fields,
        people=_people(name, value.get("people")),
        variants=tuple(
            Variant(key, variant["weight"], variant.get("people", True) and "people" in value, variant.get("set"))
            for key, variant in value.get("variants", {"plain": {"weight": 1}}).items()
        ),
        place=value.get("place"),
        ages=tuple((low, high, float(factor)) for low, high, factor in value.get("ages", [])),
        last_years=value.get("last_years"),
        needs=value.get("needs"),
        one_of=value.get("one_of"),
        excluded_by=excluded_by,
        excludes=excludes,
    )


def _frequency(name: str, value: dict[str, list[float]] | list[float]) -> dict[str, tuple[float, ...]]:
    by_density = value if isinstance(value, dict) else dict.fromkeys(DENSITIES, value)
    check_known(f"events.json: {name}: frequency", by_density, DENSITIES)
    return {density: tuple(float(p) for p in by_density[density]) for density in DENSITIES}


def _field(where: str, name: str, value: dict[str, Any]) -> Field:
    check_known(where, value, ("kind", "of", "among", "most", "low", "high", "step"))
    check_known(f"{where}: kind", {value["kind"]}, FIELD_KINDS)
    return Field(name, **{**value, "of": tuple(value.get("of", ()))})


def _people(name: str, value: dict[str, Any] | None) -> People | None:
    if value is None:
        return None
    check_known(f"events.json: {name}: people", value, ("groups", "most", "each", "given", "on_trips"))
    return People(**{"groups": {}, **value})
