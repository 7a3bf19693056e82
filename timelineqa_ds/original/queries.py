"""queries.csv, qN-result.csv and the QA file: the multi-hop questions of a log as the original has them."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ..checks.oracle.parts import Values
from ..spec import MONTHS
from . import reading
from .entries import event_of
from .log import OriginalLog
from .reading import OutputError, read_json, read_sheet, short
from .templates import OriginalTemplate, recognised, templates


QUERIES = "queries.csv"
_NUMBERS = ("year", "start_year", "month")


class QAEpisode(NamedTuple):
    """An episode that a question gives as evidence, `day` written YYYY-MM-DD."""

    day: str
    number: int
    text: str


@dataclass(frozen=True)
class QAQuestion:
    """A question of a QA file with the cells of its answer rows; `evidence` may repeat itself."""

    text: str
    answers: list[list[str]]
    evidence: list[QAEpisode]

    @property
    def numbers(self) -> list[int]:
        """The evidence as distinct episode ids, ascending."""
        return sorted({episode.number for episode in self.evidence})


@dataclass(frozen=True)
class QAFile:
    """QA/db-NAME.json: a hundred atomic and all multi-hop questions of a log, with evidence."""

    path: Path
    atomic: Sequence[QAQuestion]
    multihop: Sequence[QAQuestion]


@dataclass(frozen=True)
class OriginalQuestion:
    """A question of the original.

    Attributes:
        parameters: what it asks about; None for one that the original drew from the blanks of a table.
        sql: the original's SQLite query; None if only the QA file is there.
        answers: one text for each row of the answer, without the blank ones.
        cut: whether the QA file has a part of an answer only.
        evidence: ids that the QA file gives, ascending; None if it has none for this question.
    """

    template: OriginalTemplate
    text: str
    parameters: Values
    sql: str | None
    answers: list[str]
    cut: bool
    evidence: list[int] | None


def read_qa(path: Path) -> QAFile:
    """The questions of a QA file.

    Raises:
        OutputError: naming the question that is not as the original writes it, and for a file that is not JSON.
    """
    document = read_json(path)
    parts: dict[str, list[QAQuestion]] = {}
    for key in ("atomic-questions", "multihop-questions"):
        listed = document.get(key)
        if not isinstance(listed, list):
            raise OutputError(path, f"expected a list of questions, found {short(listed)}", f"key {key!r}")
        parts[key] = [_qa_question(path, f"{key} {place}", value) for place, value in enumerate(listed)]
    for place, asked in enumerate(parts["atomic-questions"]):
        if [len(row) for row in asked.answers] != [1] or len(asked.evidence) != 1:
            where = f"atomic-questions {place}"
            raise OutputError(path, "expected one answer and one episode as evidence", where)
    return QAFile(path, parts["atomic-questions"], parts["multihop-questions"])


def _qa_question(path: Path, where: str, value: object) -> QAQuestion:
    held = value if isinstance(value, dict) else {}
    question, answers, evidence = (held.get(key) for key in ("question", "answer", "evidence_list"))
    if not isinstance(question, str):
        raise OutputError(path, f"expected a question, found {short(value)}", where)
    if not isinstance(answers, list) or not all(map(_is_texts, answers)):
        raise OutputError(path, f"expected answers as a list of lists of texts, found {short(answers)}", where)
    if not isinstance(evidence, list):
        raise OutputError(path, f"expected a list as evidence, found {short(evidence)}", where)
    try:
        return QAQuestion(question, answers, [_qa_episode(row) for row in evidence])
    except ValueError as error:
        raise OutputError(path, f"evidence: {error}", where) from None


def _qa_episode(row: list[str]) -> QAEpisode:
    if not _is_texts(row) or len(row) != 4:
        raise ValueError(f"expected day, key, episode and text, found {short(row)}")
    event_of(row[1])
    return QAEpisode(reading.day(row[0]).isoformat(), reading.eid(row[2]), row[3])


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def questions(log: OriginalLog) -> list[OriginalQuestion]:
    """The multi-hop questions of a log, by template.

    Raises:
        FileNotFoundError: if there is neither queries.csv nor a QA file, or a result file is missing.
        OutputError: naming file and row, for one that the original would not write.
    """
    qa = read_qa(log.place.qa) if log.place.qa else None
    if qa is not None:
        _check_evidence(log, qa)
    if log.has(QUERIES):
        asked_here = _from_queries(log, qa)
    elif qa is not None:
        asked_here = [_from_qa(qa, place, asked) for place, asked in enumerate(qa.multihop)]
    else:
        needed = f"{QUERIES} and qN-result.csv in its folder, or QA/db-{log.json_name}"
        raise FileNotFoundError(f"{log.place.name}: multi-hop questions need {needed}")
    return sorted(asked_here, key=lambda question: question.template.name)


def _check_evidence(log: OriginalLog, qa: QAFile) -> None:
    """The evidence is of this log: its episodes are there, on the same days."""
    if log.entries is None:
        return
    for place, asked in enumerate(qa.multihop):
        for evidence in asked.evidence:
            entry = log.entries.by_number.get(evidence.number)
            if entry is None or entry.start != evidence.day:
                message = f"expected an episode of {log.json_name}, found e{evidence.number} on {evidence.day}"
                raise OutputError(qa.path, f"evidence: {message}", f"multihop-questions {place}")


def _from_queries(log: OriginalLog, qa: QAFile | None) -> list[OriginalQuestion]:
    path = log.file(QUERIES)
    sheet = read_sheet(path, ["q_id", "query", "params", "question", "answer_column"])
    told = {} if qa is None else {asked.text: place for place, asked in enumerate(qa.multihop)}
    by_template: dict[str, OriginalQuestion] = {}
    for row, name in enumerate(sheet.columns["q_id"]):
        template = templates().get(f"q{name[1:]:0>2}")
        text = sheet.columns["question"][row]
        if template is None or name != f"q{int(template.name[1:])}" or not template.match(text):
            there = f"{short(name)} with {short(text)}"
            raise sheet.error(row, f"expected one of q1 .. q42 with its question, found {there}")
        if template.name in by_template:
            raise sheet.error(row, f"expected each query once, found {name} again")
        try:
            parameters = _parameters(template, text, sheet.columns["params"][row])
        except ValueError as error:
            raise sheet.error(row, f"params: {error}") from None
        result = log.file(template.result)
        cells = read_result(result, template)
        if cells is None:
            raise OutputError(result, f"expected the answer to {name} of {QUERIES}, found none", "line 1")
        answers = _answers(template, cells, result)
        place = told.pop(text, None)
        cut, evidence = (False, None) if qa is None or place is None else _told(qa, place, result, cells)
        sql = sheet.columns["query"][row]
        by_template[template.name] = OriginalQuestion(template, text, parameters, sql, answers, cut, evidence)
    _check_complete(log, by_template, told)
    return list(by_template.values())


def _check_complete(log: OriginalLog, named: Collection[str], told: Mapping[str, int]) -> None:
    """Nothing that is answered elsewhere is missing: queries.csv may have been cut off between two rows."""
    for template in templates().values():
        lacking = template.name not in named and log.has(template.result)
        if lacking and read_result(log.file(template.result), template) is not None:
            message = f"expected the question that {template.result} answers, found none: the file is cut off"
            raise OutputError(log.file(QUERIES), message, "last line")
    for text, place in told.items():
        message = f"expected a question of {QUERIES}, found {short(text)}: the files are of two runs, keep one of them"
        raise OutputError(log.place.qa or "", message, f"multihop-questions {place}")


def _told(qa: QAFile, place: int, result: Path, cells: list[list[str]]) -> tuple[bool, list[int]]:
    """Whether the QA file cuts the answer of the result file (they must agree otherwise), and its evidence."""
    asked = qa.multihop[place]
    cut = [[f'"{cell.partition(",")[0]}' if "," in cell else cell for cell in row] for row in cells]
    if asked.answers != cut:
        message = f"expected the answer of {result.name}, {short(cut)}, found {short(asked.answers)}"
        reason = "one is cut off, or of another run"
        raise OutputError(qa.path, f"{message}: {reason}", f"multihop-questions {place}")
    return cut != cells, asked.numbers


def _from_qa(qa: QAFile, place: int, asked: QAQuestion) -> OriginalQuestion:
    template = recognised(asked.text)
    where = f"multihop-questions {place}"
    if template is None:
        message = f"expected a question of one of the 42 templates, found {short(asked.text)}"
        raise OutputError(qa.path, message, where)
    try:
        parameters = _named(template, asked.text)
    except ValueError as error:
        raise OutputError(qa.path, str(error), where) from None
    if not template.many and len(asked.answers) != 1:
        raise OutputError(qa.path, f"expected one row of answers, found {len(asked.answers)}", where)
    cut = any(cell.startswith('"') for row in asked.answers for cell in row)
    cells = [[cell.removeprefix('"') for cell in row] for row in asked.answers]
    answers = _answers(template, cells, qa.path, where)
    return OriginalQuestion(template, asked.text, parameters, None, answers, cut, asked.numbers)


def read_result(path: Path, template: OriginalTemplate) -> list[list[str]] | None:
    """The answer cells of each row of a result file; None for that of an empty table.

    Raises:
        OutputError: naming file and line, if its rows are not numbered 0, 1, ..., or it lacks one.
    """
    if reading.content(path).strip() == b'""':
        return None
    sheet = read_sheet(path, ["", *template.cells])
    for row, number in enumerate(sheet.columns[""]):
        if number != str(row):
            raise sheet.error(row, f"expected the row number {row}, found {short(number)}")
    if not template.many and len(sheet) != 1:
        message = f"expected one row, found {len(sheet)}: the file is cut off or of another query"
        raise OutputError(path, message, "line 2")
    return [list(cells) for cells in zip(*(sheet.columns[name] for name in template.cells), strict=True)]


def _answers(template: OriginalTemplate, cells: list[list[str]], path: Path, where: str = "line") -> list[str]:
    answers = []
    for row, row_cells in enumerate(cells):
        text = ", ".join(cell.strip() for cell in row_cells if cell.strip())
        try:
            if text:
                answers.append(_checked(template.answer_type, text))
        except ValueError as error:
            place = f"line {row + 2}" if where == "line" else where
            raise OutputError(path, f"{error}, found {short(text)}", place) from None
    return answers


def _checked(answer_type: str, text: str) -> str:
    if answer_type == "date":
        return reading.day(text).isoformat()
    if answer_type == "number" and not re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", text):
        raise ValueError("expected a number")
    return text


def _parameters(template: OriginalTemplate, question: str, text: str) -> Values:
    """The parameters of a query, which must be those that its question names."""
    held = reading.fields(text)
    parameters = {key: _parameter(key, value) for key, value in held.items()}
    for key, value in _named(template, question).items():
        if key not in parameters or parameters[key] != value:
            raise ValueError(f"expected the {key} of the question, {value!r}, found {short(held.get(key))}")
    return parameters


def _named(template: OriginalTemplate, question: str) -> Values:
    """The parameters that a question names."""
    match = template.match(question)
    groups = match.groupdict() if match else {}
    return {key: _parameter(key, value) for key, value in groups.items()}


def _parameter(key: str, value: object) -> str | int | None:
    """A parameter without the blanks and % around it, years and months as numbers, None for nan."""
    if value is None or value == "nan" or (isinstance(value, float) and math.isnan(value)):
        return None
    if key in _NUMBERS:
        text = str(MONTHS.index(value) + 1) if value in MONTHS else str(value)
        if not re.fullmatch(r"[1-9]|1[0-2]" if key == "month" else r"[1-9]\d{3}", text):
            raise ValueError(f"{key}: expected a {key.removeprefix('start_')}, found {short(value)}")
        return int(text)
    if not isinstance(value, str):
        raise ValueError(f"{key}: expected a text, found {short(value)}")
    return value.strip("% ")
