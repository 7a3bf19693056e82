"""Multi-hop questions: what they promise, the shape of their rows, and that they stay the same."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from collections import Counter
from datetime import date
from decimal import Decimal
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from timelineqa_ds.checks import multihop as multihop_check
from timelineqa_ds.checks.multihop import REPEATED, RULES, Case, violations
from timelineqa_ds.generator import Lifelog, lifelog
from timelineqa_ds.questions.multihop import queries as multihop_queries
from timelineqa_ds.questions.multihop.queries import Database, as_text, finished, templates
from timelineqa_ds.questions.multihop.table import SCHEMA, MultihopQuestion, selected

from .made import Made, ask, content_hash, question_table


SOME = [("sparse", 0), ("sparse", 11), ("medium", 2)]
PAPER = {"average": 3, "count": 15, "argmax": 14, "list": 4}  # templates by type, without those that never came alive
ALIVE_NOW = {"count": 3, "argmax": 3}
AVERAGE_NOW = 1  # q18 asks for a rate, which the paper counts among the counts


@pytest.fixture(scope="module", params=SOME, ids=str)
def one(request: pytest.FixtureRequest, made: Made) -> Lifelog:
    return made(*request.param)


@pytest.fixture(scope="module")
def asked(made: Made) -> list[list[MultihopQuestion]]:
    """The questions of twelve sparse lifelogs."""
    return [ask(made("sparse", index)) for index in range(12)]


def test_all_42_templates_of_the_types_of_the_paper() -> None:
    assert list(templates()) == [f"q{number:02d}" for number in range(1, 43)]
    kinds = Counter(template.kind for template in templates().values())
    expected = Counter(PAPER) + Counter(ALIVE_NOW) + Counter(average=AVERAGE_NOW) - Counter(count=AVERAGE_NOW)
    assert kinds == expected


def test_no_promise_is_broken(one: Lifelog) -> None:
    assert violations(Case(one)) == dict.fromkeys([*RULES, REPEATED], 0)


def test_no_promise_is_broken_in_a_dense_lifelog(made: Made) -> None:
    assert not any(violations(Case(made("dense", 17))).values())


@pytest.mark.parametrize(
    "world", [{"duration": 1}, {"duration": 3}, {"year": 1000}, {"year": 9000}, {"seed": 5}], ids=str
)
def test_no_promise_is_broken_in_other_worlds(world: dict[str, int]) -> None:
    made = lifelog("sparse", 2, **world)
    assert not any(violations(Case(made)).values())
    last = world.get("year", 2022)
    for start, end in question_table(made, ["scope_start", "scope_end"]).to_pandas().itertuples(index=False):
        assert last - world.get("duration", 57) < start.year <= end.year <= last


@pytest.mark.parametrize("kind", ["multihop", "extended"])
def test_sql_finds_its_lifelog_among_all(made: Made, kind: str) -> None:
    lifelogs = [made("sparse", 0), made("sparse", 3), made("medium", 2), made("medium", 11)]
    with duckdb.connect() as connection:
        for name in lifelogs[0].tables:
            connection.register(name, pa.concat_tables([each.tables[name] for each in lifelogs]))
        for each in lifelogs:
            for row in question_table(each, with_table=False, kind=kind).to_pylist():
                found = [as_text(values[0]) for values in connection.execute(row["sql"]).fetchall()]
                assert found == row["answers"], row["sql"]


def test_rows(one: Lifelog) -> None:
    table = question_table(one)
    assert table.schema == SCHEMA
    table.validate(full=True)
    for row in table.to_pylist():
        template = templates()[row["template"]]
        assert row["id"] == f"{one.lifelog_id}-{row['template']}" and row["lifelog_id"] == one.lifelog_id
        assert (row["question_type"], row["answer_type"]) == (template.kind, template.answer_type)
        assert row["question"].endswith("?") or row["question"].endswith(("all.", "level)?"))
        assert "$" not in row["sql"] and f"lifelog_id = '{one.lifelog_id}'" in row["sql"]
        assert len(set(row["answers"])) == len(row["answers"]) > 0
        assert template.kind in ("argmax", "list") or len(row["answers"]) == 1
        for answer in row["answers"]:
            _check_answer(answer, row["question_type"], row["answer_type"])


def _check_answer(answer: str, kind: str, answer_type: str) -> None:
    if kind == "average":
        assert str(Decimal(answer).quantize(Decimal("0.01"))) == answer
    elif answer_type == "number":
        assert str(int(answer)) == answer
    elif answer_type == "date":
        assert date.fromisoformat(answer).isoformat() == answer


def test_argmax_with_ties_lists_all_and_says_so(asked: list[list[MultihopQuestion]]) -> None:
    tied = 0
    for questions in asked:
        for question in questions:
            if question.template.ties == "listed":
                tied += len(question.answers) > 1
                assert any(word in question.text for word in ("If several tie", "if level", "shared the first"))
            elif question.template.ties == "skipped":
                assert len(question.answers) == question.parameters["top"]
            elif question.template.ties == "none":
                assert len(question.answers) == 1
    assert tied > 5


@pytest.mark.parametrize("kind", ["multihop", "extended"])
def test_the_table_is_the_evidence_as_text(one: Lifelog, kind: str) -> None:
    for row in question_table(one, kind=kind).to_pylist():
        table, sources = row["table"], templates(kind)[row["template"]].tables
        assert table["name"] == "_".join(sources)
        found = [dict(zip(table["header"], cells, strict=True)) for cells in table["rows"]]
        assert sorted(int(cells["episode_id"]) for cells in found) == row["evidence"]
        wanted = [
            {"table": source, **{name: _cell(value) for name, value in list(each.items())[1:]}}
            for source in sources
            for each in one.tables[source].to_pylist()
            if each["episode_id"] in set(row["evidence"])
        ]
        for cells, expected in zip(found, wanted, strict=True):
            assert {"table": sources[0], **{name: cells[name] for name in table["header"]}}.items() >= expected.items()
            assert not any(cells[name] for name in table["header"] if name not in expected)


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else ", ".join(value) if isinstance(value, list) else str(value)


def test_only_what_is_asked_is_made(one: Lifelog, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = question_table(one)
    monkeypatch.setattr(
        "timelineqa_ds.questions.multihop.table.as_struct", lambda tables: pytest.fail("no table was asked for")
    )
    some = question_table(one, ["template", "answers"])
    assert some.equals(whole.select(["template", "answers"]))
    without = question_table(one, with_table=False)
    assert without.schema == SCHEMA and without["table"].null_count == without.num_rows
    assert without.drop_columns(["table"]).equals(whole.drop_columns(["table"]))


def test_a_share_of_the_counts_is_zero(asked: list[list[MultihopQuestion]]) -> None:
    drawn = [
        question.answers == ["0"]
        for questions in asked
        for question in questions
        if "zero" in [draw.name for draw in question.template.draws]
    ]
    assert 0.03 < sum(drawn) / len(drawn) < 0.25
    for template in templates().values():
        assert all(draw.percent <= 15 for draw in template.draws if draw.name == "zero")


def test_questions_a_lifelog_and_templates(asked: list[list[MultihopQuestion]]) -> None:
    logs = [[question.template.name for question in questions] for questions in asked]
    assert 33 <= sum(map(len, logs)) / len(logs) <= 42
    assert {name for log in logs for name in log} == set(templates())


def test_another_process_asks_the_same(made: Made) -> None:
    kinds = ("multihop", "extended")
    program = (
        "from made import content_hash, question_table; from timelineqa_ds.generator import lifelog;"
        f"print(*(content_hash(question_table(lifelog('sparse', 3), kind=kind)) for kind in {kinds}))"
    )
    command, folder = [sys.executable, "-c", program], Path(__file__).parent
    other = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder).stdout.split()
    assert other == [content_hash(question_table(made("sparse", 3), kind=kind)) for kind in kinds]


def test_violations_are_seen(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    one = made("sparse", 0)
    right = {question.template.name: question for question in ask(one)}
    dates, dishes, talks = right["q40"], right["q17"], right["q06"]
    other = next(id for id in range(one.episodes.num_rows) if id not in talks.evidence)
    wrong = [
        dataclasses.replace(dates, answers=["1999-01-01"]),
        dataclasses.replace(dishes, evidence=dishes.evidence[:1], answers=dishes.answers + ["nan"]),
        dataclasses.replace(talks, evidence=np.append(talks.evidence, other), draw="zero"),
        dates,
    ]
    monkeypatch.setattr(multihop_check, "ask", lambda database, streams, kind: wrong)
    found = violations(Case(one))
    unseen = {"a scope that ends before it starts"}
    assert {rule for rule, count in found.items() if not count} == unseen


def test_literals() -> None:
    sql = "SELECT $name, $day, $number"
    assert finished(sql, {"name": "O'Hara", "day": date(2011, 3, 9), "number": 5}) == (
        "SELECT 'O''Hara', DATE '2011-03-09', 5"
    )
    assert [as_text(value) for value in (True, False, 3, Decimal("2.50"), date(987, 1, 2), "é")] == [
        "yes", "no", "3", "2.50", "0987-01-02", "é"
    ]  # fmt: skip
    with pytest.raises(TypeError, match="found 0.5"):
        as_text(0.5)


def test_averages_are_rounded_half_up() -> None:
    chat = pa.table({"lifelog_id": ["x"], "date": [date(2022, 1, 1)], "howlong": pa.array([201], pa.int32())})
    first, last = date(2022, 1, 1), date(2022, 12, 31)
    values: dict[str, str | int | date] = {"lifelog_id": "x", "first": first, "last": last, "periods": 200}
    some = lifelog("sparse", 5, duration=1)
    database = Database(some.lifelog_id, {**some.tables, "daily_chat": chat}, some.persona, (2022, 2022))
    assert database.answers(templates()["q05"].sql, values) == ["1.01"]  # 1.005, which no float holds


def test_evidence_that_is_no_row_of_the_table_is_not_shown(made: Made) -> None:
    tables = made("sparse", 0).tables
    nothing = selected(["travel"], tables, np.zeros(0, dtype=np.int64))
    assert nothing.rows.num_rows == 0 and nothing.rows.column_names == tables["travel"].column_names[1:]


@pytest.mark.parametrize(
    "change, message",
    [
        ({"type": "total"}, "q01: type: total unknown; expected some of average, count, argmax, list, sum"),
        ({"tie": 1}, "q01: keys: tie unknown"),
        ({"question": ["one?"]}, "q01: expected two or more wordings, found 1"),
        ({"ties": "listed"}, "q01: expected ties for an argmax"),
        ({"draws": {"found": [90, "SELECT 1"]}}, "q01: the percents of the draws add up to"),
    ],
)
def test_declarations_are_checked(monkeypatch: pytest.MonkeyPatch, change: dict[str, object], message: str) -> None:
    plain = {
        "type": "count",
        "answer": "number",
        "tables": ["t"],
        "question": ["a?", "b?"],
        "from": "FROM t",
        "sql": "",
    }
    monkeypatch.setattr(multihop_queries, "read_json", lambda name: {"q01": {**plain, **change}})
    with pytest.raises(ValueError, match=message):
        multihop_queries.templates.__wrapped__("multihop")
