"""The forms of atomic questions, declared in ``data/questions/atomic_*.json``.

By event, a list of forms, each with:

* type: what, when, where, who, how long or yes/no.
* ask: the field that is the answer; for yes/no the one that is named rightly or wrongly.
* given: the fields that the question names. It is asked only of an episode that no other one of its event matches.
* unit: the word that follows a number in the answer.
* wordings: at least two, with a placeholder for each given field, and for yes/no for the one asked too.

Fields are those of the event, ``people``, and the ``day``, ``month`` and ``year`` of its start. ``apart`` names events
on whose days an event is not asked about, because they could be meant too (a dinner and a restaurant meal). ``alike``
has, by field, groups of words of which one could be taken for another (cereal and muesli): nothing is asked that only
their difference would decide.
"""

from __future__ import annotations

import functools
import string
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...declared.events import Event, declarations
from ...declared.vocabulary import DATA, check_known, read_json
from ...world.columns import shared_words


TYPES = ("what", "when", "where", "who", "how long", "yes/no")
YES_NO = "yes/no"
DATE_FIELDS = ("day", "month", "year")
LEAST = 2  # wordings of a form


@dataclass(frozen=True)
class Form:
    """A way to ask about the episodes of one event; `number` is its place among the forms of the event."""

    event: str
    number: int
    type: str
    ask: str
    given: tuple[str, ...]
    unit: str
    wordings: tuple[str, ...]


@dataclass(frozen=True)
class EventForms:
    """The questions about one event."""

    event: str
    apart: tuple[str, ...]
    alike: Mapping[str, tuple[tuple[str, ...], ...]]
    forms: tuple[Form, ...]


@functools.cache
def questions() -> Mapping[str, EventForms]:
    """Forms by event, in the order of the declared events; read and checked once.

    Raises:
        ValueError: naming the event and form, if a name or placeholder is unknown or missing, or a wording is used
            twice.
    """
    declared: dict[str, Any] = {}
    for path in sorted((DATA / "questions").glob("atomic_*.json")):
        declared.update(read_json(f"questions/{path.name}"))
    known = declarations().events
    if set(declared) != set(known):
        raise ValueError(f"questions: events {sorted(set(declared) ^ set(known))} are not in both it and events.json")
    forms = {name: _questions(event, declared[name]) for name, event in known.items()}
    seen: set[str] = set()
    for wording in (text for one in forms.values() for form in one.forms for text in form.wordings):
        if wording in seen:
            raise ValueError(f"questions: {wording!r} is used twice")
        seen.add(wording)
    return forms


def _questions(event: Event, value: Mapping[str, Any]) -> EventForms:
    check_known(f"questions: {event.name}: keys", value, ("apart", "alike", "forms"))
    apart = tuple(value.get("apart", ()))
    alike = {field: tuple(map(tuple, groups)) for field, groups in value.get("alike", {}).items()}
    check_known(f"questions: {event.name}: alike", alike, event.fields)
    for field, groups in alike.items():
        check_known(
            f"questions: {event.name}: alike",
            [word for group in groups for word in group],
            shared_words(*event.fields[field].of).values,
        )
    check_known(f"questions: {event.name}: apart", apart, declarations().events)
    forms = [_form(event, number, form) for number, form in enumerate(value["forms"])]
    return EventForms(event.name, apart, alike, tuple(forms))


def _form(event: Event, number: int, value: Mapping[str, Any]) -> Form:
    where = f"questions: {event.name}, form {number}"
    check_known(where, value, ("type", "ask", "given", "unit", "wordings"))
    form = Form(
        event=event.name,
        number=number,
        type=value["type"],
        ask=value["ask"],
        given=tuple(value["given"]),
        unit=value.get("unit", ""),
        wordings=tuple(value["wordings"]),
    )
    fields = [*event.fields, *DATE_FIELDS, *(["people"] if event.people else [])]
    check_known(f"{where}: type", [form.type], TYPES)
    check_known(f"{where}: fields", [form.ask, *form.given], fields)
    if (form.type == "when") != (form.ask == "day") or form.ask in form.given:
        raise ValueError(f"{where}: {form.type} cannot ask for {form.ask}, given {form.given}")
    if len(form.wordings) < LEAST:
        raise ValueError(f"{where}: needs {LEAST} wordings, found {len(form.wordings)}")
    named = sorted([*form.given, *([form.ask] if form.type == YES_NO else [])])
    for wording in form.wordings:
        placeholders = sorted(name for _, name, _, _ in string.Formatter().parse(wording) if name is not None)
        if placeholders != named or not wording.endswith("?"):
            raise ValueError(f"{where}: {wording!r} must end in '?' and name each of {named} once")
    return form
