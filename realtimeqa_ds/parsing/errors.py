"""The errors of this package: each says what was expected, what was found, where, and what to do."""

from __future__ import annotations

from pathlib import Path


class DataError(ValueError):
    """A file breaks a promise of the data. `path` names it, `place` says where in it: a line from 1, or in words."""

    def __init__(self, path: str | Path, message: str, place: int | str | None = None) -> None:
        self.path = str(path)
        self.message = message
        self.place = place
        self.line = place if isinstance(place, int) else None
        where = place if self.line is None else f"line {place}"
        super().__init__(f"{printable(path)}, {where}: {message}" if where else f"{printable(path)}: {message}")

    def __reduce__(self) -> tuple[type[DataError], tuple[str, str, int | str | None]]:
        return type(self), (self.path, self.message, self.place)


class DownloadError(RuntimeError):
    """A file could not be fetched, or what was fetched is not the pinned file."""


def printable(path: str | Path) -> str:
    """A path with the bytes that are no UTF-8 written out, since no terminal, log or file takes them."""
    return str(path).encode("utf-8", "backslashreplace").decode()


def short(value: object) -> str:
    """A value as errors show it."""
    text = repr(value)
    return f"{text[:80]}..." if len(text) > 80 else text
