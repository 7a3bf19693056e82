"""Names work after an import: anywhere, offline, without a network attempt; and the import is cheap."""

from __future__ import annotations

import ast
import configparser
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import datasets
import evaluate
import pytest

import timeline_realtime_qa as shared
from timeline_realtime_qa.names import datasets_hook, evaluate_hook

from .environments import make_environment


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


@pytest.mark.parametrize("method", ["fork", "spawn"])
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


def test_an_unsupported_version_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(datasets.load, "dataset_module_factory")
    with pytest.raises(RuntimeError, match=re.escape(f"needs datasets{datasets_hook.SUPPORTED}, but datasets ")):
        datasets_hook.register({})
    monkeypatch.delattr(evaluate.loading, "HubEvaluationModuleFactory")
    with pytest.raises(RuntimeError, match=re.escape(f"needs evaluate{evaluate_hook.SUPPORTED}, but evaluate ")):
        evaluate_hook.register({})


def test_metric_path() -> None:
    assert (Path(shared.metric_path("qa_em_f1")) / "qa_em_f1.py").is_file()
    with pytest.raises(ValueError, match="no metric named 'bleu'; expected one of"):
        shared.metric_path("bleu")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    # By way of a source distribution, so that both are known to be complete.
    subprocess.run([sys.executable, "-m", "build", "--outdir", str(out), str(ROOT)], check=True, capture_output=True)
    (built,) = out.glob("*.whl")
    return built


@pytest.mark.slow
def test_the_wheel_is_complete(wheel: Path, tmp_path: Path) -> None:
    """Alone beside what it depends on, it works, and it holds nothing else."""
    into = tmp_path / "site"
    install = ["install", "--quiet", "--no-deps", "--no-index", "--target", str(into), str(wheel)]
    subprocess.run([sys.executable, "-m", "pip", *install], check=True, capture_output=True)
    assert run(f"{CUT}import realtimeqa_ds\n{USE}", tmp_path, PYTHONPATH=str(into)).strip() == "works"
    code = "import realtimeqa_ds, timelineqa_ds, timeline_realtime_qa as t; print(realtimeqa_ds, timelineqa_ds, t)"
    assert run(code, tmp_path, PYTHONPATH=str(into)).count(f"{into}{os.sep}") == 3
    assert (into / "realtimeqa_ds" / "py.typed").is_file()
    assert not {"metrics", "scripts", "tests"} & {path.name for path in into.iterdir()}


@pytest.mark.matrix
@pytest.mark.network
@pytest.mark.xdist_group("environments")
@pytest.mark.parametrize("version", ["5.1.0", ""], ids=["floor", "newest"])
def test_wheel_in_an_empty_environment(wheel: Path, version: str, tmp_path: Path) -> None:
    pins = [f"datasets=={version}"] if version else []
    python = make_environment(tmp_path / "venv", str(wheel), *pins)
    assert run(f"{CUT}import realtimeqa_ds\n{USE}", tmp_path, python).strip() == "works"


def imported(nodes: Iterable[ast.AST]) -> set[str]:
    """The packages that are imported by name."""
    names = [name.name for node in nodes if isinstance(node, ast.Import) for name in node.names]
    names += [str(node.module) for node in nodes if isinstance(node, ast.ImportFrom) and not node.level]
    return {name.partition(".")[0] for name in names} - set(sys.stdlib_module_names)


def test_what_is_imported_is_declared() -> None:
    """By a module as it is loaded, what is always there; in its functions, what an extra may bring."""
    declared = configparser.ConfigParser()
    declared.read(ROOT / "setup.cfg")
    always, extras = declared["options"]["install_requires"], "\n".join(declared["options.extras_require"].values())
    needed, known = (set(re.findall(r"^[a-z_0-9]+", text, re.MULTILINE)) for text in (always, f"{always}\n{extras}"))
    packages = declared["options"]["packages"].split()
    ours = {name.partition(".")[0] for name in packages} | {"page"}  # the app of a Space has its page beside it
    for package in packages:
        for path in (ROOT / package.replace("timeline_realtime_qa", "metrics").replace(".", "/")).glob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            assert imported(tree.body) <= needed | ours, path
            assert imported(list(ast.walk(tree))) <= known | ours | {"ray"}, path  # of datatrove[ray]
