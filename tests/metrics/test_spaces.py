"""Each metric as the Space that is published: loaded without our package, its card, its page and its examples."""

from __future__ import annotations

import doctest
import importlib
import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import huggingface_hub
import pytest

from timeline_realtime_qa import metric_path, space
from timeline_realtime_qa.names.registered import METRICS
from timeline_realtime_qa.space import assemble

from .rows import ROWS, direct, load, names


# What the Hub takes for a Space.
COLOURS = {"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"}
ALONE = """
import importlib.abc, json, sys
OURS = ("timeline_realtime_qa", "realtimeqa_ds", "timelineqa_ds")
class Absent(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in OURS:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Absent())
import evaluate
predictions, references = json.loads(sys.argv[1])
metric = evaluate.load(sys.argv[2])
direct = metric.compute(predictions=predictions, references=references, missing="wrong")
metric.add_batch(predictions=predictions, references=references)
added = metric.compute(missing="wrong")
assert str(added) == str(direct)
print(json.dumps(direct))
assert not any(name.partition(".")[0] in OURS for name in sys.modules)
"""


@names
def test_without_the_package(name: str, tmp_path: Path) -> None:
    folder = assemble(name, tmp_path / "spaces" / name)
    requirements = (folder / "requirements.txt").read_text(encoding="utf-8").split()
    assert {line.partition(">=")[0] for line in requirements} == {"datasets", "evaluate", "numpy"}
    environment = {**os.environ, "HF_MODULES_CACHE": str(tmp_path / "modules"), "HF_EVALUATE_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", ALONE, json.dumps(ROWS[name]), str(folder)],
        capture_output=True,
        text=True,
        timeout=120,
        env={**environment, "HF_METRICS_CACHE": str(tmp_path / "metrics")},
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    result = {key: value for key, value in json.loads(done.stdout).items() if not math.isnan(value)}
    assert result == direct(name)


def test_no_file_of_a_space_takes_the_place_of_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    metric = tmp_path / "metric"
    metric.mkdir()
    (metric / "rows.py").write_text("# of the metric")
    monkeypatch.setattr(space, "metric_path", lambda name: str(metric))
    with pytest.raises(ValueError, match="qa_em_f1: rows.py is the name of a file of timeline_realtime_qa.scoring"):
        space.assemble("qa_em_f1", tmp_path / "out")


TWO = """
import json, sys
sys.modules.update(dict.fromkeys(("timeline_realtime_qa", "realtimeqa_ds", "timelineqa_ds")))
import evaluate
path, cache, process, rows = sys.argv[1], sys.argv[2], int(sys.argv[3]), json.loads(sys.argv[4])
metric = evaluate.load(path, num_process=2, process_id=process, experiment_id="two", cache_dir=cache, timeout=60)
half = slice(0, 3) if process == 0 else slice(3, None)
print(json.dumps(metric.compute(predictions=rows[0][half], references=rows[1][half], missing="wrong")))
"""


@pytest.mark.parametrize("name", ["denotation_accuracy"])  # which has the most modules
def test_without_the_package_in_two_processes(name: str, tmp_path: Path) -> None:
    folder = assemble(name, tmp_path / "spaces" / name)
    environment = {**os.environ, "HF_EVALUATE_OFFLINE": "1", "HF_METRICS_CACHE": str(tmp_path / "metrics")}
    started = [
        subprocess.Popen(
            [sys.executable, "-c", TWO, str(folder), str(tmp_path), str(process), json.dumps(ROWS[name])],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**environment, "HF_MODULES_CACHE": str(tmp_path / f"modules{process}")},
            cwd=tmp_path,
        )
        for process in range(2)
    ]
    outputs = [process.communicate(timeout=120) for process in started]
    assert all(process.returncode == 0 for process in started), outputs
    result = {key: value for key, value in json.loads(outputs[0][0]).items() if not math.isnan(value)}
    assert result == direct(name) and json.loads(outputs[1][0]) is None


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
    card = huggingface_hub.SpaceCard.load(Path(metric_path(name), "README.md"))
    data, body = card.data.to_dict(), card.text
    assert (data["sdk"], data["app_file"], data["tags"]) == ("gradio", "app.py", ["evaluate", "metric"])
    assert {data["colorFrom"], data["colorTo"]} <= COLOURS and data["title"] and data["license"] == "apache-2.0"
    assert re.fullmatch(r"\d+\.\d+\.\d+", data["sdk_version"])
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
def test_what_evaluate_shows(name: str) -> None:
    metric = load(name)
    assert metric.name == name
    assert metric.inputs_description in (metric.compute.__doc__ or "")
    assert all(text in (type(metric).__doc__ or "") for text in (metric.description.strip(), "Examples:"))
