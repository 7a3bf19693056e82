"""Where rows come from: `Generated` makes them; the outputs of the original program are read by `original.source`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import pyarrow as pa

from . import options, spec
from .generator import config_schema, config_table


class Source(Protocol):
    """The rows of one config."""

    def schema(self) -> pa.Schema:
        """The Arrow schema of all columns."""

    def splits(self) -> dict[str, list[Any]]:
        """The lifelogs of each split that has any, by what `table` takes."""

    def table(self, member: Any, columns: Sequence[str], with_table: bool = True) -> pa.Table:
        """The rows of one lifelog: only these columns, and nothing else is made."""


class Generated:
    """Rows that are generated; a lifelog is known by its index."""

    def __init__(self, config: spec.Config, lifelogs: Any, seed: int, year: int, duration: int | None) -> None:
        options.check_world(seed, year, duration)
        self._config = config
        self._indices = options.lifelog_indices(lifelogs)
        self._seed, self._year, self._duration = seed, year, duration

    def schema(self) -> pa.Schema:
        """The Arrow schema of all columns."""
        return config_schema(self._config)

    def splits(self) -> dict[str, list[Any]]:
        """The indices of each split that has any."""
        return dict(options.split_members(self._indices))

    def table(self, member: Any, columns: Sequence[str], with_table: bool = True) -> pa.Table:
        """The rows of one lifelog."""
        return config_table(
            self._config,
            member,
            seed=self._seed,
            year=self._year,
            duration=self._duration,
            columns=columns,
            with_table=with_table,
        )
