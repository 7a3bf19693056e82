"""Jobs that write files into a folder and survive whatever ends them: the next run does only what is not done.

A job writes its files under temporary names, moves them to their places and leaves a marker in ``.build`` that says
what they were made of and what they hold. A job whose marker and files are as they should be is skipped. `run` is all
that another executor needs: a job can be pickled, and it may be run twice or by two at once.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import logging
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from .content import files_hash
from .disk import inside, opened, read, room, sha256, write_file
from .parquet import Counted


logger = logging.getLogger(__name__)
STATE = ".build"  # what belongs to the building and not to the dataset
MOVING = "moving"  # beside `markers`: those of jobs whose files are being moved to their places
_PATH = re.compile(r"[\w-][\w.-]*/([\w-][\w.-]*-\d{5,9}-of-\d{5,9})\.parquet", re.ASCII)
_HASH = re.compile("[0-9a-f]{1,64}")
Write = Callable[[Mapping[str, Path], Mapping[str, str]], Mapping[str, Counted]]


@dataclass(frozen=True)
class Job:
    """Files to be made together, and the function that makes them.

    Attributes:
        out: the folder.
        name: of the job within the folder, such as ``dense/train-00000-of-00008``.
        files: what it makes, relative to the folder: ``CONFIG/PLACE.parquet``, where PLACE ends the name of the job.
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
        return _fingerprint(self.world, self.share)

    @property
    def parts(self) -> Path:
        """A folder for the temporary files."""
        return inside(self.out, f"{STATE}/parts/{self.name}.part")


@dataclass(frozen=True)
class File:
    """A finished file, of which markers and manifests tell.

    Attributes:
        path: relative to the folder: ``CONFIG/SPLIT-00000-of-00008.parquet``.
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

    def __post_init__(self) -> None:
        """Refuse what no build writes."""
        if not isinstance(self.path, str) or not _PATH.fullmatch(self.path):
            raise ValueError(
                "expected a file of the folder itself, such as sparse/train-00000-of-00008.parquet, found "
                f"{self.path!r}"
            )
        counts, hashes = (self.rows, self.arrow_bytes, self.bytes), (self.content, self.sha256)
        if not (
            isinstance(self.recipe, str)
            and all(type(count) is int and 0 <= count < 1 << 63 for count in counts)
            and all(isinstance(one, str) and _HASH.fullmatch(one) for one in hashes)
        ):
            raise ValueError(f"expected counts, and hashes of hex digits, found {self}")

    @property
    def place(self) -> str:
        """SPLIT-00000-of-00008, which all files of a job have in common."""
        return Path(self.path).stem

    def intact(self, out: Path) -> bool:
        """Whether the file is there and has these bytes.

        Raises:
            ValueError: if something else is there, such as a link.
        """
        try:
            with opened(out, self.path) as file:
                return os.fstat(file.fileno()).st_size == self.bytes and sha256(file) == self.sha256
        except FileNotFoundError:
            return False


@dataclass(frozen=True)
class Marker:
    """What a job has left: what its files were made of, and what they hold."""

    name: str
    world: Mapping[str, object]
    share: Mapping[str, Any]
    fingerprint: str
    files: tuple[File, ...]

    def __post_init__(self) -> None:
        """Refuse what no job writes."""
        if not isinstance(self.world, dict) or not isinstance(self.share, dict):
            raise ValueError(f"expected objects as world and share, found {self.world!r} and {self.share!r}")
        if self.fingerprint != _fingerprint(self.world, self.share):
            raise ValueError(f"{self.fingerprint!r} is not the fingerprint of its world and share")
        if foreign := [file.path for file in self.files if file.place != self.name.rpartition("/")[2]]:
            raise ValueError(f"{foreign[0]} is a file of another job than {self.name}")


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
    with room(job.out / job.name), lock(job.out, f"parts/{job.name}"):
        claimed = claimed_files(job)
        kept = tuple(file for file in claimed if file.intact(job.out))
        changed = [file.path for file in claimed if file not in kept]
        damaged = tuple(path for path in changed if (job.out / path).exists())
        lacking = [path for path in job.files if path not in {file.path for file in kept}]
        lacking += [path for path in damaged if path not in lacking]
        if lacking:
            kept = _made(job, kept, lacking)
    return Done(job, tuple(file for file in kept if file.path in job.files), tuple(lacking), damaged)


def claimed_files(job: Job) -> tuple[File, ...]:
    """The files that a job's marker says it has made of the same things, be they there or not."""
    marker = _read_marker(job.out, "markers", job.name)
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


def markers(out: Path, kind: str = "markers") -> Iterator[Marker]:
    """All markers of a folder, by name."""
    root = inside(out, f"{STATE}/{kind}")
    for path in sorted(root.rglob("*.json")):
        if marker := _read_marker(out, kind, path.relative_to(root).with_suffix("").as_posix()):
            yield marker


def _read_marker(out: Path, kind: str, name: str) -> Marker | None:
    """The marker of a job; None if there is none that a job has written."""
    try:
        told = json.loads(read(out, path := f"{STATE}/{kind}/{name}.json"))
        if told["name"] != name:
            raise ValueError(f"it is of another job, {told['name']!r}")
        if type(told["files"]) is not list:
            raise ValueError(f"expected a list of files, found {told['files']!r}")
        return Marker(**{**told, "files": tuple(File(**file) for file in told["files"])})
    except FileNotFoundError:
        return None
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        logger.warning("%s is not as a build writes it and counts for nothing: %s", out / path, error)
        return None


def sweep(out: Path) -> None:
    """Remove the temporary files of jobs that nobody is at any more."""
    root = inside(out, f"{STATE}/parts")
    for parts in sorted(root.rglob("*.part")):
        name = parts.relative_to(root.parent).with_suffix("").as_posix()
        with contextlib.suppress(Timeout), lock(out, name, timeout=0):
            _remove(parts)


def lock(out: Path, name: str, timeout: float = -1) -> FileLock:
    """A lock in the state of a folder; the system lets go of it when a process dies."""
    path = inside(out, f"{STATE}/{name}.lock")
    path.parent.mkdir(parents=True, exist_ok=True)
    return FileLock(path, timeout=timeout)


def _made(job: Job, kept: tuple[File, ...], lacking: Sequence[str]) -> tuple[File, ...]:
    """Write files beside their places, move them there, and leave a marker of them and of those that are kept."""
    parts = job.parts
    _remove(parts)  # of a process that was killed: the lock is ours
    targets, places = ({path: inside(out, path) for path in lacking} for out in (parts, job.out))
    marker, moving = (inside(job.out, f"{STATE}/{kind}/{job.name}.json") for kind in ("markers", MOVING))
    try:
        for target in targets.values():
            target.parent.mkdir(parents=True)
        counted = job.write(targets, {"made_of": _json({**job.world, **job.share}).decode()})
        files = (*kept, *(_finished(job, path, target, counted[path]) for path, target in targets.items()))
        files = tuple(sorted(files, key=lambda file: file.path))
        told = Marker(job.name, job.world, job.share, job.fingerprint, files)
        write_file(moving, _json(asdict(told)))  # so that what a killed process has moved is known to be of a build
        for source, place in (*((target, places[path]) for path, target in targets.items()), (moving, marker)):
            place.parent.mkdir(parents=True, exist_ok=True)
            os.replace(source, place)
        return files
    finally:
        _remove(parts)


def _remove(parts: Path) -> None:
    if parts.is_dir():
        shutil.rmtree(parts, ignore_errors=True)  # which goes through no link, but waits for a pipe
    else:
        parts.unlink(missing_ok=True)


def _finished(job: Job, path: str, target: Path, counted: Counted) -> File:
    with target.open("rb") as file:
        size, digest = os.fstat(file.fileno()).st_size, sha256(file)
    return File(path, job.recipes[config_of(path)], **asdict(counted), bytes=size, sha256=digest)


def _fingerprint(world: Mapping[str, Any], share: Mapping[str, Any]) -> str:
    return hashlib.sha256(_json([world, share])).hexdigest()


def _json(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, indent=1).encode()
