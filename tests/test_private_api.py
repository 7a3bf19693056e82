"""Private API of `datasets` and `evaluate` that has moved: one warning that says what to do, and all else works."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import evaluate
import pytest

from timeline_realtime_qa.names import datasets_hook, evaluate_hook
from timeline_realtime_qa.names.private import SUPPORTED
from timeline_realtime_qa.scoring import rows

from .metrics.scorers import QaEmF1
from .test_registration import run


# The library's own functions keep what is renamed for everybody else.
MOVE = """
import sys, types, warnings
import datasets, datasets.load, datasets.inspect, evaluate, evaluate.loading
def change(module, name, *other):
    package, _, last = module.partition(".")
    found = types.SimpleNamespace(**{key: value for key, value in vars(sys.modules[module]).items() if key != name})
    if other:
        setattr(found, name, *other)
    sys.modules[module] = found
    setattr(sys.modules[package], last, found)
"""
USE = """
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import realtimeqa_ds, timelineqa_ds, timeline_realtime_qa as t
    from click.testing import CliRunner
    from timelineqa_ds.builder import TimelineQA
    from timelineqa_ds.commands import main
    import evaluate
    t.register()
    assert CliRunner().invoke(main, ["columns", "personas"]).exit_code == 0
    assert timelineqa_ds.lifelog("sparse", 0, duration=1).episodes.num_rows
    assert next(iter(TimelineQA(config_name="personas").as_streaming_dataset(split="test")))
    assert evaluate.load(t.metric_path("nota_accuracy")).compute(predictions=[1], references=[1])["accuracy"] == 1
print(*[one.message for one in caught if one.category is RuntimeWarning], sep="\\n")
"""
DATASETS = """
import datasets
assert next(iter(datasets.load_dataset("timelineqa", "personas", split="test", streaming=True)))
"""
EVALUATE = """
import evaluate
assert evaluate.load("qa_em_f1").name == "qa_em_f1"
"""


def warned(library: str, supported: str, lacking: str) -> str:
    return rf"our names are not known to {library}: .*, but {library} [\d.]+ is installed and has no {lacking}; .*" + (
        re.escape(f"pip install '{library}{supported}'") + r"\s*"
    )


@pytest.mark.parametrize("moved", [*datasets_hook.PRIVATE, *evaluate_hook.PRIVATE])
def test_a_name_that_moved(moved: str, tmp_path: Path) -> None:
    module, name = moved.split(":")
    library, other = ("datasets", EVALUATE) if moved in datasets_hook.PRIVATE else ("evaluate", DATASETS)
    said = run(f"{MOVE}change({module!r}, {name!r}){USE}{other}", tmp_path)
    assert re.fullmatch(warned(library, SUPPORTED[library], re.escape(f"{module}.{name}")), said), said


PREPARE = """
import tempfile
builder = TimelineQA(config_name="sparse_travel", lifelogs="0:2", duration=2, cache_dir=tempfile.mkdtemp())
builder.download_and_prepare()
assert builder.as_dataset(split="train").num_rows > 2
"""


def test_a_key_of_tables_that_moved(tmp_path: Path) -> None:
    """Nobody misses it, so that nothing is said."""
    gone = 'import datasets.builder\ndatasets.builder.Key = type("Gone", (), {})\n'
    without = "import timeline_realtime_qa.names.private as private\n"
    forget = "del datasets.builder.Key\nimport importlib\nimportlib.reload(private)\ndatasets.builder.Key = tuple\n"
    assert run(f"{MOVE}{gone}{without}{forget}{USE}{DATASETS}{EVALUATE}{PREPARE}", tmp_path).strip() == ""


def test_a_function_that_takes_something_else(tmp_path: Path) -> None:
    changed = 'change("datasets.load", "dataset_module_factory", lambda path, data_dir, data_files: None)'
    said = run(f"{MOVE}{changed}{USE}{EVALUATE}", tmp_path)
    lacking = re.escape("datasets.load.dataset_module_factory(revision=)")
    assert re.fullmatch(warned("datasets", SUPPORTED["datasets"], lacking), said), said


def test_a_version_that_is_imported_later(tmp_path: Path) -> None:
    """As most do: our package first, then `evaluate`."""
    later = "import warnings\nfrom timeline_realtime_qa.names import evaluate_hook as hook\n"
    said = run(f"{later}hook.PRIVATE['evaluate.gone:Gone'] = ()\n{USE}{DATASETS}", tmp_path)
    assert re.fullmatch(warned("evaluate", SUPPORTED["evaluate"], "evaluate.gone.Gone"), said), said


@pytest.mark.parametrize("name", [*rows.STATE, "num_process"])
def test_state_of_a_metric_that_moved(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = evaluate.EvaluationModule.__init__

    def renamed(self: Any, *arguments: Any, **options: Any) -> None:
        made(self, *arguments, **options)
        self.__dict__[f"new_{name}"] = self.__dict__.pop(name)

    monkeypatch.setattr(evaluate.EvaluationModule, "__init__", renamed)
    rows._warn.cache_clear()
    needed = rf"several processes, need evaluate{rows.SUPPORTED}, .* whose Metric has no {name}; .*pip install"
    with pytest.warns(RuntimeWarning, match=needed) as caught:
        metric, several = QaEmF1(), QaEmF1(num_process=2, process_id=1)
        result = metric.compute(predictions=["x"], references=["x"])
    assert result and result["f1"] == 1.0
    assert len(caught) == 1
    with pytest.raises(RuntimeError, match=needed):
        metric.add(prediction="x", reference="x")
    with pytest.raises(RuntimeError, match=needed):
        several.compute(predictions=["x"], references=["x"])


def test_the_supported_versions_are_told_once() -> None:
    assert rows.SUPPORTED == SUPPORTED["evaluate"]
