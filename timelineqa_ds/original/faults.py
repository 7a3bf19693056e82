"""What is wrong with a question of the original: its answer and evidence against those that follow from the log.

The programs that `timelineqa check` holds the generated dataset against say what is right, from the log's rows and the
parameters by our names. They share no code with the original's SQL nor with ours. Where a known mistake would give
another answer, they are asked about the rows as it takes them, so that a fault can be named.
"""

from __future__ import annotations

import calendar
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date

from ..checks.oracle import PROGRAMS, Tables
from ..checks.oracle.parts import Rows, Values, most
from ..spec import MONTHS
from .log import OriginalLog
from .queries import OriginalQuestion
from .reading import eid, items, read_sheet
from .tables import file_name
from .templates import OriginalTemplate, fault_kinds, our_names


SEPARATOR = "; "
SAME = 1e-9  # relative difference of two averages that are the same
NOT_CHECKED = "not checked"
TOP = 5  # rows of the original's lists of the most common
VISITS = "travel_places_visited"
# What our questions name and the original's do not: from when to when, how much of it is asked for.
_UNNAMED = {
    "from_year": date.min.year,
    "to_year": date.max.year,
    "period": f"from {date.min.year} to {date.max.year}",
    "periods": (date.max - date.min).days + 1,
    "unit": "minutes",
    "top": 10**9,
}
_OUR_CARE = {"vision": "eye exam", "dental": "dental cleaning"}
_RANKED = {"q27": "food_type", "q28": "food_type", "q42": "city"}
_COUNTED = {"q19": "online orders counted", "q22": "meetings counted"}
# Questions about any visit to a place, and what is wrong if the visits differ in a column.
_OF_VISITS = {"q29": ("place_visit_date", "several days"), "q30": ("city", "name in two cities")}
_PART_OF_NAME = {"q16": "cuisine", "q20": "toiletries", "q23": "people", "q32": "people"}
# Where the original asks something else than ours about the same rows.
_ASKED_ELSE: Mapping[str, Callable[[Rows], Iterable[object]]] = {
    "q09": lambda rows: most(f"{row['date'].year}, {row['date'].month}" for row in rows),
    "q30": lambda rows: [len(rows)],
    "q31": lambda rows: [len({row["place"] for row in rows})],
}


@dataclass(frozen=True)
class Right:
    """What is right.

    Attributes:
        answers: the right answers: a number, all winners, or all items.
        evidence: the episodes that they follow from.
        mistaken: answers that a known mistake gives, by the kind of fault.
        faults: of the question itself.
        candidates: what an argmax chooses from.
        ranked: for a list of the most common, how often each is there.
    """

    answers: list[str]
    evidence: set[int]
    mistaken: Mapping[str, list[str]]
    faults: set[str]
    candidates: frozenset[str]
    ranked: Mapping[str, int] | None

    def cut(self) -> Right:
        """The same with the answers cut at the first comma, as QA files have them."""
        ranked = self.ranked and {value.partition(",")[0]: count for value, count in self.ranked.items()}
        return replace(self, answers=[answer.partition(",")[0] for answer in self.answers], ranked=ranked)


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


def right(log: OriginalLog, template: OriginalTemplate, parameters: Values) -> Right:
    """What is right for a question.

    Raises:
        FileNotFoundError: if a file that it follows from is not there.
    """
    name, table = template.name, template.tables[0]
    values, tables = _values(parameters), _tables(log, template)
    answers, rows = _asked(name, tables, values)
    mistakes = _mistaken_rows(log, name, tables[table])
    mistaken = {kind: _asked(name, {table: taken}, values)[0] for kind, taken in mistakes.items()}
    if template.kind == "average" or name == "q18":
        total, periods, mistaken_periods = _average(log, name, rows, values)
        answers = [str(total / periods)]
        mistaken = {"wrong denominator": [str(total / mistaken_periods)]} if mistaken_periods else {}
    chosen = rows if template.kind == "argmax" and template.answer_type != "date" else []
    return Right(
        answers=answers,
        evidence={row["episode_id"] for row in rows},
        mistaken=mistaken,
        faults=_faults(name, tables, rows),
        candidates=frozenset(answer for row in chosen for answer in _asked(name, {table: [row]}, values)[0]),
        ranked=Counter(row[_RANKED[name]] for row in rows) if name in _RANKED else None,
    )


def _values(parameters: Values) -> Values:
    values = {**_UNNAMED, **{our_names().get(name, name): value for name, value in parameters.items()}}
    if isinstance(month := parameters.get("month"), int):
        values["month"] = MONTHS[month - 1]
    if "start_year" in parameters:
        values["from_year"] = values["to_year"] = parameters["start_year"]
    return values


def _tables(log: OriginalLog, template: OriginalTemplate) -> Tables:
    tables = {table: log.rows(table) for table in template.tables}
    if "annual_medical_care" in tables:
        tables["annual_medical_care"] = [
            {**row, "type_of_care": our_care}
            for row in tables["annual_medical_care"]
            for word, our_care in _OUR_CARE.items()
            if word in (row["type_of_care"] or "")
        ]
    if template.name in _COUNTED:
        by_number = log.need_entries().by_number  # whose texts say what was bought online, and who was only met
        if template.name == "q22":
            tables["weekly_grocery"] = [
                {**row, "online": row["online"] or " saw " in by_number[row["episode_id"]].text}
                for row in tables["weekly_grocery"]
            ]
    return tables


def _asked(name: str, tables: Tables, values: Values) -> tuple[list[str], Rows]:
    """The answers, ascending, and the rows that they follow from."""
    runs = [(tables, values)]
    if name in _OF_VISITS:
        runs = [
            ({**tables, VISITS: [row]}, {**values, "city": row["city"], "year": row["place_visit_date"].year})
            for row in tables[VISITS]
            if row["place"] == values["place"]
        ]
    try:
        results = [PROGRAMS[name](*run) for run in runs]
        rows = [row for _, of_run in results for row in of_run]
        answers = _ASKED_ELSE[name](rows) if name in _ASKED_ELSE else {each for some, _ in results for each in some}
    except ValueError:  # nothing to choose from
        return [], []
    return sorted(map(str, answers)), rows


def _mistaken_rows(log: OriginalLog, name: str, rows: Rows) -> dict[str, Rows]:
    """The rows as a known mistake takes them, by the kind of fault."""
    if name in _PART_OF_NAME:  # a list as one text, any part of which matches
        column = _PART_OF_NAME[name]
        return {"part of a name matched": [{**row, column: "\n".join(row[column])} for row in rows]}
    if name in _COUNTED:
        return {_COUNTED[name]: [{**row, "online": False} for row in rows]}
    if name in ("q04", "q06"):  # a row for each time that a name is written
        sheet = read_sheet(log.file(file_name("daily_chat")), ["eid", "friends"])
        written = dict(zip(map(eid, sheet.columns["eid"]), map(items, sheet.columns["friends"]), strict=True))
        counted = [{**row, "friends": [friend]} for row in rows for friend in written[row["episode_id"]]]
        return {"duplicate names counted": counted}
    return {}


def _average(log: OriginalLog, name: str, rows: Rows, values: Values) -> tuple[int, int, int]:
    """A total, the days or years that the question divides it by, and those that the original does (0: the same)."""
    if name == "q18":
        days = calendar.monthrange(values["year"], MONTHS.index(values["month"]) + 1)[1]
        return sum(len(row["cuisine"]) for row in rows), days, 31
    first, last = log.need_years()
    if name == "q01":
        return len(rows), last - first + 1, 0
    active = len({row["date"] for row in rows})
    if name == "q12":  # a day with two records is two of them
        active = len({row["date"] for row in log.rows("daily_read")}) + len(rows) - active
    return sum(row["howlong"] for row in rows), (date(last, 12, 31) - date(first, 1, 1)).days + 1, active


def _faults(name: str, tables: Tables, rows: Rows) -> set[str]:
    """The faults of the question itself."""
    if name in _OF_VISITS:
        column, kind = _OF_VISITS[name]
        return {kind} if len({row[column] for row in rows if column in row}) > 1 else set()
    if name in ("q27", "q28"):
        return {"cut at five"} if len({row["food_type"] for row in rows}) > TOP else set()
    trips = Counter((row["city"], row["start_date"].year) for row in tables["travel"]) if name == "q41" else {}
    return {"always the same"} if set(trips.values()) == {1} else set()
