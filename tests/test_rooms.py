"""Data flows one way: no room imports one above it, and no circle. docs/data_model.md has the order of the rooms."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest


ROOT = Path(__file__).parents[1]
PACKAGES = ("timeline_realtime_qa", "timelineqa_ds", "realtimeqa_ds")
MODULES_OF_A_ROOM = 12
MODULES_OF_THE_ROOT = 10
LINES = 300
Imports = dict[str, set[str]]


def order(page: str) -> list[str]:
    """The rooms as the page declares them, the lowest first."""
    (block,) = re.findall(r"```text rooms\n(.*?)```", page, re.DOTALL)
    return [line.split()[0] for line in reversed(block.splitlines()) if line.strip()]


def modules() -> dict[str, Path]:
    """Every module by the name that it is imported by; those of the metrics have another on disk."""
    paths = {path: path for name in PACKAGES for path in (ROOT / name).rglob("*.py")}
    shared = ROOT / "timeline_realtime_qa"
    paths |= {path: shared / path.relative_to(ROOT / "metrics") for path in (ROOT / "metrics").rglob("*.py")}
    names = {path: ".".join(name.relative_to(ROOT).with_suffix("").parts) for path, name in paths.items()}
    return {name.removesuffix(".__init__"): path for path, name in names.items()}


def imports(known: dict[str, Path]) -> Imports:
    """The modules of ours that each module imports, wherever in it."""
    return {name: set(_imported(name, path, known.keys())) for name, path in known.items()}


def _imported(name: str, path: Path, known: Collection[str]) -> Iterator[str]:
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            start = parts[: len(parts) - node.level + 1] if node.level else []
            of = ".".join([*start, *([node.module] if node.module else [])])
            for alias in node.names:
                if (whole := f"{of}.{alias.name}") in known:
                    yield whole
                elif of in known:
                    yield of


def room(name: str, rooms: list[str]) -> str:
    """The room that a module is in: the one with the longest name that begins its own."""
    fitting = [one for one in rooms if f"{name}.".startswith(f"{one}.")]
    assert fitting, f"{name} is in no room that docs/data_model.md declares"
    return max(fitting, key=len)


def arrows_up(found: Imports, rooms: list[str]) -> list[str]:
    floor = {one: number for number, one in enumerate(rooms)}
    return sorted(
        f"{name} imports {other}, which is above it"
        for name, others in found.items()
        for other in others
        if floor[room(other, rooms)] > floor[room(name, rooms)]
    )


def circle(found: Imports) -> list[str]:
    """The modules of a circle, if there is one."""
    done: set[str] = set()

    def walk(name: str, way: list[str]) -> list[str]:
        if name in way:
            return way[way.index(name) :]
        if name in done:
            return []
        way = [*way, name]
        for other in sorted(found[name] - {name}):
            if around := walk(other, way):
                return around
        done.add(name)
        return []

    return next((around for name in sorted(found) if (around := walk(name, []))), [])


@pytest.fixture(scope="module")
def found() -> Imports:
    return imports(modules())


@pytest.fixture(scope="module")
def rooms() -> list[str]:
    return order((ROOT / "docs" / "data_model.md").read_text(encoding="utf-8"))


def test_no_arrow_runs_back_up(found: Imports, rooms: list[str]) -> None:
    assert len(found) > 100 and arrows_up(found, rooms) == []


def test_no_circle(found: Imports) -> None:
    assert circle(found) == []


def test_every_declared_room_is_there(found: Imports, rooms: list[str]) -> None:
    assert {room(name, rooms) for name in found} == set(rooms)


def test_faults_are_named(rooms: list[str]) -> None:
    page = "```text rooms\na.top   the top\na.low   the bottom\n```"
    back = {"a.top.one": {"a.low.two"}, "a.low.two": {"a.top.three"}, "a.top.three": set()}
    assert order(page) == ["a.low", "a.top"]
    assert arrows_up(back, order(page)) == ["a.low.two imports a.top.three, which is above it"]
    assert circle(back) == []
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c"]


def test_imports_are_read_wherever_they_stand(tmp_path: Path) -> None:
    path = tmp_path / "one.py"
    path.write_text(
        "from typing import TYPE_CHECKING\nfrom . import two\nif TYPE_CHECKING:\n    from ..up import three as four\n"
        "def late():\n    from ..up.five import Six\n    import p.low.seven\n"
    )
    known = dict.fromkeys(["p.low.two", "p.up", "p.up.three", "p.up.five", "p.low.seven", "p.low.eight"])
    assert set(_imported("p.low.one", path, known.keys())) == {"p.low.two", "p.up.three", "p.up.five", "p.low.seven"}


def test_sizes() -> None:
    files = [path for path in ROOT.rglob("*.py") if not {".venv", "build"} & set(path.relative_to(ROOT).parts)]
    assert [path for path in files if len(path.read_text(encoding="utf-8").splitlines()) > LINES] == []
    code = {path.parent for path in modules().values()} | {ROOT / "scripts"}
    counts = {folder: len(list(folder.glob("*.py"))) for folder in code if folder.name != "commands"}
    assert {folder: count for folder, count in counts.items() if count > MODULES_OF_A_ROOM} == {}
    assert all(counts[ROOT / name] <= MODULES_OF_THE_ROOT for name in PACKAGES)
