"""A whole folder by several processes of this machine; see `shards` for what a job is."""

from __future__ import annotations

import contextlib
import functools
import logging
import multiprocessing
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

from filelock import Timeout

from ..display.progress import progress
from . import executors
from .disk import inside, room
from .folder import AROUND, MANIFEST, Folder, finish, is_built, read_folder, read_manifest
from .shards import MOVING, STATE, Done, Job, Marker, config_of, lock, markers, run, split_of, sweep


logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Plan:
    """A folder to be made.

    Attributes:
        unit: what the `size` of a job counts.
        splits: all names there can be, in order.
        around: makes the files around the Parquet files from what the folder holds; it can be pickled.
    """

    out: Path
    jobs: Sequence[Job]
    unit: str
    splits: Sequence[str]
    around: Callable[[Folder], Mapping[str, bytes]]


def build(plan: Plan, workers: int = 1) -> Folder:
    """Run the jobs in processes of this machine, with a progress bar, and write the files around them.

    Raises:
        FileExistsError: if the folder holds files that would be read together with the new ones.
        RuntimeError: if another build is writing into the folder, or a worker was killed.
        OSError: if the disk is full.
    """
    with _begun(plan):
        with progress(sum(job.size for job in plan.jobs), plan.unit, plan.out.name) as bar:
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
    with _begun(plan):
        executors.by_ray(plan.out, plan.jobs, workers)
        return complete(plan)


def submit_to_slurm(plan: Plan, workers: int, options: Mapping[str, str]) -> str:
    """Submit the same to Slurm, and say which job is the last one: see `executors.by_slurm`."""
    with room(plan.out):
        refuse_foreign(plan.out)
        check_folder(plan)
        return executors.by_slurm(plan.out, plan.jobs, workers, functools.partial(complete, plan), options)


def complete(plan: Plan) -> Folder:
    """Write the files around the Parquet files once all jobs have run.

    Raises:
        RuntimeError: if some have not run to their end, or a file that they have not made is damaged.
        ValueError: if there is no row in any file.
    """
    lacking = executors.lacking(plan.jobs)
    if lacking:
        raise RuntimeError(
            f"{len(lacking)} of {len(plan.jobs)} jobs have not run to their end, such as {lacking[0].name}: see the "
            f"logs below {plan.out / STATE} and run the same command again; what was finished is kept"
        )
    mine = {job.name for job in plan.jobs}
    for file in (file for marker in markers(plan.out) if marker.name not in mine for file in marker.files):
        if (plan.out / file.path).exists() and not file.intact(plan.out):
            raise RuntimeError(f"{plan.out / file.path} is damaged: remove it, and run the build that made it again")
    folder = read_folder(plan.out, plan.jobs[0].world, plan.jobs[0].recipes, plan.splits)
    if not folder.with_rows().configs:
        raise ValueError(f"{plan.out} has files, but none of them has a row: choose more to build")
    finish(folder, plan.around(folder))
    return folder


@contextlib.contextmanager
def _begun(plan: Plan) -> Iterator[None]:
    """Hold a folder in which the plan can be carried out."""
    refuse_foreign(plan.out)
    with room(plan.out), alone(plan.out):
        executors.check_waiting(plan.out, plan.jobs)
        check_folder(plan)
        yield


def refuse_foreign(out: Path) -> None:
    """Check that no file of somebody's own would be written over.

    Raises:
        FileExistsError: naming one.
    """
    theirs = [name for name in AROUND if (out / name).exists()]
    if theirs and not is_built(out):
        raise FileExistsError(
            f"{out / theirs[0]} was not made by a build, and a build would write over it: choose another --out"
        )


@contextlib.contextmanager
def alone(out: Path) -> Iterator[None]:
    """Hold a folder for one build, and leave no temporary files in it.

    Raises:
        RuntimeError: if another build holds it.
    """
    try:
        with lock(out, "build", timeout=0):
            sweep(out)
            try:
                yield
            finally:
                sweep(out)
    except Timeout:
        raise RuntimeError(
            f"another build is writing into {out}: wait until it has ended, or choose another --out"
        ) from None


def check_folder(plan: Plan) -> None:
    """Check that every Parquet file in a folder is to be made by the plan or goes together with what it makes.

    Raises:
        FileExistsError: naming the splits that do not, or a file that no build has made and that one would replace.
        ValueError: if a link leads out of the folder.
    """
    out = plan.out
    planned = {file for job in plan.jobs for file in job.files}
    splits = {split_of(file) for file in planned}
    for config in {config_of(file) for file in planned}:
        inside(out, config)
    staying = [marker for marker in markers(out) if any((out / file.path).exists() for file in marker.files)]
    wanted, there = _members(plan.unit, plan.jobs), _members(plan.unit, staying)
    jobs = {job.name: job for job in plan.jobs}

    def goes_with(marker: Marker) -> bool:
        """Whether files that stay are of the world of the jobs, and of the same members as what joins them."""
        at, same = split_of(marker.name), jobs.get(marker.name)
        return (
            dict(marker.world) == dict(plan.jobs[0].world)
            and (same is None or same.fingerprint == marker.fingerprint)
            and wanted.get(at) in (None, there[at])
        )

    recipes = plan.jobs[0].recipes
    fitting = {
        file.path
        for marker in staying
        if goes_with(marker)
        for file in marker.files
        if file.recipe == recipes.get(config_of(file.path))
    }
    found = {path.relative_to(out).as_posix() for path in (*out.glob("*.parquet"), *out.glob("[!.]*/**/*.parquet"))}
    if theirs := _foreign(out, found & planned):
        raise FileExistsError(
            f"{out / min(theirs)} was not made by a build that this folder knows of, and this one would write over "
            "it: remove it, or choose another --out"
        )
    wrong = [name for name in sorted(found - planned) if name not in fitting or split_of(name) in splits]
    if wrong:
        others = list(dict.fromkeys(f"{split_of(name)}-*" for name in wrong))
        more = f" and {len(others) - 5} more such" if len(others) > 5 else ""
        raise FileExistsError(
            f"{out} holds {len(wrong)} files of another build, which would be read together with the new ones: remove "
            f"{', '.join(others[:5])}{more}, or choose another --out"
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


def _foreign(out: Path, found: set[str]) -> set[str]:
    """Parquet files of which no marker tells, nor the manifest that came with them from the Hub."""
    known = {file.path for kind in ("markers", MOVING) for marker in markers(out, kind) for file in marker.files}
    if (foreign := found - known) and (out / MANIFEST).exists():
        _, told = read_manifest(out / MANIFEST)
        foreign -= {file.path for file in told if file.path in foreign and file.intact(out)}
    return foreign


def _members(unit: str, made: Iterable[Job | Marker]) -> dict[str, set[str]]:
    """The members of each split, by GROUP/SPLIT: a group are the configs that the same jobs make."""
    found: dict[str, set[str]] = {}
    for one in made:
        members = one.share.get(unit)  # another dataset has other units
        found.setdefault(split_of(one.name), set()).update(map(repr, members if isinstance(members, list) else ()))
    return found
