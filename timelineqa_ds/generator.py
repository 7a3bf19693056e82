"""One lifelog in hand, and the Arrow tables of any config: the core under the builder and the command line."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from . import options, spec
from .declared.events import declarations
from .episodes import Log, make_log
from .questions.atomic import table as atomic
from .tables import diary, people
from .tables.derived import derived_table, derived_tables
from .world.persona import make_persona


if TYPE_CHECKING:
    from .questions.multihop.database import Database

_EVERY_DAY = ("daily_watchtv", "daily_read", "daily_chat")


class Lifelog:
    """A lifelog: its persona, episodes and derived tables as Arrow, each made when first asked for.

    Attributes:
        log: the episodes before they are Arrow.
        streams: random numbers of the lifelog itself, not those that its persona shares among densities. Purposes that
            begin with "atomic/" or "multihop/" are not those of any event.
    """

    def __init__(self, log: Log) -> None:
        self.log = log
        self.lifelog_id = log.lifelog_id
        self.streams = log.world.streams(declarations().events["chat"])

    @cached_property
    def persona(self) -> pa.Table:
        """The persona, one row (columns of the config `personas`)."""
        return people.people_table([self.log.world.persona])

    @cached_property
    def episodes(self) -> pa.Table:
        """The episodes by episode_id (columns of `D_episodes`)."""
        return diary.diary(self.log)

    @cached_property
    def atomic_questions(self) -> pa.Table:
        """The atomic questions (columns of `D_atomic`)."""
        return atomic.question_table(self)

    @cached_property
    def tables(self) -> dict[str, pa.Table]:
        """The derived tables by name (columns of `D_TABLE`)."""
        return {name: derived_table(self.log, table) for name, table in derived_tables().items()}

    @property
    def years(self) -> tuple[int, int]:
        """First and last year, of which `duration` may have cut the first."""
        last: int = self.log.world.calendar.last_year
        days = [pc.min(self.tables[name]["date"]).as_py() for name in _EVERY_DAY]
        return min((day.year for day in days if day is not None), default=last), last

    @cached_property
    def database(self) -> Database:
        """The derived tables in DuckDB, as the templates of multi-hop questions query them."""
        from .questions.multihop.database import Database  # here, since it loads DuckDB

        return Database(self.tables, self.persona, self.years)


def lifelog(
    density: str, index: int, *, seed: int = spec.SEED, year: int = spec.YEAR, duration: int | None = None
) -> Lifelog:
    """The lifelog of one persona.

    Args:
        density: sparse, medium or dense.
        index: number of the persona, from 0.
        seed: the world.
        year: final year; the birth year is counted back from it.
        duration: years up to and with `year`; None for all from the year of age 18 on.

    Raises:
        ValueError: for an argument that is not allowed; the message says what is.
    """
    options.check_density(density)
    options.check_world(seed, year, duration)
    options.check_index(index)
    return Lifelog(make_log(density, index, seed, year, duration))


def config_schema(config: spec.Config, columns: Sequence[str] | None = None, encoded: bool = False) -> pa.Schema:
    """The Arrow schema of a config, of `columns` only if given; `encoded` as in `config_table`."""
    if config.kind == "episodes":
        schema = diary.ENCODED if encoded else diary.SCHEMA
    elif config.kind == "atomic":
        schema = atomic.SCHEMA
    elif config.kind == "personas":
        schema = people.SCHEMA
    elif config.kind in ("multihop", "extended"):
        from .questions.multihop.table import SCHEMA as schema  # here, since it loads DuckDB
    else:
        schema = derived_tables()[config.kind].schema
    return schema if columns is None else pa.schema([schema.field(name) for name in columns])


def config_table(
    config: spec.Config,
    index: int,
    *,
    seed: int = spec.SEED,
    year: int = spec.YEAR,
    duration: int | None = None,
    columns: Sequence[str] | None = None,
    encoded: bool = False,
    with_table: bool = True,
) -> pa.Table:
    """The rows of one persona in a config; see `lifelog_table`."""
    if config.density is None:
        return people.people_table([make_persona(index, seed, year)], columns)
    one = Lifelog(make_log(config.density, index, seed, year, duration))
    return lifelog_table(config, one, columns, encoded=encoded, with_table=with_table)


def lifelog_table(
    config: spec.Config,
    one: Lifelog,
    columns: Sequence[str] | None = None,
    *,
    encoded: bool = False,
    with_table: bool = True,
) -> pa.Table:
    """The rows of a lifelog in a config; only `columns` if given, and nothing else is made.

    Args:
        encoded: leave the strings of episodes that repeat as dictionaries, which are cheaper to write.
        with_table: whether multi-hop questions carry their evidence as a table.
    """
    if config.kind == "episodes":
        return diary.diary(one.log, columns, encoded)
    if config.kind == "atomic":
        return atomic.question_table(one, columns)
    if config.kind in ("multihop", "extended"):
        from .questions.multihop.table import question_table

        return question_table(one, columns, with_table, config.kind)
    if columns is None:
        return one.tables[config.kind]  # which questions may have made already
    return derived_table(one.log, derived_tables()[config.kind], columns)
