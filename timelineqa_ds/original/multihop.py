"""Multi-hop questions of the original as rows, our own columns and what is wrong with each, and the count of it."""

from __future__ import annotations

import calendar
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from .. import options
from ..questions.multihop import table as generated
from ..questions.multihop.table import HIDDEN, TABLE, Evidence, as_struct
from . import atomic
from .faults import SEPARATOR, known_faults
from .folder import places
from .log import OriginalLog
from .queries import QUERIES, OriginalQuestion, questions
from .tables import file_name
from .templates import fault_kinds


SCHEMA = generated.SCHEMA.append(pa.field("known_fault", pa.string()))
SQL_MARK = "-- SQLite, of the original program; it asks the original's tables, not these\n"


@dataclass(frozen=True)
class CheckedQuestion:
    """A question of a log; its checks run when first asked for."""

    log: OriginalLog
    question: OriginalQuestion

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


def checked(log: OriginalLog) -> list[CheckedQuestion]:
    """The multi-hop questions of a log, by template."""
    return [CheckedQuestion(log, question) for question in questions(log)]


def question_table(log: OriginalLog, columns: Sequence[str] | None = None, with_table: bool = True) -> pa.Table:
    """The columns of `D` and `known_fault`; only `columns` if given, and nothing else is made.

    Args:
        with_table: else the column `table` is null.
    """
    names = SCHEMA.names if columns is None else list(columns)
    asked = checked(log)
    made = [
        _tables(asked, with_table)
        if name == "table"
        else pa.array([_VALUES[name](row) for row in asked], SCHEMA.field(name).type)
        for name in names
    ]
    return pa.table(made, schema=pa.schema([SCHEMA.field(name) for name in names]))


def _tables(asked: list[CheckedQuestion], with_table: bool) -> pa.Array:
    shown = [row.shown if with_table else None for row in asked]
    there = [evidence for evidence in shown if evidence is not None]
    if not there:
        return pa.nulls(len(asked), TABLE)
    places = iter(range(len(there)))
    taken = [None if evidence is None else next(places) for evidence in shown]
    return as_struct(there).take(pa.array(taken, pa.int32()))


_VALUES: dict[str, Callable[[CheckedQuestion], object]] = {
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


@dataclass
class FaultReport:
    """Counts over some logs.

    Attributes:
        asked: multi-hop questions by template.
        faulty: those with any fault, by template.
        kinds: by template, how often each kind of fault.
        atomic: atomic questions: pairs, distinct (questions of a log), ambiguous (those with several answers), and
            not_in_text (pairs whose answer, other than yes and no, is not in the text).
    """

    logs: int = 0
    asked: Counter[str] = field(default_factory=Counter)
    faulty: Counter[str] = field(default_factory=Counter)
    kinds: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    atomic: Counter[str] = field(default_factory=Counter)

    def add(self, log: OriginalLog) -> None:
        """Count the questions of a log."""
        self.logs += 1
        if log.has(QUERIES) or log.place.qa is not None:
            for row in checked(log):
                name, faults = row.question.template.name, row.known_fault
                self.asked[name] += 1
                self.faulty[name] += faults is not None
                self.kinds[name].update(faults.split(SEPARATOR) if faults else [])
        if log.has(log.json_name) or log.place.qa is not None:
            self.atomic.update(_atomic(atomic.pairs(log)))

    def lines(self) -> Iterator[str]:
        """The table as it is printed."""
        yield f"{'template':9} {'asked':>6} {'faulty':>6}  kinds of fault"
        for name, asked in sorted(self.asked.items()):
            kinds = ", ".join(f"{kind} {self.kinds[name][kind]}" for kind in fault_kinds() if self.kinds[name][kind])
            yield f"{name:9} {asked:6} {self.faulty[name]:6}  {kinds}".rstrip()
        yield f"{'all':9} {self.asked.total():6} {self.faulty.total():6}"
        if self.atomic:
            yield "atomic    " + ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in self.atomic.items())

    def as_json(self) -> dict[str, object]:
        """The counts for a machine to read."""
        return {
            "logs": self.logs,
            "templates": {
                name: {"asked": asked, "faulty": self.faulty[name], "kinds": dict(self.kinds[name])}
                for name, asked in sorted(self.asked.items())
            },
            "atomic": dict(self.atomic),
        }


def report(data_dir: str | Path, lifelogs: str | None = None) -> FaultReport:
    """The faults of all logs of a folder, or of those with some numbers."""
    wanted = None if lifelogs is None else set(options.lifelog_indices(lifelogs))
    counts = FaultReport()
    for place in places(data_dir):
        if wanted is None or place.number in wanted:
            counts.add(OriginalLog(place))
    if not counts.logs:
        raise FileNotFoundError(f"{data_dir}: expected logs numbered {lifelogs}, found none")
    return counts


def _atomic(pairs: list[atomic.AtomicPair]) -> dict[str, int]:
    answers: defaultdict[str, set[str]] = defaultdict(set)
    for pair in pairs:
        answers[pair.question].add(pair.answer)
    ambiguous = sum(len(some) > 1 for some in answers.values())
    lacking = sum(pair.answer not in ("yes", "no") and pair.answer not in pair.text for pair in pairs)
    return {"pairs": len(pairs), "distinct": len(answers), "ambiguous": ambiguous, "not_in_text": lacking}
