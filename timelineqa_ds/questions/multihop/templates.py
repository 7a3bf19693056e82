"""The templates of multi-hop questions, declared in ``data/questions``: those of the paper and the extended ones.

Keys of a declaration, where SQL is DuckDB's, one string or a list of lines, with ``$name`` for a bound parameter:

* type: one of `TYPES`; an order has its answers in order. answer: what they are: number, date, text or boolean.
* tables: the derived tables that the evidence is of.
* question: two or more wordings, with ``{name}`` for a parameter.
* draws: ways to draw the parameters, each [percent, sql]: any row of the result is a set of parameters, of which
  `first` and `last` (days) are the scope of the question, which else is the whole lifelog. ``{other}`` stands for the
  SQL of a draw declared before. Draws named zero, none, yes and no promise that answer (0 for zero), which no other
  draw of the template gives: zero and none ask for what never happened. Draws see one lifelog's tables, and the helper
  tables of ``multihop_database``. Without draws, the question has no parameters.
* from: the rows that the question is about. sql: the answers, one a row; ``{from}`` stands for `from`.
* evidence: their episode ids; without it, episode_id of the rows of `from`.
* ties, of an argmax: listed (all winners are answers; not asked if there are more than `winners`), skipped (drawn so
  that there are none), or none (a first or last day, which cannot tie).
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...declared.vocabulary import check_known, read_json


FILES = {"multihop": ("multihop",), "extended": ("extended_trips", "extended_days", "extended_life")}  # by config kind
TYPES = ("average", "count", "argmax", "list", "sum", "boolean", "date", "duration", "order")
ANSWER_TYPES = ("number", "date", "text", "boolean")
TIES = ("listed", "skipped", "none")
PROMISED = {"zero": "0", "none": "none", "yes": "yes", "no": "no"}  # answers by the name of a draw
_KEYS = ("type", "answer", "tables", "question", "draws", "from", "sql", "evidence", "ties", "winners")
_ROWS_IDS = "SELECT episode_id {from}"


@dataclass(frozen=True)
class Draw:
    """A way to draw parameters, taken `percent` times in a hundred."""

    name: str
    percent: int
    sql: str


@dataclass(frozen=True)
class Template:
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
    draws: tuple[Draw, ...]
    sql: str
    evidence: str
    ties: str | None
    winners: int | None


@functools.cache
def templates(kind: str = "multihop") -> Mapping[str, Template]:
    """The templates of a kind of config (multihop or extended) by name, read once.

    Raises:
        ValueError: if a declaration has an unknown key or value, or lacks one.
    """
    declared = [read_json(f"questions/{file}.json") for file in FILES[kind]]
    return {name: _template(name, value) for part in declared for name, value in part.items()}


def _template(name: str, value: dict[str, Any]) -> Template:
    check_known(f"{name}: keys", value, _KEYS)
    check_known(f"{name}: type", [value["type"]], TYPES)
    check_known(f"{name}: answer", [value["answer"]], ANSWER_TYPES)
    check_known(f"{name}: ties", [value["ties"]] if "ties" in value else [], TIES)
    if ("ties" in value) != (value["type"] == "argmax") or ("winners" in value) != (value.get("ties") == "listed"):
        raise ValueError(f"{name}: expected ties for an argmax, and winners where they are listed")
    if len(value["question"]) < 2:
        raise ValueError(f"{name}: expected two or more wordings, found {len(value['question'])}")
    rows = {"from": _lines(value["from"])}
    return Template(
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


def _draws(name: str, value: dict[str, list[Any]]) -> tuple[Draw, ...]:
    known: dict[str, str] = {}
    for draw, (_, sql) in value.items():
        known[draw] = _filled(_lines(sql), known)
    if value and sum(percent for percent, _ in value.values()) != 100:
        raise ValueError(f"{name}: the percents of the draws add up to something else than 100")
    return tuple(Draw(draw, percent, known[draw]) for draw, (percent, _) in value.items())


def _lines(sql: str | list[str]) -> str:
    return sql if isinstance(sql, str) else " ".join(sql)


def _filled(sql: str, parts: Mapping[str, str]) -> str:
    for name, part in parts.items():
        sql = sql.replace(f"{{{name}}}", part)
    return sql
