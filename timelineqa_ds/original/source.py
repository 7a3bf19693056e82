"""The configs of the dataset, read from a folder of the original's outputs."""

from __future__ import annotations

import functools
import logging
from collections.abc import Iterable, Sequence
from pathlib import Path

import pyarrow as pa

from .. import options, spec
from ..configs import Config
from . import atomic, multihop
from .folder import OTHER_SPLIT, LogPlace, places
from .log import OriginalLog
from .queries import QUERIES
from .tables import file_name, known_columns


logger = logging.getLogger(__name__)


class Original:
    """The source of a config: `data_dir` as `folder.places` takes it, `lifelogs` by number (None for all)."""

    def __init__(self, config: Config, data_dir: str | Path, lifelogs: object = None) -> None:
        self._config = config
        self._data_dir = data_dir
        self._wanted = None if lifelogs is None else set(options.lifelog_indices(lifelogs))
        if config.kind.name not in ("episodes", "atomic", "multihop", "personas", *known_columns()):
            raise ValueError(f"config {config.name}: it has no counterpart in the outputs of the original program")

    def schema(self) -> pa.Schema:
        """The Arrow schema of the config."""
        return multihop.SCHEMA if self._config.kind.name == "multihop" else self._config.schema()

    def splits(self) -> dict[str, list[str]]:
        """The names of the logs of each split.

        Raises:
            FileNotFoundError: if there is no such log, or one lacks the files that the config needs.
        """
        asked = self._places.values()
        own, more = self._needed
        lacking = [
            place.name for place in asked if not (place.has(own.replace("NAME", place.name)) or (more and place.qa))
        ]
        if lacking:
            raise FileNotFoundError(
                f"config {self._config.name} needs {own}{more}, which {', '.join(lacking[:5])} in "
                f"{self._data_dir} {'lacks' if len(lacking) == 1 else f'(and {len(lacking)} in all) lack'}"
            )
        unnumbered = [place.name for place in asked if place.number is None]
        if unnumbered:
            logger.warning("%s: no number in the name, so the split is %s", ", ".join(unnumbered), OTHER_SPLIT)
        members: dict[str, list[str]] = {}
        for split in spec.SPLITS:
            inside = [place for place in asked if place.split == split.name]
            if inside:
                inside.sort(key=lambda place: (place.number or 0, place.name))
                members[split.name] = [place.name for place in inside]
        return members

    def table(self, member: str, columns: Sequence[str], with_table: bool = True) -> pa.Table:
        """The rows of the log of that name."""
        log, kind = OriginalLog(self._places[member]), self._config.kind.name
        if kind == "episodes":
            return log.need_entries().table(log.lifelog_id, columns)
        if kind == "atomic":
            return atomic.question_table(log, columns)
        if kind == "multihop":
            return multihop.question_table(log, columns, with_table)
        table = log.persona if kind == "personas" else log.table(kind)
        return table.select(list(columns))

    @functools.cached_property
    def _places(self) -> dict[str, LogPlace]:
        """The logs of the config's density that were asked for; a persona once, whatever its densities."""
        density = self._config.density
        everything = places(self._data_dir)
        asked = [place for place in everything if density is None or place.density in (None, density)]
        if self._config.kind.name == "personas":
            asked = _by_persona(asked)
        if self._wanted is not None:
            asked = [place for place in asked if place.number in self._wanted]
        if not asked:
            there = [place.name for place in everything]
            wanted = f"{density or 'any'} logs{'' if self._wanted is None else ' of these numbers'}"
            raise FileNotFoundError(f"{self._data_dir}: expected {wanted}, found {', '.join(there[:9])}")
        return {place.name: place for place in asked}

    @property
    def _needed(self) -> tuple[str, str]:
        """The file of the log's own that the config is read from, and what may stand in for it or goes with it."""
        return {
            "episodes": ("NAME.json", ""),
            "atomic": ("NAME.json", " or QA/db-NAME.json"),
            "multihop": (QUERIES, " with qN-result.csv, or QA/db-NAME.json"),
            "personas": ("persona.json", ""),
        }.get(self._config.kind.name, (file_name(self._config.kind.name), ""))


def _by_persona(asked: Iterable[LogPlace]) -> list[LogPlace]:
    """Of the logs of one number, which are of one persona, the first."""
    order = {density: place for place, density in enumerate(spec.DENSITIES)}
    kept: dict[int | str, LogPlace] = {}
    for place in sorted(asked, key=lambda place: (order.get(place.density or "", len(order)), place.name)):
        kept.setdefault(place.name if place.density is None or place.number is None else place.number, place)
    return list(kept.values())
