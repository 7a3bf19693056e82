"""The command line: its examples run, its output can be read by a machine, its errors help."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from timelineqa_ds.commands import main


def run(*args: object, code: int = 0) -> Result:
    result = CliRunner().invoke(main, [str(arg) for arg in args])
    assert result.exit_code == code, result.output
    return result


def test_build_writes_shards_and_says_so(tmp_path: Path) -> None:
    result = run("build", "--config", "sparse_travel", "--split", "test", "--lifelogs", "118:122", "--out", tmp_path)
    path = tmp_path / "sparse_travel" / "test-00000-of-00001.parquet"
    rows, size = pq.read_metadata(path).num_rows, path.stat().st_size
    assert result.stdout == f"{path.parent}\ttest\t2 lifelogs\t1 files\t{rows} rows\t{size} bytes\n"
    assert not (tmp_path / "sparse_travel" / "validation-00000-of-00001.parquet").exists()


def test_build_as_json(tmp_path: Path) -> None:
    args = ("--config", "sparse_jobs", "--config", "personas", "--lifelogs", "0:12,80", "--out", tmp_path)
    found = json.loads(run("build", *args, "--format", "json").stdout)
    listed = [(one["config"], one["split"], one["files"], one["lifelogs"]) for one in found]
    assert listed == [
        ("personas", "train", 1, 12),
        ("personas", "validation", 1, 1),
        ("sparse_jobs", "train", 2, 12),
        ("sparse_jobs", "validation", 1, 1),
    ]


def test_show_prints_days_as_the_paper_does() -> None:
    lines = run("show", "dense", 999, "--from", "2022-03-01", "--to", "2022/03/03").stdout.splitlines()
    assert len(lines) > 20
    assert all(line.startswith(("2022/03/01, ", "2022/03/02, ", "2022/03/03, ")) for line in lines)
    assert lines == sorted(lines, key=lambda line: line[:10])


def test_show_as_json_lines() -> None:
    rows = [json.loads(line) for line in run("show", "sparse", 999, "--format", "json").stdout.splitlines()]
    assert rows[0]["event"] == "birth_info" and rows[0]["lifelog_id"] == "sparse-0999"
    assert [row["episode_id"] for row in rows] == list(range(len(rows)))


def test_stats_of_a_folder_and_of_a_config_agree(tmp_path: Path) -> None:
    run("build", "--config", "sparse_episodes", "--lifelogs", "2:5", "--out", tmp_path)
    one = json.loads(run("stats", tmp_path, "--format", "json").stdout)
    other = json.loads(run("stats", "--config", "sparse_episodes", "--lifelogs", "2:5", "--format", "json").stdout)
    assert one == other and one["lifelogs"] == {"sparse": 3}
    assert "sparse  all" in run("stats", tmp_path).stdout


def test_stats_draws(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "a.png"
    run("stats", "--config", "sparse_episodes", "--lifelogs", "2:4", "--plot", picture, "--show", 3)
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_plot_without_matplotlib_names_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    picture = tmp_path / "a.png"
    result = run("stats", "--config", "sparse_episodes", "--lifelogs", "999", "--plot", picture, code=1)
    assert "pip install 'timeline-realtime-qa[plot]'" in result.output and not picture.exists()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (
            ("build", "--config", "densest", "--out", "x"),
            "no config 'densest'; did you mean dense, dense_jobs or dense_moves?",
        ),
        (("build", "--split", "extra", "--out", "x"), "no lifelog asked for is in the split 'extra'"),
        (("build", "--lifelogs", "x", "--out", "x"), "'x' is not a choice of lifelogs"),
        (("build", "--year", "5", "--out", "x"), "year=5: expected a whole number from 1000 to 9000"),
        (("build", "--columns", "a", "--out", "x"), "columns=['a']: expected different names"),
        (("build", "--all", "--columns", "id", "--out", "x"), "--columns are those of one config, found 64 configs"),
        (("show", "dense", "7", "--from", "2022-02-01", "--to", "2022-01-01"), "expected the earlier day first"),
        (("stats",), "expected either a folder of shards or --config"),
        (("check", "--config", "personas"), "expected an episodes or question config"),
        (("stats", "--config", "personas"), "statistics are of an episodes config"),
    ],
)
def test_errors_say_what_is_allowed(
    args: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*args, code=1)
    assert message in result.output and "Traceback" not in result.output
    assert list(tmp_path.iterdir()) == []


def test_stats_of_a_folder_without_shards(tmp_path: Path) -> None:
    assert "holds no Parquet file" in run("stats", tmp_path, code=1).output


def test_check_counts_nothing_wrong() -> None:
    found = json.loads(run("check", "--config", "sparse_episodes", "--lifelogs", "2:4", "--format", "json").stdout)
    assert len(found) > 8 and set(found.values()) == {0}
    assert "0  excluded on a trip day" in run("check", "--config", "sparse_episodes", "--lifelogs", "999").stdout


def test_check_fails_when_something_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("timelineqa_ds.checks.lifelogs.violations", lambda *args: {"name given twice": 2})
    result = run("check", "--config", "sparse_episodes", "--lifelogs", "999", code=1)
    assert "2  name given twice" in result.stdout and "break a rule" in result.output


def test_columns_lists_what_each_column_holds() -> None:
    listed = run("columns", "dense", "sparse_travel").output
    assert listed.count(": one row is") == 2 and re.search("^answers +list of string +all right answers", listed, re.M)
    assert run("columns", "--format", "markdown").output.count("One row is") == 22


def test_help_of_every_command() -> None:
    for command in ("build", "show", "stats", "check"):
        assert f"timelineqa {command}" in run(command, "--help").output


def test_the_module_runs() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "timelineqa_ds", "--help"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("Usage: timelineqa")
