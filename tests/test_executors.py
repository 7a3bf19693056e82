"""The same jobs under datatrove: its executor for one machine, a Ray cluster of two workers, and Slurm's scripts."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from timeline_realtime_qa.hub import executors, shards
from timelineqa_ds.build import plan


pytest.importorskip("datatrove", reason="needs datatrove: pip install 'timeline-realtime-qa[cluster]'")

# A login node and its compute nodes in one: sbatch keeps what was submitted, srun runs what comes after its options.
CLUSTER = {
    "sbatch": '#!/bin/bash\necho "$@" >> {0}/submitted\nn=$(wc -l < {0}/submitted)\n'
    'cp "${{@: -1}}" {0}/$n.slurm\necho "Submitted batch job $n"\n',
    "srun": '#!/bin/bash\nwhile [[ "$1" == -* || "$1" =~ ^[0-9]+$ ]]; do shift; done\nexec "$@"\n',
    "scontrol": "#!/bin/bash\necho node1\n",
}


OPTIONS = {"partition": "cpu", "time": "02:00:00", "account": "lab"}


def planned(out: Path, duration: int = 1, lifelogs_a_shard: int = 1, config: str = "sparse") -> list[shards.Job]:
    members = {"train": [0, 1, 2], "test": [120]}
    return plan(out, [config, f"{config}_travel"], members, duration=duration, lifelogs_a_shard=lifelogs_a_shard)


@pytest.fixture
def jobs(tmp_path: Path) -> list[shards.Job]:
    return planned(tmp_path / "built")


@pytest.fixture
def hashes(tmp_path: Path) -> dict[str, str]:
    """Content of all files as one process of this machine makes them."""
    return {file.path: file.content for job in planned(tmp_path / "here") for file in shards.run(job).files}


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


def test_the_log_of_a_task_names_what_was_damaged(jobs: list[shards.Job], tmp_path: Path) -> None:
    from datatrove.executor.local import LocalPipelineExecutor

    shards.run(jobs[0])
    damaged = jobs[0].out / jobs[0].files[0]
    damaged.write_bytes(b"")
    LocalPipelineExecutor([functools.partial(executors.task, jobs[:1])], logging_dir=str(tmp_path / "logs")).run()
    log = (tmp_path / "logs" / "logs" / "task_00000.log").read_text()
    assert f"{damaged} was damaged and has been written again" in log and log.count("was damaged") == 1


@pytest.mark.parametrize("run", [functools.partial(executors.by_ray, workers=2), lambda out, jobs: submit(jobs, out)])
def test_relative_folders_are_refused(
    run: Callable[..., object], cluster: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    jobs = planned(Path("built"))
    for out in (Path("built"), cluster):
        with pytest.raises(ValueError, match=f"the folder built is relative.*{tmp_path}/built"):
            run(out, jobs)
    assert not Path("built").exists() and not (cluster / "submitted").exists()


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
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return folder


def submit(jobs: list[shards.Job], out: Path | None = None, finish: Callable[[], object] = print) -> str:
    return executors.by_slurm(out or jobs[0].out, jobs, 2, finish, OPTIONS)


def run_script(path: Path, number: int) -> None:
    """Run a task on a node that knows only Slurm and the system's programs."""
    settings: dict[str, Any] = {"SLURM_ARRAY_TASK_ID": str(number), "SLURM_NODELIST": "node1", "RUN_OFFSET": "0"}
    node = {**os.environ, **settings, "PATH": f"{path.parent}:{os.defpath}"}
    done = subprocess.run(["bash", path], env=node, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_slurm(jobs: list[shards.Job], hashes: dict[str, str], cluster: Path, tmp_path: Path) -> None:
    last = submit(jobs, finish=functools.partial(Path.write_text, tmp_path / "card", "done"))
    array, merged, card, _ = (cluster / "submitted").read_text().splitlines()
    assert last == "3" and "--dependency=afterok:1" in card
    script = (cluster / "1.slurm").read_text()
    for line in ("array=0-3%2", "job-name=built", "partition=cpu", "time=02:00:00", "account=lab", "mem-per-cpu=2G"):
        assert f"#SBATCH --{line}\n" in script
    for number in range(len(jobs)):
        run_script(cluster / "1.slurm", number)
    assert contents(jobs) == hashes and not (tmp_path / "card").exists()
    run_script(cluster / "3.slurm", 0)
    assert (tmp_path / "card").read_text() == "done"
    submit(planned(jobs[0].out, duration=2))  # nothing of the first waits any more


def test_a_submission_leaves_those_before_it_alone(jobs: list[shards.Job], cluster: Path) -> None:
    submit(jobs)
    before = {path: path.read_bytes() for path in jobs[0].out.rglob("*") if path.is_file()}
    assert "executor.pik" in {path.name for path in before}
    submit(jobs)
    submit(planned(jobs[0].out, config="dense"))
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.parametrize("change", [{"duration": 2}, {"lifelogs_a_shard": 2}, {"duration": 2, "config": "dense"}])
def test_a_submission_of_another_build_is_refused(
    jobs: list[shards.Job], cluster: Path, change: dict[str, Any]
) -> None:
    submit(jobs)
    before = (cluster / "submitted").read_text()
    (folder,) = (jobs[0].out / shards.STATE / "slurm").iterdir()
    others = planned(jobs[0].out, **change)
    with pytest.raises(RuntimeError, match=f"another build has been submitted into .* remove {folder}"):
        submit(others)
    assert (cluster / "submitted").read_text() == before
    shutil.rmtree(folder)
    submit(others)


@pytest.mark.parametrize("name", ["my data", "tab\there", "$(id)", "50%j", "a;b", "it's"])
def test_paths_that_would_break_a_script_are_refused(tmp_path: Path, cluster: Path, name: str) -> None:
    for out in (tmp_path / name, tmp_path / name / "built"):
        with pytest.raises(ValueError, match="which the scripts for Slurm cannot hold: expected letters"):
            submit(planned(out))
    assert not (cluster / "submitted").exists() and not (tmp_path / name).exists()


def test_slurm_needs_a_partition_and_a_time(jobs: list[shards.Job], cluster: Path) -> None:
    with pytest.raises(ValueError, match="--slurm partition="):
        executors.by_slurm(jobs[0].out, jobs, 2, print, {"time": "1"})


def test_without_sbatch(jobs: list[shards.Job], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(RuntimeError, match="there is no sbatch here"):
        submit(jobs)
    assert list((jobs[0].out / shards.STATE / "slurm").iterdir()) == []
