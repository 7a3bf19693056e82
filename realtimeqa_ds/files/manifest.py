"""The list of files that freezes a snapshot: path, size and sha256 of each, at one commit of the public repository."""

from __future__ import annotations

import functools
import gzip
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..parsing.errors import DataError
from ..spec import DATA


PINNED = DATA / "manifest.tsv.gz"
COLUMNS = ("path", "bytes", "sha256")


@dataclass(frozen=True)
class Entry:
    """What a file must be: its size in bytes and the hex sha256 of its bytes."""

    size: int
    sha256: str

    def check(self, path: str, data: bytes) -> None:
        """Compare `data` with this entry.

        Raises:
            DataError: naming `path`, if size or hash differ.
        """
        if len(data) != self.size:
            raise DataError(path, f"expected {self.size} bytes as the manifest says, found {len(data)}; {REMEDY}")
        sha256 = hashlib.sha256(data).hexdigest()
        if sha256 != self.sha256:
            raise DataError(path, f"expected sha256 {self.sha256} as the manifest says, found {sha256}; {REMEDY}")


REMEDY = (
    "restore the file (in a clone: git checkout, with core.autocrlf=false), or pass verify=False to read it as it is"
)


@functools.cache
def read(path: Path = PINNED) -> Mapping[str, Entry]:
    """Read a manifest: tab-separated path, bytes, sha256 with a header line; lines that start with # are comments.

    Raises:
        FileNotFoundError: if there is no such file.
        DataError: if a line is not of that form.
    """
    opened = gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else open(path, encoding="utf-8")
    entries: dict[str, Entry] = {}
    with opened as lines:
        for number, line in enumerate(lines, 1):
            fields = line.rstrip("\n").split("\t")
            if line.startswith("#") or fields == list(COLUMNS):
                continue
            if len(fields) != 3 or not fields[1].isdigit() or len(fields[2]) != 64:
                raise DataError(str(path), f"expected {' TAB '.join(COLUMNS)}, found {line.strip()[:100]!r}", number)
            entries[fields[0]] = Entry(int(fields[1]), fields[2])
    return entries


def make(root: Path, paths: Iterable[str]) -> str:
    """The text of a manifest of the files `paths` below `root`."""
    rows = ["\t".join(COLUMNS)]
    for path in sorted(paths):
        data = (root / path).read_bytes()
        rows.append(f"{path}\t{len(data)}\t{hashlib.sha256(data).hexdigest()}")
    return "\n".join(rows) + "\n"
