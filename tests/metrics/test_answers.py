"""What models say, read as choices and short answers: forms of the grammar, refusals, and published answers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from timeline_realtime_qa.scoring.answers import Choice, ShortAnswer, read_answer, read_choice


CHOICES = ["Rome", "Oslo", "Bern", "None of the above"]
FORMS = [json.loads(line) for line in Path(__file__).with_name("forms.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: repr(form["said"])[:60])
def test_a_form(form: dict[str, Any]) -> None:
    """A form that is one choice or answer is read as it; what is none or several is refused, with a reason."""
    found: Choice | ShortAnswer
    read: int | str | None
    if "answer" in form:
        found, read, expected = (answer := read_answer(form["said"])), answer.text, form["answer"]
    else:
        found = choice = read_choice(form["said"], form.get("choices", CHOICES), form.get("first", 1))
        read, expected = choice.index, form["choice"]
    assert read == expected, found
    assert found.reason


def test_there_are_enough_forms() -> None:
    assert len(FORMS) >= 300 and sum(form.get("choice", form.get("answer")) is None for form in FORMS) >= 60


@given(st.text(max_size=40), st.lists(st.text(max_size=8), min_size=1, max_size=4))
def test_nothing_fails(text: str, choices: list[str]) -> None:
    for said in (text, f"The answer is {text}", f"{{{text}}}", f"```{text}```"):
        found = read_choice(said, choices)
        assert found.index is None or 0 <= found.index < len(choices)
        assert read_answer(said).text != ""


def words(text: str) -> str:
    return " " + re.sub(r"\W+", " ", text).strip() + " "


def test_published_generations(public_data: Path) -> None:
    """None of the answers of 2023 that contain exactly one choice of their question is read as another."""
    choices = {
        row["question_id"]: row["choices"]
        for path in public_data.glob("past/*/*_qa.jsonl")
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines())
    }
    contained = read = 0
    for path in sorted(public_data.glob("baseline_results/2023/*gen.jsonl")):
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            said, known = row["prediction"], choices.get(row["question_id"])
            if known is None or not isinstance(said, str):
                continue
            for spaced in (str, words):
                texts = [spaced(choice.lower()) for choice in known]
                named = [index for index, text in enumerate(texts) if text in spaced(said.lower())]
                if len(named) == 1:
                    contained += 1
                    index = read_choice(said, known).index
                    read += index is not None
                    assert index in (None, named[0]), (path.name, row, known)
    assert contained > 2500 and read > 0.95 * contained
