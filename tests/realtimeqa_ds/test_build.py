"""A built folder: it loads without our package, articles stay out unless asked for, only what changed is redone."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from realtimeqa_ds import build, card, options, spec
from realtimeqa_ds.builder import RealTimeQA
from realtimeqa_ds.commands import main
from realtimeqa_ds.files import layout
from timeline_realtime_qa.hub import building, shards
from timeline_realtime_qa.hub.content import files_hash
from timeline_realtime_qa.hub.folder import Folder

from .. import alone
from ..tree import Tree


def built(out: Path, data_dir: str | Path = "sample", articles: str = "none", workers: int = 1) -> Folder:
    jobs = build.plan(out, options.local(str(data_dir)), build.configs(articles), articles)
    return building.build(building.Plan(out, jobs, "weeks", list(layout.SPLITS.values()), card.files), workers)


def equal_to_the_builder(folder: Folder, tmp_path: Path, data_dir: str | Path, articles: str) -> None:
    def builder(name: str) -> RealTimeQA:
        pool = {} if name == "predictions" else {"documents": articles}
        return RealTimeQA(config_name=name, data_dir=str(data_dir), **pool)

    alone.equal_to_the_builder(folder, tmp_path / "loaded", builder)
    assert (tmp_path / "loaded" / "default").read_text() == spec.DEFAULT_CONFIG


@pytest.mark.parametrize("articles", ["none", "gcs+dpr"])
def test_the_folder_loads_without_the_package(tmp_path: Path, articles: str) -> None:
    folder = built(tmp_path / "realtimeqa", articles=articles)
    assert ("documents" in folder.configs) == (articles != "none")
    equal_to_the_builder(folder, tmp_path, "sample", articles)


@pytest.mark.slow
def test_the_public_data_loads_without_the_package(tmp_path: Path, public_data: Path) -> None:
    folder = built(tmp_path / "realtimeqa", public_data)
    assert {name: sum(one.rows for one in splits.values()) for name, splits in folder.configs.items()} == {
        "multiple_choice": 6_622,
        "nota": 3_737,
        "generation": 6_622,
        "predictions": 37_080,
    }
    equal_to_the_builder(folder, tmp_path, public_data, "none")
    text = (folder.out / "README.md").read_text()
    assert f"**Rights: {spec.LICENSE}**" in text and (folder.out / "LICENSE").read_text() == f"{spec.LICENSE}\n"


def test_no_article_without_being_asked(tmp_path: Path) -> None:
    folder = built(tmp_path / "realtimeqa")
    for name in ("multiple_choice", "nota", "generation"):
        for splits in folder.configs[name].values():
            for file in splits.files:
                documents = pq.read_table(folder.out / file.path, columns=["documents"])["documents"]
                assert documents.null_count == len(documents)
    assert "Articles are left out" in (folder.out / "README.md").read_text()


def run(*args: object, code: int = 0) -> Result:
    result = CliRunner().invoke(main, ["build", *(str(arg) for arg in args)])
    assert result.exit_code == code, result.output
    return result


def test_only_changed_weeks_are_made_again(tree: Tree, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("--data-dir", tree.root, "--out", out)
    first = {path: path.stat().st_mtime_ns for path in out.glob("*/*.parquet")}
    name = next(tree.root.glob("past/*/*_qa.jsonl")).name
    tree.change(name, 0, question_sentence="Who was it?")
    run("--data-dir", tree.root, "--out", out)
    changed = {path.relative_to(out).as_posix() for path, time in first.items() if path.stat().st_mtime_ns != time}
    assert {path.partition("-")[0] for path in changed} >= {"multiple_choice/test"}
    assert not any("latest" in path or "train" in path for path in changed)
    run("--data-dir", tree.root, "--out", out)
    assert len(list(shards.markers(out))) == len(first)


def test_only_what_decides_rows_is_in_their_recipe(tmp_path: Path) -> None:
    for package in (spec.ROOT.name, "timeline_realtime_qa"):
        shutil.copytree(spec.ROOT.parent / package, tmp_path / package)

    def recipe() -> str:
        return files_hash.__wrapped__(tmp_path, spec.RECIPE)  # not the remembered one

    hashes = [recipe()]
    assert hashes == [files_hash(spec.ROOT.parent, spec.RECIPE)]
    for name in ("card.py", "commands/check.py", "data/published.json"):
        (tmp_path / spec.ROOT.name / name).write_text("changed")
    assert recipe() == hashes[0]
    decisive = ("weeks/tables.py", "data/rules.json", "spec.py", "../timeline_realtime_qa/strict.py")
    for name in decisive:
        (tmp_path / spec.ROOT.name / name).write_text("changed")
        hashes.append(recipe())
    assert len(set(hashes)) == 1 + len(decisive)


@pytest.mark.parametrize(("week", "lacking"), [("2019-05-31", "nota and predictions"), ("2019-06-28", "predictions")])
def test_configs_that_no_week_has_are_left_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, week: str, lacking: str
) -> None:
    run("--data-dir", "sample", "--weeks", week, "--out", tmp_path)
    assert f"no week asked for has files for {lacking}, which is left out" in caplog.text
    assert "config_name: multiple_choice" in (tmp_path / "README.md").read_text()


def test_the_command_prints_what_there_is(tmp_path: Path) -> None:
    found = json.loads(run("--data-dir", "sample", "--out", tmp_path, "--format", "json").stdout)
    assert {one["config"] for one in found} == {"multiple_choice", "nota", "generation", "predictions"}
    text = run("--data-dir", "sample", "--out", tmp_path).stdout
    assert f"{tmp_path / 'nota'}\ttest\t1 files\t12 rows\t" in text
    listed = run("--data-dir", "sample", "--out", tmp_path / "with", "--articles", "--workers", "1").stdout
    assert f"{tmp_path / 'with' / 'documents'}\ttest" in listed


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--data-dir", "nowhere"), "expected a folder with past/"),
        (("--data-dir", "sample", "--weeks", "1999-01-01"), "there is no week 1999-01-01"),
        (("--data-dir", "sample", "--weeks", "x"), "expected weeks= to be a date"),
    ],
)
def test_errors_say_what_is_allowed(args: tuple[str, ...], message: str, tmp_path: Path) -> None:
    found = run(*args, "--out", tmp_path / "out", code=1)
    assert message in found.output and "Traceback" not in found.output
    assert not (tmp_path / "out").exists()


def test_another_choice_of_articles_needs_another_folder(tmp_path: Path) -> None:
    run("--data-dir", "sample", "--out", tmp_path, "--articles")
    assert "files of another build" in run("--data-dir", "sample", "--out", tmp_path, code=1).output
