"""Jobs on more than one machine: on a Ray cluster or by Slurm, through datatrove, which is an extra.

All machines must see the folder at the same absolute path. What is done is known by the markers in the folder (see
`shards`): a run that was stopped goes on with the same command, and datatrove's list of finished tasks is not used.
"""

from __future__ import annotations

import functools
import json
import logging
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from . import disk
from .shards import STATE, Job, claimed_files, run, split_of


INSTALL = "pip install 'timeline-realtime-qa[cluster]'"
MEMORY = 2  # gigabytes that a job is given
WAITING = "waiting.json"  # in the folder of a submission to Slurm: what it is of, until its last job has run


class Jobs(tuple[Job, ...]):
    """Jobs of which datatrove writes only the number into the log of every task."""

    def __repr__(self) -> str:
        return f"{len(self)} jobs"


def task(jobs: Sequence[Job], data: object, rank: int, world_size: int) -> None:
    """One task of any executor of datatrove: every job whose turn it is.

    A pipeline is ``[functools.partial(task, Jobs(jobs))]``.
    """
    for job in jobs[rank::world_size]:
        for path in run(job).damaged:
            _log().warning(f"{job.out / path} was damaged and has been written again")


def last_task(finish: Callable[[], object], waiting: Path, data: object, rank: int, world_size: int) -> None:
    """The task that writes the files around the Parquet files, once all jobs have run.

    Args:
        waiting: the file that says that the submission's last job has not run.
    """
    finish()
    waiting.unlink(missing_ok=True)


def lacking(jobs: Sequence[Job]) -> list[Job]:
    """The jobs that have not left all their files."""
    return [job for job in jobs if not _is_done(job)]


def by_ray(out: Path, jobs: Sequence[Job], workers: int) -> None:
    """Run jobs on the Ray cluster of RAY_ADDRESS, or on one started here, and wait for them.

    Raises:
        RuntimeError: if datatrove or Ray is not installed.
        ValueError: if the folder is not absolute.
    """
    _check_absolute(out, jobs)
    try:
        import ray
        from datatrove.executor.ray import RayPipelineExecutor
    except ImportError as error:
        raise RuntimeError(f"the executor ray needs datatrove and ray: {INSTALL}") from error
    started_here = not ray.is_initialized()
    if started_here:
        ray.init(log_to_driver=False, include_dashboard=False)
    executor = RayPipelineExecutor(
        pipeline=[functools.partial(task, Jobs(jobs))],
        tasks=len(jobs),
        workers=workers,
        mem_per_cpu_gb=MEMORY,
        logging_dir=str(out / STATE / "ray"),
        skip_completed=False,
    )
    try:
        executor.run()
    finally:
        if started_here:
            ray.shutdown()


def by_slurm(
    out: Path, jobs: Sequence[Job], workers: int, finish: Callable[[], object], options: Mapping[str, str]
) -> str:
    """Submit jobs as an array of which `workers` tasks run at once, and a last job that waits for them.

    Args:
        finish: what the last job does; it can be pickled.
        options: of sbatch, partition and time among them.

    Returns:
        id of the last job.

    Raises:
        RuntimeError: if datatrove is not installed, there is no sbatch or it refuses, or another build was submitted.
        ValueError: if an option is lacking, or the folder is not absolute or cannot be written into a script.
    """
    _check_absolute(out, jobs)
    _check_plain(out)
    make = _slurm(options)
    check_waiting(out, jobs)
    folder = out / STATE / "slurm" / f"{datetime.now():%Y%m%d-%H%M%S-%f}"  # tasks read it when their turn comes
    work, end = functools.partial(task, Jobs(jobs)), functools.partial(last_task, finish, folder / WAITING)
    array = make([work], len(jobs), workers=workers, job_name=out.name, logging_dir=str(folder / "jobs"))
    last = make([end], 1, job_name=f"{out.name}-card", logging_dir=str(folder / "card"), depends=array)
    disk.write_file(folder / WAITING, json.dumps(_common(jobs)).encode())
    try:
        last.run()
    except FileNotFoundError as error:
        raise RuntimeError("there is no sbatch here: submit from a login node of the cluster") from error
    except subprocess.CalledProcessError as error:
        raise RuntimeError(
            f"sbatch refused the jobs, with status {error.returncode}: see its message above"
        ) from error
    finally:
        if array.job_id is None:  # nothing was submitted
            shutil.rmtree(folder)
    return str(last.job_id)


def check_waiting(out: Path, jobs: Sequence[Job]) -> None:
    """Check that jobs go together with all that was submitted to Slurm: what still waits would write over their files.

    Raises:
        RuntimeError: if they do not.
    """
    ours = _common(jobs)
    for path in sorted((out / STATE / "slurm").glob(f"*/{WAITING}")):
        theirs = _submitted(out, path.relative_to(out).as_posix())
        if any(theirs[key] != ours[key] for key in theirs.keys() & ours.keys()):
            raise RuntimeError(
                f"another build has been submitted into {out} and its last job has not run: wait for it, choose "
                f"another --out, or cancel its jobs (scancel) and remove {path.parent}"
            )


def _submitted(out: Path, path: str) -> dict[str, Any]:
    try:
        theirs = json.loads(disk.read(out, path))
        if isinstance(theirs, dict):
            return theirs
        error: Exception = TypeError(f"expected an object, found {theirs!r}")
    except (ValueError, RecursionError) as wrong:
        error = wrong
    raise ValueError(
        f"{out / path} does not say what was submitted ({error}): cancel the jobs of that submission (scancel) if "
        f"there are any, and remove {(out / path).parent}"
    ) from error


def _check_absolute(out: Path, jobs: Sequence[Job]) -> None:
    for path in (out, *(job.out for job in jobs)):
        if not path.is_absolute():
            raise ValueError(
                f"the folder {path} is relative, but other machines start jobs elsewhere: expected an absolute path, "
                f"such as {path.resolve()}"
            )


def _check_plain(out: Path) -> None:
    """Check a path that datatrove writes into scripts without quotes, and its last part as the name of a job."""
    if wrong := re.search(r"[^\w@+=,./-]", str(out)):
        raise ValueError(
            f"the path {str(out)!r} holds {wrong[0]!r}, which the scripts for Slurm cannot hold: expected letters, "
            "digits and any of @ + = , . / _ -, choose another --out"
        )


def _slurm(options: Mapping[str, str]) -> Callable[..., Any]:
    """What makes an executor for Slurm, with all that those of one submission share."""
    try:
        from datatrove.executor.slurm import SlurmPipelineExecutor
    except ImportError as error:
        raise RuntimeError(f"the executor slurm needs datatrove: {INSTALL}") from error
    for name in ("partition", "time"):
        if not options.get(name):
            raise ValueError(f"the executor slurm needs the option {name} of sbatch, such as --slurm {name}=...")
    return functools.partial(
        SlurmPipelineExecutor,
        partition=options["partition"],
        time=options["time"],
        mem_per_cpu_gb=MEMORY,
        qos=None,
        # A node finds the programs of this environment even if the shell that submits has not activated it.
        env_command=f'export PATH={shlex.quote(str(Path(sys.executable).parent))}:"$PATH"',
        sbatch_args={name: value for name, value in options.items() if name not in ("partition", "time")},
        skip_completed=False,
    )


def _common(jobs: Sequence[Job]) -> dict[str, object]:
    """What must be the same in two submissions where both have it: the world, recipes, and the jobs of a split."""
    splits: dict[str, list[str]] = {}
    for job in jobs:
        splits.setdefault(split_of(job.name), []).append(job.fingerprint)
    return {"world": dict(jobs[0].world), "recipes": dict(jobs[0].recipes), **splits}


def _log() -> Any:
    """The log of a task, which datatrove keeps without the module `logging`."""
    try:
        from datatrove.utils.logging import logger
    except ImportError:
        return logging.getLogger(__name__)
    return logger


def _is_done(job: Job) -> bool:
    made = {file.path for file in claimed_files(job)}
    return all(path in made and (job.out / path).is_file() for path in job.files)
