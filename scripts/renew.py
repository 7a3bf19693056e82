"""Renew every golden figure: the hashes that the tests compare with, and what the pages say that their blocks print.

They change with every change of a record, which asks for a new version of the dataset: `git diff` shows what changed.
"""

from __future__ import annotations

import importlib
import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import blocks
import click
from click.testing import CliRunner

from realtimeqa_ds.commands import main as realtimeqa
from timeline_realtime_qa.display.progress import progress


ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "metrics").glob("*/README.md"))]
# A block of Python, and what it prints, if a block of text follows at once.
BLOCK = re.compile(
    r"^```python( no-run)?\n((?:(?!^```$).)*)^```$(?:\n\n^```text\n(.*?)^```$)?", re.DOTALL | re.MULTILINE
)
# By command of RealTime QA, the page with its output.
TABLES = dict.fromkeys(("columns", "rules", "listed"), "realtimeqa.md")
GOLDEN = ROOT / "tests" / "timelineqa_ds"


@click.command(epilog="Example: bash scripts/renew && git diff --stat")
@click.option("--only", type=click.Choice(["hashes", "pages"]), help="Only these.  [default: both]")
def main(only: str | None) -> None:
    """Renew the golden hashes of tests and the printed figures of README and docs; say which files changed."""
    files = [*(hashes() if only != "pages" else ()), *(pages() if only != "hashes" else ())]
    for path, text in files:
        if path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8", newline="\n")
            click.echo(f"renewed {path.relative_to(ROOT)}")


def hashes() -> Iterator[tuple[Path, str]]:
    """The golden file of the lifelogs that it names."""
    sys.path.insert(0, str(GOLDEN))
    made = importlib.import_module("made")

    golden = json.loads((GOLDEN / "golden.json").read_text(encoding="utf-8"))
    for lifelog in progress(golden["lifelogs"], "lifelogs", "hashes of episodes"):
        lifelog["tables"] = made.lifelog_hashes(lifelog["density"], lifelog["index"], lifelog["world"])
    for asked in progress(golden["questions"], "lifelogs", "hashes of questions"):
        asked["hash"] = made.question_hash(asked["kind"], asked["density"], asked["index"])
    yield GOLDEN / "golden.json", json.dumps(golden, indent=1) + "\n"


def pages() -> Iterator[tuple[Path, str]]:
    """Every page with what its blocks and commands print now.

    Raises:
        RuntimeError: if a block fails, with what it said.
    """
    texts = {path: path.read_text(encoding="utf-8") for path in PAGES}
    for (path, text), came in zip(texts.items(), ran(list(texts.values())), strict=True):
        if failed := [block.error for block in came if block.error]:
            raise RuntimeError(f"{path}: {failed[0]}")
        told = iter(came)

        def block(found: re.Match[str], told: Iterator[blocks.Ran] = told) -> str:
            output = "" if found[1] else next(told).printed
            return found[0] if found[3] is None else f"{found[0][: found.start(3) - found.start()]}{output}```"

        text = BLOCK.sub(block, text)
        for command in (command for command, page in TABLES.items() if page == path.name):
            marks = f"<!-- {command} -->", f"<!-- /{command} -->"
            before, _, rest = text.partition(marks[0])
            text = f"{before}{marks[0]}\n{table(command)}\n{marks[1]}{rest.partition(marks[1])[2]}"
        yield path, text


def ran(texts: Sequence[str]) -> list[list[blocks.Ran]]:
    """What came of each block of Python of some pages but those marked no-run, which need the real data."""
    found = [[code for no_run, code, _ in BLOCK.findall(text) if not no_run] for text in texts]
    every = iter(blocks.run([code for codes in found for code in codes]))
    return [[next(every) for _ in codes] for codes in found]


def table(command: str) -> str:
    """What a command of RealTime QA prints that its page shows."""
    return CliRunner().invoke(realtimeqa, [command, "--format", "markdown"], catch_exceptions=False).stdout.strip()


if __name__ == "__main__":
    main()
