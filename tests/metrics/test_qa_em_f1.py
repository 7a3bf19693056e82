"""`qa_em_f1`: agreement with plain implementations of both official scorers, joint answers, and refusals."""

from __future__ import annotations

import itertools
import re
import string
import time
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .scorers import QaEmF1, TokenMemo, realtimeqa_tokens, squad_tokens


METRICS = {config: QaEmF1(config) for config in ("squad", "realtimeqa")}


def compute(predictions: object, references: object, config: str = "squad", **options: Any) -> Any:
    return METRICS[config].compute(predictions=predictions, references=references, **options)


def pair(prediction: object, reference: object, config: str = "squad") -> tuple[float, float]:
    result = compute([prediction], [reference], config)
    return result["exact_match"], result["f1"]


# Plain implementations, one character and one order at a time.


def plain_normal(text: str, config: str) -> str:
    dropped = string.punctuation + ("" if config == "squad" else "年歳人년")
    text = "".join(character for character in text.lower() if character not in dropped)
    if config == "squad":
        text = re.sub(r"\b(a|an|the)\b", " ", text)
    return " ".join(text.split())


def plain_f1(prediction: str, gold: str, config: str) -> float:
    found, wanted = plain_normal(prediction, config).split(), plain_normal(gold, config).split()
    same = sum((Counter(found) & Counter(wanted)).values())
    if same == 0:
        return 0.0
    precision, recall = same / len(found), same / len(wanted)
    return 2 * precision * recall / (precision + recall)


def plain_joint(prediction: str, parts: list[str]) -> tuple[float, float]:
    orders = [" ".join(order) for order in itertools.permutations(parts)]
    exact = any(plain_normal(prediction, "realtimeqa") == plain_normal(gold, "realtimeqa") for gold in orders)
    return float(exact), max(plain_f1(prediction, gold, "realtimeqa") for gold in orders)


words = st.sampled_from(
    ["a", "an", "the", "A", "The", "Rome", "rome", "new", "york", "3.14", "314", "-", "5년", "人", "é"]
)
glue = st.sampled_from([" ", "  ", "-", ", ", "\t", "\n", "\u00a0", "\u200b", "\x00", "\x1c", "\x85", "_", "'", "。"])
phrases = st.lists(st.tuples(words, glue), max_size=6).map(
    lambda pieces: "".join(itertools.chain.from_iterable(pieces))
)
texts = st.one_of(phrases, st.text(max_size=12), st.text(st.sampled_from("aΣσςİIiı.人́ \x00the"), max_size=10))


@settings(max_examples=300)
@given(texts)
def test_normal_forms(text: str) -> None:
    assert " ".join(squad_tokens(text)) == plain_normal(text, "squad")
    assert " ".join(realtimeqa_tokens(text)) == plain_normal(text, "realtimeqa")


def test_every_small_character_beside_an_article() -> None:
    for character in map(chr, (*range(256), 0x1680, 0x2028, 0x3000, 0xFEFF, 0xD800)):
        for text in (f"a{character}b", f"x{character}THE{character}", character):
            assert " ".join(squad_tokens(text)) == plain_normal(text, "squad")
            assert " ".join(realtimeqa_tokens(text)) == plain_normal(text, "realtimeqa")


@settings(max_examples=100)
@given(st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), min_size=1, max_size=5))
def test_squad_against_the_plain_scorer(rows: list[tuple[str, list[str]]]) -> None:
    result = compute([row[0] for row in rows], [row[1] for row in rows], return_per_example=True)
    exact = [float(any(plain_normal(p, "squad") == plain_normal(g, "squad") for g in gold)) for p, gold in rows]
    f1 = [max(plain_f1(p, g, "squad") for g in gold) for p, gold in rows]
    assert (result["exact_match_per_example"], result["f1_per_example"]) == (exact, f1)
    assert result["exact_match"] == pytest.approx(sum(exact) / len(rows))
    assert result["f1"] == pytest.approx(sum(f1) / len(rows))


# Few distinct tokens, so that parts begin alike, repeat and vanish.
parts_lists = st.lists(st.lists(st.sampled_from("xyX. "), max_size=4).map(" ".join), min_size=1, max_size=5)


@settings(max_examples=250)
@given(parts_lists, st.data())
def test_joint_answers_against_every_order(parts: list[str], data: st.DataObject) -> None:
    tokens = " ".join(parts).split()
    right = st.permutations(parts).map(" ".join)
    near = st.permutations(tokens).map(" ".join)
    other = st.lists(st.sampled_from("xy"), max_size=6).map(" ".join)
    prediction = data.draw(st.one_of(right, near, other))
    assert pair(prediction, parts, "realtimeqa") == plain_joint(prediction, parts)


@given(st.lists(parts_lists, min_size=1, max_size=3), st.data())
def test_alternatives_of_joint_answers(alternatives: list[list[str]], data: st.DataObject) -> None:
    prediction = " ".join(data.draw(st.permutations(data.draw(st.sampled_from(alternatives)))))
    plain = [plain_joint(prediction, parts) for parts in alternatives]
    assert pair(prediction, alternatives, "realtimeqa") == tuple(map(max, zip(*plain, strict=True)))


@given(texts, st.lists(texts, min_size=1, max_size=3), texts)
def test_one_more_alternative_never_lowers_a_score(prediction: str, gold: list[str], more: str) -> None:
    before, after = pair(prediction, gold), pair(prediction, [*gold, more])
    assert after[0] >= before[0] and after[1] >= before[1]


@given(texts, texts)
def test_f1_is_symmetric_and_within_range(one: str, other: str) -> None:
    for config in METRICS:
        exact, f1 = pair(one, other, config)
        assert f1 == pytest.approx(pair(other, one, config)[1])
        assert 0 <= f1 <= 1 and exact in (0, 1)
        assert f1 == 1 or not exact or not plain_normal(one, config)


def test_as_many_parts_as_are_allowed_in_every_order() -> None:
    names = [f"name {number}" for number in range(7)]
    alike = [" ".join("x" * length) for length in range(1, 8)]
    for parts in (names, alike, ["x y"] * 4 + ["y x"] * 3):
        for prediction in map(" ".join, itertools.islice(itertools.permutations(parts), 0, None, 97)):
            assert pair(prediction, parts, "realtimeqa") == (1.0, 1.0)
    assert pair("name " * 7 + "0 1 2 3 4 5 6", names, "realtimeqa") == (0.0, 1.0)


def test_orders_are_tried_in_no_time() -> None:
    """Also where runs of one word end in every length but the right one."""
    parts = [" ".join("x" * (20_000 + 2 * number)) for number in range(6)]
    total = sum(part.count("x") for part in parts)
    prediction = " ".join("x" * (total // 2 | 1) + "y" + "x" * (total - (total // 2 | 1)))
    start = time.perf_counter()
    assert pair(prediction, [*parts, "y"], "realtimeqa") == (0.0, 1.0)
    assert time.perf_counter() - start < 5


def test_more_parts_are_refused_whatever_the_prediction() -> None:
    for gold in (list("abcdefgh"), [["a", "b"], list("abcdefgh")]):
        for prediction in ("x", "a b c d e f g h", None):
            with pytest.raises(ValueError, match="row 1: .* at most 7 parts.* found one of 8; give the orders that"):
                compute(["x", prediction], ["x", gold], "realtimeqa", missing="wrong")
    assert pair("a b c d e f g h", [["a b c d e f g h"], ["h g f e d c b a"]], "realtimeqa") == (1.0, 1.0)
    assert pair("h", list("abcdefgh")) == (1.0, 1.0)  # alternatives, of which there may be any number


def test_a_long_answer() -> None:
    text = "lorem ipsum dolor " * 50_000
    assert pair(text, text + "the") == (1.0, 1.0)
    assert pair(text + "x", [text, text + "y"], "realtimeqa")[0] == 0.0


def test_the_memo_stays_small() -> None:
    memo = TokenMemo(realtimeqa_tokens)
    memo.SIZE = 10
    for number in range(100):
        assert memo[f"A {number}"] == ("a", str(number))
    assert memo["long " * 200] == ("long",) * 200
    assert len(memo) <= 10 and max(map(len, memo)) < 10


def test_list_predictions_are_joined() -> None:
    assert pair(["x", "y"], "x, y") == (1.0, 1.0)
    assert pair(["x,", "y"], ["y", "x"], "realtimeqa") == (1.0, 1.0)
    assert pair([], "x") == (0.0, 0.0)


def test_both_sides_empty() -> None:
    for config, empty in (("squad", "The a"), ("realtimeqa", "人 !")):
        assert pair("", empty, config) == (1.0, 0.0)
        assert pair(empty, "", config) == (1.0, 0.0)
    assert pair("!", ["", "?"], "realtimeqa") == (1.0, 0.0)


def test_keys_and_types_do_not_depend_on_the_data() -> None:
    keys = {"exact_match": float, "f1": float, "n": int, "n_missing": int}
    for prediction, reference in [("x", "x"), ("", "x"), (None, ["x", "y"]), ("x", "")]:
        result = compute([prediction], [reference], missing="wrong")
        assert {key: type(value) for key, value in result.items()} == keys


def test_missing_predictions() -> None:
    assert compute([None, "x"], ["", "x"], missing="wrong") == {"exact_match": 0.5, "f1": 0.5, "n": 2, "n_missing": 1}
    with pytest.raises(ValueError, match="predictions row 1: expected an answer, found None"):
        compute(["x", None], ["x", "x"])


@pytest.mark.parametrize(
    ("config", "prediction", "reference", "message"),
    [
        ("squad", 3, "x", "predictions row 1: expected a string, a list of strings or None, found int 3"),
        ("squad", ["x", 3], "x", r"predictions row 1: .*found list \['x', 3\]"),
        ("squad", float("nan"), "x", "predictions row 1: expected an answer, found None"),
        ("squad", float("inf"), "x", "predictions row 1: .*found float inf"),
        ("squad", "x", None, "references row 1: expected a gold answer .*found NoneType None"),
        ("squad", "x", ["x", None], "references row 1"),
        ("squad", "x", [["x"]], "references row 1: expected a gold answer"),
        ("squad", "x", {"text": ["x"], "answer_start": [0]}, "references row 1: .*found dict"),
        ("squad", "x", [], "references row 1: expected at least one gold answer"),
        ("realtimeqa", "x", [], "references row 1: expected at least one gold answer"),
        ("realtimeqa", "x", [["x"], []], "references row 1: expected a list of parts"),
        ("realtimeqa", "x", [["x"], "y"], "references row 1: expected a list of parts"),
        ("realtimeqa", "x", [[["x"]]], "references row 1"),
    ],
)
def test_refusals_name_the_row(config: str, prediction: object, reference: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        compute(["x", prediction], ["x", reference], config)


def test_one_row_of_lists_does_not_decide_for_the_others() -> None:
    result = compute(["a b", "c", np.str_("d")], ["a b", ["b", "c"], np.array(["d", "e"])])
    assert result["exact_match"] == 1.0


def test_extras() -> None:
    options: dict[str, Any] = {"confidence_level": 0.95, "return_per_example": True, "return_signature": True}
    result = compute(["x", "x y"], ["x", "x"], **options)
    assert result == compute(["x", "x y"], ["x", "x"], **options)
    assert result["f1_per_example"] == [1.0, pytest.approx(2 / 3)]
    assert result["f1_low"] == pytest.approx(2 / 3) and result["f1_high"] == 1.0
    assert 0 < result["exact_match_low"] < 0.5 < result["exact_match_high"] < 1
    assert result["signature"] == (
        "metric:qa_em_f1|mode:squad|norm:lower+punct+articles|refs:alternatives|missing:error"
        "|ci:0.95/wilson/bootstrap1000seed12345|version:1.0.0"
    )


def test_unknown_configuration() -> None:
    with pytest.raises(ValueError, match="configuration: expected one of squad, realtimeqa, found 'triviaqa'"):
        QaEmF1("triviaqa")
