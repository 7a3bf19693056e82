"""Atomic questions, held against the episodes by code that knows nothing of how they are made.

A question is read back through the wordings of the data files, and every episode of the lifelog that it fits is looked
for in the texts and people of `lifelog.episodes`.
"""

from __future__ import annotations

import datetime
import functools
import re
import time
from collections import Counter, defaultdict

import pytest

from timelineqa_ds.files import DATA, read_json
from timelineqa_ds.generator import lifelog
from timelineqa_ds.questions.atomic import COLUMNS, LIMIT, SCHEMA, question_table


FEW = [("sparse", 5), ("sparse", 30), ("medium", 2), ("medium", 11), ("dense", 2), ("dense", 11)]
MANY = [(density, index) for density in ("sparse", "medium", "dense") for index in range(20, 40)]
PATTERNS = {
    "day": r"\d{4}/\d\d/\d\d",
    "month": r"[A-Z][a-z]+ \d{4}",
    "year": r"\d{4}",
    "minutes": r"\d+",
    "heart_rate": r"\d+",
    "people": r"[^ ,]+(?:, [^ ,]+)*(?: and [^ ,]+)?",
    "time_of_day": r"in the [a-z ]+|around noon|late at night",
}
MONTHS = "January February March April May June July August September October November December".split()
UNITS = {"minutes": "minutes|min", "heart_rate": "bpm"}


def _declared():
    for path in sorted((DATA / "questions").glob("atomic_*.json")):
        for event, value in read_json(f"questions/{path.name}").items():
            for form in value["forms"]:
                yield event, form


@functools.cache
def _readers():
    """By question type, (event, form, regular expression) of every wording."""
    readers = defaultdict(list)
    for event, form in _declared():
        for wording in form["wordings"]:
            parts = re.split(r"\{(\w+)\}", wording)
            pattern = "".join(
                f"(?P<{part}>{PATTERNS.get(part, '.+')})" if n % 2 else re.escape(part) for n, part in enumerate(parts)
            )
            readers[form["type"]].append((event, form, re.compile(pattern)))
    return readers


@functools.cache
def _times(day: datetime.date) -> tuple[str, str, str]:
    """Day, month and year as questions name them."""
    year = f"{day.year:04d}"
    return f"{year}/{day.month:02d}/{day.day:02d}", f"{MONTHS[day.month - 1]} {year}", year


def _says(text: str, word: str) -> bool:
    if word.lower() not in text.lower():  # spares most of the searches
        return False
    return re.search(rf"(?<![\w'-]){re.escape(word)}(?![\w'-])", text, re.IGNORECASE) is not None


def _fits(row: dict, field: str, value: str) -> bool:
    """Whether an episode is what a question means by a value of a field."""
    if field in ("day", "month", "year"):
        return value in _times(row["start"])
    if field in UNITS:
        return re.search(rf"\b{value} ({UNITS[field]})\b", row["text"]) is not None
    if field == "people":
        return set(re.split(", | and ", value)) <= set(row["people"])
    if field in ("cuisine", "fruits", "drinks", "toiletries"):
        return all(_says(row["text"], item) for item in re.split(", | and ", value))
    return _says(row["text"], value)


class Oracle:
    """The episodes of a lifelog by event, and by event and day, month or year."""

    def __init__(self, table) -> None:
        self.rows = table.select(["episode_id", "start", "event", "text", "people"]).to_pylist()
        self.by_event = defaultdict(list)
        self.by_time = defaultdict(list)
        for row in self.rows:
            self.by_event[row["event"]].append(row)
            for when in _times(row["start"]):
                self.by_time[row["event"], when].append(row)

    def fitting(self, event: str, given: dict) -> list[dict]:
        when = next((given[field] for field in ("day", "month", "year") if field in given), None)
        rows = self.by_time[event, when] if when else self.by_event[event]
        return [row for row in rows if all(_fits(row, field, value) for field, value in given.items())]

    def problems(self, asked: dict) -> set[str]:
        """What is wrong with a question, under the reading that has the least wrong with it."""
        readings = [
            (event, form, found.groupdict())
            for event, form, pattern in _readers()[asked["question_type"]]
            if (found := pattern.fullmatch(asked["question"]))
        ]
        found = [self._problems(asked, *reading) for reading in readings]
        return min(found, key=len) if found else {"not one of the wordings"}

    def _problems(self, asked: dict, event: str, form: dict, named: dict) -> set[str]:
        problems = set()
        given = {field: named[field] for field in form["given"]}
        fitting = self.fitting(event, given)
        if [row["episode_id"] for row in fitting] != asked["evidence"]:
            problems.add("not the only one that fits")
        row = self.rows[asked["evidence"][0]]
        answer = asked["answers"]["text"][0]
        if form["type"] == "yes/no":
            true = _fits(row, form["ask"], named[form["ask"]])
            if (answer == "yes") != true or any(_fits(other, form["ask"], named[form["ask"]]) != true
                                                for other in fitting):  # fmt: skip
                problems.add("the wrong one of yes and no")
            known = any(_fits(other, form["ask"], named[form["ask"]]) for other in self.by_event[event])
            if not known:
                problems.add("nothing of this persona's life")
        elif form["ask"] == "people":
            if re.split(", | and ", answer) != row["people"]:
                problems.add("not these people")
        elif not _fits(row, form["ask"], answer.split(" ")[0] if form["ask"] in UNITS else answer):
            problems.add("not the value of the field")
        return problems


def _checked(one, table) -> None:
    oracle = Oracle(one.episodes)
    rows = table.to_pylist()
    for number, row in enumerate(rows):
        assert oracle.problems(row) == set(), row
        assert row["id"] == f"{one.lifelog_id}-a-{number:05d}" and row["lifelog_id"] == one.lifelog_id
        (episode,) = (oracle.rows[place] for place in row["evidence"])
        assert row["context"] == f"{episode['start']:%Y/%m/%d}, {episode['text']}"
        _check_answer(row)
    assert len({row["question"] for row in rows}) == len(rows)


def _check_answer(row: dict) -> None:
    (text,) = row["answers"]["text"]
    if row["question_type"] == "yes/no":
        assert text in ("yes", "no") and row["answers"]["answer_start"] == []
        return
    (start,) = row["answers"]["answer_start"]
    assert text.strip() == text != "" and row["context"][start:].startswith(text)
    if row["question_type"] == "when":
        assert re.fullmatch(PATTERNS["day"], text)
    if row["question_type"] == "how long":
        assert re.fullmatch(r"\d+ (minutes|min|days)", text)
    for blank in ("{", "None", " nan", "  ", " ?", ", ,"):
        assert blank not in row["question"]


def _mix(one, table) -> tuple[Counter, Counter, float]:
    """Questions by type, by event, and the share of yes."""
    events = one.episodes["event"].to_pylist()
    rows = table.to_pylist()
    types = Counter(row["question_type"] for row in rows)
    by_event = Counter(events[row["evidence"][0]] for row in rows)
    yes = sum(row["answers"]["text"] == ["yes"] for row in rows if row["question_type"] == "yes/no")
    return types, by_event, yes / types["yes/no"]


@functools.cache
def _asked(density: str, index: int):
    return question_table(lifelog(density, index))


@pytest.mark.parametrize(("density", "index"), FEW)
def test_every_question_has_one_right_answer(made, density, index):
    _checked(made(density, index), _asked(density, index))


@pytest.mark.slow
@pytest.mark.parametrize(("density", "index"), MANY)
def test_every_question_has_one_right_answer_in_many_lifelogs(density, index):
    one = lifelog(density, index)
    table = question_table(one)
    _checked(one, table)
    _, _, yes = _mix(one, table)
    assert 0.45 <= yes <= 0.55


@pytest.mark.parametrize(("density", "index"), FEW)
def test_types_and_events_are_even(made, density, index):
    one = made(density, index)
    types, by_event, yes = _mix(one, _asked(density, index))
    assert sum(types.values()) == LIMIT
    assert set(types) == {"what", "when", "where", "who", "how long", "yes/no"}
    assert 0.1 * LIMIT < min(types.values()) <= max(types.values()) < 0.2 * LIMIT
    assert 0.45 <= yes <= 0.55
    plenty = [event for event, count in Counter(one.episodes["event"].to_pylist()).items() if count >= 100]
    assert min(by_event[event] for event in plenty) > 0.02 * LIMIT
    assert max(by_event.values()) < 0.12 * LIMIT
    assert set(by_event) == set(one.episodes["event"].to_pylist())


def test_no_is_as_frequent_for_each_event(made):
    one = made("dense", 2)
    events = one.episodes["event"].to_pylist()
    answers = defaultdict(Counter)
    for row in _asked("dense", 2).to_pylist():
        if row["question_type"] == "yes/no":
            answers[events[row["evidence"][0]]][row["answers"]["text"][0]] += 1
    for event, counts in answers.items():
        if sum(counts.values()) >= 20:
            assert abs(counts["yes"] - counts["no"]) <= 2, event


@pytest.mark.parametrize("duration", [1, 3])
@pytest.mark.parametrize("density", ["sparse", "dense"])
def test_a_short_log_gives_what_it_has(density, duration):
    one = lifelog(density, 12, duration=duration)
    table = question_table(one)
    _checked(one, table)
    types, _, yes = _mix(one, table)
    assert set(types) == {"what", "when", "where", "who", "how long", "yes/no"}
    assert 0.45 <= yes <= 0.55
    assert len(table) > one.episodes.num_rows if density == "sparse" else len(table) > 1_000


def test_other_worlds(made):
    one = lifelog("sparse", 3, seed=1, year=1500)
    _checked(one, question_table(one))
    texts = set(_asked("sparse", 5)["question"].to_pylist())
    assert len(texts & set(question_table(lifelog("sparse", 5, seed=7))["question"].to_pylist())) < 100


def test_the_same_in_any_order():
    first = question_table(lifelog("medium", 3))
    question_table(lifelog("sparse", 4))
    one = lifelog("medium", 3)
    assert one.tables["daily_chat"].num_rows and one.episodes.num_rows
    assert question_table(one).equals(first)
    assert question_table(one).equals(first)


def test_columns():
    one = lifelog("sparse", 4)
    table = question_table(one)
    assert table.schema == SCHEMA and list(COLUMNS) == SCHEMA.names
    assert all(column.null_count == 0 for column in table.columns)
    some = question_table(one, ["answers", "id"])
    assert some.equals(table.select(["answers", "id"]))


def test_a_dense_lifelog_takes_less_than_a_second():
    question_table(lifelog("sparse", 4))
    taken = [float("inf")]
    while min(taken) >= 1 and len(taken) <= 3:
        one = lifelog("dense", 0)  # 138,000 episodes
        begin = time.process_time()
        assert question_table(one).num_rows == LIMIT
        taken.append(time.process_time() - begin)
    assert min(taken) < 1
