"""The metrics under `evaluate`: added rows, several processes, copies, combination, kinds of column."""

from __future__ import annotations

import copy
import json
import math
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import datasets
import evaluate
import numpy as np
import pyarrow as pa
import pytest

from .rows import ROWS, direct, load, names, scores


EXPECTED = {
    "denotation_accuracy": {"denotation_accuracy": 0.6, "n_missing": 1},
    "evidence_retrieval": {"recall": 0.5, "n_missing": 1},
    "nota_accuracy": {"accuracy": 0.4, "n_missing": 1},
    "qa_em_f1": {"exact_match": 0.8, "n_missing": 1},
}


def locked_files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.arrow"))


@names
def test_the_direct_result(name: str, tmp_path: Path) -> None:
    result = direct(name)
    assert {key: result[key] for key in EXPECTED[name]} == EXPECTED[name]
    assert result["n"] == 5
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@names
@pytest.mark.parametrize("in_memory", [False, True])
def test_added_rows_give_the_same(name: str, in_memory: bool, tmp_path: Path) -> None:
    metric = load(name, keep_in_memory=in_memory)
    predictions, references = ROWS[name]
    for prediction, reference in zip(predictions, references, strict=True):
        metric.add(prediction=prediction, reference=reference)
    assert len(metric) == 5
    assert scores(metric) == direct(name)
    metric.add_batch(predictions=predictions[:2], references=references[:2])
    metric.add_batch(predictions=[], references=[])
    metric.add_batch(predictions=tuple(predictions[2:]), references=references[2:])
    assert scores(metric) == direct(name)
    assert not locked_files(tmp_path) and len(metric) == 0


@names
def test_compute_with_rows_after_add_merges_both(name: str) -> None:
    metric = load(name)
    predictions, references = ROWS[name]
    metric.add(prediction=predictions[0], reference=references[0])
    assert scores(metric, predictions=predictions[1:], references=references[1:]) == direct(name)


def test_choices_cover_the_added_rows_in_order() -> None:
    metric = load("nota_accuracy")
    metric.add(prediction=1, reference=1)
    choices = [["a", "None of the above"], ["a", "b", "c"]]
    result = metric.compute(predictions=[0], references=[2], choices=choices)
    assert (result["accuracy_gold_nota"], result["accuracy_gold_other"]) == (1.0, 0.0)


@names
def test_nothing_to_score(name: str) -> None:
    metric = load(name)
    nothing: list[dict[str, Any]] = [
        {},
        {"predictions": [], "references": []},
        {"predictions": np.array([]), "references": []},
    ]
    for rows in nothing:
        with pytest.raises(ValueError, match="nothing to score"):
            metric.compute(**rows)
    metric.add_batch(predictions=[], references=[])
    with pytest.raises(ValueError, match="nothing to score"):
        metric.compute()
    for rows in ({"predictions": ["1"]}, {"references": ["1"]}):
        with pytest.raises(ValueError, match="expected a list with one entry per question, found None"):
            metric.compute(**rows)


@names
def test_errors_are_value_errors(name: str) -> None:
    metric = load(name)
    predictions, references = ROWS[name]
    with pytest.raises(ValueError, match="found 5 predictions and 4 references"):
        metric.compute(predictions=predictions, references=references[:4])
    with pytest.raises(ValueError, match="unknown argument 'normalise'; expected one of predictions, references"):
        metric.compute(predictions=predictions, references=references, normalise=True)
    with pytest.raises(ValueError, match="predictions: expected a list or an array"):
        metric.compute(predictions="1", references=["1"])


@names
def test_a_failed_add_leaves_no_lock(name: str, tmp_path: Path) -> None:
    metric = load(name)
    predictions, references = ROWS[name]
    for rows in ((predictions, references[:2]), ([1.5], references[:1]), (predictions[:1], [None])):
        with pytest.raises(ValueError):
            metric.add_batch(predictions=rows[0], references=rows[1])
        with pytest.raises(ValueError):
            metric.add(prediction=1.5, reference=references[0])
    with pytest.raises(ValueError, match="unknown argument 'x'"):
        metric.add_batch(predictions=predictions, references=references, x=1)
    assert not locked_files(tmp_path) and metric.filelock is None
    metric.add_batch(predictions=predictions, references=references)
    with pytest.raises(ValueError):
        metric.add(prediction=1.5, reference=references[0])
    with pytest.raises(ValueError, match="unknown argument"):
        metric.compute(wrong=1)
    assert scores(metric) == direct(name)


def test_a_write_that_fails_leaves_no_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    metric = load("qa_em_f1")

    locks = []

    def full(*_: object, **__: object) -> None:
        locks.append(metric.filelock)
        assert metric.filelock.is_locked
        raise OSError("no space left")

    monkeypatch.setattr(datasets.arrow_writer.ArrowWriter, "write_batch", full)
    with pytest.raises(OSError, match="no space left"):
        metric.add_batch(predictions=["x"], references=["x"])
    monkeypatch.undo()
    assert not locked_files(tmp_path) and metric.writer is None
    assert not any(lock.is_locked for lock in locks)
    assert load("qa_em_f1").compute(predictions=["x"], references=["x"])["n"] == 1


@names
def test_a_compute_that_fails_lets_go(name: str, tmp_path: Path) -> None:
    metric = load(name)
    predictions, references = ROWS[name]
    metric.add_batch(predictions=predictions, references=references)
    with pytest.raises(ValueError, match="found None"):
        metric.compute()
    assert not locked_files(tmp_path)
    assert scores(metric, predictions=predictions, references=references) == direct(name)
    pickle.dumps(metric)


@names
def test_copies_before_and_after(name: str) -> None:
    metric = load(name)
    predictions, references = ROWS[name]
    for _ in range(2):
        for twin in (copy.deepcopy(metric), pickle.loads(pickle.dumps(metric))):
            assert scores(twin, predictions=predictions, references=references) == direct(name)
        metric.add_batch(predictions=predictions, references=references)
        for make in (copy.deepcopy, pickle.dumps):
            with pytest.raises(RuntimeError, match="call compute first"):
                make(metric)
        assert scores(metric) == direct(name)


def test_combine() -> None:
    both = evaluate.combine(["nota_accuracy", "qa_em_f1"])
    squad, realtime = evaluate.load("qa_em_f1"), evaluate.load("qa_em_f1", "realtimeqa")
    combined = evaluate.combine({"squad": squad, "realtimeqa": realtime})
    rows: dict[str, list[str | None]] = {"predictions": ["the x", None], "references": ["x", "y"]}
    result = combined.compute(missing="wrong", **rows)
    assert (result["squad_exact_match"], result["realtimeqa_exact_match"]) == (0.5, 0.0)
    for prediction, reference in zip(rows["predictions"], rows["references"], strict=True):
        combined.add(prediction=prediction, reference=reference)
    assert combined.compute(missing="wrong") == result
    combined.add_batch(**rows)
    assert combined.compute(missing="wrong") == result
    assert [module.name for module in both.evaluation_modules] == ["nota_accuracy", "qa_em_f1"]


def test_lazy_columns_are_read_in_bulk(monkeypatch: pytest.MonkeyPatch) -> None:
    table = {
        "answer": [[i % 4] for i in range(1000)],
        "text": [f"t {i}" for i in range(1000)],
        "parts": [["x"]] * 1000,
    }
    data = datasets.Dataset.from_dict(table)
    monkeypatch.setattr(datasets.arrow_dataset.Column, "__iter__", lambda self: pytest.fail("read row by row"))
    assert load("nota_accuracy").compute(predictions=data["answer"], references=data["answer"])["accuracy"] == 1.0
    assert load("qa_em_f1").compute(predictions=data["text"], references=data["text"])["f1"] == 1.0
    assert load("qa_em_f1").compute(predictions=data["parts"], references=data["parts"])["f1"] == 1.0
    numpy = data.with_format("numpy")
    assert load("nota_accuracy").compute(predictions=numpy["answer"], references=numpy["answer"])["accuracy"] == 1.0
    arrow = data.data.column("text")
    assert load("qa_em_f1").compute(predictions=arrow, references=pa.array(table["text"]))["f1"] == 1.0


@names
def test_scores_are_scalars_for_the_bootstrap(name: str) -> None:
    """`Evaluator(strategy="bootstrap")` resamples arrays and takes every key of the result as a number."""
    special = {
        "nota_accuracy": ([1, 0, 2], [1, 1, 3]),
        "evidence_retrieval": ([[1], [2], [3]], [[1], [1], [3]]),
    }
    columns = special.get(name, (["x", "y", "z"], ["x", "y", "y"]))
    metric, arrays = load(name), [np.asarray(column) for column in columns]
    full = metric.compute(predictions=arrays[0], references=arrays[1])
    for rows in ([0, 0, 0], [2, 2, 2], [0, 1, 2]):
        result = metric.compute(predictions=arrays[0][rows], references=arrays[1][rows])
        assert result.keys() == full.keys()
        assert all(type(value) in (int, float) for value in result.values())


WORKER = """
import json, sys
import evaluate, realtimeqa_ds
name, cache, process, first, last = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5])
predictions, references = json.loads(sys.argv[6])
metric = evaluate.load(name, num_process=2, process_id=process, experiment_id="two", cache_dir=cache, timeout=30)
metric.add_batch(predictions=predictions[first:last - 1], references=references[first:last - 1])
rows = dict(predictions=predictions[last - 1:last], references=references[last - 1:last])
print(json.dumps(metric.compute(missing="wrong", **rows)))
"""


@names
def test_two_processes(name: str, tmp_path: Path) -> None:
    rows = json.dumps(ROWS[name])
    started = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, name, str(tmp_path), str(process), first, last, rows],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "HF_EVALUATE_OFFLINE": "1"},
        )
        for process, first, last in ((0, "0", "2"), (1, "2", "5"))
    ]
    outputs = [process.communicate(timeout=120) for process in started]
    assert all(process.returncode == 0 for process in started), outputs
    result = {key: value for key, value in json.loads(outputs[0][0]).items() if not math.isnan(value)}
    assert result == direct(name)
    assert json.loads(outputs[1][0]) is None
    assert not locked_files(tmp_path)
