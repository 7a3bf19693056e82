"""`nota_accuracy`: what counts as right, what is invalid, which choice is NOTA, and the rates."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from timeline_realtime_qa.scoring.nota import is_nota

from .scorers import NotaAccuracy


KEYS = {
    "accuracy": float,
    "accuracy_gold_nota": float,
    "accuracy_gold_other": float,
    "nota_prediction_rate": float,
    "chance": float,
    "n": int,
    "n_missing": int,
    "n_invalid": int,
}
CHOICES = ["Rome", "Oslo", "Bern", "None of the above"]


def compute(predictions: object, references: object, **options: Any) -> Any:
    return NotaAccuracy().compute(predictions=predictions, references=references, **options)


@pytest.mark.parametrize("right", [2, "2", ["2"], [2], np.int64(2), np.int32(2), np.array([2]), (2,), pa.scalar(2)])
def test_every_spelling_of_an_index(right: object) -> None:
    result = compute([right, right], [[2], [1]])
    assert result["accuracy"] == 0.5
    assert result["n_invalid"] == 0


@pytest.mark.parametrize(
    "column", [np.array([0, 1, 2]), np.array(["0", "1", "2"]), pa.array([0, 1, 2]), pa.chunked_array([[0], [1, 2]])]
)
def test_array_columns(column: object) -> None:
    assert compute(column, [0, 1, 0])["accuracy"] == pytest.approx(2 / 3)
    assert compute([0, 1, 0], np.array([[0], [1], [2]]))["accuracy"] == pytest.approx(2 / 3)


@pytest.mark.filterwarnings("ignore:the predictions look as if")
@pytest.mark.parametrize(
    "wrong",
    ["", "null", "Rome", " 1", "1 ", "01", "+1", "1.0", "-1", "１", "²", -1, 4, "4", 10**30, "9" * 30, [], [1, 1]],
)
def test_what_is_no_index_of_a_choice_is_wrong_and_counted(wrong: object) -> None:
    result = compute([wrong, 1], [1, 1], choices=[CHOICES] * 2)
    assert (result["accuracy"], result["n_invalid"], result["n_missing"]) == (0.5, 1, 0)


@pytest.mark.parametrize("wrong", [1.0, math.inf, True, {"index": 1}, b"1", [1.0], [None], [[1]]])
def test_other_types_are_refused(wrong: object) -> None:
    with pytest.raises(ValueError, match="predictions row 1: expected an index"):
        compute([1, wrong], [1, 1])


@pytest.mark.parametrize("wrong", ["1", None, 1.0, True, ["1"], [None]])
def test_references_are_ints(wrong: object) -> None:
    with pytest.raises(ValueError, match="references row 1: expected a 0-based gold index"):
        compute([1, 1], [[1], wrong])


def test_references_out_of_range() -> None:
    with pytest.raises(ValueError, match="references row 1: expected at least one gold index, found none"):
        compute([1, 1], [[1], []])
    with pytest.raises(ValueError, match=r"references row 1: .*below 4 .*found 4; subtract 1"):
        compute([1, 1], [[1], [4]], choices=[CHOICES] * 2)
    with pytest.raises(ValueError, match="references row 0: expected a 0-based index, found -1"):
        compute([1, 1], [[2, -1], [1]])


def test_keys_and_types_do_not_depend_on_the_data() -> None:
    cases: list[tuple[list[Any], dict[str, Any]]] = [
        ([1], {}),
        (["Rome"], {}),
        ([None], {"missing": "wrong"}),
        ([1], {"choices": [CHOICES]}),
        ([1], {"nota_index": [None]}),
    ]
    for predictions, options in cases:
        result = compute(predictions, [1], **options)
        assert {key: type(value) for key, value in result.items()} == KEYS


def test_rates() -> None:
    result = compute([3, 0, 3, 1, None], [[3], [3], [0], [1], [2]], choices=[CHOICES] * 5, missing="wrong")
    assert result == {
        "accuracy": 0.4,
        "accuracy_gold_nota": 0.5,
        "accuracy_gold_other": pytest.approx(1 / 3),
        "nota_prediction_rate": 0.4,
        "chance": 0.25,
        "n": 5,
        "n_missing": 1,
        "n_invalid": 0,
    }


def test_rates_that_are_not_defined_are_nan() -> None:
    plain = compute([1, 0], [1, 1])
    assert plain["accuracy"] == 0.5
    for key in ("accuracy_gold_nota", "accuracy_gold_other", "nota_prediction_rate", "chance"):
        assert math.isnan(plain[key])
    original = compute([1, 0], [1, 1], choices=[["Rome", "Oslo"]] * 2)
    assert math.isnan(original["accuracy_gold_nota"])
    assert (original["accuracy_gold_other"], original["nota_prediction_rate"], original["chance"]) == (0.5, 0.0, 0.5)
    assert math.isnan(compute([3], [3], choices=[CHOICES])["accuracy_gold_other"])
    # One nan object throughout, so that equal inputs give results that compare equal.
    assert plain == compute([1, 0], [1, 1])


def test_chance_counts_choices_and_gold_indices() -> None:
    choices = [["a", "b"], ["a", "b", "c", "d"], ["a", "b", "c"]]
    assert compute([0, 0, 0], [0, [0, 1, 1], [2]], choices=choices)["chance"] == pytest.approx(
        (1 / 2 + 1 / 2 + 1 / 3) / 3
    )


def test_any_gold_index_is_right() -> None:
    result = compute([0, 2, 1], [[0, 1], [0, 1], 1])
    assert result["accuracy"] == pytest.approx(2 / 3)


def test_nota_index() -> None:
    result = compute([1, 1, 0], [[1], [0], [0]], nota_index=[1, 1, None])
    assert (result["accuracy_gold_nota"], result["accuracy_gold_other"]) == (1.0, 0.5)
    assert result["nota_prediction_rate"] == pytest.approx(2 / 3)
    assert math.isnan(result["chance"])
    overruled = compute([3], [3], nota_index=[0], choices=[CHOICES])
    assert (overruled["accuracy_gold_other"], overruled["nota_prediction_rate"]) == (1.0, 0.0)
    for wrong, message in [([1], "each of the 2 rows, found 1"), ([0, 4], "nota_index row 1"), ([0, "1"], "row 1")]:
        with pytest.raises(ValueError, match=message):
            compute([0, 0], [0, 0], nota_index=wrong, choices=[CHOICES] * 2)


def test_choices_are_checked() -> None:
    for choices, message in [
        ([CHOICES], "choices: expected one entry for each of the 2 rows, found 1"),
        ([CHOICES, []], "choices row 1: expected the texts of the choices, found an empty list"),
        ([CHOICES, "Rome"], "choices row 1: expected a list of the texts"),
        ([CHOICES, ["None of the above", "None of these"]], "choices row 1: expected at most one"),
    ]:
        with pytest.raises(ValueError, match=message):
            compute([0, 0], [0, 0], choices=choices)


@pytest.mark.parametrize(
    "text",
    [
        "None of the above",
        "None of the above.",
        "NONE OF THE ABOVE!",
        "  none  of the\u00a0above ",
        "D. None of the above",
        "(d) None of the above",
        "4) none-of-the-above",
        "None of these candidates",
        "None of these",
        "None of the choices",
        "None of the other options",
        "None of the above answers",
        "Neither of the above",
        "D neither of these",
        "**D.** None of the *above*",
        "None of the listed options",
        "None of your choices",
    ],
)
def test_nota_is_recognised(text: str) -> None:
    assert is_nota(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "None",
        "All of the above",
        "None of the British royals",
        "None of your business",
        "None of the presidential candidates",
        "Neither of his parents",
        "Not none of the above",
        "Nota",
    ],
)
def test_other_choices_are_not_nota(text: str) -> None:
    assert not is_nota(text)


def test_index_base() -> None:
    choices = [CHOICES] * 4
    one_based, gold = ["1", "4", "2", "0"], [[0], [3], [2], [0]]
    result = compute(one_based, gold, choices=choices, index_base=1)
    assert (result["accuracy"], result["n_invalid"], result["accuracy_gold_nota"]) == (0.5, 1, 1.0)
    for wrong in (2, "1", True, None):
        with pytest.raises(ValueError, match="index_base: expected 0, 1 or 'auto'"):
            compute(one_based, gold, index_base=wrong)


def test_one_based_predictions_are_noticed() -> None:
    predictions, gold = ["1", "4", "Rome", "50"], [[0], [3], [2], [0]]
    choices = [CHOICES] * 4
    with pytest.warns(UserWarning, match="count from 1 .*pass index_base=1"):
        assert compute(predictions, gold, choices=choices)["accuracy"] == 0.0
    with pytest.warns(UserWarning, match="1 was subtracted"):
        result = compute(predictions, gold, choices=choices, index_base="auto", return_signature=True)
    assert (result["accuracy"], result["n_invalid"]) == (0.5, 2)
    assert "|base:auto->1|" in result["signature"]
    with pytest.warns(UserWarning, match="pass index_base=1"):
        assert compute(predictions, gold, index_base="auto")["accuracy"] == 0.0


@pytest.mark.parametrize(
    "predictions", [["0", "3", "1", "2"], ["1", "2", "3", "3"], ["0", "4", "1", "1"], ["", "a", "", "9"]]
)
def test_zero_based_predictions_raise_no_alarm(predictions: list[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for base in (0, "auto"):
            result = compute(predictions, [0, 3, 3, 3], choices=[CHOICES] * 4, index_base=base)
            assert result["accuracy"] == sum(p == str(g) for p, g in zip(predictions, [0, 3, 3, 3], strict=True)) / 4


@pytest.mark.parametrize("said", [["A", "(C)", "B. Oslo"], ["The answer is Oslo", "Oslo", "1"], ["**B**", "b", None]])
def test_chat_answers_are_noticed(said: list[Any]) -> None:
    """Letters and words are no indices; the warning names what reads an index from them."""
    with pytest.warns(UserWarning, match="letters or answers in words, such as .*answers.read_choice"):
        result = compute(said, [0, 2, 1], choices=[CHOICES] * 3, missing="wrong")
    assert result["n_invalid"] + result["n_missing"] >= 2


def test_extras() -> None:
    result = compute([3, 0], [3, 3], choices=[CHOICES] * 2, confidence_level=0.9, return_per_example=True)
    assert result["accuracy_per_example"] == [1.0, 0.0]
    for key in ("accuracy", "accuracy_gold_nota", "nota_prediction_rate"):
        assert 0 < result[f"{key}_low"] < result[key] < result[f"{key}_high"] < 1
    assert math.isnan(result["accuracy_gold_other_low"]) and "chance_low" not in result
    signature = compute([3], [3], return_signature=True)["signature"]
    assert signature == "metric:nota_accuracy|base:0|nota:unknown|missing:error|ci:none|version:1.1.0"


indices = st.integers(0, 3)
rows = st.lists(st.tuples(st.one_of(st.none(), indices, st.just("x")), st.lists(indices, min_size=1), st.booleans()))


@given(rows.filter(bool))
def test_against_a_plain_loop(rows: list[tuple[Any, list[int], bool]]) -> None:
    predictions, references = [row[0] for row in rows], [row[1] for row in rows]
    choices = [CHOICES if row[2] else ["a", "b", "c", "d"] for row in rows]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = compute(predictions, references, choices=choices, missing="wrong")
    right = [p in r for p, r in zip(predictions, references, strict=True)]
    gold_nota = [nota and 3 in r for _, r, nota in rows]
    assert result["accuracy"] == pytest.approx(sum(right) / len(rows))
    for key, member in (("accuracy_gold_nota", True), ("accuracy_gold_other", False)):
        group = [ok for ok, nota in zip(right, gold_nota, strict=True) if nota == member]
        assert result[key] == pytest.approx(sum(group) / len(group)) if group else math.isnan(result[key])
    assert result["nota_prediction_rate"] == pytest.approx(sum(p == 3 and nota for p, _, nota in rows) / len(rows))
    assert result["chance"] == pytest.approx(sum(len(set(r)) / 4 for r in references) / len(rows))
    assert (result["n_missing"], result["n_invalid"]) == (predictions.count(None), predictions.count("x"))
