"""One published question, normalised: a row of a qa file becomes a `Question`, by the rules of `data/rules.json`."""

from __future__ import annotations

import datetime
import hashlib
import re
from dataclasses import dataclass, field, replace

from ..files.layout import Week
from ..parsing import text
from ..parsing.errors import short
from ..parsing.jsonl import Row
from ..parsing.report import Report
from . import listed, wording


FIELDS = frozenset(
    "question_id question_date question_source question_url question_sentence choices answer evidence".split()
)
NOTA_SUFFIX = "_nota"
_ID = re.compile(r"(\d{8})_(\d+)", re.ASCII)
_INDEX = re.compile(r"\d{1,9}", re.ASCII)
_OF_CHOICES = ("empty_choice", "duplicate_choices", "gold_of_choices")  # flags that NOTA's own choices decide
# Quizzes are dated up to six days before the Friday of their file; anything else is a slip or a reprint.
_PLAUSIBLE_DAYS = range(-6, 1)


@dataclass(slots=True)
class Question:
    """One question of one week. The attributes are columns; the builder's docstring says what each means."""

    question_id: str
    source_id: str
    week: datetime.date
    question_date: datetime.date | None
    source: str
    source_url: str | None
    question: str
    question_raw: str
    choices: list[str]
    answer: list[int]
    evidence: str | None
    evidence_raw: str
    evidence_links: list[str]
    content_key: str
    flags: list[str] = field(default_factory=list)

    @property
    def pool_id(self) -> str:
        """The id under which its documents stand: the NOTA form of a question has the pool of the question."""
        return self.question_id.removesuffix(NOTA_SUFFIX)

    @property
    def answer_text(self) -> list[str]:
        """The right choices, as published."""
        return [self.choices[i] for i in self.answer]

    @property
    def answers(self) -> list[str]:
        """The parts that together are the gold answer of the generation setting."""
        return self.answer_text

    @property
    def nota_index(self) -> int | None:
        """Which choice is "none of the above", if any."""
        return None if "nota_is_option" in self.flags else text.nota_index(self.choices)

    @property
    def excluded(self) -> bool:
        """Whether the official generation scorer skips it: "except" within the last ten characters."""
        return "except" in self.question_raw.lower().strip()[-10:]

    @property
    def flags_of_id(self) -> list[str]:
        """The flags that concern all rows under its id."""
        return [flag for flag in self.flags if flag == "foreign_id"]


def source_key(newspaper: str) -> str:
    """A newspaper's name without case and blanks: the files write "USAtoday" and "THE WEEK", the paper "USA Today"."""
    return newspaper.casefold().replace(" ", "")


def canonical_id(row: Row, week: Week) -> str:
    """The id of a row within its week: YYYYMMDD_N, with the week's own date.

    Raises:
        DataError: if the published id is of another form.
    """
    published = row.text("question_id")
    match = _ID.fullmatch(published)
    if not match:
        raise row.error(f"expected a question_id like {week.stamp}_0, found {short(published)}")
    return f"{week.stamp}_{match[2]}"


class Reader:
    """Reads one row, whose id is `name`: collects the flags of the rules that met it and counts them in the report."""

    def __init__(self, row: Row, name: str, week: Week, report: Report) -> None:
        self.row = row
        self.name = name
        self.week = week
        self.report = report
        self.flags: list[str] = []

    def flag(self, rule: str) -> None:
        """Count a rule and flag the row with it."""
        self.report.count(rule, self.row.where)
        self.flags.append(rule)

    def question(self) -> Question | None:
        """The question, or None where a rule drops the row.

        Raises:
            DataError: where the row breaks a promise that no rule covers.
        """
        published = self.row.short_text("question_sentence")
        question = text.plain(published)
        if not question:
            self.report.count("empty_question", self.row.where)
            return None
        choices = self.row.short_texts("choices")
        answer = self.answer(choices)
        if not answer and self.week.split != "latest":
            self.report.count("no_answer", self.row.where)
            return None
        self.check_choices(choices)
        if question != published:
            self.report.count("question_cleaned", self.row.where)
        raw = self.row.short_text("evidence")
        evidence, links = self._evidence(raw)
        found = Question(
            question_id=self.name,
            source_id=self._source_id(),
            week=self.week.date,
            question_date=self._date(),
            source=self.row.text("question_source"),
            source_url=self._url(),
            question=question,
            question_raw=published,
            choices=choices,
            answer=answer,
            evidence=evidence,
            evidence_raw=raw,
            evidence_links=links,
            content_key=_content_key(question, choices),
            flags=self.flags,
        )
        self._wording(found)
        for flag in listed.flags(self.name, found.content_key):
            self.flag(flag)
        return found

    def answer(self, choices: list[str]) -> list[int]:
        """The 0-based right choices; empty where the answer is not public."""
        value = self.row.fields.get("answer")
        if value is None and self.week.split == "latest":
            return []
        if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
            self.flag("answer_not_list")
            value = [str(value)]
        if not isinstance(value, list):
            raise self.row.error(f"expected a list of choice indices at 'answer', found {short(value)}")
        for item in value:
            if not isinstance(item, str) or not _INDEX.fullmatch(item) or int(item) >= len(choices):
                raise self.row.error(
                    f"expected an index from '0' to '{len(choices) - 1}' in 'answer', found {short(item)}"
                )
        answer = [int(item) for item in value]
        if len(set(answer)) < len(answer) or any(not choices[i].strip() for i in answer):
            raise self.row.error(
                f"expected different, non-empty right choices, found {short(value)} of {short(choices)}"
            )
        return answer

    def check_choices(self, choices: list[str]) -> None:
        """Flag choices that are empty or alike.

        Raises:
            DataError: for fewer than two that are not empty.
        """
        filled = [choice for choice in choices if choice.strip()]
        if len(filled) < 2:
            raise self.row.error(f"expected at least two choices that are not empty, found {short(choices)}")
        if len(filled) < len(choices):
            self.flag("empty_choice")
        if len(set(filled)) < len(filled):
            self.flag("duplicate_choices")

    def check_gold(self, choices: list[str], answer: list[int]) -> None:
        """Flag a right choice that means other choices."""
        if any(wording.of_choices(choices[i]) for i in answer):
            self.flag("gold_of_choices")

    def _wording(self, found: Question) -> None:
        if wording.needs_choices(found.question):
            self.flag("needs_choices")
        if wording.needs_picture(found.question):
            self.flag("needs_picture")
        self.check_gold(found.choices, found.answer)
        if found.evidence and wording.names_another(found.evidence, found.choices, found.answer):
            self.flag("evidence_names_another")

    def _source_id(self) -> str:
        published = self.row.text("question_id")
        if published != self.name:
            self.flag("foreign_id")
        return published

    def _date(self) -> datetime.date | None:
        published = self.row.text("question_date")
        date = text.date(published)
        if date is None:
            self.flag("date_unreadable")
        else:
            if "-" in published:
                self.report.count("date_format", self.row.where)
            if (date - self.week.date).days not in _PLAUSIBLE_DAYS:
                self.flag("date_implausible")
        return date

    def _url(self) -> str | None:
        published = self.row.text("question_url").strip()
        if text.page(published):
            return published
        self.flag("url_unreadable")
        return None

    def _evidence(self, raw: str) -> tuple[str | None, list[str]]:
        if self.week.split == "latest" and raw.strip():
            self.flag("evidence_leaks_answer")
            return None, []
        evidence, links = text.snippet(raw)
        if evidence != raw:
            self.report.count("evidence_cleaned", self.row.where)
        pages = [link for link in links if text.page(link)]
        if pages != links:
            self.flag("link_unreadable")
        return evidence, pages


def nota(original: Question, row: Row, week: Week, report: Report) -> Question | None:
    """The NOTA form of a question: choices and answer of its NOTA row, everything else from the original.

    None where the row contradicts the original's answer, which is counted.

    Raises:
        DataError: where the row breaks a promise that no rule covers.
    """
    reader = Reader(row, original.question_id + NOTA_SUFFIX, week, report)
    reader.flags += [flag for flag in original.flags if flag not in _OF_CHOICES]
    choices = row.short_texts("choices")
    answer = reader.answer(choices)
    reader.check_choices(choices)
    reader.check_gold(choices, answer)
    form = replace(
        original,
        question_id=reader.name,
        source_id=original.source_id + NOTA_SUFFIX,
        choices=choices,
        answer=answer,
        flags=reader.flags,
    )
    if not answer and week.split != "latest":
        report.count("no_answer", row.where)
        return None
    if not _agrees(original, form):
        report.count("nota_contradicts", row.where)
        return None
    published = {"question_url": original.source_url, "evidence": original.evidence_raw}
    if any(row.fields.get(key) != value for key, value in published.items()):
        report.count("nota_foreign_fields", row.where)
    if choices == original.choices:
        reader.flag("nota_unchanged")
    if form.nota_index is None:
        reader.flag("nota_absent")
    if any(map(wording.is_all, original.answer_text)) and not any(map(wording.is_all, choices)):
        reader.flag("nota_all_right")
    return form


def _agrees(original: Question, form: Question) -> bool:
    """Whether the right choice is the original's, or "none of the above" because that was taken out."""
    return all(
        i == form.nota_index or any(text.same(form.choices[i], right) for right in original.answer_text)
        for i in form.answer
    )


def _content_key(sentence: str, choices: list[str]) -> str:
    parts = [sentence.casefold(), *sorted(choice.strip().casefold() for choice in choices)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
