"""Which logs a folder of the original's outputs holds, and which of their files are there."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

from .. import options, spec
from .reading import OutputError


_QA = re.compile(r"db-(.+)\.json")
OTHER_SPLIT = "test"  # of logs without a number


@dataclass(frozen=True)
class LogPlace:
    """Where the files of a log are: its own folder, its QA file, or both."""

    name: str
    folder: Path | None
    qa: Path | None

    @property
    def density(self) -> str | None:
        """The density that the name says; None for any other name."""
        density = self.name.partition("-")[0]
        return density if density in spec.DENSITIES else None

    @property
    def number(self) -> int | None:
        """The number at the end of the name; None if there is none."""
        digits = re.search(r"\d{1,9}$", self.name)
        return int(digits[0]) if digits else None

    @property
    def lifelog_id(self) -> str:
        """As that of a generated lifelog if the name is DENSITY-NUMBER, else the name."""
        parts = re.fullmatch(r"([a-z]+)-(\d{1,9})", self.name)
        return f"{self.density}-{int(parts[2]):04d}" if parts and self.density else self.name

    @property
    def split(self) -> str:
        """The split of the number, the same as for generated lifelogs."""
        number = self.number
        return OTHER_SPLIT if number is None else options.split_of(number)

    def has(self, file: str) -> bool:
        """Whether the log's own folder has a file, or something under its name that reading will refuse."""
        return self.folder is not None and os.path.lexists(self.folder / file)


def places(data_dir: str | Path) -> list[LogPlace]:
    """The logs at `data_dir`: ``benchmark``, the folder with ``benchmark`` and ``QA``, or one log's own folder.

    QA files are looked for in ``QA`` inside it and, for the logs it has, beside it.

    Raises:
        FileNotFoundError: if there is no folder, or no log in it.
        OutputError: for a folder that cannot be read.
        ValueError: if two logs have one id.
    """
    # On the text, since to a Path "./~x" is "~x", the home of somebody.
    root = Path(os.path.abspath(os.path.expanduser(data_dir)))  # which a link keeps its name in
    if not root.is_dir():
        raise FileNotFoundError(f"data_dir={str(data_dir)!r}: expected a folder at {root}, found none")
    alone = _is_log(root)
    folders = {root.name: root} if alone else _logs_in(root) | _logs_in(root / "benchmark")
    inside = {**_qa_in(root), **_qa_in(root / "QA")}
    beside = {**(_qa_in(root.parent.parent / "QA") if alone else {}), **_qa_in(root.parent / "QA")}
    names = sorted(folders) if alone else sorted({*folders, *inside})
    there = [LogPlace(name, folders.get(name), inside.get(name) or beside.get(name)) for name in names]
    if not there:
        raise FileNotFoundError(
            f"data_dir={str(data_dir)!r}: expected folders NAME with NAME.json, *-log.csv, persona.json or "
            f"queries.csv in {root} or {root / 'benchmark'}, or QA/db-NAME.json, found none of them"
        )
    by_id: dict[str, str] = {}
    for place in there:
        other = by_id.setdefault(place.lifelog_id, place.name)
        if other != place.name:
            raise ValueError(f"{root}: {other} and {place.name} are both {place.lifelog_id}; rename one of them")
    return there


def state(data_dir: str | Path) -> str:
    """A hash over names, sizes and times of all files of all logs, which tells when one has changed."""
    digest = hashlib.sha256()
    for place in places(data_dir):
        files = sorted(place.folder / name for name in _names(place.folder)) if place.folder else []
        for path in [*files, *([place.qa] if place.qa else [])]:
            digest.update(os.fsencode(path))
            with contextlib.suppress(OSError):  # which reading it will tell
                stat = path.stat()
                digest.update(f"\0{stat.st_size}\0{stat.st_mtime_ns}\0{stat.st_ctime_ns}\0".encode())
    return digest.hexdigest()


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError as error:
        message = f"expected a folder that can be read, found {error.strerror}; make it readable or move it away"
        raise OutputError(folder, message) from error


def _is_log(folder: Path) -> bool:
    names = _names(folder)
    own = {f"{folder.name}.json", "persona.json", "queries.csv"}
    return not own.isdisjoint(names) or any(name.endswith("-log.csv") for name in names)


def _logs_in(folder: Path) -> dict[str, Path]:
    if not folder.is_dir():
        return {}
    inside = [folder / name for name in _names(folder)]
    # A link to nothing may have been a log: it is no folder that can be read.
    return {path.name: path for path in inside if (path.is_dir() or not path.exists()) and _is_log(path)}


def _qa_in(folder: Path) -> dict[str, Path]:
    if not folder.is_dir():
        return {}
    named = {folder / name: _QA.fullmatch(name) for name in _names(folder)}
    return {match[1]: path for path, match in named.items() if match}
