"""Jobs that write files into a folder and survive whatever ends them: the next run does only what is not done.

A job writes its files under temporary names, moves them to their places and leaves a marker in ``.build`` that says
what they were made of and what they hold. A job whose marker and files are as they should be is skipped. `run` is all
that another executor needs: a job can be pickled, and it may be run twice or by two at once.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from .content import files_hash
from .parquet import Counted


STATE = ".build"  # what belongs to the building and not to the dataset
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
Write = Callable[[Mapping[str, Path], Mapping[str, str]], Mapping[str, Counted]]


@dataclass(frozen=True)
class Job:
    """Files to be made together, and the function that makes them.

    Attributes:
        out: the folder.
        name: of the job within the folder, such as ``dense/train-00000-of-00008``.
        files: what it makes, relative to the folder.
        recipes: of every config of the dataset, a hash of the code and data that decide its rows.
        world: what all files of the folder are made of: dataset, version, options.
        share: what is this job's own: which part of how many.
        size: how much of the whole it is, for a progress bar.
        write: called with the place to write each file that is wanted, and with metadata to put into it; a function or
            an object that can be pickled.
    """

    out: Path
    name: str
    files: tuple[str, ...]
    recipes: Mapping[str, str]
    world: Mapping[str, object]
    share: Mapping[str, Any]
    size: int
    write: Write

    @functools.cached_property
    def fingerprint(self) -> str:
        """Hash of all that decides what the files hold beside their recipes."""
        return hashlib.sha256(_json([self.world, self.share])).hexdigest()

    @property
    def marker(self) -> Path:
        return self.out / STATE / "markers" / f"{self.name}.json"

    @property
    def parts(self) -> Path:
        """A folder for the temporary files."""
        return self.out / STATE / "parts" / f"{self.name}.part"


@dataclass(frozen=True)
class File:
    """A finished file.

    Attributes:
        path: relative to the folder.
        recipe: that of its config when it was made; see `Job`.
        bytes, sha256: of the file.
        rows, arrow_bytes, content: see `Counted`.
    """

    path: str
    recipe: str
    rows: int
    arrow_bytes: int
    content: str
    bytes: int
    sha256: str

    def intact(self, out: Path) -> bool:
        """Whether the file is there and has these bytes."""
        path = out / self.path
        return path.is_file() and path.stat().st_size == self.bytes and sha256(path) == self.sha256


@dataclass(frozen=True)
class Marker:
    """What a job has left: what its files were made of, and what they hold."""

    name: str
    world: Mapping[str, object]
    share: Mapping[str, Any]
    fingerprint: str
    files: tuple[File, ...]


@dataclass(frozen=True)
class Done:
    """A job after `run`: all its files, those of them that were written now, and those that were found damaged."""

    job: Job
    files: tuple[File, ...]
    written: tuple[str, ...]
    damaged: tuple[str, ...]


def run(job: Job) -> Done:
    """Make those files of a job that are not there as they should be, and damaged ones that its marker claims beside.

    Raises:
        OSError: if the disk is full, with what to do; finished jobs stay and nothing half-written does.
    """
    with _room(job.out / job.name), _locked(job.parts):
        claimed = claimed_files(job)
        kept = tuple(file for file in claimed if file.intact(job.out))
        changed = [file.path for file in claimed if file not in kept]
        damaged = tuple(path for path in changed if (job.out / path).exists())
        lacking = [path for path in job.files if path not in {file.path for file in kept}]
        lacking += [path for path in damaged if path not in lacking]
        if lacking:
            kept += _made(job, lacking)
            _write_whole(job.marker, _json(asdict(_marker(job, kept))))
    return Done(job, tuple(file for file in kept if file.path in job.files), tuple(lacking), damaged)


def claimed_files(job: Job) -> tuple[File, ...]:
    """The files that a job's marker says it has made of the same things, be they there or not."""
    marker = read_marker(job.marker)
    files = marker.files if marker and marker.fingerprint == job.fingerprint else ()
    return tuple(file for file in files if file.recipe == job.recipes.get(config_of(file.path)))


def writer_hash() -> str:
    """Hash of the code that every file is written by, which belongs to any recipe."""
    return files_hash(Path(__file__).parent, ("content.py", "parquet.py"))


def config_of(name: str) -> str:
    """CONFIG of CONFIG/SPLIT-00000-of-00003.parquet."""
    return name.partition("/")[0]


def split_of(name: str) -> str:
    """CONFIG/SPLIT of CONFIG/SPLIT-00000-of-00003.parquet, and likewise of the name of a job."""
    return name.rsplit("-", 3)[0]


def read_marker(path: Path) -> Marker | None:
    """The marker at `path`; None if there is none that can be read."""
    try:
        found = json.loads(path.read_bytes())
        return Marker(**{**found, "files": tuple(File(**file) for file in found["files"])})
    except (FileNotFoundError, ValueError, TypeError, KeyError):
        return None


def markers(out: Path) -> Iterator[Marker]:
    """All markers of a folder, by name."""
    for path in sorted((out / STATE / "markers").rglob("*.json")):
        if marker := read_marker(path):
            yield marker


def sweep(out: Path) -> None:
    """Remove the temporary files of jobs that nobody is at any more."""
    for parts in sorted((out / STATE / "parts").rglob("*.part")):
        with contextlib.suppress(Timeout), _locked(parts, timeout=0):
            shutil.rmtree(parts, ignore_errors=True)


def sha256(path: Path) -> str:
    """Hex sha256 of a file's bytes."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def write_file(path: Path, data: bytes) -> None:
    """Write a file as a whole or not at all.

    Raises:
        OSError: if the disk is full, with what to do.
    """
    with _room(path):
        _write_whole(path, data)


def _locked(parts: Path, timeout: float = -1) -> FileLock:
    """The lock of the job whose temporary files lie in `parts`; the system lets go of it when a process dies."""
    parts.parent.mkdir(parents=True, exist_ok=True)
    return FileLock(parts.with_suffix(".lock"), timeout=timeout)


def _made(job: Job, lacking: Sequence[str]) -> tuple[File, ...]:
    """Write files beside their places and move them there."""
    parts = job.parts
    shutil.rmtree(parts, ignore_errors=True)  # of a process that was killed: the lock is ours
    targets = {path: parts / path for path in lacking}
    try:
        for target in targets.values():
            target.parent.mkdir(parents=True, exist_ok=True)
        counted = job.write(targets, {"made_of": _json({**job.world, **job.share}).decode()})
        made = []
        for path, target in targets.items():
            recipe, size = job.recipes[config_of(path)], target.stat().st_size
            made.append(File(path, recipe, **asdict(counted[path]), bytes=size, sha256=sha256(target)))
            (job.out / path).parent.mkdir(parents=True, exist_ok=True)
            os.replace(target, job.out / path)
        return tuple(made)
    finally:
        shutil.rmtree(parts, ignore_errors=True)


def _marker(job: Job, files: tuple[File, ...]) -> Marker:
    return Marker(job.name, job.world, job.share, job.fingerprint, tuple(sorted(files, key=lambda file: file.path)))


def _write_whole(path: Path, data: bytes) -> None:
    part = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(data)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


@contextlib.contextmanager
def _room(path: Path) -> Iterator[None]:
    """Say what to do when there is no room for what is written at `path`."""
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL:
            raise
        raise OSError(
            error.errno,
            f"the disk is full (or a quota is reached) while writing {path}: what was finished is kept; make room and "
            "run the same command again, which goes on from there",
        ) from error


def _json(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, indent=1).encode()
