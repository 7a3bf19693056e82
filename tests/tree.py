"""A copy of the sample that tests damage."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


class Tree:
    """A folder laid out like the public repository, with helpers to change its rows."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def path(self, name: str) -> Path:
        """The one file of that name, wherever it lies."""
        (found,) = self.root.rglob(name)
        return found

    def rows(self, name: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.path(name).read_text(encoding="utf-8").splitlines()]

    def write(self, name: str, rows: list[Any]) -> None:
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        self.path(name).write_text(text, encoding="utf-8")

    def change(self, name: str, row: int, **fields: Any) -> None:
        """Set fields of one row; a field set to ... is removed."""
        rows = self.rows(name)
        rows[row] = {key: value for key, value in {**rows[row], **fields}.items() if value is not ...}
        self.write(name, rows)

    def add(self, path: str, text: str) -> None:
        """A new file."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
