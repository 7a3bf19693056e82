"""The package's data files, and the word lists among them (``data/vocabulary``).

The lists are checked once: every one is there, no entry is blank or given twice.

A list of plain words is known by file and key, ``vocabulary()["food.breakfast"]``.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson


DATA = Path(__file__).parents[1] / "data"


def read_json(name: str) -> Any:
    """The JSON document `name` of the data folder.

    Raises:
        ValueError: if the file is not JSON; the message names file, line and column.
    """
    path = DATA / name
    try:
        return orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError as error:
        raise ValueError(f"{path}, line {error.lineno}, column {error.colno}: not JSON: {error.msg}") from error


def check_known(where: str, names: Iterable[str], allowed: Iterable[str]) -> None:
    """Raise ValueError if there is a name that is not allowed; it says where, and what is."""
    allowed = list(allowed)
    if unknown := sorted(set(names) - set(allowed)):
        raise ValueError(f"{where}: {', '.join(unknown)} unknown; expected some of {', '.join(allowed)}")


@dataclass(frozen=True)
class Place:
    """A city and its country."""

    name: str
    country: str


@dataclass(frozen=True)
class Destination:
    """A city to travel to, with what there is to see."""

    city: str
    country: str
    places: tuple[str, ...]


@dataclass(frozen=True)
class Pet:
    """A pet of a persona."""

    name: str
    kind: str


class Vocabulary(dict[str, tuple[str, ...]]):
    """All word lists by name, and the lists whose entries have more than one part."""

    def __init__(self, documents: Mapping[str, Any]) -> None:
        for file, document in documents.items():
            for key, value in document.items():
                name = f"{file}.{key}"
                if isinstance(value, list) and all(isinstance(entry, str) for entry in value):
                    self[name] = _checked(name, value)
        self.pet_kinds = _checked("health.pets", [pet["kind"] for pet in documents["health"]["pets"]])
        self.professions = tuple(tuple(field["titles"]) for field in documents["work"]["professions"])
        self.cities = tuple(Place(city, country) for city, country in documents["cities"]["cities"])
        self.destinations = tuple(
            Destination(city["city"], city["country"], _checked(city["city"], city["places"]))
            for city in documents["destinations"]["destinations"]
        )
        _checked("cities.cities", [city.name for city in self.cities])
        _checked("destinations", [city.city for city in self.destinations])

    def __missing__(self, name: str) -> tuple[str, ...]:
        raise ValueError(f"no word list {name!r}; expected one of {', '.join(self)}")


def _checked(name: str, words: list[str]) -> tuple[str, ...]:
    seen: set[str] = set()
    for word in words:
        if not word.strip() or word != word.strip():
            raise ValueError(f"word list {name}: {word!r} is blank or has blanks around it")
        if word in seen:
            raise ValueError(f"word list {name}: {word!r} is given twice")
        seen.add(word)
    return tuple(words)


@functools.cache
def vocabulary() -> Vocabulary:
    """The word lists, read once.

    Raises:
        ValueError: if a list is missing a part, or has a blank or repeated entry; the message names it.
    """
    files = sorted((DATA / "vocabulary").glob("*.json"))
    return Vocabulary({path.stem: read_json(f"vocabulary/{path.name}") for path in files})
