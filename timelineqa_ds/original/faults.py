"""What is wrong with a question of the original: its answer and evidence against those that the log gives."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from .log import OriginalLog
from .queries import OriginalQuestion
from .right import TOP, Right, right
from .templates import fault_kinds


SEPARATOR = "; "
SAME = 1e-9  # relative difference of two averages that are the same
NOT_CHECKED = "not checked"


def known_faults(log: OriginalLog, question: OriginalQuestion) -> tuple[str | None, set[int] | None]:
    """The kinds of fault of a question, joined in the order of `fault_kinds` (None for none), and its right evidence.

    The evidence is None where it cannot be derived.
    """
    if None in question.parameters.values():
        return "asks about nan", None
    try:
        expected = right(log, question.template, question.parameters)
    except FileNotFoundError:
        return NOT_CHECKED, None
    if question.cut and question.sql is None:  # nothing but the QA file is there
        expected = expected.cut()
    faults = {*expected.faults, *_of_answers(question, expected), *_of_evidence(question, expected)}
    if question.cut:
        faults.add("cut at a comma")
    if re.search(r"\btop N\b", question.text):
        faults.add("number never filled")
    return SEPARATOR.join(kind for kind in fault_kinds() if kind in faults) or None, expected.evidence


def _of_answers(question: OriginalQuestion, expected: Right) -> set[str]:
    given = question.answers
    if expected.ranked is not None:
        return _of_ranking(given, expected.ranked)
    if not given and question.template.kind != "list":
        return {"blank"}
    if question.template.kind == "list":
        return _of_list(given, expected)
    if question.template.kind != "argmax":
        return set() if _same(given[0], expected.answers[0]) else {_named(given, expected)}
    if given[0] in expected.answers:
        return {"tie"} if len(expected.answers) > 1 else set()
    return {_named(given, expected)}


def _of_list(given: list[str], expected: Right) -> set[str]:
    faults = {"duplicate items"} if len(set(given)) < len(given) else set()
    return faults if set(given) == set(expected.answers) else faults | {_named(sorted(set(given)), expected)}


def _of_ranking(given: list[str], ranked: Mapping[str, int]) -> set[str]:
    """A list of the most common is right in any order; at its end, others may be as common."""
    last = sorted(ranked.values(), reverse=True)[:TOP][-1:] or [0]
    above = {value for value, count in ranked.items() if count > last[0]}
    level = {value for value, count in ranked.items() if count == last[0]}
    if not above <= set(given) <= above | level or len(set(given)) != min(TOP, len(ranked)):
        return {"wrong answer"}
    return {"tie"} if len(above | level) > TOP else set()


def _named(given: list[str], expected: Right) -> str:
    """The kind of a wrong answer: the known mistake that gives it, if there is one."""
    for kind, mistaken in expected.mistaken.items():
        if given == mistaken or (len(given) == 1 and any(_same(given[0], answer) for answer in mistaken)):
            return kind
    return "arbitrary winner" if given and given[0] in expected.candidates else "wrong answer"


def _same(given: str, expected: str) -> bool:
    if given == expected:
        return True
    try:
        return math.isclose(float(given), float(expected), rel_tol=SAME)
    except ValueError:
        return False


def _of_evidence(question: OriginalQuestion, expected: Right) -> set[str]:
    if question.evidence is None:
        return set()
    given = set(question.evidence)
    if expected.evidence and not given:
        return {"evidence empty"}
    faults = {"evidence incomplete"} if expected.evidence - given else set()
    return faults | {"evidence surplus"} if given - expected.evidence else faults
