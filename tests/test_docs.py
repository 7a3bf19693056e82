"""What the docs say is so: their commands run, their tables are those of the code, their figures are current."""

from __future__ import annotations

import ast
import builtins
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner

from realtimeqa_ds.commands import main
from timelineqa_ds.commands import main as timelineqa

from .programs import renew


ROOT = Path(__file__).parents[1]
PAGES, BLOCK = renew.PAGES, renew.BLOCK
pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
IMPORT = (ast.Import, ast.ImportFrom)
pytestmark = pytest.mark.xdist_group("pages")  # whose blocks are run once for all tests


LOAD = "from datasets import load_dataset\nload_dataset('timelineqa', 'personas', split='test', lifelogs='120')\n"
# Blocks of which all but the first and the last two need another one.
ENTANGLED = [
    f"import timelineqa_ds\n{LOAD}open('made', 'w').write('x')\nname = 1\nprint('first')",
    "print(name)",
    LOAD,
    "open('made')",
    "load_dataset",
    ">>> 1 + 1\n3\n",
    ">>> name = 2\n>>> name\n2\n",
    "import os; print(os.listdir(), __name__)",
]


@pytest.fixture(scope="module")
def came() -> dict[Any, Any]:
    """What came of the blocks of every page and of those above, each run alone in an empty folder."""
    entangled = "\n".join(f"```python\n{code.rstrip()}\n```\n" for code in ENTANGLED)
    texts = [*(page.read_text(encoding="utf-8") for page in PAGES), entangled]
    return dict(zip([*PAGES, "entangled"], renew.ran(texts), strict=True))


@pages
def test_every_block_runs_alone(page: Path, came: dict[Any, Any]) -> None:
    """A block copied into an empty file of an empty folder runs, and prints what the page says: bash scripts/renew."""
    told = [(output, code) for no_run, code, output in BLOCK.findall(page.read_text(encoding="utf-8")) if not no_run]
    assert len(came[page]) == len(told)
    for block, (output, code) in zip(came[page], told, strict=True):
        assert not block.error, f"{code}\n{block.error}"
        assert not output or block.printed == output


@pages
def test_no_block_is_left_out(page: Path) -> None:
    """Every fence that begins with python is a block that is run, or one marked no-run that is Python."""
    text = page.read_text(encoding="utf-8")
    assert len(BLOCK.findall(text)) == len(re.findall(r"^ *```\s*(?:python|py|pycon)", text, re.MULTILINE))
    assert ">>> " not in re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    for no_run, code, _ in BLOCK.findall(text):
        if no_run:
            assert not undefined(code), code
    for block in re.findall(r"^```bash\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        assert all(line.startswith(("timelineqa ", "realtimeqa ")) for line in block.splitlines()), block


def undefined(code: str) -> set[str]:
    """Names that a block uses and nothing in it gives."""
    nodes = list(ast.walk(ast.parse(code)))
    given = {name.asname or name.name for node in nodes if isinstance(node, IMPORT) for name in node.names}
    given |= {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    given |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    given |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return {node.id for node in nodes if isinstance(node, ast.Name)} - given - set(dir(builtins))


def test_a_block_that_needs_another_fails(came: dict[Any, Any]) -> None:
    """Names, imports, registered names, files and caches of an earlier block are not there for a later one."""
    ran = came["entangled"]
    assert [bool(block.error) for block in ran] == [False, True, True, True, True, True, False, False]
    assert [ran[0].printed, ran[-1].printed] == ["first\n", "[] __main__\n"]
    assert "Couldn't reach 'timelineqa' on the Hub (OfflineModeIsEnabled)" in ran[2].error


@pages
def test_commands_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our commands in each shell block of a page, in an empty folder; those of the README in a shell, and then the SQL
    blocks below, in the folder that the block above them made."""
    found = re.findall(r"^```(bash|sql)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    if not any(kind == "bash" for kind, _ in found):
        pytest.skip(f"{page} has no commands to run")
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for number, (kind, block) in enumerate(found):
        if kind == "bash":
            (tmp_path / str(number)).mkdir()
            monkeypatch.chdir(tmp_path / str(number))
        else:
            duckdb.execute(block)
        for command in (line for line in block.splitlines() if line.startswith(("timelineqa ", "realtimeqa "))):
            if page.name == "README.md":
                done = subprocess.run(command, shell=True, env=environment, capture_output=True, text=True)
                assert done.returncode == 0 and done.stdout.strip(), (command, done.stderr)
            else:
                name, *arguments = shlex.split(command, comments=True)
                result = CliRunner().invoke({"timelineqa": timelineqa, "realtimeqa": main}[name], arguments)
                assert result.exit_code == 0 and result.stdout.strip(), (command, result.output)


@pytest.mark.parametrize("command", renew.TABLES)
def test_tables_are_those_of_the_code(command: str) -> None:
    page = (ROOT / "docs" / renew.TABLES[command]).read_text(encoding="utf-8")
    assert f"<!-- {command} -->\n{renew.table(command)}\n<!-- /{command} -->" in page, "bash scripts/renew"


@pages
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
