"""What atomic questions promise, counted by code that knows nothing of how they are made.

A question is read back through the declared wordings, and every episode of the lifelog that it fits is looked for in
the texts and people of `lifelog.episodes`. Every number of `violations` is 0 where all is well.
"""

from __future__ import annotations

import functools
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, NamedTuple

from ..declared.events import declarations
from ..generator import Lifelog
from ..questions.atomic.forms import TYPES, YES_NO, Form, questions
from ..questions.atomic.table import question_table
from ..spec import MONTHS


RULES = (
    "a question that is none of the wordings",
    "a question that its episode alone does not fit",
    "a question that only words taken for each other decide",
    "a question on a day when another event could be meant",
    "an answer that is not the value asked for",
    "a yes that is no, or a no that is yes",
    "a yes/no question about nothing of this persona's life",
    "an answer that is not a span of the context",
    "a context that is not the episode as it is shown",
    "a question with a blank",
    "a question asked twice",
    "a share of yes below 45% or above 55%",
)
(
    _OTHER_WORDING, _NOT_ALONE, _ALIKE, _NOT_APART, _OTHER_VALUE, _WRONG_YES, _UNKNOWN, _NO_SPAN, _OTHER_CONTEXT,
    _BLANK, _TWICE, _SHARE,
) = RULES  # fmt: skip
_PATTERNS = {
    "day": r"\d{4}/\d\d/\d\d",
    "month": r"[A-Z][a-z]+ \d{4}",
    "year": r"\d{4}",
    "minutes": r"\d+",
    "heart_rate": r"\d+",
    "people": r"[^ ,]+(?:, [^ ,]+)*(?: and [^ ,]+)?",
    "time_of_day": r"in the [a-z ]+|around noon|late at night",
}
_SPANS = {"when": re.compile(_PATTERNS["day"]), "how long": re.compile(r"\d+ (minutes|min|days)")}
_UNITS = {"minutes": "minutes|min", "heart_rate": "bpm"}
_LISTS = ("cuisine", "fruits", "drinks", "toiletries")
_BLANKS = ("{", "None", " nan", "  ", " ?", ", ,")
_FEW = 100  # yes/no questions, of which no share is expected

EpisodeRow = Mapping[str, Any]


class NamedWording(NamedTuple):
    """A wording that a question is, and what it names."""

    form: Form
    named: Mapping[str, str]


def violations(lifelog: Lifelog) -> dict[str, int]:
    """How often each rule is broken by the atomic questions of a lifelog."""
    episodes = _EpisodeIndex(lifelog)
    rows = question_table(lifelog.log, lifelog.streams).to_pylist()
    broken = Counter(rule for row in rows for rule in episodes.broken(row))
    broken[_TWICE] = len(rows) - len({row["question"] for row in rows})
    said = Counter(row["answers"]["text"][0] for row in rows if row["question_type"] == YES_NO)
    broken[_SHARE] = int(said.total() >= _FEW and not 0.45 <= said["yes"] / said.total() <= 0.55)
    return {rule: broken[rule] for rule in RULES}


class _EpisodeIndex:
    """The episodes of a lifelog by event, and by event and day, month or year."""

    def __init__(self, lifelog: Lifelog) -> None:
        columns = ["episode_id", "start", "event", "text", "people", "place"]
        self.rows: list[EpisodeRow] = lifelog.episodes.select(columns).to_pylist()
        self._by_event: dict[str, list[EpisodeRow]] = defaultdict(list)
        self._by_time: dict[tuple[str, str], list[EpisodeRow]] = defaultdict(list)
        self._known: dict[tuple[str, str, str], bool] = {}
        for row in self.rows:
            self._by_event[row["event"]].append(row)
            for when in _times(row["start"]):
                self._by_time[row["event"], when].append(row)

    def broken(self, asked: EpisodeRow) -> set[str]:
        """The rules that a question breaks, under the reading that breaks the fewest."""
        readings = [self._read(asked, reading) for reading in _readings(asked)]
        return (min(readings, key=len) if readings else {_OTHER_WORDING}) | set(self._form(asked))

    def _read(self, asked: EpisodeRow, reading: NamedWording) -> set[str]:
        form, named = reading
        given = {field: named[field] for field in form.given}
        seeming = self._seeming(form.event, given)
        fitting = [row for row in seeming if all(_fits(row, field, value) for field, value in given.items())]
        rules = set() if [row["episode_id"] for row in fitting] == asked["evidence"] else {_NOT_ALONE}
        row, (answer, *_) = self.rows[asked["evidence"][0]], asked["answers"]["text"]
        if len(seeming) > len(fitting):
            rules.add(_ALIKE)
        if any(self._by_time[event, _times(row["start"])[0]] for event in questions()[form.event].apart):
            rules.add(_NOT_APART)
        if form.type == YES_NO:
            true = [_fits(one, form.ask, named[form.ask]) for one in (row, *fitting)]
            if any(fits != (answer == "yes") for fits in true):
                rules.add(_WRONG_YES)
            if not true[0] and _seems(row, form.ask, named[form.ask]):
                rules.add(_ALIKE)
            if not self._is_known(form.event, form.ask, named[form.ask]):
                rules.add(_UNKNOWN)
        elif not _is_value(row, form.ask, answer):
            rules.add(_OTHER_VALUE)
        return rules

    def _is_known(self, event: str, field: str, value: str) -> bool:
        """Whether an episode of this kind has the value of the field, whenever it was."""
        key = event, field, value
        if key not in self._known:
            self._known[key] = any(_fits(one, field, value) for one in self._by_event[event])
        return self._known[key]

    def _seeming(self, event: str, given: Mapping[str, str]) -> list[EpisodeRow]:
        time = next((field for field in ("day", "month", "year") if field in given), None)
        rows = self._by_time[event, given[time]] if time else self._by_event[event]
        rest = [(field, value) for field, value in given.items() if field != time]
        return [row for row in rows if all(_seems(row, field, value) for field, value in rest)]

    def _form(self, asked: EpisodeRow) -> Iterator[str]:
        episode = self.rows[asked["evidence"][0]]
        if asked["context"] != f"{_times(episode['start'])[0]}, {episode['text']}":
            yield _OTHER_CONTEXT
        if not _is_span(asked):
            yield _NO_SPAN
        if any(blank in asked["question"] for blank in _BLANKS):
            yield _BLANK


def _is_span(asked: EpisodeRow) -> bool:
    texts, starts = asked["answers"]["text"], asked["answers"]["answer_start"]
    if asked["question_type"] == YES_NO:
        return texts in (["yes"], ["no"]) and starts == []
    if len(texts) != 1 or len(starts) != 1 or not texts[0].strip() or asked["question_type"] not in TYPES:
        return False
    form = _SPANS.get(asked["question_type"])
    begins: bool = asked["context"].startswith(texts[0], starts[0])
    return begins and (form is None or form.fullmatch(texts[0]) is not None)


@functools.cache
def _readers() -> Mapping[str, list[tuple[Form, str, re.Pattern[str]]]]:
    """By question type, of every wording the form, how it begins, and a regular expression."""
    readers: dict[str, list[tuple[Form, str, re.Pattern[str]]]] = defaultdict(list)
    for form in (form for asked in questions().values() for form in asked.forms):
        for wording in form.wordings:
            parts = re.split(r"\{(\w+)\}", wording)
            pattern = "".join(
                f"(?P<{part}>{_PATTERNS.get(part, '.+')})" if n % 2 else re.escape(part)
                for n, part in enumerate(parts)
            )
            readers[form.type].append((form, parts[0], re.compile(pattern)))
    return readers


def _readings(asked: EpisodeRow) -> list[NamedWording]:
    question = asked["question"]
    return [
        NamedWording(form, match.groupdict())
        for form, start, pattern in _readers()[asked["question_type"]]
        if question.startswith(start) and (match := pattern.fullmatch(question))
    ]


@functools.cache
def _times(day: date) -> tuple[str, str, str]:
    """Day, month and year as questions name them."""
    year = f"{day.year:04d}"
    return f"{year}/{day.month:02d}/{day.day:02d}", f"{MONTHS[day.month - 1]} {year}", year


def _says(text: str, word: str) -> bool:
    if word.lower() not in text.lower():  # spares most of the searches
        return False
    return _whole(word).search(text) is not None


@functools.lru_cache(maxsize=10_000)
def _whole(word: str) -> re.Pattern[str]:
    """What finds `word` where it is not a part of another."""
    return re.compile(rf"(?<![\w'-]){re.escape(word)}(?![\w'-])", re.IGNORECASE)


def _fits(row: EpisodeRow, field: str, value: str) -> bool:
    """Whether an episode is what a question means by a value of a field."""
    if field in ("day", "month", "year"):
        return value in _times(row["start"])
    if field in _UNITS:
        return re.search(rf"\b{value} ({_UNITS[field]})\b", row["text"]) is not None
    if field == "people":
        return set(_members(value)) <= set(row["people"])
    if field in _LISTS:
        return all(_says(row["text"], item) for item in _members(value))
    if field == declarations().events[row["event"]].place:
        return bool(row["place"].lower() == value.lower())  # the text of a trip also says where it starts from
    return _says(row["text"], value)


def _seems(row: EpisodeRow, field: str, value: str) -> bool:
    """Whether an episode could be taken for what a question means: it has as many words like those that are named."""
    groups = questions()[row["event"]].alike.get(field, ())
    if not groups:
        return _fits(row, field, value)
    items = _members(value) if field in _LISTS else [value]
    like = Counter(next((group for group in groups if item in group), (item,)) for item in items)
    return all(sum(_fits(row, field, word) for word in group) >= count for group, count in like.items())


def _is_value(row: EpisodeRow, field: str, answer: str) -> bool:
    if field == "people":
        return bool(_members(answer) == row["people"])
    return _fits(row, field, answer.split(" ")[0] if field in _UNITS else answer)


def _members(told: str) -> list[str]:
    return re.split(", | and ", told)
