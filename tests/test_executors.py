"""The same jobs under datatrove: its executor for one machine, a Ray cluster of two workers, and Slurm's scripts."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from timeline_realtime_qa import executors, shards
from timelineqa_ds.build import plan


pytest.importorskip("datatrove", reason="needs datatrove: pip install 'timeline-realtime-qa[cluster]'")

# A login node and its compute nodes in one: sbatch keeps what was submitted, srun runs what comes after its options.
CLUSTER = {
    "sbatch": '#!/bin/bash\necho "$@" >> {0}/submitted\nn=$(wc -l < {0}/submitted)\n'
    'cp "${{@: -1}}" {0}/$n.slurm\necho "Submitted batch job $n"\n',
    "srun": '#!/bin/bash\nwhile [[ "$1" == -* || "$1" =~ ^[0-9]+$ ]]; do shift; done\nexec "$@"\n',
    "scontrol": "#!/bin/bash\necho node1\n",
}


@pytest.fixture
def jobs(tmp_path: Path) -> list[shards.Job]:
    members = {"train": [0, 1, 2], "test": [120]}
    return plan(tmp_path / "built", ["sparse", "sparse_travel"], members, duration=1, lifelogs_a_shard=1)


@pytest.fixture
def hashes(tmp_path: Path, jobs: list[shards.Job]) -> dict[str, str]:
    """Content of all files as one process of this machine makes them."""
    again = plan(
        tmp_path / "here", ["sparse", "sparse_travel"], {"train": [0, 1, 2], "test": [120]}, duration=1,
        lifelogs_a_shard=1,
    )  # fmt: skip
    return {file.path: file.content for job in again for file in shards.run(job).files}


def contents(jobs: list[shards.Job]) -> dict[str, str]:
    return {file.path: file.content for marker in shards.markers(jobs[0].out) for file in marker.files}


def test_what_lacks(jobs: list[shards.Job]) -> None:
    shards.run(jobs[0])
    assert executors.lacking(jobs) == jobs[1:]
    (jobs[0].out / jobs[0].files[0]).unlink()
    assert executors.lacking(jobs) == jobs


def test_datatrove_on_this_machine(jobs: list[shards.Job], hashes: dict[str, str], tmp_path: Path) -> None:
    from datatrove.executor.local import LocalPipelineExecutor

    pipeline = [functools.partial(executors.task, jobs)]
    LocalPipelineExecutor(pipeline, tasks=3, workers=1, logging_dir=str(tmp_path / "logs")).run()
    assert contents(jobs) == hashes


@pytest.mark.slow
def test_ray(jobs: list[shards.Job], hashes: dict[str, str]) -> None:
    pytest.importorskip("ray", reason="needs ray: pip install 'timeline-realtime-qa[cluster]'")
    executors.by_ray(jobs[0].out, jobs, workers=2)
    assert executors.lacking(jobs) == [] and contents(jobs) == hashes


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cluster"
    folder.mkdir()
    for name, text in CLUSTER.items():
        (folder / name).write_text(text.format(folder))
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{Path(sys.executable).parent}:{os.environ['PATH']}")
    return folder


def test_slurm(jobs: list[shards.Job], hashes: dict[str, str], cluster: Path, tmp_path: Path) -> None:
    finish = functools.partial(Path.write_text, tmp_path / "card", "done")
    options = {"partition": "cpu", "time": "02:00:00", "account": "lab"}
    last = executors.by_slurm(jobs[0].out, jobs, 2, finish, options)
    array, merged, card, _ = (cluster / "submitted").read_text().splitlines()
    assert last == "3" and "--dependency=afterok:1" in card
    script = (cluster / "1.slurm").read_text()
    for line in ("array=0-3%2", "partition=cpu", "time=02:00:00", "account=lab", "mem-per-cpu=2G"):
        assert f"#SBATCH --{line}\n" in script
    for number in range(len(jobs)):
        run_script(cluster / "1.slurm", number)
    assert contents(jobs) == hashes and not (tmp_path / "card").exists()
    run_script(cluster / "3.slurm", 0)
    assert (tmp_path / "card").read_text() == "done"


def run_script(path: Path, number: int) -> None:
    settings: dict[str, Any] = {"SLURM_ARRAY_TASK_ID": str(number), "SLURM_NODELIST": "node1", "RUN_OFFSET": "0"}
    done = subprocess.run(["bash", path], env={**os.environ, **settings}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_slurm_needs_a_partition_and_a_time(jobs: list[shards.Job], cluster: Path) -> None:
    with pytest.raises(ValueError, match="--slurm partition="):
        executors.by_slurm(jobs[0].out, jobs, 2, print, {"time": "1"})


def test_without_sbatch(jobs: list[shards.Job], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(RuntimeError, match="there is no sbatch here"):
        executors.by_slurm(jobs[0].out, jobs, 2, print, {"time": "1", "partition": "cpu"})
