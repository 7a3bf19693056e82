"""Multi-hop questions of the original as rows: the columns of our own, and what is wrong with each."""

from __future__ import annotations

import calendar
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from ..questions.multihop import table as generated
from ..questions.multihop.database import HIDDEN, TABLE, Evidence, as_struct
from .faults import known_faults
from .queries import Question, questions
from .tables import file_name


if TYPE_CHECKING:
    from .lifelog import Log

SCHEMA = generated.SCHEMA.append(pa.field("known_fault", pa.string()))
SQL_MARK = "-- SQLite, of the original program; it asks the original's tables, not these\n"


@dataclass(frozen=True)
class Row:
    """A question of a log; its checks run when first asked for."""

    log: Log
    question: Question

    @cached_property
    def _checked(self) -> tuple[str | None, set[int] | None]:
        return known_faults(self.log, self.question)

    @property
    def known_fault(self) -> str | None:
        """The kinds of its faults; None for none."""
        return self._checked[0]

    @property
    def evidence(self) -> list[int] | None:
        """The evidence of the QA file, or else what is right; None if neither is known."""
        if self.question.evidence is not None:
            return self.question.evidence
        return None if self._checked[1] is None else sorted(self._checked[1])

    @property
    def shown(self) -> Evidence | None:
        """The rows of the evidence in the derived table; None without its CSV."""
        name, ids = self.question.template.tables[0], self.evidence
        if ids is None or not self.log.has(file_name(name)):
            return None
        table = self.log.table(name)
        kept = table.filter(pc.is_in(table["episode_id"], pa.array(ids, pa.int32())))
        return Evidence(name, kept.drop_columns(list(HIDDEN)))

    @property
    def scope(self) -> tuple[date | None, date | None]:
        """First and last day of what is asked about."""
        parameters, years = self.question.parameters, self.log.years
        year = parameters.get("year") or parameters.get("start_year")
        if year is None:
            return (date(years[0], 1, 1), date(years[1], 12, 31)) if years else (None, None)
        if self.question.template.name in ("q14", "q16"):  # since a year, after a year
            first = date(year + (self.question.template.name == "q16"), 1, 1)
            return first, date(max(years[1], first.year), 12, 31) if years else None
        if "month" in parameters:
            month = parameters["month"]
            return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])
        return date(year, 1, 1), date(year, 12, 31)


def rows(log: Log) -> list[Row]:
    """The multi-hop questions of a log, by template."""
    return [Row(log, question) for question in questions(log)]


def question_table(log: Log, columns: Sequence[str] | None = None, with_table: bool = True) -> pa.Table:
    """The columns of `D` and `known_fault`; only `columns` if given, and nothing else is made.

    Args:
        with_table: else the column `table` is null.
    """
    names = SCHEMA.names if columns is None else list(columns)
    found = rows(log)
    made = [
        _tables(found, with_table)
        if name == "table"
        else pa.array([_VALUES[name](row) for row in found], SCHEMA.field(name).type)
        for name in names
    ]
    return pa.table(made, schema=pa.schema([SCHEMA.field(name) for name in names]))


def _tables(found: list[Row], with_table: bool) -> pa.Array:
    shown = [row.shown if with_table else None for row in found]
    there = [evidence for evidence in shown if evidence is not None]
    if not there:
        return pa.nulls(len(found), TABLE)
    places = iter(range(len(there)))
    return as_struct(there).take(pa.array([None if one is None else next(places) for one in shown], pa.int32()))


_VALUES: dict[str, Callable[[Row], Any]] = {
    "id": lambda row: f"{row.log.lifelog_id}-{row.question.template.name}",
    "lifelog_id": lambda row: row.log.lifelog_id,
    "question": lambda row: row.question.text,
    "question_type": lambda row: row.question.template.kind,
    "template": lambda row: row.question.template.name,
    "answers": lambda row: row.question.answers,
    "answer_type": lambda row: row.question.template.answer_type,
    "evidence": lambda row: row.evidence,
    "scope_start": lambda row: row.scope[0],
    "scope_end": lambda row: row.scope[1],
    "sql": lambda row: None if row.question.sql is None else SQL_MARK + row.question.sql,
    "known_fault": lambda row: row.known_fault,
}
