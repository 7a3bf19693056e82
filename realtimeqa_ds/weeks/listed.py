"""Questions of the public repository that only reading, or comparing weeks, tells something about, with reasons."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass

from ..spec import DATA


@dataclass(frozen=True)
class Listed:
    """A flag that some questions get, why, and who says so; `questions` maps ids to their `content_key`."""

    flag: str
    reason: str
    source: str
    questions: Mapping[str, str]


@functools.cache
def listed() -> list[Listed]:
    """The list of `data/listed.json`."""
    return [Listed(**row) for row in json.loads((DATA / "listed.json").read_text(encoding="utf-8"))]


@functools.cache
def _by_question() -> dict[tuple[str, str], list[str]]:
    flags: dict[tuple[str, str], list[str]] = {}
    for row in listed():
        for question in row.questions.items():
            flags.setdefault(question, []).append(row.flag)
    return flags


def flags(question_id: str, content_key: str) -> list[str]:
    """The listed flags of a question; none for another question under the same id."""
    return _by_question().get((question_id, content_key), [])
