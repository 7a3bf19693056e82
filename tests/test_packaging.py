"""What is installed: the wheel holds all of the packages and each file once; a clone needs no links."""

from __future__ import annotations

import ast
import configparser
import hashlib
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from timeline_realtime_qa.names.registered import METRICS

from .environments import make_environment
from .test_registration import CUT, USE, run


ROOT = Path(__file__).parents[1]
PACKAGES = ("realtimeqa_ds", "timeline_realtime_qa", "timelineqa_ds")


def sources() -> Iterator[tuple[str, Path]]:
    """Every file of the packages, by its name as installed."""
    metrics = [(f"timeline_realtime_qa/{name}", ROOT / "metrics" / name) for name in METRICS]
    for installed, folder in (*((name, ROOT / name) for name in PACKAGES), *metrics):
        for path in folder.rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                yield f"{installed}/{path.relative_to(folder).as_posix()}", path


def git(*arguments: str) -> str:
    if not (ROOT / ".git").exists():
        pytest.skip("needs a clone of the repository")
    return subprocess.run(["git", "-C", str(ROOT), *arguments], check=True, capture_output=True, text=True).stdout


def test_the_repository_has_no_links() -> None:
    modes = {line.split()[0] for line in git("ls-files", "-s").splitlines()}
    assert modes and "120000" not in modes


# An editable installation would lend what a wheel or a clone lacks.
NOT_EDITABLE = """
import sys
sys.meta_path[:] = [one for one in sys.meta_path if not getattr(one, "__module__", "").startswith("__editable__")]
"""
LOAD = """
from pathlib import Path
import evaluate
import timeline_realtime_qa as t
clone = Path(sys.path[0])
t.__path__.append(str(clone / "metrics"))  # what an installation does
for name in t.METRICS:
    folder = Path(t.metric_path(name))
    assert folder == clone / "metrics" / name
    print(evaluate.load(str(folder)).name)
"""


def test_a_clone_without_symbolic_links_works(tmp_path: Path) -> None:
    git("-c", "core.symlinks=false", "clone", "--quiet", str(ROOT), str(tmp_path / "clone"))
    clone = (tmp_path / "clone").resolve()
    assert not [path for path in clone.rglob("*") if path.is_symlink()]
    assert run(f"{NOT_EDITABLE}sys.path.insert(0, {str(clone)!r}){LOAD}", tmp_path).split() == list(METRICS)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    # By way of a source distribution, so that both are known to be complete.
    subprocess.run([sys.executable, "-m", "build", "--outdir", str(out), str(ROOT)], check=True, capture_output=True)
    (built,) = out.glob("*.whl")
    return built


@pytest.mark.slow
def test_the_wheel_holds_every_file_once(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as opened:
        held = {name: opened.read(name) for name in opened.namelist() if ".dist-info/" not in name}
        about = [name.partition("/")[2] for name in opened.namelist() if ".dist-info/" in name]
    assert held == {name: path.read_bytes() for name, path in sources()}
    assert {name.partition("/")[0] for name in held} == set(PACKAGES)
    assert "licenses/LICENSE" in about and {f"{name}/py.typed" for name in PACKAGES} <= set(held)
    by_content: dict[str, list[str]] = {}
    for name, data in held.items():
        by_content.setdefault(hashlib.sha256(data).hexdigest() if data else name, []).append(name)
    assert not [names for names in by_content.values() if len(names) > 1]


@pytest.mark.slow
def test_the_wheel_works_alone(wheel: Path, tmp_path: Path) -> None:
    """Beside what it depends on."""
    into = tmp_path / "site"
    install = ["install", "--quiet", "--no-deps", "--no-index", "--target", str(into), str(wheel)]
    subprocess.run([sys.executable, "-m", "pip", *install], check=True, capture_output=True)
    assert run(f"{NOT_EDITABLE}{CUT}import realtimeqa_ds\n{USE}", tmp_path, PYTHONPATH=str(into)).strip() == "works"
    code = "import realtimeqa_ds, timelineqa_ds, timeline_realtime_qa as t; print(realtimeqa_ds, timelineqa_ds, t)"
    assert run(code, tmp_path, PYTHONPATH=str(into)).count(f"{into}{os.sep}") == 3
    code = f"{NOT_EDITABLE}from timelineqa_ds import card; print(card._license().decode(), end='')"
    assert run(code, tmp_path, PYTHONPATH=str(into)) == (ROOT / "LICENSE").read_text(encoding="utf-8")


@pytest.mark.matrix
@pytest.mark.network
@pytest.mark.xdist_group("environments")
@pytest.mark.parametrize("version", ["5.1.0", ""], ids=["floor", "newest"])
def test_wheel_in_an_empty_environment(wheel: Path, version: str, tmp_path: Path) -> None:
    pins = [f"datasets=={version}"] if version else []
    python = make_environment(tmp_path / "venv", str(wheel), *pins)
    assert run(f"{CUT}import realtimeqa_ds\n{USE}", tmp_path, python).strip() == "works"


def imported(nodes: Iterable[ast.AST]) -> set[str]:
    """The packages that are imported by name."""
    names = [name.name for node in nodes if isinstance(node, ast.Import) for name in node.names]
    names += [str(node.module) for node in nodes if isinstance(node, ast.ImportFrom) and not node.level]
    return {name.partition(".")[0] for name in names} - set(sys.stdlib_module_names)


def test_what_is_imported_is_declared() -> None:
    """By a module as it is loaded, what is always there; in its functions, what an extra may bring."""
    declared = configparser.ConfigParser()
    declared.read(ROOT / "setup.cfg")
    always, extras = declared["options"]["install_requires"], "\n".join(declared["options.extras_require"].values())
    needed, known = (set(re.findall(r"^[a-z_0-9]+", text, re.MULTILINE)) for text in (always, f"{always}\n{extras}"))
    ours = {*PACKAGES, "ray"}  # of datatrove[ray]
    for path in (path for _, path in sources() if path.suffix == ".py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert imported(tree.body) <= needed | ours, path
        assert imported(list(ast.walk(tree))) <= known | ours, path
