"""What configs there are, and all in which their kinds differ: it is looked up here and nowhere else."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import pyarrow as pa

from timeline_realtime_qa.hub.content import files_hash

from . import spec
from .declared.events import declarations
from .declared.vocabulary import DATA, read_json
from .episodes import make_log
from .generator import Lifelog
from .questions.atomic import table as atomic
from .questions.multihop import table as multihop
from .questions.multihop.queries import FILES
from .tables import diary, people
from .tables.derived import DerivedTable, derived_table, derived_tables
from .world.persona import VOCABULARY, make_persona


Columns = Sequence[str] | None
# Files and folders of this package that decide the rows: of any lifelog, and of questions about one.
LIVES = ("declared", "world", "episodes", "tables", "data/events.json")
ASKED = (*LIVES, "generator.py", "data/vocabulary", "data/tables.json")


@dataclass(frozen=True)
class Kind:
    """What the configs of all densities have in common.

    Attributes:
        about: what a row is. columns: what each holds.
        schema: of all columns. encoded: the same where texts that repeat come as dictionaries, if there are such.
        reads: files and folders of this package that decide what the rows are.
        rows: makes those of a lifelog, of the columns asked for, `encoded` and `with_table` as in `Config.table`.
        check: counts what is wrong in a lifelog, given its final year.
    """

    name: str
    about: str
    columns: Mapping[str, str]
    schema: pa.Schema
    reads: tuple[str, ...]
    rows: Callable[[Lifelog, Columns, bool, bool], pa.Table]
    encoded: Callable[[], pa.Schema] | None = None
    check: Callable[[Lifelog, int], Mapping[str, int]] | None = None


@dataclass(frozen=True)
class Config:
    """A kind of rows in a density (None for personas, which have none)."""

    name: str
    density: str | None
    kind: Kind

    def schema(self, columns: Columns = None, encoded: bool = False) -> pa.Schema:
        """The Arrow schema, of `columns` only if given; `encoded` as in `table`."""
        schema = self.kind.encoded() if encoded and self.kind.encoded else self.kind.schema
        return schema if columns is None else pa.schema([schema.field(name) for name in columns])

    def table(
        self, log: Lifelog, columns: Columns = None, *, encoded: bool = False, with_table: bool = True
    ) -> pa.Table:
        """The rows of a lifelog; only `columns` if given, and nothing else is made.

        Args:
            encoded: leave the strings of episodes that repeat as dictionaries, which are cheaper to write.
            with_table: whether multi-hop questions carry their evidence as a table.
        """
        return self.kind.rows(log, columns, encoded, with_table)

    def rows(
        self,
        index: int,
        *,
        seed: int = spec.SEED,
        year: int = spec.YEAR,
        duration: int | None = None,
        columns: Columns = None,
        encoded: bool = False,
        with_table: bool = True,
    ) -> pa.Table:
        """The rows of one persona; see `table`."""
        if self.density is None:
            return people.people_table([make_persona(index, seed, year)], columns)
        log = Lifelog(make_log(self.density, index, seed, year, duration))
        return self.table(log, columns, encoded=encoded, with_table=with_table)

    @property
    def recipe(self) -> str:
        """Hash of the code and data files that decide the rows: with the same arguments, it fixes them."""
        return files_hash(DATA.parent, self.kind.reads)


@functools.cache
def configs() -> Mapping[str, Config]:
    """All configs by name: personas, and D, D_extended, D_episodes, D_atomic and D_TABLE for each density."""
    personas, multi, *kinds = _kinds()
    declared = [Config(personas.name, None, personas)]
    for density in spec.DENSITIES:
        declared += [
            Config(density, density, multi),
            *(Config(f"{density}_{kind.name}", density, kind) for kind in kinds),
        ]
    return MappingProxyType({config.name: config for config in declared})


def _kinds() -> list[Kind]:
    """The kinds of configs, in their order."""
    told = read_json("columns.json")
    personas = Kind(
        "personas",
        "a persona",
        told["personas"],
        people.SCHEMA,
        ("declared", "world", "tables", *_words(VOCABULARY)),
        lambda log, columns, encoded, with_table: people.people_table([log.log.world.persona], columns),
    )
    episodes = Kind(
        "episodes",
        "an episode",
        told["episodes"],
        diary.SCHEMA,
        (*LIVES, "data/vocabulary", "data/templates.json"),
        lambda log, columns, encoded, with_table: diary.diary(log.log, columns, encoded),
        diary.encoded_schema,
        _check_episodes,
    )
    asked = Kind(
        "atomic",
        "an atomic question",
        told["atomic"],
        atomic.SCHEMA,
        (*ASKED, "questions/atomic", "data/templates.json", *_files("questions/atomic_*.json")),
        lambda log, columns, encoded, with_table: atomic.question_table(log.log, log.streams, columns),
        check=_check_atomic,
    )
    return [
        personas,
        _multihop("multihop", "a multi-hop question", told["multihop"]),
        _multihop("extended", "a further multi-hop question", {**told["multihop"], **told["extended"]}),
        episodes,
        asked,
        *map(_derived, derived_tables().values()),
    ]


def _multihop(name: str, about: str, columns: Mapping[str, str]) -> Kind:
    def rows(log: Lifelog, asked: Columns, encoded: bool, with_table: bool) -> pa.Table:
        return multihop.question_table(log.database, log.streams, asked, with_table, name)

    def check(log: Lifelog, year: int) -> Mapping[str, int]:
        from .checks import multihop as checks

        return checks.violations(checks.Case(log), name)

    reads = (*ASKED, "questions/multihop", *(f"data/questions/{file}.json" for file in FILES[name]))
    return Kind(name, about, columns, multihop.SCHEMA, reads, rows, check=check)


def _derived(table: DerivedTable) -> Kind:
    def rows(log: Lifelog, columns: Columns, encoded: bool, with_table: bool) -> pa.Table:
        if columns is None:
            return log.tables[table.name]  # which questions may have made already
        return derived_table(log.log, table, columns)

    keys = {name: read_json("columns.json")["episodes"][name] for name in ("lifelog_id", "episode_id")}
    words = {*VOCABULARY, *(file for event in table.events for file in declarations().events[event].vocabulary)}
    reads = (*LIVES, "data/tables.json", *_words(words))
    return Kind(table.name, table.about, {**keys, **table.meanings}, table.schema, reads, rows)


# The checks are imported where they are asked for, since nothing is made by them.
def _check_episodes(log: Lifelog, year: int) -> Mapping[str, int]:
    from .checks.lifelogs import violations

    return violations(log, year)


def _check_atomic(log: Lifelog, year: int) -> Mapping[str, int]:
    from .checks.atomic import violations

    return violations(log)


def _words(files: Iterable[str]) -> list[str]:
    return [f"data/vocabulary/{file}.json" for file in sorted(files)]


def _files(pattern: str) -> list[str]:
    return sorted(path.relative_to(DATA.parent).as_posix() for path in DATA.glob(pattern))
