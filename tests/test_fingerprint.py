"""The hash of a package follows its code and data, and nothing else."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from timeline_realtime_qa.hub.fingerprint import code_hash, package_hash


@pytest.mark.parametrize(
    ("name", "differs"),
    [("more.py", True), ("data/words.json", True), ("data/card.md", False), ("__pycache__/one.pyc", False)],
)
def test_what_the_hash_follows(name: str, differs: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    package = tmp_path / "hashed"
    (package / "data").mkdir(parents=True)
    (package / "__pycache__").mkdir()
    (package / "__init__.py").touch()
    package_hash.cache_clear()
    before = package_hash("hashed")
    (package / name).write_text("{}")
    package_hash.cache_clear()
    assert (package_hash("hashed") != before) == differs


def test_the_hash_of_code_follows_its_source(tmp_path: Path) -> None:
    one, other = ModuleType("one"), ModuleType("other")
    one.__file__, other.__file__ = (str(tmp_path / f"{name}.py") for name in ("one", "other"))
    for module in (one, other):
        Path(str(module.__file__)).write_text(module.__name__)
    before = code_hash(one, other)
    assert before == code_hash(one, other) != code_hash(other, one)
    Path(str(other.__file__)).write_text("changed")
    assert code_hash(one, other) != before


def test_no_such_package() -> None:
    with pytest.raises(ValueError, match="'nowhere' is not an importable package"):
        package_hash("nowhere")
