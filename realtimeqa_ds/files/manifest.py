"""The list of files that freezes a snapshot: path, size and sha256 of each, at one commit of the public repository."""

from __future__ import annotations

import functools
import gzip
import hashlib
import io
import re
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from timeline_realtime_qa.strict import Unreadable, read_regular

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
_SIZE = re.compile(r"\d{1,15}", re.ASCII)
_SHA256 = re.compile(r"[0-9a-f]{64}")
# What a name must not have, so that it means the same place below a folder on every system.
_NOT_IN_A_NAME = re.compile(r"[\\:\x00-\x1f\ud800-\udfff]")
_LONGEST = 1 << 26  # bytes, unpacked


def read(path: Path = PINNED) -> Mapping[str, Entry]:
    """Read a manifest: tab-separated path, bytes, sha256 with a header line; lines that start with # are comments.

    A file that has changed since the last call is read anew.

    Raises:
        DataError: if there is no such file, or a line is not of that form, and for a path that leads elsewhere.
    """
    return _pinned() if path == PINNED else _parsed(path, content(path))


def content(path: Path) -> bytes:
    """The bytes of a manifest.

    Raises:
        DataError: if it is not a regular file that can be read.
    """
    try:
        return read_regular(path)
    except Unreadable as error:
        raise DataError(path, f"{error}; manifest= takes what `realtimeqa manifest CLONE` printed") from None


@functools.cache
def _pinned() -> Mapping[str, Entry]:
    return _parsed(PINNED, content(PINNED))


@functools.lru_cache(maxsize=4)
def _parsed(path: Path, data: bytes) -> Mapping[str, Entry]:
    entries: dict[str, Entry] = {}
    for number, line in enumerate(_text(path, data).removesuffix("\n").split("\n"), 1):
        fields = line.removesuffix("\r").split("\t")
        if line.startswith("#") or fields == list(COLUMNS):
            continue
        if len(fields) != 3 or not _SIZE.fullmatch(fields[1]) or not _SHA256.fullmatch(fields[2]):
            raise DataError(path, f"expected {' TAB '.join(COLUMNS)}, found {line.strip()[:100]!r}", number)
        if not _stays(fields[0]) or fields[0] in entries:
            message = "expected a path below the folder, each once, with / between names and no . or .. among them"
            raise DataError(path, f"{message}, found {fields[0][:100]!r}", number)
        entries[fields[0]] = Entry(int(fields[1]), fields[2])
    if not entries:
        raise DataError(path, f"expected at least one line {' TAB '.join(COLUMNS)}, found none")
    return entries


def _text(path: Path, data: bytes) -> str:
    try:
        if path.suffix == ".gz":
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
                data = packed.read(_LONGEST + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(path, f"expected a whole gzip file, found a damaged one ({error})") from None
    if len(data) > _LONGEST:
        raise DataError(path, f"expected a manifest of at most {_LONGEST} bytes, found more")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DataError(path, f"expected UTF-8, found the byte {data[error.start]:#04x}", line) from None


def _stays(path: str) -> bool:
    """Whether a path leads to a place below the folder that it is joined to, and nowhere else."""
    return not {"", ".", ".."}.intersection(path.split("/")) and not _NOT_IN_A_NAME.search(path)


def make(root: Path, paths: Iterable[str]) -> str:
    """The text of a manifest of the files `paths` below `root`.

    Raises:
        DataError: for a file that cannot be read, or has a name that a manifest cannot hold.
    """
    rows = ["\t".join(COLUMNS)]
    for path in sorted(paths):
        if not _stays(path):
            raise DataError(
                root / path, "expected a name of UTF-8 without controls, : and \\; rename or remove the file"
            )
        try:
            data = read_regular(root / path)
        except Unreadable as error:
            raise DataError(root / path, f"{error}; restore or remove it") from None
        rows.append(f"{path}\t{len(data)}\t{hashlib.sha256(data).hexdigest()}")
    return "\n".join(rows) + "\n"
