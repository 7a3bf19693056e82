"""`evidence_retrieval`: agreement with plain counting, empty sets, ranks, and refusals."""

from __future__ import annotations

import importlib
import math
import random
import re
from pathlib import Path
from typing import Any

import datasets
import evaluate
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .scorers import EvidenceRetrieval


LOG3 = math.log2(3)
METRIC = EvidenceRetrieval()
FOLDER = Path(importlib.import_module(EvidenceRetrieval.__module__).__file__ or "").parent


def compute(predictions: object, references: object, **options: Any) -> Any:
    return METRIC.compute(predictions=predictions, references=references, **options)


def test_by_hand() -> None:
    assert compute([[4, 7, 9, 1], [2]], [[7, 4], [2, 3]], k=[1, 2]) == {
        "precision": 0.75,
        "recall": 0.75,
        "f1": pytest.approx(2 / 3),
        "exact_set": 0.0,
        "recall_at_1": 0.5,
        "recall_at_2": 0.75,
        "ndcg_at_1": 1.0,
        "ndcg_at_2": pytest.approx((1 + 1 / (1 + 1 / LOG3)) / 2),
        "mrr": 1.0,
        "n": 2,
        "n_missing": 0,
    }
    assert compute([["b", "a", "b"]], [["a", "b", "a"]])["exact_set"] == 1.0


def plain(prediction: list[int], gold: list[int], k: int) -> list[float]:
    ranked: list[int] = []
    for item in prediction:
        if item not in ranked:
            ranked.append(item)
    if not gold or not ranked:
        return [float(not gold and not ranked)] * 5
    same = sum(item in gold for item in ranked)
    precision, recall = same / len(ranked), same / len(set(gold))
    f1 = 2 * precision * recall / (precision + recall) if same else 0.0
    return [
        precision,
        recall,
        f1,
        float(set(gold) == set(ranked)),
        sum(i in gold for i in ranked[:k]) / len(set(gold)),
    ]


ids = st.lists(st.integers(0, 6), max_size=8)


@settings(max_examples=150)
@given(st.lists(st.tuples(ids, ids), min_size=1, max_size=5), st.integers(1, 8))
def test_against_plain_counting(rows: list[tuple[list[int], list[int]]], k: int) -> None:
    predictions, references = [row[0] for row in rows], [row[1] for row in rows]
    result = compute(predictions, references, k=k, empty="score")
    expected = [plain(*row, k) for row in rows]
    keys = ["precision", "recall", "f1", "exact_set", f"recall_at_{k}"]
    for key, values in zip(keys, zip(*expected, strict=True), strict=True):
        assert result[key] == pytest.approx(sum(values) / len(rows))
    texts = [[[str(item) for item in row] for row in column] for column in (predictions, references)]
    assert compute(*texts, k=k, empty="score") == result
    assert result["recall_at_" + str(k)] <= result["recall"]
    assert compute(predictions, [gold[::-1] * 2 for gold in references], k=k, empty="score") == result


def test_empty_sets_and_missing_predictions() -> None:
    for prediction, gold, value in (([], [], 1.0), ([1], [], 0.0), ([], [1], 0.0), (None, [], 0.0), (None, [1], 0.0)):
        result = compute([prediction], [gold], k=3, missing="wrong", empty="score")
        assert {result[key] for key in ("precision", "recall", "f1", "exact_set", "recall_at_3")} == {value}
        assert result["n_missing"] == (prediction is None)
    with pytest.raises(ValueError, match="predictions row 1: expected an answer, found None"):
        compute([[1], None], [[1], [1]])


def test_a_retriever_of_fixed_k_can_be_perfect() -> None:
    """Questions without evidence are skipped by what k adds, unless asked otherwise."""
    predictions, references = [[1, 2], [3, 4], [5, 6]], [[2], [], [5, 6]]
    result = compute(predictions, references, k=2, return_per_example=True, return_signature=True)
    assert result["recall_at_2"] == 1.0 and result["recall"] == pytest.approx(2 / 3)
    assert math.isnan(result["recall_at_2_per_example"][1]) and result["recall_per_example"][1] == 0.0
    assert "|empty:score+k:skip|" in result["signature"]
    scored = compute(predictions, references, k=2, empty="score", return_signature=True)
    assert scored["recall_at_2"] == pytest.approx(2 / 3) and "|empty:score|" in scored["signature"]
    skipped = compute(predictions, references, k=2, empty="skip", confidence_level=0.9, return_signature=True)
    assert (skipped["recall"], skipped["exact_set"]) == (1.0, 0.5) and "|empty:skip|" in skipped["signature"]
    assert skipped["exact_set_high"] <= 1.0 and math.isnan(compute([[]], [[]], empty="skip")["recall"])


def test_ranked_values_by_hand() -> None:
    """Ranks 2 and 4 of three gold ids, and a question whose evidence is not among the retrieved ids."""
    result = compute([[9, 1, 8, 2], [1]], [[1, 2, 3], [2]], k=[1, 3, 4])
    ideal = 1 + 1 / LOG3 + 1 / 2
    assert result["mrr"] == 0.25 and result["ndcg_at_1"] == 0.0
    assert result["ndcg_at_3"] == pytest.approx(1 / LOG3 / ideal / 2)
    assert result["ndcg_at_4"] == pytest.approx((1 / LOG3 + 1 / math.log2(5)) / ideal / 2)


def test_ranked_values_agree_with_ir_measures() -> None:
    measures = pytest.importorskip("ir_measures", reason="needs ir_measures: pip install ir_measures")
    draw = random.Random(7)
    gold = [draw.sample(range(30), draw.randint(1, 6)) for _ in range(50)]
    said = [draw.sample(range(30), 20) for _ in gold]
    qrels = [measures.Qrel(str(q), str(d), 1) for q, row in enumerate(gold) for d in row]
    runs = [measures.ScoredDoc(str(q), str(d), 20 - rank) for q, row in enumerate(said) for rank, d in enumerate(row)]
    wanted = [measures.nDCG @ 5, measures.R @ 5, measures.RR]
    expected = measures.calc_aggregate(wanted, qrels, runs)
    result = compute(said, gold, k=5)
    for measure, key in zip(wanted, ("ndcg_at_5", "recall_at_5", "mrr"), strict=True):
        assert result[key] == pytest.approx(expected[measure], abs=1e-9)


def test_keys_depend_on_k_only() -> None:
    expected = ["precision", "recall", "f1", "exact_set", "recall_at_5", "recall_at_1"]
    expected += ["ndcg_at_5", "ndcg_at_1", "mrr", "n", "n_missing"]
    for prediction, gold in (([1], [1]), ([], []), ([], [1]), (["a"], ["b"])):
        result = compute([prediction], [gold], k=(5, 1, 5))
        assert list(result) == expected
        assert all(type(value) is (int if key in ("n", "n_missing") else float) for key, value in result.items())


def test_extras() -> None:
    options = {"confidence_level": 0.9, "return_per_example": True, "return_signature": True, "k": 1}
    result = compute([[1, 2], [3]], [[1], [3]], **options)
    assert result == compute([[1, 2], [3]], [[1], [3]], **options)
    assert result["precision_per_example"] == [0.5, 1.0] and result["exact_set_per_example"] == [0.0, 1.0]
    for key in ("precision", "recall", "f1", "exact_set", "recall_at_1"):
        assert result[f"{key}_low"] <= result[key] <= result[f"{key}_high"]
    assert result["signature"] == (
        "metric:evidence_retrieval|mean:macro|empty:score+k:skip|k:1|missing:error"
        "|ci:0.9/wilson/bootstrap1000seed12345|version:2.0.0"
    )


@pytest.mark.parametrize(
    ("prediction", "gold", "options", "message"),
    [
        ([1.0], [1], {}, "predictions row 0: expected a list of ids (ints or strings) or None, found list [1.0]"),
        ("12", ["12"], {}, "predictions row 0: expected a list of ids"),
        ([True], [1], {}, "predictions row 0"),
        ([1], None, {}, "references row 0: expected a list of ids (ints or strings), found NoneType None"),
        ([1], 1, {}, "references row 0"),
        (
            [1],
            ["1"],
            {},
            "expected ids of the same type in predictions and references, found int in predictions and str",
        ),
        ([1], [1], {"k": 0}, "k: expected a positive int or a list of these, found int 0"),
        ([1], [1], {"k": [1, True]}, "k: expected a positive int"),
        ([1], [1], {"k": "5"}, "k: expected a positive int"),
        ([1], [1], {"empty": "drop"}, "empty: expected None, 'score' or 'skip', found str 'drop'"),
        ([1], [1], {"top": 5}, "unknown argument 'top'"),
    ],
)
def test_refusals(prediction: object, gold: object, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        compute([prediction], [gold], **options)


def test_no_configurations() -> None:
    with pytest.raises(ValueError, match="configuration: expected no name, there is only one, found"):
        EvidenceRetrieval("wtq")


def test_columns_added_rows_and_combination() -> None:
    predictions, references = [[1, 2], None, [3]], [[1], [2], []]
    metric = EvidenceRetrieval()
    expected = metric.compute(predictions=predictions, references=references, missing="wrong", k=[2])
    for prediction, reference in zip(predictions, references, strict=True):
        metric.add(prediction=prediction, reference=reference)
    assert metric.compute(missing="wrong", k=[2]) == expected
    metric.add_batch(predictions=predictions[:1], references=references[:1])
    assert metric.compute(predictions=predictions[1:], references=references[1:], missing="wrong", k=[2]) == expected
    both = evaluate.combine({"one": EvidenceRetrieval(), "two": EvidenceRetrieval()})
    assert both.compute(predictions=[[1]], references=[[1]], k=1)["two_recall_at_1"] == 1.0
    data = datasets.Dataset.from_dict({"ids": [[1, 2], []]})
    assert compute(data["ids"], data["ids"])["exact_set"] == 1.0
    assert compute(data.with_format("numpy")["ids"], data["ids"])["exact_set"] == 1.0
    assert compute(np.array([[1, 2], [3, 4]]), [[2, 1], [4, 5]])["exact_set"] == 0.5
