"""Builds survive: killed at any moment, out of room, damaged, changed, two at once."""

from __future__ import annotations

import dataclasses
import errno
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from filelock import FileLock

from timeline_realtime_qa.hub import building, shards
from timeline_realtime_qa.hub.content import group_hash, total
from timeline_realtime_qa.hub.parquet import ParquetFile

from .toy import TOY, build, damage, jobs, left_over, state


def test_a_second_run_does_nothing(tmp_path: Path) -> None:
    first = build(tmp_path)
    assert all(done.written == done.job.files for done in first)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.parquet")}
    assert all(done.written == done.damaged == () for done in build(tmp_path))
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.parquet")} == before
    assert left_over(tmp_path) == []


def test_the_hash_of_the_rows_does_not_depend_on_files(tmp_path: Path) -> None:
    build(tmp_path / "8")
    build(tmp_path / "1", count=8)
    for job in jobs(tmp_path / "1"):  # the same groups, the files in another order
        shards.run(job)
    assert state(tmp_path / "8") == state(tmp_path / "1")
    build(tmp_path / "other", seed=2)
    assert state(tmp_path / "other", 2)["a"][1] != state(tmp_path / "8")["a"][1]


def test_what_is_removed_or_damaged_is_made_again(tmp_path: Path) -> None:
    build(tmp_path)
    whole = state(tmp_path)
    (tmp_path / "a" / "train-00001-of-00008.parquet").unlink()
    flipped = tmp_path / "b" / "train-00002-of-00008.parquet"
    damage(flipped)
    cut = tmp_path / "a" / "train-00003-of-00008.parquet"
    cut.write_bytes(cut.read_bytes()[:-10])
    (tmp_path / shards.STATE / "markers" / "all" / "train-00004-of-00008.json").unlink()
    (tmp_path / shards.STATE / "markers" / "all" / "train-00005-of-00008.json").write_text('{"name": "all')
    done = build(tmp_path)
    assert [one.written for one in done] == [
        (),
        ("a/train-00001-of-00008.parquet",),
        ("b/train-00002-of-00008.parquet",),
        ("a/train-00003-of-00008.parquet",),
        done[4].job.files,
        done[5].job.files,
        (),
        (),
    ]
    assert [one.damaged for one in done if one.damaged] == [done[2].written, done[3].written]
    assert state(tmp_path) == whole


def test_what_a_change_would_do_differently_is_made_again(tmp_path: Path) -> None:
    build(tmp_path)
    assert all(done.written == done.job.files for done in build(tmp_path, seed=2))
    assert set(state(tmp_path, 2)) == {"a", "b"} and state(tmp_path) == {}
    moved = [dataclasses.replace(job, share={**job.share, "of": 9}) for job in jobs(tmp_path, seed=2)]
    assert all(shards.run(job).written for job in moved)


def test_two_builds_at_once_are_told(tmp_path: Path) -> None:
    with building.alone(tmp_path):
        with pytest.raises(RuntimeError, match="another build is writing into"):
            with building.alone(tmp_path):
                pass
    with building.alone(tmp_path):
        pass


def test_a_job_that_another_is_at_is_waited_for(tmp_path: Path) -> None:
    (job, *_) = jobs(tmp_path)
    with ThreadPoolExecutor(1) as pool:
        job.parts.parent.mkdir(parents=True)
        with FileLock(job.parts.with_suffix(".lock")):
            done = pool.submit(shards.run, job)
            assert wait([done], timeout=1.2).not_done
        assert done.result().written == job.files


def test_the_order_of_what_a_job_is_made_of_does_not_matter(tmp_path: Path) -> None:
    (job, *_) = jobs(tmp_path)
    turned = dataclasses.replace(job, world=dict(reversed([*job.world.items()])))
    assert list(turned.world) != list(job.world) and turned.fingerprint == job.fingerprint


def test_the_split_of_a_file_may_have_a_hyphen() -> None:
    assert shards.split_of("a-b/train-c-00000-of-00003.parquet") == "a-b/train-c"


def test_what_a_killed_process_left_is_removed_but_not_what_is_at_work(tmp_path: Path) -> None:
    for name in ("dead", "alive"):
        (tmp_path / shards.STATE / "parts" / "all" / f"{name}.part" / "a").mkdir(parents=True)
        (tmp_path / shards.STATE / "parts" / "all" / f"{name}.part" / "a" / "x.parquet").touch()
    with FileLock(tmp_path / shards.STATE / "parts" / "all" / "alive.lock"):
        with building.alone(tmp_path):
            pass
    assert [path.name for path in (tmp_path / shards.STATE).rglob("*.part")] == ["alive.part"]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_no_room_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """An error of the system while the fourth job writes: three are kept, nothing else."""
    whole, add, calls = jobs(tmp_path), ParquetFile.add, list[int]()

    def full(self: ParquetFile, table: pa.Table) -> None:
        calls.append(1)
        if len(calls) > 20:
            raise OSError(number, os.strerror(number))
        add(self, table)

    monkeypatch.setattr(ParquetFile, "add", full)
    with pytest.raises(OSError, match="the disk is full .* run the same command again") as caught:
        for job in whole:
            shards.run(job)
    assert caught.value.errno == number
    assert len(list(shards.markers(tmp_path))) == 3 == len(list((tmp_path / "a").iterdir()))
    assert left_over(tmp_path) == [] and list((tmp_path / shards.STATE).rglob("*.part")) == []
    monkeypatch.undo()
    assert [bool(done.written) for done in build(tmp_path)] == [False] * 3 + [True] * 5


def test_no_room_for_a_folder_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (job, *_), mkdir = jobs(tmp_path), Path.mkdir

    def full(self: Path, *arguments: Any, **options: Any) -> None:
        if job.parts in self.parents:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        mkdir(self, *arguments, **options)

    monkeypatch.setattr(Path, "mkdir", full)
    with pytest.raises(OSError, match="the disk is full .* run the same command again"):
        shards.run(job)


KILLER = """
import json, random, signal
out, log = sys.argv[1:]
draw, kills, done = random.Random(7), 0, 0
while True:
    child = os.fork()  # this process has used nothing of Arrow yet, so that it has no threads that a fork would break
    if not child:
        for job in jobs(out, pause=0.006, log=log):
            shards.run(job)
        os._exit(0)
    time.sleep(draw.uniform(0, 0.12))
    if kills < 25:
        os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    finished = list(shards.markers(Path(out)))
    assert len(finished) >= done, "a finished job was lost"
    assert all(file.intact(Path(out)) for one in finished for file in one.files), "a marker says what is not so"
    done, kills = len(finished), kills + bool(status)
    if not status:
        break
print(kills)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills what it has forked")
def test_killed_at_any_moment(tmp_path: Path) -> None:
    """Killed again and again, then left alone: the same rows, and each kill cost at most the job at hand."""
    out, log = tmp_path / "out", tmp_path / "log"
    command: list[str | Path] = [sys.executable, "-c", TOY + KILLER, out, log]
    kills = int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert kills > 3
    with building.alone(out):
        assert left_over(out) == []
    assert len(log.read_text().splitlines()) <= 8 + kills
    build(tmp_path / "clean")
    assert state(out) == state(tmp_path / "clean")


def test_hashes_see_values_and_not_how_they_are_stored() -> None:
    plain = pa.table({"a": ["x", None, "y", "x"], "b": [[1], [], None, [2, 3]], "c": [1.5, None, 2.0, 0.0]})
    kinds = pa.schema(
        {"a": pa.dictionary(pa.int8(), pa.large_string()), "b": pa.large_list(pa.int64()), "c": pa.float64()}
    )
    assert group_hash(plain) == group_hash(plain.cast(kinds))
    longer = pa.concat_tables([plain, plain, plain])
    assert group_hash(longer.slice(4, 4)) == group_hash(plain)
    assert group_hash(pa.concat_tables([plain.slice(0, 1), plain.slice(1)])) == group_hash(plain)
    changed = [
        plain.set_column(0, "a", pa.array(["x", "", "y", "x"])),
        plain.set_column(0, "a", pa.array(["xy", None, "", "x"])),
        plain.set_column(1, "b", pa.array([[1], None, [], [2, 3]])),
        plain.set_column(1, "b", pa.array([[1], [], None, [2, 3]], pa.list_(pa.int32()))),
        plain.rename_columns(["a", "b", "d"]),
        plain.take([1, 0, 2, 3]),
    ]
    assert len({group_hash(table) for table in [plain, *changed]}) == 7
    assert total([group_hash(plain), group_hash(changed[0])]) == total([group_hash(changed[0]), group_hash(plain)])
    assert group_hash(plain.slice(0, 0)) == total([])


def test_the_marker_can_be_read_by_people(tmp_path: Path) -> None:
    build(tmp_path)
    said = json.loads((tmp_path / shards.STATE / "markers" / "all" / "train-00000-of-00008.json").read_text())
    assert said["world"] == {"dataset": "toy", "seed": 1} and said["files"][0]["rows"] == 300


@pytest.mark.parametrize(
    ("rows", "width", "expected"), [(20_000, 1, [60_000, 20_000]), (20, 1_000_000, [40, 40])], ids=["rows", "bytes"]
)
def test_a_row_group_ends_after_so_many_rows_or_bytes(
    tmp_path: Path, rows: int, width: int, expected: list[int]
) -> None:
    table = pa.table({"text": ["x" * width] * rows})
    with ParquetFile(tmp_path / "a.parquet", table.schema, {}, {}) as file:
        for _ in range(4):
            file.add(table)
    written = pq.ParquetFile(tmp_path / "a.parquet").metadata
    assert [written.row_group(number).num_rows for number in range(written.num_row_groups)] == expected
