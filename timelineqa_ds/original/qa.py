"""QA/db-NAME.json: a hundred atomic and all multi-hop questions of a log, with evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from . import values
from .entries import event_of
from .errors import DataError, short
from .jsonfile import read_json


class Evidence(NamedTuple):
    """An episode that a question gives as evidence, `day` written YYYY-MM-DD."""

    day: str
    number: int
    text: str


@dataclass(frozen=True)
class Asked:
    """A question with the cells of its answer rows; `evidence` may repeat itself."""

    question: str
    answers: Sequence[Sequence[str]]
    evidence: Sequence[Evidence]

    @property
    def numbers(self) -> list[int]:
        """The evidence as distinct episode ids, ascending."""
        return sorted({evidence.number for evidence in self.evidence})


@dataclass(frozen=True)
class QA:
    """The questions of a QA file."""

    path: Path
    atomic: Sequence[Asked]
    multihop: Sequence[Asked]


def read_qa(path: Path) -> QA:
    """The questions of a QA file.

    Raises:
        DataError: naming the question, if one is not as the original program writes it, or the file is not JSON.
    """
    document = read_json(path)
    parts: dict[str, list[Asked]] = {}
    for key in ("atomic-questions", "multihop-questions"):
        listed = document.get(key)
        if not isinstance(listed, list):
            raise DataError(path, f"expected a list of questions, found {short(listed)}", f"key {key!r}")
        parts[key] = [_asked(path, f"{key} {place}", value) for place, value in enumerate(listed)]
    for place, asked in enumerate(parts["atomic-questions"]):
        if [len(row) for row in asked.answers] != [1] or len(asked.evidence) != 1:
            raise DataError(path, "expected one answer and one episode as evidence", f"atomic-questions {place}")
    return QA(path, parts["atomic-questions"], parts["multihop-questions"])


def _asked(path: Path, where: str, value: Any) -> Asked:
    found = value if isinstance(value, dict) else {}
    question, answers, evidence = (found.get(key) for key in ("question", "answer", "evidence_list"))
    if not isinstance(question, str):
        raise DataError(path, f"expected a question, found {short(value)}", where)
    if not isinstance(answers, list) or not all(map(_is_texts, answers)):
        raise DataError(path, f"expected answers as a list of lists of texts, found {short(answers)}", where)
    if not isinstance(evidence, list):
        raise DataError(path, f"expected a list as evidence, found {short(evidence)}", where)
    try:
        return Asked(question, answers, [_evidence(row) for row in evidence])
    except ValueError as error:
        raise DataError(path, f"evidence: {error}", where) from None


def _evidence(row: Any) -> Evidence:
    if not _is_texts(row) or len(row) != 4:
        raise ValueError(f"expected day, key, episode and text, found {short(row)}")
    event_of(row[1])
    return Evidence(values.day(row[0]).isoformat(), values.eid(row[2]), row[3])


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)
