"""What first users meet: what a package offers, near names for wrong ones, refusals before any work."""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import re
import shlex
from collections.abc import Callable
from typing import Any

import datasets
import pytest
from click.testing import CliRunner
from datasets import load_dataset
from hypothesis import given, settings
from hypothesis import strategies as st

import realtimeqa_ds
import timeline_realtime_qa
import timelineqa_ds
from realtimeqa_ds.commands import main as realtimeqa
from timeline_realtime_qa.display import near
from timelineqa_ds import options
from timelineqa_ds.commands import main as timelineqa


MAIN = {"timelineqa": timelineqa, "realtimeqa": realtimeqa}
PACKAGES = [timeline_realtime_qa, timelineqa_ds, realtimeqa_ds]


def run(line: str, **options: Any) -> Any:
    program, *arguments = shlex.split(line)
    return CliRunner().invoke(MAIN[program], arguments, **options)


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_what_a_package_offers_is_seen(package: Any) -> None:
    """What can be used is in __all__ and in what dir() and completion show, and is there; so is the version."""
    assert set(package.__all__) <= set(dir(package)) and all(getattr(package, name) for name in package.__all__)
    assert package.__version__ == importlib.metadata.version("timeline-realtime-qa")
    with pytest.raises(AttributeError, match=f"'{package.__name__}' has no attribute 'lifelogs_of'"):
        _ = package.lifelogs_of


def test_the_generator_is_offered() -> None:
    assert "lifelog" in dir(timelineqa_ds) and "lifelog" in timelineqa_ds.__all__


@pytest.mark.parametrize("program", MAIN)
def test_version_of_a_program(program: str) -> None:
    """--version: of the package, and of the dataset that its scores are to name."""
    spec = importlib.import_module(f"{program}_ds.spec")
    told = run(f"{program} --version").stdout
    assert told == f"timeline-realtime-qa {timelineqa_ds.__version__}, dataset {program} {spec.VERSION}\n"


STREAM = {"streaming": True, "split": "test"}
WRONG: list[tuple[Callable[[], object], str]] = [
    (lambda: load_dataset("timelineqa", "medum_atomic"), "medium_atomic"),
    (lambda: load_dataset("timelineqa", "Personas"), "personas"),
    (lambda: load_dataset("timelineqa", "daily_exercise"), "dense_daily_exercise"),
    (lambda: load_dataset("realtimeqa", "prediction"), "predictions"),
    (lambda: load_dataset("timelineqa", "personas", streaming=True, split="validaton"), "validation"),
    (lambda: load_dataset("timelineqa", "personas", lifelogs="80", split="validating[:3]"), "validation"),
    (lambda: load_dataset("realtimeqa", data_dir="sample", streaming=True, split="train+lastest"), "latest"),
    (lambda: load_dataset("timelineqa", "personas", colums=["name"], **STREAM), "columns"),
    (lambda: load_dataset("realtimeqa", data_dir="sample", topk=3, **STREAM), "top_k"),
    (lambda: load_dataset("timelineqa", "personas", columns=["name", "hobby"], **STREAM), "hobbies"),
    (lambda: load_dataset("timelineqa", "personas", lifelogs="3,valid", **STREAM), "validation"),
    (lambda: load_dataset("realtimeqa", data_dir="sample", documents="golden", **STREAM), "gold"),
    (lambda: load_dataset("realtimeqa", data_dir="sample", without=["empty_choices"], **STREAM), "empty_choice"),
    (lambda: load_dataset("realtimeqa", data_dir="sample", split="test", sources="Lantern"), "The Lantern"),
    (lambda: timelineqa_ds.lifelog("spares", 1), "sparse"),
    (lambda: timelineqa_ds.lifelog("sparse", 1).tables["marriage"], "marriages"),
    (lambda: timeline_realtime_qa.metric_path("nota_acuracy"), "nota_accuracy"),
]


@pytest.mark.parametrize(("call", "meant"), WRONG, ids=[meant for _, meant in WRONG])
def test_a_wrong_name_is_told_the_near_one(call: Callable[[], object], meant: str) -> None:
    """A typo in a config, split, argument, column, lifelog, pool, flag, newspaper, density, table or metric."""
    with pytest.raises((ValueError, KeyError), match=rf"did you mean [^?]*\b{meant}\b[^?]*\?") as raised:
        call()
    assert len(str(raised.value)) < 900


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("timelineqa build --config sparse_jbos --out x", "sparse_jobs"),
        ("timelineqa columns dense-moves", "dense_moves"),
        ("timelineqa check --config medium_episode", "medium_episodes"),
        ("timelineqa stats --config spase", "sparse"),
        ("timelineqa show mediun 3", "medium"),
        ("timelineqa build --out x --executor raay", "ray"),
        ("timelineqa build --split tests --out x", "test"),
        ("timelineqa build --lifelogs tst --out x", "test"),
        ("timelineqa build --config personas --columns nme --out x", "name"),
        ("realtimeqa columns documets", "documents"),
        ("realtimeqa rules --format markdwn", "markdown"),
        ("realtimeqa build --data-dir sample --articles gsc --out x", "gcs"),
        ("realtimeqa buidl", "build"),
        ("realtimeqa check --week 2019", "--weeks"),
    ],
)
def test_a_wrong_name_on_the_command_line(
    line: str, meant: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A typo in a command, option or value of an option: the near one, before anything is written."""
    monkeypatch.chdir(tmp_path)
    result = run(line)
    assert result.exit_code and re.search(rf"[Dd]id you mean [^?]*{meant}\b[^?]*\?", result.stderr), result.stderr
    assert not result.stdout and not list(tmp_path.iterdir())


def test_many_names_are_not_listed() -> None:
    """Of many names an error shows the near ones and what lists all; that lists all."""
    with pytest.raises(ValueError, match="no config 'quiz'; `timelineqa columns --names` lists all 64$"):
        load_dataset("timelineqa", "quiz")
    names = run("timelineqa columns --names").stdout.split()
    assert names == datasets.get_dataset_config_names("timelineqa") and len(names) == 64
    assert json.loads(run("timelineqa columns --names --format json dense personas").stdout) == ["dense", "personas"]


@settings(max_examples=30)
@given(st.lists(st.from_regex(r"[a-z]{2,12}(_[a-z]{2,8})?", fullmatch=True), min_size=1, max_size=50, unique=True))
def test_any_name_is_near_itself(names: list[str]) -> None:
    """Of any names: one in capitals, with dashes or without a letter is found again, and few are offered."""
    for name in names:
        assert near.near(name.upper().replace("_", "-"), names) == [name]
        assert len(near.near(name[:-1], names)) <= near.MEANT
    assert near.did_you_mean(["a", "b", "c"]) == "did you mean a, b or c? " and near.did_you_mean([]) == ""


SPLIT_RANGES = [
    ("train", range(80)),
    ("validation", range(80, 120)),
    ("validation, 3", [3, *range(80, 120)]),
    ("7:9,test,165", [7, 8, *range(120, 160), 165]),
    (["train", "validation", 200], [*range(120), 200]),
]


@pytest.mark.parametrize(("lifelogs", "found"), SPLIT_RANGES, ids=str)
def test_lifelogs_by_the_name_of_a_split(lifelogs: Any, found: Any) -> None:
    """Names of splits stand for their personas, alone, combined, in Python and on the command line alike."""
    assert options.lifelog_indices(lifelogs) == list(found)
    loaded = load_dataset("timelineqa", "personas", lifelogs=lifelogs, columns=["persona"])
    assert sorted(row for split in loaded.values() for row in split["persona"]) == list(found)


def test_lifelogs_of_a_split_on_the_command_line(tmp_path: Any) -> None:
    out = f"--config personas --format json --out {shlex.quote(str(tmp_path))}"
    built = json.loads(run(f"timelineqa build --lifelogs validation,7 {out}").stdout)
    assert {one["split"]: one["rows"] for one in built} == {"train": 1, "validation": 40}
    result = run("timelineqa check --config sparse --lifelogs extra")
    assert "the split 'extra' has no end; say which of it, such as \"160:200\"" in result.stderr


REFUSED = [
    "timelineqa stats --config dense --config sparse_jobs",
    "timelineqa stats --config sparse_episodes --config personas --lifelogs 0:3",
    "timelineqa stats --config sparse_episodes --config dense_atomic --plot a.png",
    "timelineqa stats --config sparse --plot a.jpgg",
    "timelineqa stats --config sparse --plot nowhere/a.png",
    "timelineqa stats --config sparse --year 3",
    "timelineqa stats --config sparse --lifelogs none",
    "timelineqa check --config sparse_moves",
    "timelineqa check --config sparse --duration 0",
    "timelineqa check --config dense_atomic --lifelogs 3:",
    "timelineqa build --out x --columns id,od",
    "timelineqa build --out x --slurm time=1",
    "timelineqa build --out x --executor slurm --slurm time",
    "realtimeqa build --data-dir sample --out x --weeks 2019-6",
    "realtimeqa check --weeks 2019-06-07:2019-06-01",
    "realtimeqa reproduce --data-dir nowhere",
]


@pytest.mark.parametrize("line", REFUSED)
def test_refusals_come_before_work(line: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be done is said at once, in a line: no bar is begun, nothing generated, read or written."""
    monkeypatch.chdir(tmp_path)
    datasets.enable_progress_bars()
    result = run(line)
    assert result.exit_code == 1 and re.fullmatch(r"Error: [^\n]+\n", result.stderr), result.output
    assert not result.stdout and not list(tmp_path.iterdir())


def test_nothing_is_fetched_for_a_folder_of_somebody_else(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A build that will be refused downloads nothing first."""
    (tmp_path / "README.md").write_text("mine")
    fetched: list[object] = []
    monkeypatch.setattr(
        "realtimeqa_ds.files.source.RemoteSource.prefetch", lambda *given, **options: fetched.append(1)
    )
    result = run(f"realtimeqa build --out {shlex.quote(str(tmp_path))} --weeks 2022-06-17")
    assert "was not made by a build" in result.stderr and not fetched
