"""Files from elsewhere, read strictly: regular ones alone, and no object of their JSON with a key twice."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

import orjson


LARGEST = 1 << 30  # bytes of a file whose size nothing tells: some hundred times the largest published one
_TOKEN = re.compile(rb'"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?|[{}]')


class Unreadable(ValueError):
    """Something else than a regular file of the expected size, or a file that the system does not give."""


def read_regular(path: str | Path, size: int | None = None) -> bytes:
    """All bytes of a regular file, or of one that a link leads to. Nothing else is opened: a pipe waits for ever.

    Args:
        size: what a manifest says that the file has; by default anything up to `LARGEST`.

    Raises:
        Unreadable: saying what was expected and what was found; the caller names the file.
    """
    try:
        _check(os.stat(path), size)
        # What is put in the place of the file after that look must not be waited for, either.
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        with open(os.open(path, flags), "rb") as file:
            there = _check(os.fstat(file.fileno()), size)
            data = file.read(there + 1)
    except OSError as error:
        raise Unreadable(f"expected a file that can be read, found {error.strerror or error}") from error
    if len(data) != there:
        raise Unreadable(
            f"expected {there} bytes as its size says, found {'more' if len(data) > there else len(data)}"
        )
    return data


def _check(status: os.stat_result, size: int | None) -> int:
    """The size of the regular file that `status` is of."""
    if not stat.S_ISREG(status.st_mode):
        kinds = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
        raise Unreadable(f"expected a regular file, found {kinds.get(stat.S_IFMT(status.st_mode), 'a device')}")
    if size is not None and status.st_size != size:
        raise Unreadable(f"expected {size} bytes as the manifest says, found {status.st_size}")
    if status.st_size > LARGEST:
        raise Unreadable(f"expected at most {LARGEST} bytes, found {status.st_size}")
    return status.st_size


def repeated_key(data: bytes) -> tuple[str, int] | None:
    """The first key that an object of the valid JSON `data` has twice, with its line from 1; None if there is none."""
    objects: list[set[bytes]] = []
    for token in _TOKEN.finditer(data):
        if token[2]:
            # Other spellings of a key (\u0061 for a) are the same key.
            key = orjson.dumps(orjson.loads(b'"%b"' % token[1])) if b"\\" in token[1] else b'"%b"' % token[1]
            if key in objects[-1]:
                return orjson.loads(key), data.count(b"\n", 0, token.start()) + 1
            objects[-1].add(key)
        elif token[1] is None:
            if token[0] == b"{":
                objects.append(set())
            else:
                objects.pop()
    return None
