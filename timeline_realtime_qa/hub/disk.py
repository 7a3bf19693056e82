"""Files of a folder itself, read and written: never what links, `..` or absolute paths lead to, and never half."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO


_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_FLAGS = ("O_BINARY", "O_NOFOLLOW", "O_NONBLOCK")  # those that the system has; a pipe must not be waited for


def inside(folder: Path, path: str) -> Path:
    """The place of a path in a folder, be there something or not.

    Raises:
        ValueError: if the path or a link on its way leads elsewhere.
    """
    place = folder.resolve() / path
    try:
        leads_to: object = place.resolve()
    except (ValueError, RuntimeError) as error:  # a null character; links in a circle
        leads_to = error
    if leads_to != place or folder.resolve() not in place.parents:
        raise ValueError(
            f"{str(folder / path)!r} is {leads_to}: expected a file of the folder itself, no link and nothing "
            "outside; put a copy there, or remove it and run the build command again"
        )
    return place


@contextlib.contextmanager
def opened(folder: Path, path: str) -> Iterator[BinaryIO]:
    """Open a regular file of a folder for reading.

    Raises:
        ValueError: if it is something else, or not the file that lies there any more.
    """
    flags = sum(getattr(os, name, 0) for name in _FLAGS)
    with open(inside(folder, path), "rb", opener=lambda place, mode: os.open(place, mode | flags)) as file:
        held = os.fstat(file.fileno())
        if not stat.S_ISREG(held.st_mode) or not os.path.samestat(held, os.lstat(inside(folder, path))):
            raise ValueError(
                f"{folder / path} is not a regular file, or was replaced while it was opened: put a file there, or "
                "remove it and run the build command again"
            )
        yield file


def read(folder: Path, path: str) -> bytes:
    """The bytes of a regular file of a folder: see `opened`."""
    with opened(folder, path) as file:
        return file.read()


def sha256(file: BinaryIO) -> str:
    """Hex sha256 of a file's bytes."""
    digest = hashlib.sha256()
    while block := file.read(1 << 20):
        digest.update(block)
    return digest.hexdigest()


def write_file(path: Path, data: bytes) -> None:
    """Write a file as a whole or not at all.

    Raises:
        DiskFull: with what to do.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with room(path):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part.unlink(missing_ok=True)
            with part.open("xb") as file:  # through no link
                file.write(data)
            os.replace(part, path)
        finally:
            part.unlink(missing_ok=True)


class DiskFull(OSError):
    """No room for a file, with what to do."""


@contextlib.contextmanager
def room(path: Path) -> Iterator[None]:
    """Say what to do when there is no room for what is written at `path`.

    Raises:
        DiskFull: with the file, where it is known.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL or isinstance(error, DiskFull):
            raise
        raise DiskFull(
            error.errno,
            f"the disk is full (or a quota is reached) while writing {error.filename or path}: what was finished is "
            "kept; make room and run the same command again, which goes on from there",
        ) from error
