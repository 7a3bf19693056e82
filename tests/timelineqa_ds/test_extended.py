"""The extended questions: their promises, their types, and that yes, no, zero and none are not given away."""

from __future__ import annotations

from collections import Counter
from datetime import date

import pytest

from timelineqa_ds.checks.multihop import REPEATED, RULES, Case, violations
from timelineqa_ds.checks.oracle import PROGRAMS
from timelineqa_ds.generator import lifelog
from timelineqa_ds.questions.multihop.queries import TYPES, templates
from timelineqa_ds.questions.multihop.table import SCHEMA, MultihopQuestion

from .made import Made, ask, question_table


SOME = [("sparse", 0), ("sparse", 11), ("medium", 2), ("dense", 17)]


@pytest.fixture(scope="module")
def asked(made: Made) -> list[MultihopQuestion]:
    """The questions of twelve sparse lifelogs."""
    return [question for index in range(12) for question in ask(made("sparse", index), "extended")]


def test_at_least_30_templates_of_every_type() -> None:
    kinds = Counter(template.kind for template in templates("extended").values())
    assert kinds.total() >= 30 and set(kinds) == set(TYPES)
    assert list(templates("extended")) == [f"x{number:02d}" for number in range(1, kinds.total() + 1)]


def test_there_is_independent_code_for_every_template() -> None:
    assert set(PROGRAMS) == {*templates("multihop"), *templates("extended")}


@pytest.mark.parametrize("which", SOME, ids=str)
def test_no_promise_is_broken(made: Made, which: tuple[str, int]) -> None:
    assert violations(Case(made(*which)), "extended") == dict.fromkeys([*RULES, REPEATED], 0)


@pytest.mark.parametrize(
    "world", [{"duration": 1}, {"duration": 3}, {"year": 1000}, {"year": 9000}, {"seed": 5}], ids=str
)
def test_no_promise_is_broken_in_other_worlds(world: dict[str, int]) -> None:
    assert not any(violations(Case(lifelog("sparse", 2, **world)), "extended").values())


def test_rows(made: Made) -> None:
    table = question_table(made("medium", 2), kind="extended")
    assert table.schema == SCHEMA
    table.validate(full=True)
    for row in table.to_pylist():
        template = templates("extended")[row["template"]]
        assert row["id"] == f"medium-0002-{row['template']}"
        assert (row["question_type"], row["answer_type"]) == (template.kind, template.answer_type)
        assert len(set(row["answers"])) == len(row["answers"]) > 0
        assert len(row["answers"]) == 1 or row["question_type"] in ("list", "argmax", "order")
        for answer in row["answers"]:
            if row["answer_type"] == "date" and answer != "none":
                assert date.fromisoformat(answer).isoformat() == answer
            elif row["answer_type"] == "boolean":
                assert answer in ("yes", "no")


def test_every_template_is_asked(asked: list[MultihopQuestion]) -> None:
    assert {question.template.name for question in asked} == set(templates("extended"))


def test_yes_is_half_and_false_premises_are_some(asked: list[MultihopQuestion]) -> None:
    said = Counter(question.answers[0] for question in asked if question.template.kind == "boolean")
    assert 0.35 < said["yes"] / said.total() < 0.65
    drawn = Counter(question.draw for question in asked)
    assert 0.02 < (drawn["zero"] + drawn["none"]) / drawn.total() < 0.2


def test_an_order_is_not_sorted(asked: list[MultihopQuestion]) -> None:
    orders = [
        question.answers for question in asked if question.template.kind == "order" and len(question.answers) > 1
    ]
    assert any(answers != sorted(answers) for answers in orders)
