"""What is wrong with a question of the original: its answer and evidence against those that the log gives."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from .case import Right
from .right import TOP, right
from .templates import fault_kinds


if TYPE_CHECKING:
    from .lifelog import Log
    from .queries import Question

SEPARATOR = "; "
SAME = 1e-9  # relative difference of two averages that are the same
NOT_CHECKED = "not checked"


def known_faults(log: Log, question: Question) -> tuple[str | None, set[int] | None]:
    """The kinds of fault of a question, joined in the order of `fault_kinds` (None for none), and its right evidence.

    The evidence is None where it cannot be derived.
    """
    if None in question.parameters.values():
        return "asks about nan", None
    try:
        found = right(log, question.template.name, question.parameters)
    except FileNotFoundError:
        return NOT_CHECKED, None
    if question.cut and question.sql is None:  # nothing but the QA file is there
        found = found.cut()
    faults = {*found.faults, *_of_answers(question, found), *_of_evidence(question, found)}
    if question.cut:
        faults.add("cut at a comma")
    if re.search(r"\btop N\b", question.text):
        faults.add("number never filled")
    return SEPARATOR.join(kind for kind in fault_kinds() if kind in faults) or None, found.evidence


def _of_answers(question: Question, found: Right) -> set[str]:
    given = question.answers
    if found.ranked is not None:
        return _of_ranking(given, found.ranked)
    if not given and question.template.kind != "list":
        return {"blank"}
    if question.template.kind == "list":
        return _of_list(given, found)
    if question.template.kind != "argmax":
        return set() if _same(given[0], found.answers[0]) else {_named(given, found)}
    if given[0] in found.answers:
        return {"tie"} if len(found.answers) > 1 else set()
    return {_named(given, found)}


def _of_list(given: list[str], found: Right) -> set[str]:
    faults = {"duplicate items"} if len(set(given)) < len(given) else set()
    return faults if set(given) == set(found.answers) else faults | {_named(sorted(set(given)), found)}


def _of_ranking(given: list[str], ranked: Mapping[str, int]) -> set[str]:
    """A list of the most common is right in any order; at its end, others may be as common."""
    last = sorted(ranked.values(), reverse=True)[:TOP][-1:] or [0]
    above = {value for value, count in ranked.items() if count > last[0]}
    level = {value for value, count in ranked.items() if count == last[0]}
    if not above <= set(given) <= above | level or len(set(given)) != min(TOP, len(ranked)):
        return {"wrong answer"}
    return {"tie"} if len(above | level) > TOP else set()


def _named(given: list[str], found: Right) -> str:
    """The kind of a wrong answer: the known mistake that gives it, if there is one."""
    for kind, mistaken in found.mistaken.items():
        if given == mistaken or (len(given) == 1 and any(_same(given[0], one) for one in mistaken)):
            return kind
    return "arbitrary winner" if given and given[0] in found.candidates else "wrong answer"


def _same(given: str, expected: str) -> bool:
    if given == expected:
        return True
    try:
        return math.isclose(float(given), float(expected), rel_tol=SAME)
    except ValueError:
        return False


def _of_evidence(question: Question, found: Right) -> set[str]:
    if question.evidence is None:
        return set()
    given = set(question.evidence)
    if found.evidence and not given:
        return {"evidence empty"}
    faults = {"evidence incomplete"} if found.evidence - given else set()
    return faults | {"evidence surplus"} if given - found.evidence else faults
