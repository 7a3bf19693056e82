"""Jobs on more than one machine: on a Ray cluster or by Slurm, through datatrove, which is an extra.

All machines must see the folder at the same path. What is done is known by the markers in the folder (see `shards`):
a run that was stopped goes on with the same command, and datatrove's own list of finished tasks is not used.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .shards import STATE, Job, claimed_files, run


INSTALL = "pip install 'timeline-realtime-qa[cluster]'"
MEMORY = 2  # gigabytes that a job is given


def task(jobs: Sequence[Job], data: Any, rank: int, world_size: int) -> None:
    """One task of any executor of datatrove: every job whose turn it is.

    A pipeline is ``[functools.partial(task, jobs)]``.
    """
    for job in jobs[rank::world_size]:
        run(job)


def last_task(finish: Callable[[], object], data: Any, rank: int, world_size: int) -> None:
    """The task that writes the files around the Parquet files, once all jobs have run."""
    finish()


def lacking(jobs: Sequence[Job]) -> list[Job]:
    """The jobs that have not left all their files."""
    return [job for job in jobs if not _is_done(job)]


def by_ray(out: Path, jobs: Sequence[Job], workers: int) -> None:
    """Run jobs on the Ray cluster of RAY_ADDRESS, or on one started here, and wait for them.

    Raises:
        RuntimeError: if datatrove or Ray is not installed.
    """
    try:
        import ray
        from datatrove.executor.ray import RayPipelineExecutor
    except ImportError as error:
        raise RuntimeError(f"the executor ray needs datatrove and ray: {INSTALL}") from error
    started_here = not ray.is_initialized()
    if started_here:
        ray.init(log_to_driver=False, include_dashboard=False)
    executor = RayPipelineExecutor(
        pipeline=[functools.partial(task, jobs)],
        tasks=len(jobs),
        workers=workers,
        mem_per_cpu_gb=MEMORY,
        logging_dir=str(out.resolve() / STATE / "ray"),
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
        RuntimeError: if datatrove is not installed or there is no sbatch.
        ValueError: if an option is lacking.
    """
    try:
        from datatrove.executor.slurm import SlurmPipelineExecutor
    except ImportError as error:
        raise RuntimeError(f"the executor slurm needs datatrove: {INSTALL}") from error
    absent = [name for name in ("partition", "time") if not options.get(name)]
    if absent:
        raise ValueError(f"the executor slurm needs the option {absent[0]} of sbatch, such as --slurm {absent[0]}=...")
    rest = {name: value for name, value in options.items() if name not in ("partition", "time")}
    state = out.resolve() / STATE
    make = functools.partial(
        SlurmPipelineExecutor,
        partition=options["partition"],
        time=options["time"],
        mem_per_cpu_gb=MEMORY,
        qos=None,
        sbatch_args=rest,
        skip_completed=False,
    )
    name = out.resolve().name
    array = make(
        [functools.partial(task, jobs)],
        tasks=len(jobs),
        workers=workers,
        job_name=name,
        logging_dir=str(state / "slurm"),
    )
    last = make(
        [functools.partial(last_task, finish)],
        tasks=1,
        job_name=f"{name}-card",
        logging_dir=str(state / "slurm-card"),
        depends=array,
    )
    try:
        last.run()
    except FileNotFoundError as error:
        raise RuntimeError("there is no sbatch here: submit from a login node of the cluster") from error
    return str(last.job_id)


def _is_done(job: Job) -> bool:
    made = {file.path for file in claimed_files(job)}
    return all(path in made and (job.out / path).is_file() for path in job.files)
