"""The checklists of docs/contributing.md name files and constants that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest


ROOT = Path(__file__).parents[1]
# Without its blocks of code; a path may also be one below the package that the section is about.
TEXT = re.sub(
    r"^```.*?^```$",
    "",
    (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8"),
    flags=re.DOTALL | re.MULTILINE,
)
BASES = (ROOT, ROOT / "timelineqa_ds", ROOT / "realtimeqa_ds")
PATHS = sorted(set(re.findall(r"`((?!\.\.)[\w.*/]+/[\w.*/]+)`", TEXT)))
NAMED = re.findall(r"`([A-Z_a-z]+)`\s+in\s+`([\w/]+\.py)`", TEXT)


@pytest.mark.parametrize("path", [path for path in PATHS if "NAME" not in path and path != "yes/no"])
def test_files_exist(path: str) -> None:
    assert any(any(base.glob(path)) for base in BASES)


@pytest.mark.parametrize(("name", "path"), NAMED)
def test_constants_exist(name: str, path: str) -> None:
    assert re.search(rf"^{name}\b.*=", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)


def test_something_was_found() -> None:
    assert len(PATHS) > 10 and len(NAMED) > 5
