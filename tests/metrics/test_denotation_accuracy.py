"""`denotation_accuracy`: the rules of the lenient mode, plain implementations of the strict ones, and refusals."""

from __future__ import annotations

import importlib
import json
import re
import time
from pathlib import Path
from random import Random
from typing import Any

import datasets
import evaluate
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .scorers import DenotationAccuracy, Memo, items, read


METRICS = {config: DenotationAccuracy(config) for config in ("timelineqa", "wtq", "tapex")}
FOLDER = Path(importlib.import_module(DenotationAccuracy.__module__).__file__ or "").parent


def compute(predictions: object, references: object, config: str = "timelineqa", **options: Any) -> Any:
    return METRICS[config].compute(predictions=predictions, references=references, **options)


def right(prediction: object, gold: object, config: str = "timelineqa", **options: Any) -> bool:
    return bool(compute([prediction], [gold], config, **options)["denotation_accuracy"])


EQUAL = json.loads(r"""[
["Café  Roma.", "cafe roma"], ["the Beatles", "Beatles"], ["“Blue Train”", "Blue Train"], ["**Rome**", "Rome"],
["Ｒｏｍｅ", "rome"], ["semi‑final", "semi-final"], ["3 days", "3"], ["45 minutes", "45"], ["45 min.", "45 minutes"],
["1.5 hours", "90 minutes"], ["3-day", "3 days"], ["84.050", "84.05"], ["84.0500001", "84.05"], ["1,000", "1000"],
["1 000 000", "1000000"], ["1,234.50", "1234.5"], ["−20", "-20"], ["３", "3"], ["٣", "3"], ["+5", "5"],
["$1,500", "1500"], ["$1.56 billion", "1560000000"], ["-$5", "-5"], ["1e3", "1000"], ["48.4%", "48.4"], ["3rd", "3"],
["1/2", "0.5"], ["½", "1/2"], ["three", "3"], ["Twenty-one days", "21"], ["twenty one", "21"], ["two hundred", "200"],
["March 3, 2021", "2021-03-03"], ["3 March 2021", "2021-03-03"],
["on Wednesday, the 3rd of March, 2021", "2021-03-03"], ["Sept. 3rd, 2021", "2021/9/3"],
["2021-03-03T00:00:00", "2021-03-03"], ["03/04/2021", "2021-03-04"], ["23/04/2021", "2021-04-23"],
["March 2021", "2021-03"], ["xxxx-03-23", "March 23"], ["true", "yes"], ["No.", "false"], ["Yes, twice.", "yes"],
["A, B and C", ["C", "A", "B"]], ["A, B, and C", ["C", "A", "B"]], ["A; B | C", ["A", "B", "C"]],
["- A\n- B", ["B", "A"]], ["1. A\n2. B", ["B", "A"]], ["['A', 'B']", ["B", "A"]], ["[\"A, C\", 2]", ["2.0", "A, C"]],
["[\"Rom\\u0065\", \"it\\\"s\"]", ["rome", "it\"s"]], ["['it\\'s', \"b\"]", ["it's", "b"]],
[["B", "A"], "['A', 'B']"], ["1, 2 and 3", ["3 days", "2", "one"]],
["Val d'Isère, France and Beaver Creek, USA", ["Beaver Creek, USA", "Val d'Isère, France"]],
["Rock and Roll, Jazz", ["Jazz", "rock and roll"]], [["Athens", "Greece"], "Athens, Greece"], [["A", "A"], ["A"]],
[["1.0", "2"], ["2.0000001", "1"]], ["2021-03-03, 2021-03-04", ["March 4, 2021", "March 3, 2021"]],
["18446744073709551617", "18,446,744,073,709,551,617.0"], ["", []], ["[]", ""], [[], ["", " "]], [["A", ""], "a"],
["March 3, 2021 and Thursday, March 4, 2021", ["2021-03-04", "2021-03-03"]], ["1,000, 2,000", ["2000", "1000"]],
["1,200", ["1", "200"]]
]""")
DIFFERENT = json.loads(r"""[
["A", "The"], ["C++", "C#"], ["3 days", "3 weeks"], ["3 pm", "3"], ["3 or 4", "3"], ["Seven Samurai", "7"],
["84.06", "84.05"], ["-5", "5"], ["314", "3.14"], ["48%", "0.48"], ["1,00", "100"],
["18446744073709551617", "18446744073709551616"], ["inf", "1e400"], ["nan", "0"], ["March 2021", "2021-03-03"],
["04/03/2021", "2021-03-04"], ["2021-03-03", "2021-03-04"], ["May 3", "3"], ["yes", "1"], ["yes", "no"],
["No, twice.", "yes"], ["Greece, Athens", "Athens, Greece"], ["A, B", ["A", "B", "C"]],
["A, B, C, D", ["A", "B", "C"]], ["A", ["A", "B"]],
[["Val d'Isère, USA", "Beaver Creek, France"], ["Val d'Isère, France", "Beaver Creek, USA"]],
["Val d'Isère, USA, Beaver Creek, France", ["Val d'Isère, France", "Beaver Creek, USA"]], ["", "A"], ["A", ""],
["A", []], ["none", []], ["!", ""], [[], ["A", "B"]], ["[A", ["A"]], ["['A' 'B']", ["A", "B"]]
]""")


@pytest.mark.parametrize(("prediction", "gold"), EQUAL)
def test_what_a_person_would_accept(prediction: object, gold: object) -> None:
    assert right(prediction, gold)


@pytest.mark.parametrize(("prediction", "gold"), DIFFERENT)
def test_what_a_person_would_not_accept(prediction: object, gold: object) -> None:
    assert not right(prediction, gold)


def test_types_sharpen() -> None:
    for kind, prediction, gold, expected in json.loads("""[
["text", "3", "3 Idiots", false], [null, "3", "3 Idiots", true], ["text", "1.0", "1", false],
["text", "The 3 idiots", "3 Idiots.", true], ["text", "B and A", ["A", "B"], true], ["boolean", "y", "yes", true],
["boolean", "0", "no", true], [null, "1", "yes", false], ["date", "20210303", "2021-03-03", true],
["date", "2021", "2021", true], ["number", "3 days", "3", true], ["number", "March 2021", "2021-03", false]
]"""):
        assert right(prediction, gold, answer_type=[kind]) == expected, (kind, prediction, gold)


def test_tolerance() -> None:
    assert right("84.1", "84.05", tolerance=1e-3) and not right("84.1", "84.05", tolerance=0)
    assert not right("1000", "1001", tolerance=0.1)
    assert right("0.10", "0.1", tolerance=0)


pieces = st.sampled_from(
    ["1", "1.0", "1_000", "1000", "nan", "inf", "Infinity", "1e400", "Rome", "rome ", "\u00a0٣", "3", "-0", "", "in"]
)
lists = st.lists(st.one_of(pieces, st.text(max_size=4)), max_size=3)


# Plain numbers that are not nearer to each other than the tolerance of the evaluator.
numbers = st.one_of(
    st.integers(-50, 50).map(str),
    st.integers(-(10**30), 10**30).map(str),
    st.integers(-5000, 5000).map(lambda n: f"{n / 100}"),
    st.integers(-50, 50).map(lambda n: f"{n}.000"),
)


@settings(max_examples=100)
@given(st.lists(numbers, min_size=1, max_size=4), st.lists(numbers, min_size=1, max_size=4), st.randoms())
def test_lenient_accepts_what_wtq_accepts_on_numbers(found: list[str], gold: list[str], random: Random) -> None:
    for prediction in (found, random.sample(gold, len(gold)), [f"{number}" for number in gold[:1]]):
        if right(prediction, gold, "wtq"):
            assert right(prediction, gold)


@settings(max_examples=100)
@given(lists, lists, st.randoms())
def test_order_does_not_count(found: list[str], gold: list[str], random: Random) -> None:
    other = random.sample(found, len(found)), random.sample(gold, len(gold))
    assert right(found, gold) == right(*other)
    assert right(found, found) and right(other[1], gold)


raw = st.text(st.sampled_from("[]'\"\\,;|-–0123456789./$%eEmay xand \n（）₂²½é"), max_size=12)
anything = st.one_of(raw, st.text(max_size=10), pieces)
answers = st.one_of(anything, st.lists(anything, max_size=3))


@settings(max_examples=150)
@given(answers, answers, st.sampled_from([None, "number", "date", "text", "boolean"]))
def test_nothing_fails(prediction: object, gold: object, kind: str | None) -> None:
    right(prediction, gold, answer_type=[kind])
    assert right(gold, gold, answer_type=[kind])
    for config in ("wtq", "tapex"):
        right(prediction, gold, config)
    assert right(gold, gold, "wtq")


@settings(max_examples=100)
@given(anything)
def test_a_text_is_never_nothing(text: str) -> None:
    if any(character.isalnum() or character in "!?." for character in text) and "[" not in text:
        assert read(text) != "" and not right(text, []) and not right("", text)


@pytest.mark.parametrize(
    "unit", json.loads(r"""["[", "[a]", " (a)", "9", "9,", "\u0027", "1 ", " ", "x, ", "\\", "e9", "may "]""")
)
def test_long_answers_take_no_time(unit: str) -> None:
    long = unit * 20_000
    start = time.perf_counter()
    for text in (long, f"[{long}]", f"x{long}", f"1{long}"):
        for config in METRICS:
            right(text, ["x", "y"], config)
            right(text, "1", config)
    assert time.perf_counter() - start < 8


def test_the_memo_stays_small() -> None:
    memo = Memo(read)
    memo.SIZE = 10
    assert all(memo[f"A {number}"] == str(number) for number in range(100)) and len(memo) <= 10
    assert memo["x " * 300] == ("x " * 300).strip() and "x " * 300 not in memo


def test_items() -> None:
    assert items("[]") == [] and items("[1, 'a, b']") == ["1", "a, b"] and items("['a'") == ["['a'"]
    assert items(["['a', 'b']"]) == ["a", "b"] and items(["[1]", "x"]) == ["[1]", "x"]


def test_keys_missing_and_extras() -> None:
    assert compute([None, "x"], [[], "x"], missing="wrong") == {"denotation_accuracy": 0.5, "n": 2, "n_missing": 1}
    for config in METRICS:
        result = compute([None, "x"], ["", "x"], config, missing="wrong")
        assert result == {"denotation_accuracy": 0.5, "n": 2, "n_missing": 1}
        assert type(result["denotation_accuracy"]) is float
    with pytest.raises(ValueError, match="predictions row 1: expected an answer, found None"):
        compute(["x", None], ["x", "x"])
    options = {"confidence_level": 0.95, "return_per_example": True, "return_signature": True}
    result = compute(["x", "y"], ["x", "x"], "wtq", **options)
    assert result["denotation_accuracy_per_example"] == [1.0, 0.0]
    assert 0 < result["denotation_accuracy_low"] < 0.5 < result["denotation_accuracy_high"] < 1
    assert result["signature"] == (
        "metric:denotation_accuracy|mode:wtq|tol:1e-06|canonical:none|missing:error|ci:0.95/wilson|version:2.0.0"
    )


@pytest.mark.parametrize(
    ("prediction", "gold", "config", "options", "message"),
    [
        (3, "x", "wtq", {}, "predictions row 0: expected a string, a list of strings or None, found int 3"),
        (["x", 3], "x", "wtq", {}, "predictions row 0"),
        ("x", None, "tapex", {}, "references row 0: expected a gold answer"),
        ("x", [["x"]], "tapex", {}, "references row 0"),
        ("x", "x", "wtq", {"answer_type": ["text"]}, "answer_type: expected only with the configuration 'timelineqa'"),
        ("x", "x", "timelineqa", {"canonical": [None]}, "canonical: expected only with the configuration 'wtq'"),
        ("x", "x", "timelineqa", {"answer_type": ["string"]}, "answer_type row 0: expected one of number, date"),
        (
            "x",
            "x",
            "timelineqa",
            {"answer_type": []},
            "answer_type: expected one entry per question, 1 in all, found 0",
        ),
        ("x", "x", "timelineqa", {"tolerance": -1}, "tolerance: expected a number from 0"),
        ("x", "x", "timelineqa", {"tolerance": float("nan")}, "tolerance: expected a number from 0"),
        (
            "x",
            "x",
            "wtq",
            {"canonical": [["1", "2"]]},
            "canonical row 0: expected 1 values, one per gold item, found 2",
        ),
        ("x", "x", "wtq", {"canonical": []}, "canonical: expected one entry per question"),
    ],
)
def test_refusals(prediction: object, gold: object, config: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        compute([prediction], [gold], config, **options)


def test_unknown_configuration() -> None:
    with pytest.raises(ValueError, match="configuration: expected one of timelineqa, wtq, tapex, found 'x'"):
        DenotationAccuracy("x")


def test_columns_added_rows_and_combination() -> None:
    predictions, references = ["3 days", ["A", "B"], None], [["3"], ["B", "A"], []]
    metric = DenotationAccuracy()
    expected = metric.compute(predictions=predictions, references=references, missing="wrong")
    for prediction, reference in zip(predictions, references, strict=True):
        metric.add(prediction=prediction, reference=reference)
    assert metric.compute(missing="wrong") == expected == {"denotation_accuracy": 2 / 3, "n": 3, "n_missing": 1}
    both = evaluate.combine({"lenient": DenotationAccuracy(), "wtq": DenotationAccuracy("wtq")})
    result = both.compute(predictions=["3 days", "x"], references=[["3"], ["X"]])
    assert (result["lenient_denotation_accuracy"], result["wtq_denotation_accuracy"]) == (1.0, 0.5)
    data = datasets.Dataset.from_dict({"text": ["3 days", "x"], "gold": [["3"], ["X"]]})
    assert compute(data["text"], data["gold"])["denotation_accuracy"] == 1.0
    assert compute(np.array(["3", "x"]), np.array(["3", "x"]))["denotation_accuracy"] == 1.0
