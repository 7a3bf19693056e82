"""The published predictions of one system for one week and setting."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass

from ..files import layout
from ..files.layout import Run, Week
from ..files.source import Source
from ..parsing import text
from ..parsing.errors import short
from ..parsing.jsonl import Row
from ..parsing.report import Report
from .questions import NOTA_SUFFIX, Question
from .snapshot import Backbone, read_rows


_FIELDS = frozenset({"question_id", "prediction", "score"})
_INDEX = re.compile(r"\d{1,9}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Prediction:
    """One prediction; the builder's docstring says what each attribute means."""

    week: datetime.date
    system: str
    setting: str
    question_id: str
    prediction: str
    choice: list[int] | None
    index_base: int | None
    score: float | None
    flags: list[str]


def predictions(source: Source, week: Week, spine: Backbone, report: Report) -> list[Prediction]:
    """All published predictions of a week, by system, setting and question.

    Raises:
        DataError: for a file that does not fit the week's questions or a row of another form.
    """
    published = []
    for run in week.runs:
        rows = read_rows(source, run.path, _FIELDS, report)
        suffix = NOTA_SUFFIX if run.setting == "nota" else ""
        base = None if run.setting == "generation" else _index_base(run, report)
        for question, row in spine.align(rows, run.path, suffix) if rows else ():
            published.append(_prediction(week, run, question, suffix, row, base, report))
    return published


def _index_base(run: Run, report: Report) -> int | None:
    base = layout.index_bases().get(run.system)
    if base is None:
        report.count("undeclared_system", run.path)
    return base


def _prediction(
    week: Week, run: Run, question: Question, suffix: str, row: Row, base: int | None, report: Report
) -> Prediction:
    flags = question.flags_of_id
    if run.setting == "generation":
        said, choice = _generated(row, flags, report), None
    else:
        published = row.texts("prediction")
        said, choice = ",".join(published), _choice(published, base, len(question.choices))
        if choice is None and base is not None:
            report.count("invalid_choice", row.where)
            flags.append("invalid_choice")
    return Prediction(
        week=week.date,
        system=run.system,
        setting=run.setting,
        question_id=question.question_id + suffix,
        prediction=said,
        choice=choice,
        index_base=base,
        score=_score(row, report),
        flags=flags,
    )


def _score(row: Row, report: Report) -> float | None:
    """The system's confidence, published as a string in every file so far; None where there is none."""
    value = row.fields.get("score")
    if value is None:
        return None
    number = text.number(value) if isinstance(value, str) else None
    if number is None:
        raise row.error(f"expected a number as text at 'score', found {short(value)}")
    report.count("score_string", row.where)
    return number


def _generated(row: Row, flags: list[str], report: Report) -> str:
    value = row.fields.get("prediction")
    if isinstance(value, list) and len(value) == 1:
        report.count("generation_list", row.where)
        flags.append("generation_list")
        return row.texts("prediction")[0]
    return row.text("prediction")


def _choice(published: list[str], base: int | None, choices: int) -> list[int] | None:
    """The 0-based choices, or None where one is not the index of a choice ("", "null", a choice's text)."""
    if base is None or not published or not all(_INDEX.fullmatch(item) for item in published):
        return None
    chosen = [int(item) - base for item in published]
    return chosen if all(0 <= index < choices for index in chosen) else None
