"""One fault of the campaign: where it happens, what may come of it, and when an error is a clear one.

At the end: strict JSON by the standard library, for the small readings that the packages are compared with.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import json
import os
import random
import re
import shutil
import stat
import tempfile
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any


CORRECT, CLEAR, COUNTED, FAILURE = "correct", "clear error", "counted skip", "FAILURE"
OUTCOMES = (CORRECT, CLEAR, COUNTED, FAILURE)
OURS = ("timeline_realtime_qa", "timelineqa_ds", "realtimeqa_ds", "metrics")
# What may come up beside classes of our own, and what the system says about a file (any OSError of Python's). Another
# subclass, such as UnicodeDecodeError, is an error that nobody worded.
WORDED = (ValueError, RuntimeError)
FEWEST_WORDS = 3  # of a cause
LONGEST = 4_000  # characters of a message that somebody reads


@dataclass(frozen=True)
class Outcome:
    """What came of a fault, in one of `OUTCOMES`, and why."""

    name: str
    detail: str = ""


@functools.cache
def shared() -> Path:
    """A folder for all of a campaign, its processes included, that is gone at its end."""
    place = Path(tempfile.mkdtemp(prefix="campaign-"))
    os.chmod(place, 0o755)
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    return place


class Wrong(Exception):
    """What must not come of a fault, in words."""


class Trial:
    """A fault to be made: its random numbers, which depend on seed and number alone, and a folder of its own.

    Attributes:
        kind: what is done, in words; the area says it.
        chance: where all that is random about the fault comes from.
        folder: an empty folder.
        theirs: a folder beside it with files of somebody's own, which must stay as they are.
    """

    def __init__(self, chance: random.Random, around: Path) -> None:
        self.kind = ""
        self.chance = chance
        self.folder, self.theirs, self.temporary = (around / name for name in ("own", "theirs", "temporary"))
        for place in (self.folder, self.theirs, self.temporary):
            place.mkdir()
        (self.theirs / "key").write_text("PRIVATE KEY")
        (self.theirs / "rows.jsonl").write_text('{"question_id": "theirs"}\n')
        os.chmod(around, 0o755)
        self._around = around
        self._before = self._outside()

    def is_(self, kind: str) -> None:
        """Say what is done; a second part is added to the first."""
        self.kind = f"{self.kind}; {kind}" if self.kind else kind

    def check_outside(self) -> None:
        """Raise where something outside the folder has changed."""
        if (now := self._outside()) != self._before:
            differ = [path for path in {*now, *self._before} if now.get(path) != self._before.get(path)]
            raise Wrong(f"changed outside the folder: {', '.join(sorted(differ)[:5])}")

    def _outside(self) -> dict[str, str]:
        found = tree(self._around)
        return {path: what for path, what in found.items() if path != "own" and not path.startswith("own/")}


def tree(root: Path) -> dict[str, str]:
    """What lies below a folder by path: the hash of a file, where a link leads, or the kind of anything else."""
    found: dict[str, str] = {}
    for folder, folders, files in os.walk(root):
        for name in (*folders, *files):
            path = os.path.join(folder, name)
            mode = os.lstat(path).st_mode
            if stat.S_ISLNK(mode):
                told = f"link to {os.readlink(path)}"
            elif stat.S_ISREG(mode):
                told = hashlib.sha256(Path(path).read_bytes()).hexdigest()
            else:
                told = str(stat.S_IFMT(mode))
            found[os.path.relpath(path, root)] = told
    return found


def judged(read: Callable[[], Outcome], named: Collection[str]) -> Outcome:
    """What `read` says, or what the error is that it ends with; a clear one has one of `named` in it."""
    try:
        return read()
    except Wrong as wrong:
        return Outcome(FAILURE, str(wrong))
    except Exception as error:
        return of_error(error, named)


def of_error(error: BaseException, named: Collection[str]) -> Outcome:
    """Whether an error is one that helps: of our own wording, with the file or row and a cause."""
    kind, said = type(error), str(error)
    shown = f"{kind.__module__}.{kind.__qualname__}: {said[:600]}"
    of_system = isinstance(error, OSError) and kind.__module__ == "builtins"
    if not of_system and kind not in WORDED and kind.__module__.partition(".")[0] not in OURS:
        return Outcome(FAILURE, f"an error of a foreign type: {shown}")
    places = [name for name in named if name and name in said]
    if not places:
        return Outcome(FAILURE, f"an error without a file, address or row: {shown}")
    cause = re.sub(r"\S*/\S+", " ", said.replace(max(places, key=len), " "))
    if len(re.findall(r"[A-Za-z]{2,}", cause)) < FEWEST_WORDS:
        return Outcome(FAILURE, f"an error without a cause: {shown}")
    if len(said) > LONGEST:
        return Outcome(FAILURE, f"an error of {len(said)} characters: {shown}")
    return Outcome(CLEAR, shown)


def worst(outcomes: Collection[Outcome]) -> Outcome:
    """The outcome of several readings of one fault: a failure first, then an error, a count, and nothing."""
    order = (FAILURE, CLEAR, COUNTED, CORRECT)
    return min(outcomes, key=lambda outcome: order.index(outcome.name))


class Unfit(Exception):
    """A file that has no reading: whoever gives rows of it has made them up."""


def loads(data: bytes) -> Any:
    """JSON of one meaning: UTF-8, each key once, no NaN.

    Raises:
        Unfit: for anything else.
    """
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=_once, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise Unfit(str(error)) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise Unfit("a key twice")
    return dict(pairs)


def _refuse(constant: str) -> Any:
    raise Unfit(f"{constant} is no number")
