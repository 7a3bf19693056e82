"""queries.csv, qN-result.csv and the QA file: the multi-hop questions of a log as the original has them."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import values
from .errors import DataError, short
from .qa import QA, Asked, read_qa
from .sheet import read_sheet
from .templates import Template, recognised, templates


if TYPE_CHECKING:
    from pathlib import Path

    from .lifelog import Log

QUERIES = "queries.csv"
MONTHS = "January February March April May June July August September October November December".split()
_NUMBERS = ("year", "start_year", "month")
_NAN = "nan"


@dataclass(frozen=True)
class Question:
    """A question of the original.

    Attributes:
        parameters: what it asks about; None for one that the original drew from the blanks of a table.
        sql: the original's SQLite query; None if only the QA file is there.
        answers: one text for each row of the answer, without the blank ones.
        cut: whether the QA file has a part of an answer only.
        evidence: ids that the QA file gives, ascending; None if it has none for this question.
    """

    template: Template
    text: str
    parameters: Mapping[str, Any]
    sql: str | None
    answers: list[str]
    cut: bool
    evidence: list[int] | None


def questions(log: Log) -> list[Question]:
    """The multi-hop questions of a log, by template.

    Raises:
        FileNotFoundError: if there is neither queries.csv nor a QA file, or a result file is missing.
        DataError: naming file and row, for one that the original would not write.
    """
    qa = read_qa(log.place.qa) if log.place.qa else None
    if qa is not None:
        _check_evidence(log, qa)
    if log.has(QUERIES):
        found = _from_queries(log, qa)
    elif qa is not None:
        found = [_from_qa(qa, place, asked) for place, asked in enumerate(qa.multihop)]
    else:
        raise FileNotFoundError(
            f"{log.place.name}: multi-hop questions need {QUERIES} and qN-result.csv in its folder, or "
            f"QA/db-{log.json_name}"
        )
    return sorted(found, key=lambda question: question.template.name)


def _check_evidence(log: Log, qa: QA) -> None:
    """The evidence is of this log: its episodes are there, on the same days."""
    if log.entries is None:
        return
    for place, asked in enumerate(qa.multihop):
        for evidence in asked.evidence:
            entry = log.entries.by_number.get(evidence.number)
            if entry is None or entry.start != evidence.day:
                message = f"expected an episode of {log.json_name}, found e{evidence.number} on {evidence.day}"
                raise DataError(qa.path, f"evidence: {message}", f"multihop-questions {place}")


def _from_queries(log: Log, qa: QA | None) -> list[Question]:
    path = log.file(QUERIES)
    sheet = read_sheet(path, ["q_id", "query", "params", "question", "answer_column"])
    told = {} if qa is None else {asked.question: place for place, asked in enumerate(qa.multihop)}
    found: dict[str, Question] = {}
    for row, name in enumerate(sheet.columns["q_id"]):
        template = templates().get(f"q{name[1:]:0>2}")
        text = sheet.columns["question"][row]
        if template is None or name != f"q{int(template.name[1:])}" or not template.pattern.search(text):
            raise sheet.error(row, f"expected one of q1 .. q42 with its question, found {name!r} with {short(text)}")
        if template.name in found:
            raise sheet.error(row, f"expected each query once, found {name} again")
        try:
            parameters = _parameters(template, text, sheet.columns["params"][row])
        except ValueError as error:
            raise sheet.error(row, f"params: {error}") from None
        result = log.file(template.result)
        cells = read_result(result, template)
        if cells is None:
            raise DataError(result, f"expected the answer to {name} of {QUERIES}, found none", "line 1")
        answers = _answers(template, cells, result)
        place = told.pop(text, None)
        cut, evidence = (False, None) if qa is None or place is None else _told(qa, place, result, cells)
        found[template.name] = Question(
            template, text, parameters, sheet.columns["query"][row], answers, cut, evidence
        )
    _check_complete(log, found, told)
    return list(found.values())


def _check_complete(log: Log, found: Mapping[str, Question], told: Mapping[str, int]) -> None:
    """Nothing that is answered elsewhere is missing: queries.csv may have been cut off between two rows."""
    for template in templates().values():
        lacking = template.name not in found and log.has(template.result)
        if lacking and read_result(log.file(template.result), template) is not None:
            message = f"expected the question that {template.result} answers, found none: the file is cut off"
            raise DataError(log.file(QUERIES), message, "last line")
    for text, place in told.items():
        message = f"expected a question of {QUERIES}, found {short(text)}: the files are of two runs, keep one of them"
        raise DataError(log.place.qa or "", message, f"multihop-questions {place}")


def _told(qa: QA, place: int, result: Path, cells: Sequence[Sequence[str]]) -> tuple[bool, list[int]]:
    """Whether the QA file cuts the answer of the result file (they must agree otherwise), and its evidence."""
    asked = qa.multihop[place]
    cut = [[f'"{cell.partition(",")[0]}' if "," in cell else cell for cell in row] for row in cells]
    if [list(row) for row in asked.answers] != cut:
        message = f"expected the answer of {result.name}, {short(cut)}, found {short(asked.answers)}"
        raise DataError(qa.path, f"{message}: one is cut off, or of another run", f"multihop-questions {place}")
    return cut != [list(row) for row in cells], asked.numbers


def _from_qa(qa: QA, place: int, asked: Asked) -> Question:
    template = recognised(asked.question)
    where = f"multihop-questions {place}"
    if template is None:
        raise DataError(qa.path, f"expected a question of one of the 42 templates, found {asked.question!r}", where)
    try:
        parameters = _named(template, asked.question)
    except ValueError as error:
        raise DataError(qa.path, str(error), where) from None
    if not template.many and len(asked.answers) != 1:
        raise DataError(qa.path, f"expected one row of answers, found {len(asked.answers)}", where)
    cells = [[cell.removeprefix('"') for cell in row] for row in asked.answers]
    return Question(
        template=template,
        text=asked.question,
        parameters=parameters,
        sql=None,
        answers=_answers(template, cells, qa.path, where),
        cut=any(cell.startswith('"') for row in asked.answers for cell in row),
        evidence=asked.numbers,
    )


def read_result(path: Path, template: Template) -> list[list[str]] | None:
    """The answer cells of each row of a result file; None for that of an empty table.

    Raises:
        DataError: naming file and line, if its rows are not numbered 0, 1, ..., or it has none though one is due.
    """
    if path.read_bytes().strip() == b'""':
        return None
    sheet = read_sheet(path, ["", *template.cells])
    numbers = sheet.columns[""]
    for row, number in enumerate(numbers):
        if number != str(row):
            raise sheet.error(row, f"expected the row number {row}, found {number!r}")
    if not template.many and len(sheet) != 1:
        message = f"expected one row, found {len(sheet)}: the file is cut off or of another query"
        raise DataError(path, message, "line 2")
    return [list(cells) for cells in zip(*(sheet.columns[name] for name in template.cells), strict=True)]


def _answers(template: Template, cells: Sequence[Sequence[str]], path: Path, where: str = "line") -> list[str]:
    answers = []
    for row, row_cells in enumerate(cells):
        text = ", ".join(cell.strip() for cell in row_cells if cell.strip())
        try:
            if text:
                answers.append(_checked(template.answer_type, text))
        except ValueError as error:
            place = f"line {row + 2}" if where == "line" else where
            raise DataError(path, f"{error}, found {short(text)}", place) from None
    return answers


def _checked(answer_type: str, text: str) -> str:
    if answer_type == "date":
        return values.day(text).isoformat()
    if answer_type == "number" and not re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", text):
        raise ValueError("expected a number")
    return text


def _parameters(template: Template, question: str, text: str) -> dict[str, Any]:
    """The parameters of a query, which must be those that its question names."""
    try:
        found = json.loads(text)  # which takes the bare NaN
    except ValueError as error:
        raise ValueError(f"expected a JSON object ({error}), found {short(text)}") from None
    if not isinstance(found, dict):
        raise ValueError(f"expected a JSON object, found {short(text)}")
    parameters = {key: _parameter(key, value) for key, value in found.items()}
    for key, value in _named(template, question).items():
        if key not in parameters or parameters[key] != value:
            raise ValueError(f"expected the {key} of the question, {value!r}, found {short(found.get(key))}")
    return parameters


def _named(template: Template, question: str) -> dict[str, Any]:
    """The parameters that a question names."""
    match = template.pattern.search(question)
    groups = match.groupdict() if match else {}
    return {key: _parameter(key, value) for key, value in groups.items()}


def _parameter(key: str, value: Any) -> Any:
    """A parameter without the blanks and % around it, years and months as numbers, None for nan."""
    if value is None or value == _NAN or (isinstance(value, float) and math.isnan(value)):
        return None
    if key in _NUMBERS:
        text = str(MONTHS.index(value) + 1) if value in MONTHS else str(value)
        if not re.fullmatch(r"[1-9]|1[0-2]" if key == "month" else r"[1-9]\d{3}", text):
            raise ValueError(f"{key}: expected a {key.removeprefix('start_')}, found {short(value)}")
        return int(text)
    if not isinstance(value, str):
        raise ValueError(f"{key}: expected a text, found {short(value)}")
    return value.strip("% ")
