"""The parts of the atomic questions: forms, spans, shares and what fits a question."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from timelineqa_ds.declared.events import declarations
from timelineqa_ds.questions.atomic.forms import TYPES, _form, _questions, questions
from timelineqa_ds.questions.atomic.sample import shares, shuffled, told_wrongly
from timelineqa_ds.questions.atomic.text import Span, as_told, find, listed
from timelineqa_ds.questions.atomic.values import Matches, Values
from timelineqa_ds.world.streams import Ints, Streams


STREAMS = Streams("1.0.0", 1, "dense-7")
CHAT = {"type": "who", "ask": "people", "given": ["day"], "wordings": ["Who, on {day}?", "On {day}, who?"]}


def test_every_event_is_asked_about_in_several_types() -> None:
    found = questions()
    assert list(found) == list(declarations().events)
    for event, asked in found.items():
        types = {form.type for form in asked.forms}
        assert types >= {"when", "yes/no"}, event
        assert len(types) >= 3, event
    assert {form.type for asked in found.values() for form in asked.forms} == set(TYPES)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"type": "why"}, "chat, form 0: type: why unknown"),
        ({"ask": "mood"}, "chat, form 0: fields: mood unknown"),
        ({"given": ["place"]}, "chat, form 0: fields: place unknown"),
        ({"wording": []}, "chat, form 0: wording unknown"),
        ({"type": "when"}, "chat, form 0: when cannot ask for people"),
        ({"ask": "day"}, "chat, form 0: who cannot ask for day"),
        ({"wordings": ["Who, on {day}?"]}, "chat, form 0: needs 2 wordings, found 1"),
        ({"wordings": ["Who, on {day}?", "On {day}, who"]}, "must end in '\\?' and name each of \\['day'\\] once"),
        ({"wordings": ["Who, on {day}?", "Who?"]}, "must end in '\\?' and name each of \\['day'\\] once"),
    ],
)
def test_a_wrong_form_is_named(change: dict[str, Any], message: str) -> None:
    chat = declarations().events["chat"]
    _form(chat, 0, CHAT)
    with pytest.raises(ValueError, match=message):
        _form(chat, 0, {**CHAT, **change})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"apart": ["sleep"]}, "chat: apart: sleep unknown"),
        ({"alike": {"mood": []}}, "chat: alike: mood unknown"),
        ({"alike": {"time_of_day": [["in the morning", "at dawn"]]}}, "chat: alike: at dawn unknown"),
        ({"other": 1}, "chat: keys: other unknown"),
    ],
)
def test_a_wrong_event_is_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _questions(declarations().events["chat"], {"forms": [CHAT], **change})


def test_spans() -> None:
    assert find("Ann and Bea talked.", ["Ann"]) == Span("Ann", 0)
    assert find("Anna and Ann-Marie talked to Ann.", ["Ann"]) == Span("Ann", 29)
    assert find("Ann told Ann.", ["Ann"]) is None
    assert find("Anna talked.", ["Ann"]) is None
    assert find("35 minutes", ["5 minutes"]) is None
    assert find("Ann, Bea and I talked.", as_told(["Ann", "Bea"], "")) == Span("Ann, Bea", 0)
    assert find("I talked with Ann and Bea.", as_told(["Ann", "Bea"], "")) == Span("Ann and Bea", 14)
    assert find("Chess kept me busy.", as_told(["chess"], "")) == Span("Chess", 0)
    assert find("I read for 20 minutes.", as_told(["20"], "minutes")) == Span("20 minutes", 11)
    assert [listed(words) for words in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a and b", "a, b and c"]


def test_shares_are_even_and_within_what_there_is() -> None:
    full = {(event, kind): 100 for event in ("chat", "cook") for kind in TYPES}
    assert set(shares(full, 120).values()) == {10}
    scarce = {**full, ("cook", "who"): 2}
    given = shares(scarce, 600)
    assert sum(given.values()) == 600 and given["cook", "who"] == 2
    assert all(given[cell] <= scarce[cell] for cell in scarce)
    assert shares(scarce, 10_000) == scarce
    assert shares({("chat", "who"): 0}, 10) == {("chat", "who"): 0}


def test_half_is_told_wrongly() -> None:
    assert told_wrongly([True] * 6) == [False, True] * 3
    assert sum(told_wrongly([True, False] * 10)) == 10
    assert told_wrongly([False] * 4) == [False] * 4
    assert told_wrongly([]) == []
    mixed = [True] * 7 + [False] * 3
    assert sum(told_wrongly(mixed)) == 5 and not any(told_wrongly(mixed)[7:])


@pytest.mark.parametrize("count", [0, 1, 2, 1000])
def test_an_order_has_every_number_once(count: int) -> None:
    assert sorted(shuffled(count, STREAMS, "some")) == list(range(count))
    assert count < 3 or list(shuffled(count, STREAMS, "some")) != list(shuffled(count, STREAMS, "other"))


class _Few(Values):
    """Five episodes with a day and people."""

    columns = {"day": [[1], [1], [1], [2], [3]], "people": [[0, 1, -1], [2, -1, -1], [1, 0, 3], [0, 1, -1], [-1] * 3]}

    def __init__(self) -> None:
        """There is no log."""

    def __len__(self) -> int:
        return 5

    def codes(self, field: str) -> Ints:
        return np.array(self.columns[field])

    def alike(self, field: str, codes: Ints) -> Ints:
        return codes


def test_a_list_fits_all_that_have_its_items() -> None:
    rows = np.arange(5)
    assert Matches(_Few(), ["day"]).alone(rows).tolist() == [False, False, False, True, True]
    assert Matches(_Few(), ["people"]).alone(rows).tolist() == [False, True, True, False, False]
    assert Matches(_Few(), ["day", "people"]).alone(rows).tolist() == [False, True, True, True, False]
    with pytest.raises(ValueError, match="one list at most"):
        Matches(_Few(), ["people", "people"])
