"""Faults injected at random: a seeded part of the campaign, and planted bugs, each of which must fail in it."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs processes that fork, links and pipes")
SCRIPT = Path(__file__).parents[1] / "scripts" / "campaign.py"
FAULTS = 200


def load() -> Any:
    spec = importlib.util.spec_from_file_location("campaign", SCRIPT)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["campaign"] = module
    spec.loader.exec_module(module)
    return module


CAMPAIGN = load()


@pytest.fixture(scope="module", autouse=True)
def inputs() -> None:
    """What faults are injected into is made before bugs are planted, whichever test comes first."""
    for area in CAMPAIGN.AREAS:
        ((number, _), *_) = CAMPAIGN.tasks(20, [area])
        CAMPAIGN.running.one(1, number, area, CAMPAIGN.inject(area))


def finds(area: str, expected: str, most: int) -> bool:
    """Whether one of the first faults of an area is a failure that says so."""
    asked = CAMPAIGN.tasks(20 * most, [area])[:most]
    CAMPAIGN.inject(area)
    entries = CAMPAIGN.running.run(1, asked, CAMPAIGN.inject, 1)
    return any(entry.outcome == CAMPAIGN.FAILURE and expected in entry.detail for entry in entries)


def test_a_seeded_part(tmp_path: Path) -> None:
    """Of all areas: no wrong row, no lost or foreign file, no hang, no error without a file or cause."""
    counts, failed = CAMPAIGN.campaign(3, CAMPAIGN.tasks(FAULTS, CAMPAIGN.AREAS), ledger=tmp_path / "ledger.jsonl")
    assert [CAMPAIGN.shown(entry) for entry in failed] == []
    told = [json.loads(line) for line in (tmp_path / "ledger.jsonl").read_text().splitlines()]
    assert sorted(entry["number"] for entry in told) == list(range(FAULTS)) and all(entry["kind"] for entry in told)
    assert {area for area, _ in counts} == set(CAMPAIGN.AREAS) and sum(counts.values()) == FAULTS
    assert f"{FAULTS}" in CAMPAIGN.table(counts).splitlines()[-1]


@pytest.mark.parametrize("area", list(CAMPAIGN.AREAS))
def test_a_number_is_the_same_fault_again(area: str) -> None:
    """Whatever was injected before it, and in another process."""
    asked = CAMPAIGN.tasks(60, [area])
    first = {e.number: (e.kind, e.outcome) for e in CAMPAIGN.running.run(5, asked, CAMPAIGN.inject, 2)}
    number, area = asked[-1]
    again = CAMPAIGN.running.one(5, number, area, CAMPAIGN.inject(area))
    assert (again.kind, again.outcome) == first[number]


def test_a_row_that_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    from realtimeqa_ds.files.source import SAMPLE
    from realtimeqa_ds.weeks.reading import Reading

    read = Reading.table

    def one_less(self: Any, week: Any) -> Any:
        table, report = read(self, week)
        return (table if self.source.root == SAMPLE else table.slice(1)), report

    monkeypatch.setattr(Reading, "table", one_less)
    assert finds("files", "other rows than in the files", 20)
    assert finds("manifests", "other rows than those that the manifest pins", 10)


def test_a_row_of_a_table_that_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    from timelineqa_ds.original.log import OriginalLog

    read = OriginalLog.table
    monkeypatch.setattr(OriginalLog, "table", lambda self, name: read(self, name).slice(1))
    assert finds("original", "other episodes than in the file", 80)


def test_a_value_of_another_row(monkeypatch: pytest.MonkeyPatch) -> None:
    from realtimeqa_ds.weeks import snapshot

    monkeypatch.setattr(snapshot.Backbone, "check", lambda *arguments: None)
    assert finds("files", "rows of a folder that cannot be read: a partner file", 60)


def test_a_key_twice_of_which_one_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    from realtimeqa_ds.parsing import jsonl

    monkeypatch.setattr(jsonl, "repeated_key", lambda data: None)
    assert finds("files", "cannot be read: a key twice", 80)


def test_a_row_left_out_without_a_count(monkeypatch: pytest.MonkeyPatch) -> None:
    from realtimeqa_ds.parsing.report import Report

    monkeypatch.setattr(Report, "count", lambda *arguments: None)
    assert finds("files", "is counted 0 times, and met", 10)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("expected something else here", "an error without a file"),
        ("{path}", "an error without a cause"),
        ("{path}: expected something else" + "!" * 9_000, "an error of 9"),
    ],
)
def test_an_error_that_does_not_help(monkeypatch: pytest.MonkeyPatch, said: str, expected: str) -> None:
    from realtimeqa_ds.parsing.errors import DataError

    def of_little_use(self: Any, path: object, message: str, place: object = None) -> None:
        ValueError.__init__(self, said.format(path=path))
        self.path, self.message, self.place, self.line = str(path), message, place, None

    monkeypatch.setattr(DataError, "__init__", of_little_use)
    assert finds("files", expected, 20)


def test_an_error_of_a_foreign_type(monkeypatch: pytest.MonkeyPatch) -> None:
    from realtimeqa_ds.files import manifest
    from timelineqa_ds.original import reading

    def lost(*arguments: object, **options: object) -> None:
        raise KeyError("path")

    monkeypatch.setattr(manifest, "content", lost)
    monkeypatch.setattr(reading, "_check_keys", lost)
    for area in ("manifests", "original"):
        assert finds(area, "an error of a foreign type: builtins.KeyError", 10)


def planted(monkeypatch: pytest.MonkeyPatch, after: Callable[[Path], object]) -> None:
    """Let builds do something more when they are over, in whatever way."""
    from timeline_realtime_qa.hub import building

    build = building.build

    def worse(plan: Any, workers: int = 1) -> Any:
        try:
            return build(plan, workers)
        finally:
            after(plan.out)

    monkeypatch.setattr(building, "build", worse)


def test_a_file_of_somebody_that_is_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    planted(monkeypatch, lambda out: (out / "notes.txt").unlink(missing_ok=True))
    assert finds("builds", "is gone", 100)


def test_a_file_outside_that_is_touched(monkeypatch: pytest.MonkeyPatch) -> None:
    planted(monkeypatch, lambda out: (out / ".." / ".." / "theirs" / "key").write_text("ours"))
    assert finds("builds", "changed outside the folder: theirs/key", 10)


def test_a_file_that_is_half_written(monkeypatch: pytest.MonkeyPatch) -> None:
    def half(out: Path) -> None:
        if sys.exc_info()[0] and (out / "a").is_dir() and not (out / "a").is_symlink():
            (out / "a" / "train-00000-of-00003.parquet").unlink(missing_ok=True)
            (out / "a" / "train-00000-of-00003.parquet").write_bytes(b"PAR1")

    planted(monkeypatch, half)
    assert finds("builds", "is half-written", 100)


def test_rows_of_another_build(monkeypatch: pytest.MonkeyPatch) -> None:
    from timeline_realtime_qa.hub.shards import File

    monkeypatch.setattr(File, "intact", lambda self, out: (out / self.path).exists())
    assert finds("builds", ".parquet", 60)


def test_what_hangs_and_what_aborts(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a call that a signal ends, in one that it does not, and in a process that ends itself."""
    monkeypatch.setattr(CAMPAIGN.running, "LIMIT", 1)
    monkeypatch.setattr(CAMPAIGN.running, "GRACE", 1)

    def deaf(trial: Any) -> Any:
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
        time.sleep(60)

    def dead(trial: Any) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)

    ends: dict[str, Callable[[Any], Any]] = {"slow": lambda trial: time.sleep(60), "deaf": deaf, "dead": dead}
    entries = CAMPAIGN.running.run(1, [(at, name) for at, name in enumerate(ends)], ends.__getitem__, 2)
    details = {entry.area: entry.detail for entry in entries}
    assert details["slow"].startswith("not over after 1 s") and details["deaf"].startswith("hangs")
    assert details["dead"] == f"the process ended with status {-signal.SIGKILL}"


def test_bytes_of_a_server_that_nobody_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    from realtimeqa_ds.files import download

    receive = download._receive
    monkeypatch.setattr(download, "_receive", lambda *arguments: receive(*arguments) and "")
    assert finds("http", " is left", 60)


def test_a_secret_that_is_published(monkeypatch: pytest.MonkeyPatch) -> None:
    from timeline_realtime_qa.hub import disk

    monkeypatch.setattr(disk, "opened", lambda folder, path: open(folder / path, "rb"))
    assert finds("publishing", "a file of somebody's own was sent", 200)


@pytest.mark.parametrize(
    ("worse", "expected"),
    [
        (lambda result: result | {next(iter(result)): 1.5}, "not from 0 to 1"),
        (lambda result: result | {next(iter(result)): time.perf_counter() % 1}, "second time"),
        (lambda result: result | {next(iter(result)): result[next(iter(result))] / 2 + 0.25}, "the whole is"),
    ],
)
def test_a_score_that_cannot_be(monkeypatch: pytest.MonkeyPatch, worse: Any, expected: str) -> None:
    from timeline_realtime_qa.scoring.rows import RowsMixin

    scored = RowsMixin._result
    monkeypatch.setattr(RowsMixin, "_result", lambda self, *rows: worse(scored(self, *rows)))
    assert finds("metrics", expected, 60)
