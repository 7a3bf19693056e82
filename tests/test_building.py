"""What a folder may hold when a build begins and when it ends."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from timeline_realtime_qa.hub import building, shards
from timeline_realtime_qa.hub.folder import manifest, read_folder

from .toy import RECIPES, build, damage, jobs, plan, state


def test_configs_can_be_added(tmp_path: Path) -> None:
    build(tmp_path, names=("a",))
    building.check_folder(plan(tmp_path, names=("b",)))
    assert all(done.written == done.job.files for done in build(tmp_path, names=("b",)))
    assert all(done.written == () for done in build(tmp_path))
    assert set(state(tmp_path)) == {"a", "b"}


@pytest.mark.parametrize(
    "options",
    [{"seed": 2, "names": ("b",)}, {"count": 4, "names": ("a",)}, {"count": 4, "names": ("b",)}],
    ids=["another seed", "other shards", "other rows beside"],
)
def test_files_of_another_build_are_not_left_beside(tmp_path: Path, options: dict[str, object]) -> None:
    build(tmp_path, names=("a",))
    with pytest.raises(FileExistsError, match=r"8 files of another build, .*: remove a/train-\*, or choose"):
        building.check_folder(plan(tmp_path, **options))


def test_a_file_that_nobody_knows_is_not_left_beside(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir(parents=True)
    (tmp_path / "a" / "train-00000-of-00001.parquet").touch()
    with pytest.raises(FileExistsError, match=r"remove a/train-\*, or choose another --out"):
        building.check_folder(plan(tmp_path))


def test_a_readme_of_somebody_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine")
    with pytest.raises(FileExistsError, match=r"README\.md was not made by a build"):
        building.build(plan(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]


def test_a_copy_of_a_built_folder_can_be_built_anew(tmp_path: Path) -> None:
    build(tmp_path)
    folder = read_folder(tmp_path, {"dataset": "toy", "seed": 1}, RECIPES, ["train"])
    of = dataclasses.replace(folder, world={"dataset": "toy", "version": "1.0.0"})
    (tmp_path / "manifest.json").write_bytes(manifest(of, dict.fromkeys("ab", "group")))
    (tmp_path / "README.md").write_text("of a build")
    shutil.rmtree(tmp_path / shards.STATE)
    assert building.build(plan(tmp_path, seed=2)).rows == 4_800


def test_a_damaged_file_beside_those_asked_for_is_made_again(tmp_path: Path) -> None:
    build(tmp_path)
    whole = state(tmp_path)
    damage(tmp_path / "a" / "train-00003-of-00008.parquet")
    done = build(tmp_path, names=("b",))
    assert [one.damaged for one in done if one.damaged] == [("a/train-00003-of-00008.parquet",)]
    assert state(tmp_path) == whole


def test_a_damaged_file_that_is_not_made_is_told(tmp_path: Path) -> None:
    build(tmp_path)
    damage(tmp_path / "a" / "train-00003-of-00008.parquet")
    some = dataclasses.replace(plan(tmp_path), jobs=jobs(tmp_path)[:2])
    with pytest.raises(RuntimeError, match="train-00003-of-00008.parquet is damaged: remove it"):
        building.complete(some)


def test_a_split_that_lacks_files_is_not_shown(tmp_path: Path) -> None:
    for job in jobs(tmp_path)[:7]:
        shards.run(job)
    folder = read_folder(tmp_path, {"dataset": "toy", "seed": 1}, RECIPES, ["train"])
    assert folder.configs == {} and folder.incomplete == ("a/train", "b/train")


SLOW = """
import os, time
from pathlib import Path
from timeline_realtime_qa.hub import building, shards

def write(targets, metadata):
    os.write(1, b"at work\\n")
    time.sleep(60)

if __name__ == "__main__":
    given = {"out": Path(__file__).parent, "recipes": {}, "world": {}, "share": {}, "size": 1, "write": write}
    jobs = [shards.Job(name=f"all/{name}", files=(f"{name}.parquet",), **given) for name in "ab"]
    list(building.run_all(jobs, workers=2))
"""


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs signals and groups of processes")
def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "slow.py"
    script.write_text(SLOW)
    parent = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, start_new_session=True)
    assert parent.stdout
    try:
        assert [parent.stdout.readline() for _ in range(2)] == [b"at work\n"] * 2
        parent.send_signal(signal.SIGKILL)
        parent.communicate(timeout=20)  # until the workers have let go of the pipe, too
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(parent.pid, signal.SIGKILL)
