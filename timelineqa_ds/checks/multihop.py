"""What multi-hop questions promise, counted: every number of `violations` is 0 where all is well."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..generator import Lifelog
from ..questions.multihop.queries import PROMISED, as_text, finished
from ..questions.multihop.table import MultihopQuestion, ask
from ..world.streams import Ints
from .oracle import Tables, Unclear, answered


PAIRS = 10_000_000  # rows of a question's evidence, times how often it is queried with one of them left out
NEED_ALL = ("count", "sum", "average")  # question types whose answer every row of the evidence changes


class Case:
    """What the questions of a lifelog are held against.

    Attributes:
        lifelog: itself.
        tables: the derived tables.
        rows: the same as Python values.
    """

    def __init__(self, lifelog: Lifelog) -> None:
        self.lifelog = lifelog
        self.tables = lifelog.tables
        self.rows: Tables = {name: table.to_pylist() for name, table in lifelog.tables.items()}
        import duckdb  # here, for the same reason as in `Database`

        self._connection = duckdb.connect(config={"threads": 1})

    def answers(self, sql: str, ids: Ints | None = None) -> list[str]:
        """What `sql` gives, on the rows of these episodes only if given."""
        for name in self._named(sql):
            self._show(name, self.tables[name] if ids is None else self._cut(name, ids))
        return [as_text(row[0]) for row in self._connection.execute(sql).fetchall() if row[0] is not None]

    def needless(self, question: MultihopQuestion) -> int:
        """How many rows of the evidence can be left out, one at a time, without another answer.

        All are tried, or evenly spaced ones where there are very many. One query tries them all: the evidence without
        a row is shown as a lifelog of its own.
        """
        ids = question.evidence
        tried = np.unique(np.linspace(0, len(ids) - 1, min(len(ids), PAIRS // len(ids))).astype(np.int64))
        left_out = ids[tried]
        self._show("left_out", pa.table({"lifelog": [str(one) for one in left_out], "id": left_out}))
        for name in self._named(question.sql):
            self._show(f"{name}_evidence", self._cut(name, ids))
            self._connection.execute(
                f"CREATE OR REPLACE TEMP VIEW {name} AS SELECT e.* REPLACE (o.lifelog AS lifelog_id) "
                f"FROM {name}_evidence e JOIN left_out o ON e.episode_id <> o.id"
            )
        sql = question.sql.replace(f"'{self.lifelog.lifelog_id}'", "o.lifelog")
        values = self._connection.execute(f"SELECT ({sql}) FROM left_out o").fetchall()
        for name in self._named(question.sql):
            self._connection.execute(f"DROP VIEW {name}")
        return sum(value is not None and [as_text(value)] == question.answers for (value,) in values)

    def _named(self, sql: str) -> set[str]:
        return set(re.findall(r"\w+", sql)) & self.tables.keys()

    def _show(self, name: str, table: pa.Table) -> None:
        self._connection.register(name, table)

    def _cut(self, name: str, ids: Ints) -> pa.Table:
        table = self.tables[name]
        return table.filter(pc.is_in(table["episode_id"], pa.array(ids, pa.int32())))


def _other_answers(question: MultihopQuestion, case: Case) -> bool:
    return case.answers(question.sql) != question.answers


def _other_answers_on_evidence(question: MultihopQuestion, case: Case) -> bool:
    return case.answers(question.sql, question.evidence) != question.answers


def _other_evidence_on_evidence(question: MultihopQuestion, case: Case) -> bool:
    ids = case.answers(finished(question.template.evidence, question.parameters), question.evidence)
    return {int(one) for one in ids} != set(question.evidence.tolist())


def _needless_evidence(question: MultihopQuestion, case: Case) -> bool:
    return question.template.kind in NEED_ALL and len(question.evidence) > 0 and case.needless(question) > 0


def _other_than_independent(question: MultihopQuestion, case: Case) -> bool:
    ordered = question.template.kind == "order"
    try:
        answers, ids = answered(case.rows, question.template.name, question.parameters, ordered)
    except Unclear:
        return True
    mine = question.answers if ordered else sorted(question.answers)
    return (mine, question.evidence.tolist()) != (answers, ids)


def _not_a_set(question: MultihopQuestion, case: Case) -> bool:
    return bool((np.diff(question.evidence) <= 0).any())


def _not_in_its_tables(question: MultihopQuestion, case: Case) -> bool:
    known = np.concatenate([case.tables[name]["episode_id"].to_numpy() for name in question.template.tables])
    return not np.isin(question.evidence, known).all()


def _blank(question: MultihopQuestion, case: Case) -> bool:
    words = [*map(str, question.parameters.values()), *question.answers]
    return any(word in ("", "None", "nan") for word in words) or "{" in question.text


def _not_as_drawn(question: MultihopQuestion, case: Case) -> bool:
    """Draws named zero, none, yes and no give that answer; those beside zero and none give others."""
    draws = {draw.name for draw in question.template.draws} & PROMISED.keys()
    if question.draw in PROMISED:
        return question.answers != [PROMISED[question.draw]]
    return any(question.answers == [PROMISED[name]] for name in draws)


def _backward(question: MultihopQuestion, case: Case) -> bool:
    first, last = question.parameters["first"], question.parameters["last"]
    return not (isinstance(first, date) and isinstance(last, date) and first <= last)


RULES: Mapping[str, Callable[[MultihopQuestion, Case], bool]] = {
    "sql gives other answers than the row has": _other_answers,
    "sql gives other answers on the evidence alone": _other_answers_on_evidence,
    "the evidence query does not find the evidence again": _other_evidence_on_evidence,
    "a count, sum or average that does not need one of its evidence rows": _needless_evidence,
    "independent code gives other answers or evidence": _other_than_independent,
    "evidence that is not ascending and unique": _not_a_set,
    "evidence that its tables do not have": _not_in_its_tables,
    "a question with a blank": _blank,
    "a zero, none, yes or no other than drawn": _not_as_drawn,
    "a scope that ends before it starts": _backward,
}
REPEATED = "a question asked twice"


def violations(case: Case, kind: str = "multihop") -> dict[str, int]:
    """How often each rule is broken by the questions of a lifelog, of a kind of config (multihop or extended)."""
    questions = ask(case.lifelog.database, case.lifelog.streams, kind)
    broken = Counter(rule for question in questions for rule, is_broken in RULES.items() if is_broken(question, case))
    repeated = len(questions) - len({question.text for question in questions})
    return {**{rule: broken[rule] for rule in RULES}, REPEATED: repeated}
