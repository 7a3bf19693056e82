"""How far a call runs through the code: files of ours entered, lines run through, crossings between files.

A file is entered when one of its functions runs; what only an import runs does not count. The packages measured are
those that this interpreter imports, so that the environment of another checkout measures that one.
"""

from __future__ import annotations

import contextlib
import functools
import io
import os
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import click

import realtimeqa_ds  # noqa: F401  registers the names
import timelineqa_ds


ROOT = Path(timelineqa_ds.__file__).resolve().parents[1]
OPTIMIZED = 1  # flag of the code of functions, which that of modules and classes lacks


class Trace:
    """What a call runs through: lines, by file; calls from one file of ours to another."""

    def __init__(self) -> None:
        self.lines: Counter[tuple[str, int]] = Counter()
        self.files: set[str] = set()
        self.crossings: Counter[tuple[str, str]] = Counter()

    def __call__(self, frame: FrameType, event: str, argument: object) -> Any:
        here = file_of(frame.f_code)
        if event == "line":
            self.lines[here, frame.f_lineno] += 1
        elif event == "call" and here:
            self.files.add(here)
            there = file_of(frame.f_back.f_code) if frame.f_back else ""
            if there and there != here:
                self.crossings[there, here] += 1
        return self if here else None

    def __str__(self) -> str:
        both = {frozenset(pair) for pair in self.crossings if pair[::-1] in self.crossings}
        return (
            f"{len(self.files)} files, {len(self.lines)} lines, {self.crossings.total()} crossings, "
            f"{len(both)} pairs crossed both ways"
        )


@functools.cache
def file_of(code: CodeType) -> str:
    """The file of a function of ours; nothing for other code."""
    path = os.path.realpath(code.co_filename) if os.path.isabs(code.co_filename) else ""
    ours = path.startswith(f"{ROOT}{os.sep}") and "site-packages" not in path and path != os.path.realpath(__file__)
    return path if ours and code.co_flags & OPTIMIZED else ""


LOAD = "from datasets import load_dataset; next(iter(load_dataset({}, split='test', streaming=True)))"
CALLS = {
    "stream dense, first row": LOAD.format("'timelineqa', 'dense'"),
    "timelineqa build, a lifelog": """
import contextlib, tempfile
from timelineqa_ds.commands import main
with tempfile.TemporaryDirectory() as folder, contextlib.suppress(SystemExit):
    main(["build", "--config", "dense", "--lifelogs", "0", "--out", folder])
""",
    "stream nota of the sample, first row": LOAD.format("'realtimeqa', 'nota', data_dir='sample'"),
    "evaluate.load and compute": """
import evaluate
evaluate.load("denotation_accuracy").compute(predictions=["3"], references=["3"])
""",
}


@click.command(epilog="Example: bash scripts/bench paths --files")
@click.option("--files", is_flag=True, help="Name the files, too.")
@click.option("--call", type=click.Choice(list(CALLS)), hidden=True)
def paths(files: bool, call: str | None) -> None:
    """How far four calls run through the code, each in a process of its own: files, lines, crossings between files.

    Another checkout is measured by the Python of its environment: PYTHON scripts/bench_paths.py
    """
    if call is None:
        for name in CALLS:
            command = [sys.executable, __file__, "--call", name, *(["--files"] if files else [])]
            subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        return
    trace = Trace()
    sys.settrace(trace)
    threading.settrace(trace)
    with contextlib.redirect_stdout(io.StringIO()):
        exec(CALLS[call], {})
    sys.settrace(None)
    click.echo(f"{call}: {trace}")
    if files:
        click.echo("".join(f"  {os.path.relpath(path, ROOT)}\n" for path in sorted(trace.files)), nl=False)


if __name__ == "__main__":
    paths()
