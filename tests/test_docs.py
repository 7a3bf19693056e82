"""What the docs say is so: their commands run, their tables are those of the code, their figures are current."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from realtimeqa_ds.commands import main
from timelineqa_ds.commands import main as timelineqa


ROOT = Path(__file__).parents[1]
_spec = importlib.util.spec_from_file_location("renew", ROOT / "scripts" / "renew.py")
assert _spec and _spec.loader
renew = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(renew)
PAGES, BLOCK = renew.PAGES, renew.BLOCK


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_blocks_run(page: Path) -> None:
    """All blocks of a page in one program, and what they print is what the page says: bash scripts/renew."""
    text = page.read_text(encoding="utf-8")
    told = [output for no_run, _, output in BLOCK.findall(text) if not no_run]
    printed = renew.printed(text)
    assert len(printed) == len(told)
    assert [(one, other) for one, other in zip(printed, told, strict=True) if other and one != other] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our commands in the shell blocks of a page, each as it stands: those of the README in a shell."""
    blocks = re.findall(r"^```bash\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    commands = [
        line for block in blocks for line in block.splitlines() if line.startswith(("timelineqa ", "realtimeqa "))
    ]
    if not commands:
        pytest.skip(f"{page.name} has no commands to run")
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    monkeypatch.chdir(tmp_path)
    for command in commands:
        if page.name == "README.md":
            done = subprocess.run(command, shell=True, env=environment, capture_output=True, text=True)
            assert done.returncode == 0 and done.stdout.strip(), (command, done.stderr)
        else:
            name, *arguments = shlex.split(command)
            result = CliRunner().invoke({"timelineqa": timelineqa, "realtimeqa": main}[name], arguments)
            assert result.exit_code == 0 and result.stdout.strip(), (command, result.output)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_python_block_is_python(page: Path) -> None:
    for _, code, _ in BLOCK.findall(page.read_text(encoding="utf-8")):
        compile(code, page.name, "exec")


@pytest.mark.parametrize("command", renew.TABLES)
def test_tables_are_those_of_the_code(command: str) -> None:
    page = (ROOT / "docs" / renew.TABLES[command]).read_text(encoding="utf-8")
    assert f"<!-- {command} -->\n{renew.table(command)}\n<!-- /{command} -->" in page, "bash scripts/renew"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_to_files_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_versions_agree() -> None:
    version = re.search(r"^version = (.+)$", (ROOT / "setup.cfg").read_text(), re.MULTILINE)
    assert version and f"version: {version[1]}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"## {version[1]} " in (ROOT / "CHANGELOG.md").read_text()


def test_nothing_names_this_machine() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    for name in tracked:
        path = ROOT / name
        if path.is_file() and path.suffix in (".py", ".md", ".cfg", ".toml", ".yml", ".yaml", ".cff", ".json", ""):
            assert "/work/" + "main" not in path.read_text(encoding="utf-8"), name
