"""Faults of a folder that is built: damage, links, somebody's own files, and builds that are ended or meet another."""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import functools
import json
import os
import re
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.toy import RECIPES, jobs, left_over, plan
from timeline_realtime_qa.hub import building, shards
from timeline_realtime_qa.hub.folder import MANIFEST, Folder, manifest

from . import damage
from .trial import CLEAR, CORRECT, FAILURE, Outcome, Trial, Wrong, judged, shared, tree


COUNT, SIZE = 3, 4  # jobs, and rows of each of their groups
TOY = {"count": COUNT, "size": SIZE}
NAMES = [file for job in jobs(Path("."), **TOY) for file in job.files]
MARKERS = f"{shards.STATE}/markers/all"
STATES = [shards.STATE, f"{shards.STATE}/markers", MARKERS, f"{shards.STATE}/parts"]
PLACES = [*NAMES, MANIFEST, "README.md", "a", *STATES]
THEIRS = (*NAMES, "README.md", "LICENSE", MANIFEST, "notes.txt", "a/notes.txt", "c/x.parquet", "x/y/z")
FULL = (errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EACCES, errno.EROFS, errno.EMFILE)


def around(folder: Folder) -> dict[str, bytes]:
    """The files around those of the toy dataset."""
    told = json.loads(manifest(folder, dict.fromkeys(RECIPES, "group")))
    told["made_of"]["version"] = "1.0.0"
    return {"README.md": f"{folder.rows} rows".encode(), MANIFEST: json.dumps(told).encode()}


def built(out: Path, seed: int = 1) -> None:
    """Build the toy dataset."""
    building.build(dataclasses.replace(plan(out, seed=seed, **TOY), around=around))


@functools.cache
def pristine() -> Path:
    """A finished build."""
    out = Path(tempfile.mkdtemp(prefix="build-", dir=shared()))
    built(out)
    return out


def expected(path: str, seed: int = 1) -> list[dict[str, Any]]:
    """The rows of a file, by what the toy says that it writes."""
    config, number = path.partition("/")[0], int(re.findall(r"\d{5}", path)[0])
    groups = range(3 * number, 3 * number + 3)
    texts = ((group, f"{path} {seed} {group} {row} " + "x" * 50) for group in groups for row in range(SIZE))
    assert config in RECIPES
    return [{"group": group, "text": text} for group, text in texts]


def builds(trial: Trial) -> Outcome:
    """A fault in or during a build, and the build once more."""
    pristine()
    ways = (_damaged, _damaged, _links, _foreign, _failing, _killed, _two_at_once, _other_seed)
    out = trial.folder / "out"
    return trial.chance.choice(ways)(trial, out)


def _rebuilt(out: Path, kept: dict[str, str], may_refuse: bool = True, seed: int = 1) -> Outcome:
    """Build once more: whole files with the right rows, or an error, and the files `kept` stay."""
    before = tree(out) if out.is_dir() else {}
    links = {os.path.realpath(path) for path in out.rglob("*") if path.is_symlink()} if out.is_dir() else set()

    def again() -> Outcome:
        built(out, seed)
        check(out, seed)
        return Outcome(CORRECT)

    outcome = judged(again, {str(out), str(out.resolve()), *links})
    after = tree(out)
    if lost := [path for path, told in kept.items() if after.get(path) != told]:
        raise Wrong(f"{lost[0]} was {kept[lost[0]]}, is {after.get(lost[0], 'gone')}")
    if outcome.name == CLEAR:
        if not may_refuse:
            raise Wrong(f"what a build can go on from is refused: {outcome.detail}")
        _nothing_half(out, before, seed)
    return outcome


def check_file(out: Path, path: str, seed: int) -> None:
    """Raise unless a file is whole and has the rows of its place."""
    try:
        rows = pq.read_table(out / path).to_pylist()
    except (pa.ArrowException, OSError) as error:
        raise Wrong(f"{path} is half-written: {error}") from None
    if (out / path).is_symlink() or rows != expected(path, seed):
        raise Wrong(f"{path} has other rows")


def check(out: Path, seed: int = 1) -> None:
    """Raise unless a folder is as a build to its end leaves it."""
    for path in NAMES:
        check_file(out, path, seed)
    told = json.loads((out / MANIFEST).read_bytes())
    if told["rows"] != len(NAMES) * 3 * SIZE or (out / "README.md").read_text() != f"{told['rows']} rows":
        raise Wrong(f"the manifest tells of {told['rows']} rows")


def _nothing_half(out: Path, before: dict[str, str], seed: int) -> None:
    for path, told in tree(out).items():
        if path.endswith(".parquet") and told != before.get(path) and not path.startswith(shards.STATE):
            check_file(out, path, seed)
    if stale := [name for name in left_over(out) if name not in ("README.md", "notes.txt", "LICENSE", "pipe")]:
        parts = [name for name in stale if name.endswith((".part", ".tmp"))]
        if parts and not {os.path.basename(path) for path in before} >= {*parts}:
            raise Wrong(f"{parts} are left")


def _damaged(trial: Trial, out: Path) -> Outcome:
    """Files of the build itself."""
    shutil.copytree(pristine(), out)
    known = sorted(path for path, told in tree(out).items() if len(told) == 64 and not path.endswith(".lock"))
    for _ in range(trial.chance.choice((1, 1, 2, 3))):
        path = out / trial.chance.choice(known)
        if trial.chance.random() < 0.15 and path.exists():
            trial.is_(f"{path.relative_to(out)} is gone")
            path.unlink()
        elif path.exists():
            trial.is_(f"below {path.parent.name}:")
            damage.damage_bytes(trial, path)
    return _rebuilt(out, {})


def _links(trial: Trial, out: Path) -> Outcome:
    """Something else in the place of a file or folder."""
    shutil.copytree(pristine(), out)
    place = out / trial.chance.choice(PLACES)
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("")
    damage.damage_place(trial, place)
    return _rebuilt(out, {})


def _foreign(trial: Trial, out: Path) -> Outcome:
    """Somebody's own files, beside a build, part of one, or none."""
    chance = trial.chance
    state = chance.choice(("an empty folder", "a build", "a build without its state"))
    if state != "an empty folder":
        shutil.copytree(pristine(), out)
        if "without" in state:
            shutil.rmtree(out / shards.STATE)
    kept = {}
    for _ in range(chance.choice((1, 1, 2))):
        path = chance.choice(THEIRS)
        if "LICENSE" not in path and state == "a build" and path in (*NAMES, MANIFEST, "README.md"):
            path = "a/train-00000-of-00009.parquet"  # in its own place it would be a damaged file of the build
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        if path.endswith(".parquet") and chance.random() < 0.5:
            shutil.copy(pristine() / chance.choice(NAMES), out / path)
        (out / path).open("ab").write(b"somebody's own")
        kept[path] = tree(out)[path]
    trial.is_(f"{', '.join(kept)} of somebody in {state}")
    if state == "a build without its state":
        # A copy from the Hub is a build of ours, with its texts.
        kept = {path: told for path, told in kept.items() if path not in ("README.md", MANIFEST)}
    return _rebuilt(out, kept)


@contextlib.contextmanager
def failing(names: tuple[str, ...], at: int, fail: Callable[[], None]) -> Iterator[None]:
    """Let the call number `at` of some functions of `os` fail."""
    held = {name: getattr(os, name) for name in names}
    calls = [0]

    def counted(name: str) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            calls[0] += 1
            if calls[0] == at:
                fail()
            return held[name](*arguments, **options)

        return call

    for name in names:
        setattr(os, name, counted(name))
    try:
        yield
    finally:
        for name, function in held.items():
            setattr(os, name, function)


def _begun(trial: Trial, out: Path) -> None:
    """From nothing, or with some of the files there."""
    if trial.chance.random() < 0.5:
        shutil.copytree(pristine(), out)
        for path in trial.chance.sample(NAMES, trial.chance.randrange(1, 4)):
            (out / path).unlink()


def _failing(trial: Trial, out: Path) -> Outcome:
    """The system refuses something at any point; then the build goes on."""
    _begun(trial, out)
    code, at = trial.chance.choice(FULL), trial.chance.randrange(1, 30)
    name = trial.chance.choice(("replace", "mkdir", "open", "stat"))
    trial.is_(f"{errno.errorcode[code]} at call {at} of os.{name}")
    before = tree(out) if out.is_dir() else {}

    def fail() -> None:
        raise OSError(code, os.strerror(code), str(out / "a file"))

    def once() -> Outcome:
        with failing((name,), at, fail):
            built(out)
        check(out)
        return Outcome(CORRECT)

    outcome = judged(once, (str(out),))
    if out.is_dir():
        _nothing_half(out, before, 1)
    _rebuilt(out, {}, may_refuse=False)
    return outcome


def _killed(trial: Trial, out: Path) -> Outcome:
    """The process is killed at any point; then the build goes on, perhaps of another seed."""
    _begun(trial, out)
    at, seed = trial.chance.randrange(1, 40), trial.chance.choice((1, 1, 1, 2))
    trial.is_(f"killed at call {at}, then seed {seed}")
    child = os.fork()
    if not child:
        with failing(("replace", "mkdir", "open"), at, lambda: os.kill(os.getpid(), signal.SIGKILL)):
            with contextlib.suppress(BaseException):
                built(out)
        os._exit(0)
    os.waitpid(child, 0)
    for path in NAMES:
        if (out / path).exists():
            check_file(out, path, 1)
    return _rebuilt(out, {}, may_refuse=False, seed=seed)


def _two_at_once(trial: Trial, out: Path) -> Outcome:
    """Two builds in one folder: one waits or refuses, and what comes of them is whole."""
    _begun(trial, out)
    pause, seed = trial.chance.random() * 0.03, trial.chance.choice((1, 1, 2))
    trial.is_(f"two at once, {pause:.3f} s apart, of the seeds 1 and {seed}")
    child = os.fork()
    if not child:
        # What it meets is the fault of the other; its end result is looked at below.
        with contextlib.suppress(BaseException):
            built(out, seed)
        os._exit(0)
    time.sleep(pause)

    def meanwhile() -> Outcome:
        built(out)
        return Outcome(CORRECT)

    outcome = judged(meanwhile, (str(out),))
    os.waitpid(child, 0)
    if outcome.name == FAILURE:
        return outcome
    last = _rebuilt(out, {}, may_refuse=False)
    return outcome if outcome.name == CLEAR else last


def _other_seed(trial: Trial, out: Path) -> Outcome:
    """A build of other rows over a finished one, perhaps with a marker gone: all of them, or an error, no mixture."""
    shutil.copytree(pristine(), out)
    trial.is_("built with another seed")
    if trial.chance.random() < 0.5:
        gone = trial.chance.choice(sorted((out / MARKERS).iterdir()))
        trial.is_(f"without the marker {gone.name}")
        gone.unlink()
    return _rebuilt(out, {}, seed=2)
