"""What multi-hop questions promise, counted: every number of `violations` is 0 where all is well."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..generator import Lifelog
from ..streams import Ints
from .multihop import Question, ask
from .multihop_database import as_text, finished
from .multihop_templates import ZERO


DROPPED = 5  # evidence rows of a question that are left out, one at a time
RULES = (
    "sql gives other answers than the row has",
    "sql gives other answers on the evidence alone",
    "the evidence query does not find the evidence again",
    "a count or average that does not need one of its evidence rows",
    "evidence that is not ascending and unique",
    "evidence that its table does not have",
    "a question asked twice",
    "a question with a blank",
    "a zero count that was not meant, or one that was and is not zero",
    "a scope that ends before it starts",
)


def violations(lifelog: Lifelog) -> dict[str, int]:
    """How often each rule is broken by the questions of a lifelog."""
    questions = ask(lifelog)
    runner = _Runner(lifelog.tables)
    found: Counter[str] = Counter(dict.fromkeys(RULES, 0))
    for question in questions:
        found.update(rule for rule, broken in zip(RULES[:4], _queries(question, runner), strict=True) if broken)
    for question in questions:
        known = lifelog.tables[question.template.table]["episode_id"].to_numpy()
        found.update(rule for rule, broken in zip(RULES[4:], _values(question, known), strict=True) if broken)
    found[RULES[6]] += len(questions) - len({question.text for question in questions})
    return {rule: found[rule] for rule in RULES}


class _Runner:
    """Finished queries, run on the rows that some episodes have in the derived tables."""

    def __init__(self, tables: Mapping[str, pa.Table]) -> None:
        self._tables = tables
        self._connection = duckdb.connect(config={"threads": 1})

    def values(self, sql: str, ids: Ints | None = None) -> list[str]:
        for name in set(re.findall(r"\w+", sql)) & self._tables.keys():
            table = self._tables[name]
            kept = table if ids is None else table.filter(pc.is_in(table["episode_id"], pa.array(ids, pa.int32())))
            self._connection.register(name, kept)
        return [as_text(row[0]) for row in self._connection.execute(sql).fetchall() if row[0] is not None]


def _queries(question: Question, runner: _Runner) -> tuple[bool, bool, bool, bool]:
    sql, ids = question.sql, question.evidence
    again = runner.values(finished(question.template.evidence, question.parameters), ids)
    needless = False
    if question.template.kind in ("count", "average") and len(ids):
        dropped = np.unique(np.linspace(0, len(ids) - 1, DROPPED).astype(np.int64))
        needless = any(runner.values(sql, np.delete(ids, one)) == question.answers for one in dropped)
    return (
        runner.values(sql) != question.answers,
        runner.values(sql, ids) != question.answers,
        {int(one) for one in again} != set(ids.tolist()),
        needless,
    )


def _values(question: Question, known: Ints) -> tuple[bool, ...]:
    values = [str(value) for value in question.parameters.values()]
    joined = question.joined
    return (
        bool((np.diff(question.evidence) <= 0).any()),
        not np.isin(question.evidence, known).all() if joined is None else joined.num_rows == 0,
        False,  # counted over all questions
        any(word in ("", "None", "nan") for word in [*values, *question.answers]) or "{" in question.text,
        _zero_unmeant(question),
        bool(question.parameters["first"] > question.parameters["last"]),  # type: ignore[operator]
    )


def _zero_unmeant(question: Question) -> bool:
    """A zero count comes from the draw of that name and only from it; without a draw, it is what it is."""
    zero = question.template.kind == "count" and question.answers == ["0"]
    return question.draw is not None and zero != (question.draw == ZERO)
