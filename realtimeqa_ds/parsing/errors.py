"""The errors of this package: each says what was expected, what was found, where, and what to do."""

from __future__ import annotations


class DataError(ValueError):
    """A file breaks a promise of the data. `path` names it and `line` (1-based) the row, where there is one."""

    def __init__(self, path: str, message: str, line: int | None = None) -> None:
        self.path = path
        self.line = line
        self.message = message
        super().__init__(f"{path}, line {line}: {message}" if line else f"{path}: {message}")

    def __reduce__(self) -> tuple[type[DataError], tuple[str, str, int | None]]:
        return type(self), (self.path, self.message, self.line)


class DownloadError(RuntimeError):
    """A file could not be fetched, or what was fetched is not the pinned file."""
