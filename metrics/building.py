"""A whole folder by several processes of this machine; see `shards` for what a job is."""

from __future__ import annotations

import contextlib
import functools
import logging
import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

from datasets.utils import tqdm
from filelock import FileLock, Timeout

from . import executors
from .folder import Folder, finish, read_folder
from .shards import STATE, Done, Job, Marker, markers, run, sweep


logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Plan:
    """A folder to be made.

    Attributes:
        unit: what the `size` of a job counts.
        configs, splits: all names there can be, in order.
        around: makes the files around the Parquet files from what the folder holds; it can be pickled.
    """

    out: Path
    jobs: Sequence[Job]
    unit: str
    configs: Sequence[str]
    splits: Sequence[str]
    around: Callable[[Folder], Mapping[str, bytes]]


def build(plan: Plan, workers: int = 1) -> Folder:
    """Run the jobs in processes of this machine, with a progress bar, and write the files around them.

    Raises:
        FileExistsError: if the folder holds files that would be read together with the new ones.
        RuntimeError: if another build is writing into the folder, or a worker was killed.
        OSError: if the disk is full.
    """
    with alone(plan.out):
        check_folder(plan.out, plan.jobs)
        with tqdm(total=sum(job.size for job in plan.jobs), unit=f" {plan.unit}", desc=plan.out.name) as bar:
            for done in run_all(plan.jobs, workers):
                for path in done.damaged:
                    logger.warning("%s was damaged and has been written again", plan.out / path)
                bar.update(done.job.size)
        return complete(plan)


def build_by_ray(plan: Plan, workers: int = 1) -> Folder:
    """The same on a Ray cluster: see `executors.by_ray`.

    Raises:
        RuntimeError: if jobs have not run to their end, too.
    """
    with alone(plan.out):
        check_folder(plan.out, plan.jobs)
        executors.by_ray(plan.out, plan.jobs, workers)
        return complete(plan)


def submit_to_slurm(plan: Plan, workers: int, options: Mapping[str, str]) -> str:
    """Submit the same to Slurm, and say which job is the last one: see `executors.by_slurm`."""
    plan.out.mkdir(parents=True, exist_ok=True)
    check_folder(plan.out, plan.jobs)
    return executors.by_slurm(plan.out, plan.jobs, workers, functools.partial(complete, plan), options)


def complete(plan: Plan) -> Folder:
    """Write the files around the Parquet files once all jobs have run.

    Raises:
        RuntimeError: if some have not run to their end.
    """
    lacking = executors.lacking(plan.jobs)
    if lacking:
        raise RuntimeError(
            f"{len(lacking)} of {len(plan.jobs)} jobs have not run to their end, such as {lacking[0].name}: see the "
            f"logs below {plan.out / STATE} and run the same command again; what was finished is kept"
        )
    folder = read_folder(plan.out, plan.jobs[0].world, plan.configs, plan.splits)
    finish(folder, plan.around(folder))
    return folder


@contextlib.contextmanager
def alone(out: Path) -> Iterator[None]:
    """Hold a folder for one build, and leave no temporary files in it.

    Raises:
        RuntimeError: if another build holds it.
    """
    lock = out / STATE / "build.lock"
    lock.parent.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(lock, timeout=0):
            sweep(out)
            try:
                yield
            finally:
                sweep(out)
    except Timeout:
        raise RuntimeError(
            f"another build is writing into {out}: wait until it has ended, or choose another --out"
        ) from None


def check_folder(out: Path, jobs: Sequence[Job]) -> None:
    """Check that every Parquet file in a folder is to be made by the jobs or goes together with what they make.

    Raises:
        FileExistsError: naming one that does not.
    """
    planned = {file: job for job in jobs for file in job.files}
    splits = {_split(file) for file in planned}
    by_name = {job.name: job for job in jobs}
    owners = {file.path: marker for marker in markers(out) for file in marker.files}
    for path in sorted([*out.glob("*.parquet"), *out.glob("[!.]*/**/*.parquet")]):
        name = path.relative_to(out).as_posix()
        if name in planned:
            continue
        marker = owners.get(name)
        if marker is None or _split(name) in splits or not _goes_with(marker, jobs, by_name.get(marker.name)):
            raise FileExistsError(
                f"{path} is of another build and would be read together with the new files: remove it or choose "
                "another --out"
            )


def run_all(jobs: Sequence[Job], workers: int = 1) -> Iterator[Done]:
    """Run jobs in as many processes; yields each when it is done, in any order.

    Raises:
        RuntimeError: if a worker was killed from outside.
        OSError: if the disk is full. Jobs that have begun are finished first, in both cases, where they can be.
    """
    if workers == 1 or len(jobs) <= 1:
        yield from map(run, jobs)
        return
    # Fresh processes have no threads of Arrow's that a fork would break.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(workers, len(jobs)), context, _end_with_parent) as pool:
        try:
            for future in as_completed([pool.submit(run, job) for job in jobs]):
                yield future.result()
        except BrokenProcessPool:
            raise RuntimeError(
                "a worker process was killed (by the system for want of memory?): what was finished is kept; run the "
                "same command again, perhaps with fewer --workers"
            ) from None
        finally:
            pool.shutdown(cancel_futures=True)


def _end_with_parent() -> None:
    """In a worker: end when the process that started it does, even if that was killed."""

    def watch() -> None:
        parent = multiprocessing.parent_process()
        if parent:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _split(file: str) -> str:
    """CONFIG/SPLIT of CONFIG/SPLIT-00000-of-00003.parquet."""
    return file.rsplit("-", 3)[0]


def _goes_with(marker: Marker, jobs: Sequence[Job], same: Job | None) -> bool:
    """Whether files that stay are of the world of the jobs, and of the same rows as what is made beside them."""
    return dict(marker.world) == dict(jobs[0].world) and (same is None or same.fingerprint == marker.fingerprint)
