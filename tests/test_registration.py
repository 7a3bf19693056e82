"""Names work after an import: anywhere, offline, without a network attempt; and the import is cheap."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from pathlib import Path

import datasets
import evaluate
import pytest

import timeline_realtime_qa as shared


ROOT = Path(__file__).parents[1]
# Any attempt to reach a network ends the process.
CUT = """
import socket
def cut(*arguments, **options):
    raise SystemExit("a network attempt")
socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = cut
"""
USE = """
from datasets import load_dataset, load_dataset_builder, get_dataset_split_names
import evaluate
rows = load_dataset("realtimeqa", "nota", split="test", data_dir="sample", streaming=True)
assert sum(1 for _ in rows) == 12
assert len(load_dataset("realtimeqa", data_dir="sample")["train"]) == 2
assert get_dataset_split_names("realtimeqa", "documents", data_dir="sample") == ["test", "latest"]
assert load_dataset_builder("realtimeqa", "generation").info.features["answers"]
trips = load_dataset("timelineqa", "sparse_travel", split="train", lifelogs="0:2", streaming=True)
assert {row["lifelog_id"] for row in trips} == {"sparse-0000", "sparse-0001"}
assert len(load_dataset("timelineqa", "personas", split="test")) == 40
metric = evaluate.load("nota_accuracy")
assert metric.compute(predictions=[1, 0], references=[[1], [1]])["accuracy"] == 0.5
scores = evaluate.load("qa_em_f1", "realtimeqa").compute(predictions=["a b"], references=[["b", "a"]])
assert scores["exact_match"] == 1
print("works")
"""


def run(code: str, folder: Path, python: str = sys.executable, **variables: str) -> str:
    environment = {**os.environ, "HF_HOME": str(folder / "hf"), **variables}
    environment.pop("HF_HUB_OFFLINE", None)
    environment.update(variables)
    done = subprocess.run(
        [python, "-c", code], cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("package", ["realtimeqa_ds", "timelineqa_ds"])
@pytest.mark.parametrize("offline", ["0", "1"])
def test_names_work_from_an_empty_folder_without_network(package: str, offline: str, tmp_path: Path) -> None:
    assert run(f"{CUT}import {package}\n{USE}", tmp_path, HF_HUB_OFFLINE=offline).strip() == "works"


def test_names_win_over_stray_files_and_lose_to_explicit_paths(tmp_path: Path) -> None:
    (tmp_path / "stray.csv").write_text("a\n1\n")
    (tmp_path / "realtimeqa").mkdir()
    (tmp_path / "realtimeqa" / "own.csv").write_text("a\n1\n")
    code = f"""{CUT}import realtimeqa_ds\n{USE}
assert load_dataset("./realtimeqa", split="train")[0] == {{"a": 1}}
"""
    assert run(code, tmp_path).strip() == "works"


def test_other_names_go_their_usual_way(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("a\n1\n")
    code = """import realtimeqa_ds
from datasets import load_dataset
assert load_dataset("csv", data_files="rows.csv", split="train")[0] == {"a": 1}
"""
    run(code, tmp_path)


@pytest.mark.parametrize("method", sorted({"fork", "spawn"} & {*multiprocessing.get_all_start_methods()}))
def test_worker_processes_know_the_names(method: str, tmp_path: Path) -> None:
    (tmp_path / "work.py").write_text(f"""
import multiprocess, realtimeqa_ds
from datasets import load_dataset
if __name__ == "__main__":
    multiprocess.set_start_method("{method}", force=True)
    rows = load_dataset("realtimeqa", data_dir="sample", num_proc=2, split="test")
    print(len(rows), len(rows.map(lambda row: {{"n": len(row["choices"])}}, num_proc=2)))
""")
    assert run("import runpy; runpy.run_path('work.py', run_name='__main__')", tmp_path).split()[-2:] == ["12", "12"]


def test_importing_is_cheap(tmp_path: Path) -> None:
    """Names are all that an import brings (`bash scripts/bench imports` says what that costs)."""
    code = "import sys, realtimeqa_ds, timelineqa_ds; print(*sys.modules)"
    loaded = set(run(code, tmp_path).split())
    heavy = {
        "evaluate",
        "selectolax",
        "orjson",
        "duckdb",
        "matplotlib",
        "realtimeqa_ds.builder",
        "timelineqa_ds.builder",
    }
    assert not heavy & loaded and not any(name.startswith("timelineqa_ds.") for name in loaded)


def test_registering_twice_changes_nothing() -> None:
    shared.register()
    before = datasets.load.dataset_module_factory, evaluate.loading.HubEvaluationModuleFactory
    shared.register()
    assert (datasets.load.dataset_module_factory, evaluate.loading.HubEvaluationModuleFactory) == before


def test_metric_path() -> None:
    assert (Path(shared.metric_path("qa_em_f1")) / "qa_em_f1.py").is_file()
    with pytest.raises(ValueError, match="no metric named 'bleu'; expected one of"):
        shared.metric_path("bleu")
