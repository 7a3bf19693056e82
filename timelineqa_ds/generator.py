"""One lifelog in hand: what `timelineqa_ds.lifelog` gives, and what every config of lifelogs is made from."""

from __future__ import annotations

from functools import cached_property

import pyarrow as pa
import pyarrow.compute as pc

from timeline_realtime_qa.display.near import expected

from . import options, spec
from .declared.events import declarations
from .episodes import Log, make_log
from .questions.atomic.table import question_table
from .questions.multihop.queries import Database
from .tables import diary, people
from .tables.derived import derived_table, derived_tables


_EVERY_DAY = ("daily_watchtv", "daily_read", "daily_chat")


class Tables(dict[str, pa.Table]):
    """Derived tables by name."""

    def __missing__(self, name: str) -> pa.Table:
        raise KeyError(f"no table {name}; {expected(name, self)}")


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
        return question_table(self.log, self.streams)

    @cached_property
    def tables(self) -> Tables:
        """The derived tables by name (columns of `D_TABLE`)."""
        return Tables({name: derived_table(self.log, table) for name, table in derived_tables().items()})

    @property
    def years(self) -> tuple[int, int]:
        """First and last year, of which `duration` may have cut the first."""
        last: int = self.log.world.calendar.last_year
        days = [pc.min(self.tables[name]["date"]).as_py() for name in _EVERY_DAY]
        return min((day.year for day in days if day is not None), default=last), last

    @cached_property
    def database(self) -> Database:
        """The derived tables in DuckDB, as the templates of multi-hop questions query them."""
        return Database(self.lifelog_id, self.tables, self.persona, self.years)


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
