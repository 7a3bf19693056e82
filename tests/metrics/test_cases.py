"""The official scorers' answers, one case a line: kind "text" lists alternatives, "denotation" parts of an answer."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .scorers import DenotationAccuracy, QaEmF1, normalize


GOLDEN = Path(__file__).with_name("cases.jsonl")
SHARED = Path(__file__).parents[3] / "shared" / "metrics" / "cases.jsonl"


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


CASES: dict[str, dict[str, Any]] = {}
for path in (SHARED, GOLDEN):
    for row in read(path):
        CASES[row["id"]] = {**CASES.get(row["id"], {}), **row}
DENOTATION = {config: DenotationAccuracy(config) for config in ("timelineqa", "wtq", "tapex")}


def compute(case: dict[str, Any], config: str) -> Any:
    references = case["references"]
    if config == "realtimeqa" and case["kind"] == "text":
        references = [[alternative] for alternative in references]
    return QaEmF1(config).compute(predictions=[case["prediction"]], references=[references])


@pytest.mark.parametrize("config", ["squad", "realtimeqa"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_agrees_with_the_official_scorer(case: dict[str, Any], config: str) -> None:
    if not case["references"]:
        with pytest.raises(ValueError, match="references row 0: expected at least one gold answer"):
            compute(case, config)
        return
    if case[f"{config}_em"] is None:
        pytest.skip("not defined: SQuAD knows no joint answers")
    result = compute(case, config)
    assert result["exact_match"] == float(case[f"{config}_em"])
    assert result["f1"] == pytest.approx(case[f"{config}_f1"], abs=1e-6)


def right(prediction: object, gold: object, config: str, **options: Any) -> bool:
    result = DENOTATION[config].compute(predictions=[prediction], references=[gold], **options)
    assert result
    return bool(result["denotation_accuracy"])


@pytest.mark.parametrize("column", ["wtq_official", "wtq_official_canon", "tapex"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_agrees_with_the_official_evaluator(case: dict[str, Any], column: str) -> None:
    if case.get(column) is None:
        pytest.skip("not defined: alternatives, or no canonical values")
    options = {"canonical": [case["wtq_canon"]]} if column == "wtq_official_canon" else {}
    assert right(case["prediction"], case["references"], column.partition("_")[0], **options) == case[column]


def test_the_golden_file_is_complete() -> None:
    cases = read(GOLDEN)
    assert len(cases) == 65
    assert sum(case["squad_em"] is not None for case in cases) == 55
    assert sum(case["realtimeqa_em"] is not None for case in cases) == 64
    assert sum(case["wtq_official"] is not None for case in cases) == 61


# The strict evaluators, plainly.


def plain_tapex(prediction: str, gold: str) -> bool:
    sides = []
    for text in (prediction, gold):
        counts: dict[Any, int] = defaultdict(int)
        for part in text.lower().split(", "):
            try:
                counts[float(part)] += 1
            except ValueError:
                counts[part.strip()] += 1
        sides.append(counts)
    return sides[0] == sides[1]


pieces = st.sampled_from(
    ["1", "1.0", "1_000", "1000", "nan", "inf", "Infinity", "1e400", "Rome", "rome ", "\u00a0٣", "3", "-0", "", "in"]
)
joins = st.lists(pieces, max_size=3).map(", ".join)


@settings(max_examples=200)
@given(st.one_of(joins, st.text(max_size=5)), st.one_of(joins, st.text(max_size=5)))
def test_tapex_against_the_plain_evaluation(prediction: str, gold: str) -> None:
    for one, other in ((prediction, gold), (gold, gold)):
        assert right(one, other, "tapex") == plain_tapex(one, other)


def test_tapex_lists_are_joined() -> None:
    assert right(["a", "b, c"], ["c", "b", "a"], "tapex")
    assert right([], "", "tapex") and right([], [], "tapex") and not right(["1", "1"], ["1"], "tapex")


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("Smith (JPN) (2)[8]†", "smith"),
        ("Smith [a] (b) [12]", "smith"),
        ("[note]", "[note]"),
        ("[12]", ""),
        ("[٣]", "[٣]"),
        ("[1][b]", ""),
        ("[a][b]", "[a]"),
        ("x [a [b]", "x"),
        ("(a) (b)", "(a)"),
        ("x (a)(b)", "x (a)(b)"),
        ("x]*]", "x]*]"),
        ('"Blue Train"', "blue train"),
        ('"a" and "b"', '"a" and "b"'),
        ("‘a’ – b", "'a' - b"),
        ("wait...", "wait.."),
        ("U.S .", "u.s"),
        ("İstanbul\n\t x", "istanbul x"),
        ("*", ""),
        ("½", "1⁄2"),
    ],
)
def test_wtq_normal_forms(text: str, normal: str) -> None:
    assert normalize(text) == normal


def test_wtq_values() -> None:
    assert right("1000.0000001", "1000", "wtq") and not right("1000.1", "1000", "wtq")
    assert right("2.9999999", "2", "wtq")
    assert not right("1_000", "1000", "wtq") and right("１０００", "1000", "wtq")
    assert not right("18446744073709551617", "18446744073709551616", "wtq")
    assert right("2011-xx-xx", "2011", "wtq") and right("xx-3-23", "xxxx-03-23", "wtq")
    assert not right("2019-13-01", "2019-13-1", "wtq") and not right("xx-xx-xx", "xxxx-xx-xx", "wtq")
    assert not right("9" * 400, "0.5", "wtq") and right("9" * 5000, "9" * 5000, "wtq")
    assert right(["1", "x", "X."], ["x", "1.0"], "wtq") and not right(["x"], ["x", "y"], "wtq")
    assert right([], [], "wtq") and not right([], [""], "wtq") and right("", [""], "wtq")
    assert right("1500", "$1,500", "wtq", canonical=[["1500.0"]])
    assert right("$1,500", ["$1,500", "1500"], "wtq", canonical=[["1500.0", ""]])
    assert right("5", [""], "wtq", canonical=[["5.0"]]) and not right("", [""], "wtq", canonical=[["5.0"]])
    assert not right("1500", "$1,500", "wtq", canonical=[[""]]) and right("x", "x", "wtq", canonical=[None])
