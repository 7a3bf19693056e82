"""Each metric folder as a Space: loaded by path without our package, its card, its page and its examples."""

from __future__ import annotations

import doctest
import importlib
import json
import math
import os
import shutil
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import evaluate
import pytest
import yaml

from timeline_realtime_qa import METRICS, metric_path, register


register()

ROWS = {
    "denotation_accuracy": (
        ["3 days", "A and B", ["B", "A"], None, ""],
        ["3", ["B", "A"], ["A", "B"], "q", ["", "r"]],
    ),
    "evidence_retrieval": ([[1, 2], [2], [], None, [3]], [[1, 2], [2, 3], [], [1], [4]]),
    "nota_accuracy": ([1, "0", ["2"], None, ""], [[1], 1, [2, 0], [0], [3]]),
    "qa_em_f1": (["x", "The y", ["a", "b"], None, ""], ["x", ["y", "z"], "a, b", "q", ["", "r"]]),
}
names = pytest.mark.parametrize("name", sorted(METRICS))


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluate.config, "HF_METRICS_CACHE", tmp_path / "metrics")


def load(name: str, **options: Any) -> Any:
    return evaluate.load(name, **options)


def scores(metric: Any, **rows: Any) -> Any:
    return {key: value for key, value in metric.compute(missing="wrong", **rows).items() if not math.isnan(value)}


def direct(name: str) -> Any:
    predictions, references = ROWS[name]
    return scores(load(name), predictions=predictions, references=references)


ALONE = """
import importlib.abc, json, sys
OURS = ("timeline_realtime_qa", "realtimeqa_ds", "timelineqa_ds")
class Absent(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in OURS:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Absent())
import evaluate
metric = evaluate.load(sys.argv[1])
predictions, references = json.loads(sys.argv[2])
direct = metric.compute(predictions=predictions, references=references, missing="wrong")
metric.add_batch(predictions=predictions, references=references)
added = metric.compute(missing="wrong")
assert str(added) == str(direct)
assert not any(name.partition(".")[0] in OURS for name in sys.modules)
print(json.dumps(direct))
"""


@names
@pytest.mark.parametrize("copied", [False, True], ids=["in place", "copied folder"])
def test_by_path_without_the_package(name: str, copied: bool, tmp_path: Path) -> None:
    folder = metric_path(name)
    if copied:
        folder = shutil.copytree(folder, tmp_path / "spaces" / name)
        assert not Path(folder, "scoring.py").is_symlink()
    environment = {**os.environ, "HF_MODULES_CACHE": str(tmp_path / "modules"), "HF_EVALUATE_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", ALONE, folder, json.dumps(ROWS[name])],
        capture_output=True,
        text=True,
        timeout=120,
        env={**environment, "HF_METRICS_CACHE": str(tmp_path / "metrics")},
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    result = {key: value for key, value in json.loads(done.stdout).items() if not math.isnan(value)}
    assert result == direct(name)


@names
def test_examples_run(name: str) -> None:
    module = importlib.import_module(METRICS[name])
    card = Path(metric_path(name), "README.md").read_text(encoding="utf-8")
    for source, text in (("docstring", module._INPUTS), ("card", card)):
        test = doctest.DocTestParser().get_doctest(text, {}, f"{name} {source}", None, 0)
        assert len(test.examples) >= 5
        assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


@names
def test_the_card_is_complete(name: str) -> None:
    card = Path(metric_path(name), "README.md").read_text(encoding="utf-8")
    _, front, body = card.split("---\n", 2)
    matter = yaml.safe_load(front)
    assert matter["sdk"] == "gradio" and matter["tags"] == ["evaluate", "metric"] and matter["app_file"] == "app.py"
    for heading in ("Metric description", "How to use", "Inputs", "Output values", "Limitations and bias", "Citation"):
        assert f"\n## {heading}\n" in body
    assert "\n### Values from the paper" in body
    for option in ("missing", "return_per_example", "confidence_level", "return_signature"):
        assert f"| `{option}` |" in body
    module = importlib.import_module(METRICS[name])
    for line in module._CITATION.strip().splitlines():
        assert line in body
    result = direct(name)
    assert all(f"`{key}`" in body for key in result)


@names
def test_the_page(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    app = importlib.import_module(f"timeline_realtime_qa.{name}.app")
    calls: dict[str, Any] = {}
    widget = types.SimpleNamespace(
        Textbox=lambda **options: options["value"],
        Dropdown=lambda choices, **options: options["value"],
        JSON=lambda **options: None,
        Interface=lambda **options: calls.update(options),
    )
    monkeypatch.setitem(sys.modules, "gradio", widget)
    app.page()
    result = calls["fn"](*calls["inputs"])
    assert json.loads(json.dumps(result, allow_nan=False)) == result
    assert result["n"] >= 2 and calls["article"].lstrip().startswith("# Metric card")


@names
def test_what_evaluate_shows(name: str) -> None:
    metric = load(name)
    assert metric.name == name
    assert metric.inputs_description in metric.compute.__doc__
    assert all(text in type(metric).__doc__ for text in (metric.description.strip(), "Examples:"))
    requirements = Path(metric_path(name), "requirements.txt").read_text(encoding="utf-8").split()
    assert {line.partition(">=")[0] for line in requirements} == {"datasets", "evaluate", "numpy"}
