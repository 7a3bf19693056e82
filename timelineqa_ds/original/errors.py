"""The error for a file that is not what the original program writes."""

from __future__ import annotations

from pathlib import Path


class DataError(ValueError):
    """A file that cannot be read. `path` names it and `row` the place in it, such as "line 3", where there is one."""

    def __init__(self, path: str | Path, message: str, row: str | None = None) -> None:
        self.path = str(path)
        self.message = message
        self.row = row
        super().__init__(f"{path}, {row}: {message}" if row else f"{path}: {message}")

    def __reduce__(self) -> tuple[type[DataError], tuple[str, str, str | None]]:
        return type(self), (self.path, self.message, self.row)


def short(value: object) -> str:
    """A value as errors show it."""
    text = repr(value)
    return f"{text[:80]}..." if len(text) > 80 else text
