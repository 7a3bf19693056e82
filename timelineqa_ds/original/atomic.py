"""Atomic questions: all pairs that the episodes hold, or the hundred of the QA file where NAME.json is missing.

They are as the original asks them: some fit several episodes with different answers, and some answers are not in the
text (their `answer_start` is empty).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import pyarrow as pa

from ..questions.atomic.table import SCHEMA
from .log import OriginalLog
from .queries import read_qa


_TYPES = (
    ("how long", re.compile(r"\s*how long\b", re.I)),
    ("when", re.compile(r"\s*when\b", re.I)),
    ("where", re.compile(r"\s*where\b", re.I)),
    ("who", re.compile(r"\s*(?:with )?whom?\b", re.I)),
)
_DAY = len("2022/01/31, ")


class AtomicPair(NamedTuple):
    """A question and its answer, with the number of its episode and the context "YYYY/MM/DD, text"."""

    question: str
    answer: str
    number: int
    context: str

    @property
    def text(self) -> str:
        """The text of the episode."""
        return self.context[_DAY:]


def pairs(log: OriginalLog) -> list[AtomicPair]:
    """The questions of a log, by day.

    Raises:
        FileNotFoundError: if neither NAME.json nor the QA file is there.
    """
    if log.entries is not None:
        in_context = [(row, _context(row.start, row.text)) for row in log.entries.rows]
        return [AtomicPair(q, a, row.number, context) for row, context in in_context for q, a in row.pairs]
    if log.place.qa is None:
        raise FileNotFoundError(
            f"{log.place.name}: atomic questions need {log.json_name} in its folder, or QA/db-{log.json_name}"
        )
    return [
        AtomicPair(asked.text, asked.answers[0][0], episode.number, _context(episode.day, episode.text))
        for asked in read_qa(log.place.qa).atomic
        for episode in asked.evidence
    ]


def question_table(log: OriginalLog, columns: Sequence[str] | None = None) -> pa.Table:
    """The columns of `D_atomic`; only `columns` if given."""
    rows = [
        {
            "id": f"{log.lifelog_id}-a-{number:05d}",
            "lifelog_id": log.lifelog_id,
            "question": pair.question,
            "question_type": question_type(pair.question, pair.answer),
            "context": pair.context,
            "answers": {"text": [pair.answer], "answer_start": _start(pair.answer, pair.context)},
            "evidence": [pair.number],
        }
        for number, pair in enumerate(pairs(log))
    ]
    return pa.Table.from_pylist(rows, SCHEMA).select(SCHEMA.names if columns is None else list(columns))


def question_type(question: str, answer: str) -> str:
    """The type that the first words of a question ask for."""
    if answer in ("yes", "no"):
        return "yes/no"
    return next((name for name, pattern in _TYPES if pattern.match(question)), "what")


def _context(day: str, text: str) -> str:
    return f"{day.replace('-', '/')}, {text}"


def _start(answer: str, context: str) -> list[int]:
    """Where the answer begins in the text, as whole words, or else in the day before it; empty for nowhere."""
    if answer in ("yes", "no", ""):
        return []
    place = context.find(answer, _DAY)
    while place >= 0 and not _is_whole(context, place, place + len(answer)):
        place = context.find(answer, place + 1)
    if place < 0:
        return [0] if context.startswith(f"{answer},") else []
    return [place]


def _is_whole(context: str, first: int, stop: int) -> bool:
    return not (
        (context[first].isalnum() and context[first - 1].isalnum())
        or (context[stop - 1].isalnum() and context[stop : stop + 1].isalnum())
    )
