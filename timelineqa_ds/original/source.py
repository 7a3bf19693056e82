"""The configs of the dataset, read from a folder of the original's outputs."""

from __future__ import annotations

import functools
import logging
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from .. import options, spec
from ..configs import Config
from ..questions.atomic import table as generated_atomic
from ..tables import diary, people
from ..tables.derived import derived_tables
from . import atomic
from .folder import OTHER_SPLIT, Place, places
from .lifelog import Log
from .queries import QUERIES
from .tables import file_name, known_columns


logger = logging.getLogger(__name__)


class Original:
    """The source of a config: `data_dir` as `folder.places` takes it, `lifelogs` by number (None for all)."""

    def __init__(self, config: Config, data_dir: str | Path, lifelogs: Any = None) -> None:
        self._config = config
        self._data_dir = data_dir
        self._wanted = None if lifelogs is None else set(options.lifelog_indices(lifelogs))
        if config.kind.name not in ("episodes", "atomic", "multihop", "personas", *known_columns()):
            raise ValueError(f"config {config.name}: it has no counterpart in the outputs of the original program")

    def schema(self) -> pa.Schema:
        """The Arrow schema of the config."""
        kind = self._config.kind.name
        if kind == "multihop":
            from . import multihop  # here, since it loads DuckDB

            return multihop.SCHEMA
        known = {"episodes": diary.SCHEMA, "atomic": generated_atomic.SCHEMA, "personas": people.SCHEMA}
        return known[kind] if kind in known else derived_tables()[kind].schema

    def splits(self) -> dict[str, list[Any]]:
        """The names of the logs of each split.

        Raises:
            FileNotFoundError: if there is no such log, or one lacks the files that the config needs.
        """
        found = self._places
        lacking = [place.name for place in found.values() if not self._can_read(place)]
        if lacking:
            raise FileNotFoundError(
                f"config {self._config.name} needs {self._needs()}, which {', '.join(lacking[:5])} in "
                f"{self._data_dir} {'lacks' if len(lacking) == 1 else f'(and {len(lacking)} in all) lack'}"
            )
        unnumbered = [place.name for place in found.values() if place.number is None]
        if unnumbered:
            logger.warning("%s: no number in the name, so the split is %s", ", ".join(unnumbered), OTHER_SPLIT)
        members: dict[str, list[Any]] = {}
        for split in spec.SPLITS:
            inside = [place for place in found.values() if place.split == split.name]
            if inside:
                inside.sort(key=lambda place: (place.number or 0, place.name))
                members[split.name] = [place.name for place in inside]
        return members

    def table(self, member: Any, columns: Sequence[str], with_table: bool = True) -> pa.Table:
        """The rows of the log of that name."""
        log, kind = Log(self._places[member]), self._config.kind.name
        if kind == "episodes":
            return log.need_entries().table(log.lifelog_id, columns)
        if kind == "atomic":
            return atomic.question_table(log, columns)
        if kind == "multihop":
            from . import multihop

            return multihop.question_table(log, columns, with_table)
        found = log.persona if kind == "personas" else log.table(kind)
        return found.select(list(columns))

    @functools.cached_property
    def _places(self) -> dict[str, Place]:
        """The logs of the config's density that were asked for; a persona once, whatever its densities."""
        density = self._config.density
        found = [place for place in places(self._data_dir) if density is None or place.density in (None, density)]
        if self._config.kind.name == "personas":
            found = list(_by_persona(found))
        if self._wanted is not None:
            found = [place for place in found if place.number in self._wanted]
        if not found:
            there = sorted({place.name for place in places(self._data_dir)})
            wanted = f"{density or 'any'} logs{'' if self._wanted is None else ' of these numbers'}"
            raise FileNotFoundError(f"{self._data_dir}: expected {wanted}, found {', '.join(there[:9])}")
        return {place.name: place for place in found}

    def _can_read(self, place: Place) -> bool:
        kind = self._config.kind.name
        if kind in ("atomic", "multihop"):
            own = f"{place.name}.json" if kind == "atomic" else QUERIES
            return place.has(own) or place.qa is not None
        if kind == "personas":
            return place.has("persona.json")
        return place.has(f"{place.name}.json" if kind == "episodes" else file_name(kind))

    def _needs(self) -> str:
        return {
            "episodes": "NAME.json",
            "atomic": "NAME.json or QA/db-NAME.json",
            "multihop": f"{QUERIES} with qN-result.csv, or QA/db-NAME.json",
            "personas": "persona.json",
        }.get(self._config.kind.name, file_name(self._config.kind.name))


def _by_persona(found: Iterable[Place]) -> Iterable[Place]:
    """Of the logs of one number, which are of one persona, the first."""
    seen: set[int] = set()
    order = {density: place for place, density in enumerate(spec.DENSITIES)}
    for place in sorted(found, key=lambda place: (order.get(place.density or "", len(order)), place.name)):
        if place.number not in seen or place.density is None:
            yield place
        if place.number is not None and place.density is not None:
            seen.add(place.number)
