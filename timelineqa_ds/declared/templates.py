"""The sentence templates of ``data/templates.json``, checked strictly and cut into pieces.

A placeholder is the name of a field of the event, or ``people``; with a capital first letter it begins a sentence. A
template names every field of its event (the text holds whatever a question can ask), and people exactly if its variant
does.
"""

from __future__ import annotations

import functools
import re
import string
from collections.abc import Mapping
from dataclasses import dataclass

from .events import Event, declarations
from .vocabulary import read_json


LEAST = 3  # templates of an event


@dataclass(frozen=True)
class Slot:
    """A field in a sentence.

    Attributes:
        after: the literal text up to the next field or the end.
        capital: the field begins a sentence.
    """

    field: str
    after: str = ""
    capital: bool = False

    @property
    def goes_on(self) -> bool:
        """Whether the text goes on with the narrator as the last of a list, as in "Ann, Ben and I"."""
        return re.match(r" and (I|me)\b", self.after) is not None


@dataclass(frozen=True)
class SentenceTemplate:
    """A sentence of an event and variant: the text before the first field, and the fields."""

    event: str
    variant: str
    text: str
    lead: str
    slots: tuple[Slot, ...]


@functools.cache
def templates() -> Mapping[str, Mapping[str, tuple[SentenceTemplate, ...]]]:
    """Templates by event and variant, read and checked once.

    Raises:
        ValueError: naming event, variant and template, if a placeholder is unknown, a field is missing, a placeholder
            touches a letter, or an event has too few templates or a variant none.
    """
    document = read_json("templates.json")
    known = declarations().events
    if set(document) != set(known):
        raise ValueError(
            f"templates.json: events {sorted(set(document) ^ set(known))} are not in both it and events.json"
        )
    return {name: _of_event(known[name], variants) for name, variants in document.items()}


def _of_event(event: Event, variants: Mapping[str, list[str]]) -> dict[str, tuple[SentenceTemplate, ...]]:
    expected = [variant.name for variant in event.variants]
    if sorted(variants) != sorted(expected):
        raise ValueError(f"templates.json: {event.name} has variants {sorted(variants)}, expected {sorted(expected)}")
    if sum(len(set(texts)) for texts in variants.values()) < LEAST or not all(variants.values()):
        raise ValueError(f"templates.json: {event.name} needs {LEAST} different templates, and one for each variant")
    return {
        variant.name: tuple(_parse(event, variant.name, variant.people, text) for text in variants[variant.name])
        for variant in event.variants
    }


def _parse(event: Event, variant: str, people: bool, text: str) -> SentenceTemplate:
    where = f"templates.json: {event.name}, {variant}: {text!r}"
    try:
        parts = list(string.Formatter().parse(text))
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from error
    literals = [literal for literal, _, _, _ in parts]
    lead, literals = (literals[0], literals[1:]) if literals else ("", [])
    names = [(name, spec, conversion) for _, name, spec, conversion in parts if name is not None]
    literals += [""] * (len(names) - len(literals))
    if any(spec or conversion for _, spec, conversion in names):
        raise ValueError(f"{where}: a placeholder is a bare name, without format or conversion")
    slots = tuple(
        Slot(name[:1].lower() + name[1:], after, name[:1].isupper())
        for (name, _, _), after in zip(names, literals, strict=True)
    )
    asked = {field.name for field in event.fields.values() if field.kind != "variant"} | (
        {"people"} if people else set()
    )
    named = sorted(slot.field for slot in slots)
    if named != sorted(asked):
        raise ValueError(f"{where}: its placeholders are {named}, expected each of {sorted(asked)} once")
    between = [slot.after for slot in slots[:-1]]
    if lead[-1:].isalpha() or not all(between) or any(a[:1].isalpha() or a[-1:].isalpha() for a in between):
        raise ValueError(f"{where}: a placeholder must not touch a letter or another placeholder")
    return SentenceTemplate(event.name, variant, text, lead, slots)
