"""The templates of multi-hop questions, and a lifelog's derived tables in DuckDB to run them on.

The templates of the paper and the extended ones are declared in ``data/questions``.

Keys of a declaration, where SQL is DuckDB's, one string or a list of lines, with ``$name`` for a bound parameter:

* type: one of `TYPES`; an order has its answers in order. answer: what they are: number, date, text or boolean.
* tables: the derived tables that the evidence is of.
* question: two or more wordings, with ``{name}`` for a parameter.
* draws: ways to draw the parameters, each [percent, sql]: any row of the result is a set of parameters, of which
  `first` and `last` (days) are the scope of the question, which else is the whole lifelog. ``{other}`` stands for the
  SQL of a draw declared before. Draws named zero, none, yes and no promise that answer (0 for zero), which no other
  draw of the template gives: zero and none ask for what never happened. Draws see one lifelog's tables, and the helper
  tables of `Database`. Without draws, the question has no parameters.
* from: the rows that the question is about. sql: the answers, one a row; ``{from}`` stands for `from`.
* evidence: their episode ids; without it, episode_id of the rows of `from`.
* ties, of an argmax: listed (all winners are answers; not asked if there are more than `winners`), skipped (drawn so
  that there are none), or none (a first or last day, which cannot tie).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa

from ...declared.vocabulary import check_known, read_json, vocabulary
from ...world.streams import Ints


FILES = {"multihop": ("multihop",), "extended": ("extended_trips", "extended_days", "extended_life")}  # by config kind
TYPES = ("average", "count", "argmax", "list", "sum", "boolean", "date", "duration", "order")
ANSWER_TYPES = ("number", "date", "text", "boolean")
TIES = ("listed", "skipped", "none")
PROMISED = {"zero": "0", "none": "none", "yes": "yes", "no": "no"}  # answers by the name of a draw
_KEYS = ("type", "answer", "tables", "question", "draws", "from", "sql", "evidence", "ties", "winners")
_ROWS_IDS = "SELECT episode_id {from}"


@dataclass(frozen=True)
class ParameterDraw:
    """A way to draw parameters, taken `percent` times in a hundred."""

    name: str
    percent: int
    sql: str


@dataclass(frozen=True)
class QueryTemplate:
    """A question to be asked of a lifelog, once its parameters are drawn.

    Attributes:
        kind: the question type.
        winners: most answers of an argmax with ties; None for any number.
    """

    name: str
    kind: str
    answer_type: str
    tables: tuple[str, ...]
    wordings: tuple[str, ...]
    draws: tuple[ParameterDraw, ...]
    sql: str
    evidence: str
    ties: str | None
    winners: int | None


@functools.cache
def templates(kind: str = "multihop") -> Mapping[str, QueryTemplate]:
    """The templates of a kind of config (multihop or extended) by name, read once.

    Raises:
        ValueError: if a declaration has an unknown key or value, or lacks one.
    """
    declared = [read_json(f"questions/{file}.json") for file in FILES[kind]]
    return {name: _template(name, value) for part in declared for name, value in part.items()}


def _template(name: str, value: dict[str, Any]) -> QueryTemplate:
    check_known(f"{name}: keys", value, _KEYS)
    check_known(f"{name}: type", [value["type"]], TYPES)
    check_known(f"{name}: answer", [value["answer"]], ANSWER_TYPES)
    check_known(f"{name}: ties", [value["ties"]] if "ties" in value else [], TIES)
    if ("ties" in value) != (value["type"] == "argmax") or ("winners" in value) != (value.get("ties") == "listed"):
        raise ValueError(f"{name}: expected ties for an argmax, and winners where they are listed")
    if len(value["question"]) < 2:
        raise ValueError(f"{name}: expected two or more wordings, found {len(value['question'])}")
    rows = {"from": _lines(value["from"])}
    return QueryTemplate(
        name=name,
        kind=value["type"],
        answer_type=value["answer"],
        tables=tuple(value["tables"]),
        wordings=tuple(value["question"]),
        draws=_draws(name, value.get("draws", {})),
        sql=_filled(_lines(value["sql"]), rows),
        evidence=_filled(_lines(value.get("evidence", _ROWS_IDS)), rows),
        ties=value.get("ties"),
        winners=value.get("winners"),
    )


def _draws(name: str, value: dict[str, list[Any]]) -> tuple[ParameterDraw, ...]:
    known: dict[str, str] = {}
    for draw, (_, sql) in value.items():
        known[draw] = _filled(_lines(sql), known)
    if value and sum(percent for percent, _ in value.values()) != 100:
        raise ValueError(f"{name}: the percents of the draws add up to something else than 100")
    return tuple(ParameterDraw(draw, percent, known[draw]) for draw, (percent, _) in value.items())


def _lines(sql: str | list[str]) -> str:
    return sql if isinstance(sql, str) else " ".join(sql)


def _filled(sql: str, parts: Mapping[str, str]) -> str:
    for name, part in parts.items():
        sql = sql.replace(f"{{{name}}}", part)
    return sql


ParameterValue = str | int | date
Parameters = Mapping[str, ParameterValue]
WIDEST = 9  # years between the first and the last year of a range
_NAME = re.compile(r"\$(\w+)")
# What draws choose from beside the derived tables, persona and destinations (what could be visited).
_HELPERS = (
    "CREATE TABLE years AS SELECT y::INTEGER AS year, make_date(y, 1, 1) AS first, make_date(y, 12, 31) AS last, "
    "make_date(y, 12, 31) - make_date(y, 1, 1) + 1 AS days FROM range({0}, {1} + 1) numbers(y)",
    "CREATE TABLE months AS SELECT year, monthname(d) AS month, d AS first, last_day(d) AS last, "
    "day(last_day(d)) AS days FROM (SELECT year, make_date(year, m, 1) AS d FROM years, range(1, 13) numbers(m))",
    f"CREATE TABLE ranges AS SELECT a.year AS from_year, b.year AS to_year, a.first, b.last FROM years a, years b "
    f"WHERE b.year - a.year BETWEEN 1 AND {WIDEST}",
    "CREATE TABLE whole AS SELECT min(year) AS from_year, max(year) AS to_year, min(first) AS first, "
    "max(last) AS last, count(*) AS periods FROM years",
    # Trips that city, month and year tell from all others.
    "CREATE VIEW trips AS SELECT city, monthname(start_date) AS month, year(start_date) AS year, start_date AS first, "
    "end_date AS last FROM travel QUALIFY count(*) OVER (PARTITION BY city, date_trunc('month', start_date)) = 1",
    "CREATE VIEW children AS SELECT unnest(children, recursive := true) FROM persona",
)


class Database:
    """The tables of one lifelog, and helper tables for draws.

    Args:
        tables: derived tables by name.
        persona: one row, as in the config `personas`.
        years: first and last year of the lifelog.
    """

    def __init__(
        self, lifelog_id: str, tables: Mapping[str, pa.Table], persona: pa.Table, years: tuple[int, int]
    ) -> None:
        import duckdb  # here, since who asks no questions need not load it

        self.lifelog_id, self.tables, self.years = lifelog_id, tables, years
        # One thread: a lifelog's queries are short, and lifelogs are made in parallel processes.
        self._connection = duckdb.connect(config={"threads": 1})
        for name, table in {**tables, "persona": persona}.items():
            self._connection.register(f"arrow_{name}", table)
            # Copied, since a template's four or so queries would each read the whole of an Arrow table again.
            self._connection.execute(f"CREATE TABLE {name} AS SELECT * FROM arrow_{name}")
            self._connection.unregister(f"arrow_{name}")
        for statement in _HELPERS:
            self._connection.execute(statement.format(*years))
        sights = [(place.city, sight) for place in vocabulary().destinations for sight in place.places]
        columns = dict(zip(("city", "place"), zip(*sights, strict=True), strict=True))
        self._connection.register("destinations", pa.table({name: list(words) for name, words in columns.items()}))

    def draw_from(self, sql: str) -> int:
        """Make `sql` what `drawn` takes rows of; how many it has."""
        self._connection.execute(f"CREATE OR REPLACE TEMP TABLE candidates AS {sql}")
        ((count,),) = self._connection.execute("SELECT count(*) FROM candidates").fetchall()
        return int(count)

    def drawn(self, place: int) -> dict[str, ParameterValue]:
        """A row of what `draw_from` has made, in the order of all its columns."""
        result = self._connection.execute(f"SELECT * FROM candidates ORDER BY ALL LIMIT 1 OFFSET {place}")
        names = [column[0] for column in result.description or ()]
        (row,) = result.fetchall()
        return dict(zip(names, row, strict=True))

    def answers(self, sql: str, parameters: Parameters) -> list[str]:
        """The values of the first column as text, without nulls."""
        rows = self._connection.execute(sql, _used(sql, parameters)).fetchall()
        return [as_text(row[0]) for row in rows if row[0] is not None]

    def ids(self, sql: str, parameters: Parameters) -> Ints:
        """The episode ids that `sql` selects, ascending and once each."""
        (ids,) = self._connection.execute(sql, _used(sql, parameters)).fetchnumpy().values()
        return np.unique(ids).astype(np.int64)


def as_text(value: object) -> str:
    """An answer as text: plain integers, averages with two decimals, ISO dates, yes or no."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, int | str | Decimal):
        return str(value)
    raise TypeError(f"expected an answer query to give whole numbers, decimals, dates or texts, found {value!r}")


def finished(sql: str, parameters: Parameters) -> str:
    """`sql` with its parameters written out."""
    return _NAME.sub(lambda match: _literal(parameters[match[1]]), sql)


def _used(sql: str, parameters: Parameters) -> dict[str, ParameterValue]:
    """The parameters that `sql` names: DuckDB refuses others."""
    return {name: parameters[name] for name in _NAME.findall(sql)}


def _literal(value: ParameterValue) -> str:
    if isinstance(value, date):
        return f"DATE '{value.isoformat()}'"
    if isinstance(value, int):
        return str(value)
    return "'" + value.replace("'", "''") + "'"
