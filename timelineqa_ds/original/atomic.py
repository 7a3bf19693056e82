"""Atomic questions: all pairs that the episodes hold, or the hundred of the QA file where NAME.json is missing.

They are as the original asks them: some fit several episodes with different answers, and some answers are not in the
text (their `answer_start` is empty).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from ..columns import repeated
from ..questions.atomic import SCHEMA
from ..streams import Ints
from .log import OriginalLog
from .queries import read_qa


_TYPES = (
    ("how long", re.compile(r"\s*how long\b", re.I)),
    ("when", re.compile(r"\s*when\b", re.I)),
    ("where", re.compile(r"\s*where\b", re.I)),
    ("who", re.compile(r"\s*(?:with )?whom?\b", re.I)),
)
_DAY = len("2022/01/31, ")


@dataclass(frozen=True)
class AtomicPairs:
    """Questions and answers, each with the place of its episode in `contexts` ("YYYY/MM/DD, text") and `numbers`."""

    questions: Sequence[str]
    answers: Sequence[str]
    episodes: Ints
    contexts: Sequence[str]
    numbers: Sequence[int]

    def __len__(self) -> int:
        return len(self.questions)

    def text(self, place: int) -> str:
        """The text of the episode of a question."""
        return self.contexts[int(self.episodes[place])][_DAY:]


def pairs(log: OriginalLog) -> AtomicPairs:
    """The questions of a log, by day.

    Raises:
        FileNotFoundError: if neither NAME.json nor the QA file is there.
    """
    if log.entries is not None:
        rows = log.entries.rows
        flat = list(itertools.chain.from_iterable(pair for row in rows for pair in row.pairs))
        episodes = np.repeat(np.arange(len(rows)), [len(row.pairs) for row in rows])
        contexts = [_context(row.start, row.text) for row in rows]
        return AtomicPairs(flat[::2], flat[1::2], episodes, contexts, [row.number for row in rows])
    if log.place.qa is None:
        raise FileNotFoundError(
            f"{log.place.name}: atomic questions need {log.json_name} in its folder, or QA/db-{log.json_name}"
        )
    asked = read_qa(log.place.qa).atomic
    evidence = [question.evidence[0] for question in asked]
    return AtomicPairs(
        [question.text for question in asked],
        [question.answers[0][0] for question in asked],
        np.arange(len(asked)),
        [_context(episode.day, episode.text) for episode in evidence],
        [episode.number for episode in evidence],
    )


def question_table(log: OriginalLog, columns: Sequence[str] | None = None) -> pa.Table:
    """The columns of `D_atomic`; only `columns` if given."""
    asked = pairs(log)
    names = SCHEMA.names if columns is None else list(columns)
    made = [_column(name, log, asked) for name in names]
    return pa.table(made, schema=pa.schema([SCHEMA.field(name) for name in names]))


def question_type(question: str, answer: str) -> str:
    """The type that the first words of a question ask for."""
    if answer in ("yes", "no"):
        return "yes/no"
    return next((name for name, pattern in _TYPES if pattern.match(question)), "what")


def _context(day: str, text: str) -> str:
    return f"{day.replace('-', '/')}, {text}"


def _column(name: str, log: OriginalLog, asked: AtomicPairs) -> pa.Array:
    if name == "id":
        return pa.array([f"{log.lifelog_id}-a-{number:05d}" for number in range(len(asked))], pa.string())
    if name == "lifelog_id":
        return repeated(log.lifelog_id, len(asked))
    if name == "question":
        return pa.array(asked.questions, pa.string())
    if name == "question_type":
        return pa.array(map(question_type, asked.questions, asked.answers), pa.string(), size=len(asked))
    if name == "context":
        return pa.array(asked.contexts, pa.string()).take(pa.array(asked.episodes))
    if name == "evidence":
        return _lists(np.ones(len(asked)), pa.array(asked.numbers, pa.int32()).take(pa.array(asked.episodes)))
    places = [
        _start(answer, asked.contexts[episode])
        for answer, episode in zip(asked.answers, asked.episodes.tolist(), strict=True)
    ]
    known = np.array([place is not None for place in places], dtype=np.bool_)
    starts = pa.array([place for place in places if place is not None], pa.int32())
    texts = _lists(np.ones(len(asked)), pa.array(asked.answers, pa.string()))
    return pa.StructArray.from_arrays([texts, _lists(known, starts)], fields=list(SCHEMA.field(name).type))


def _lists(sizes: np.ndarray[tuple[int], np.dtype[np.generic]], values: pa.Array) -> pa.Array:
    offsets = np.zeros(len(sizes) + 1, dtype=np.int32)
    np.cumsum(sizes, out=offsets[1:])
    return pa.ListArray.from_arrays(pa.array(offsets), values)


def _start(answer: str, context: str) -> int | None:
    """Where the answer begins in the text, as whole words, or else in the day before it; None for nowhere."""
    if answer in ("yes", "no", ""):
        return None
    place = context.find(answer, _DAY)
    while place >= 0 and not _is_whole(context, place, place + len(answer)):
        place = context.find(answer, place + 1)
    if place < 0:
        return 0 if context.startswith(f"{answer},") else None
    return place


def _is_whole(context: str, first: int, stop: int) -> bool:
    return not (
        (context[first].isalnum() and context[first - 1].isalnum())
        or (context[stop - 1].isalnum() and context[stop : stop + 1].isalnum())
    )
