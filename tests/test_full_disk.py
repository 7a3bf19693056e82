"""A disk without room, at many sizes: a message with file and remedy, and nothing lost or half-written."""

from __future__ import annotations

import dataclasses
import errno
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from timeline_realtime_qa.hub import building, parquet, shards
from timeline_realtime_qa.hub.disk import DiskFull
from timeline_realtime_qa.hub.folder import AROUND
from timeline_realtime_qa.hub.parquet import ParquetFile

from .toy import build, left_over, plan, state


Mount = Callable[[str], Path]
SAID = r"the disk is full .* while writing \S+: what was finished is kept; make room and run the same command again"
DENSE = ["dense", "dense_episodes", "dense_travel"]
BUILDS = {
    "realtimeqa": ["realtimeqa_ds", "build", "--data-dir", "sample"],
    "timelineqa": [
        *("timelineqa_ds", "build", "--lifelogs", "0:2", "--duration", "30", "--lifelogs-a-shard", "1"),
        *(word for name in DENSE for word in ("--config", name)),
    ],
}


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Mount]:
    """Mount a disk of a size, in place of the last one."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted: list[str] = []
    if not hasattr(os, "geteuid") or os.geteuid() or not shutil.which("mount"):
        pytest.skip("only root can mount a small disk")

    def mount(options: str) -> Path:
        if mounted:
            subprocess.run(["umount", place], check=True)
            mounted.clear()
        command = ["mount", "-t", "tmpfs", "-o", f"size={options}", "tmpfs", str(place)]
        if subprocess.run(command, capture_output=True).returncode:
            pytest.skip("mounting a small disk is not allowed here")
        mounted.append(options)
        return place

    yield mount
    if mounted:
        subprocess.run(["umount", place], check=True)


def test_a_full_disk(small_disk: Mount, tmp_path: Path) -> None:
    size, disk = 3_000, small_disk("2m")  # rows of some 70 bytes in 6 groups of 8 jobs: about ten megabytes
    with pytest.raises(DiskFull, match=SAID):
        build(disk, size=size)
    finished = {marker.name for marker in shards.markers(disk)}
    assert 0 < len(finished) < 8 and left_over(disk) == []
    roomy = shutil.copytree(disk, tmp_path / "roomy")
    assert {done.job.name for done in build(roomy, size=size) if not done.written} == finished
    build(tmp_path / "clean", size=size)
    assert state(roomy) == state(tmp_path / "clean")


@pytest.mark.parametrize("options", ["4k", "36k", "200k", "1100k", *(f"1m,nr_inodes={n}" for n in (2, 5, 19))])
def test_no_room_from_the_first_folder_to_the_last_file(small_disk: Mount, options: str) -> None:
    """Full or out of inodes wherever a build happens to be, its locks and the files around included."""
    disk = small_disk(options)
    made = dataclasses.replace(plan(disk / "out", size=300), around=lambda folder: {"README.md": b"x" * 1_000_000})
    with pytest.raises(DiskFull, match=SAID) as caught:
        building.build(made)
    named = Path(re.findall(r"while writing (\S+):", str(caught.value))[0])
    assert disk in named.parents and left_over(disk) == []


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("name", list(BUILDS))
def test_builds_at_every_size(small_disk: Mount, name: str, workers: str) -> None:
    """Until the build fits: never a killed process, and with workers never blamed on memory."""
    sizes, ended = [8, 40, 100, 180, 330, 610, 1_100, 6_000], []
    for size in sizes:
        out = small_disk(f"{size}k") / "out"
        command = [sys.executable, "-m", *BUILDS[name], "--workers", workers, "--out", str(out)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0 or done.returncode == 1 and re.search(SAID, done.stderr), done.stderr
        assert "memory" not in done.stderr and not list(out.rglob("*.part")) and {*left_over(out)} <= {*AROUND}
        ended.append(done.returncode)
    assert ended[0] == 1 and ended[-1] == 0


class Full:
    """A file on a disk with room for so many bytes."""

    def __init__(self, path: Path, room: int) -> None:
        self.name, self.room, self.closed = str(path), room, False

    def write(self, data: pa.Buffer) -> None:
        self.room -= len(data)
        if self.room < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def close(self) -> None:
        self.closed = True


TABLES = {
    "texts": pa.table({"text": [f"{row} " * 40 for row in range(5_000)]}),
    "lists": pa.table({"row": range(2_000), "parts": [[{"a": str(row), "b": row}] * 9 for row in range(2_000)]}),
    "words": pa.table({"word": [f"word {row % 90}" for row in range(20_000)]}),
}


@given(st.integers(0, 400_000), st.sampled_from(list(TABLES)), st.sampled_from(["none", "zstd"]))
def test_a_write_that_fails_anywhere_in_a_file(room: int, table: str, compression: str) -> None:
    """Arrow would end this process at most of these places; what fits is a whole file."""
    opened = []

    def open_full(path: Path, mode: str) -> Full:
        opened.append(Full(path, room))
        return opened[0]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet, "open", open_full, raising=False)
        try:
            with ParquetFile(Path("a.parquet"), TABLES[table].schema, {}, {"compression": compression}) as file:
                for _ in range(3):
                    file.add(TABLES[table])
        except OSError as error:
            assert error.errno == errno.ENOSPC and error.filename == "a.parquet" and opened[0].room < 0
        else:
            assert opened[0].room >= 0
    assert opened[0].closed
