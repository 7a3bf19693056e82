"""persona.json as a row of the config `personas`; what the original does not know of a person is null."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa

from ..tables.people import SCHEMA
from .errors import DataError, short
from .jsonfile import read_json


@dataclass(frozen=True)
class _Document:
    """The values of the file, each checked for its kind."""

    path: Path
    held: Mapping[str, Any]

    def text(self, key: str) -> str:
        value = self.held.get(key)
        if not isinstance(value, str):
            raise self.error(key, f"a text, found {short(value)}")
        return value

    def texts(self, key: str) -> list[str]:
        value = self.held.get(key)
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.error(key, f"a list of texts, found {short(value)}")
        return value

    def whole(self, key: str) -> int:
        value = self.held.get(key)
        if type(value) is not int or abs(value) >= 10**6:
            raise self.error(key, f"a whole number, found {short(value)}")
        return value

    def birth_date(self) -> date:
        year, month, day = (self.whole(f"birth_{part}") for part in ("year", "month", "day"))
        if not 1000 <= year <= 9999:
            raise self.error("birth_year", f"a year of four digits, found {year}")
        try:
            return date(year, month, day)
        except ValueError as error:
            raise self.error("birth_day", f"a day of birth ({error})") from None

    def error(self, key: str, expected: str) -> DataError:
        return DataError(self.path, f"expected {expected}", f"key {key!r}")


def read_persona(path: Path, number: int | None) -> pa.Table:
    """The persona in a file.

    Args:
        number: of its log, null in the row if None.

    Raises:
        DataError: naming the key, for a value that is missing or of another kind.
    """
    held = _Document(path, read_json(path))
    row = {
        "persona": number,
        "gender": held.text("gender"),
        "birth_date": held.birth_date(),
        "birth_city": held.text("birth_city"),
        "birth_country": held.text("birth_country"),
        "mother": held.text("biological_mom_name"),
        "father": held.text("biological_dad_name"),
        "siblings": [{"name": name} for name in held.texts("sibling_names")],
        "friends": [{"name": name} for name in held.texts("close_friends_names")],
        "marriages": [{"partner": name} for name in held.texts("partners_names")],
        "children": [{"name": name} for name in held.texts("kids_names")],
        "jobs": [{"title": title} for title in held.texts("professions")],
        "hobbies": held.texts("hobbies"),
        "exercises": held.texts("exercise"),
        "pets": [{"name": name} for name in held.texts("pet_names")],
        "trips_a_year": held.whole("trips_per_year"),
        "personality": held.text("personality"),
    }
    return pa.Table.from_pylist([{name: row.get(name) for name in SCHEMA.names}], SCHEMA)
