"""How far a call runs through the code: files of ours entered, lines run through, crossings between files.

A file is entered when one of its functions runs; what only an import runs does not count. The packages measured are
those that this interpreter imports, so that the environment of another checkout measures that one.
"""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import click

import timelineqa_ds


ROOT = Path(timelineqa_ds.__file__).resolve().parents[1]
OPTIMIZED = 1  # flag of the code of functions, which that of modules and classes lacks


class Trace:
    """What a call runs through.

    Attributes:
        lines: (file, line) of each line that ran.
        crossings: calls from one file of ours to another, by (from, to).
    """

    def __init__(self) -> None:
        self.lines: set[tuple[str, int]] = set()
        self.files: set[str] = set()
        self.crossings: dict[tuple[str, str], int] = {}
        self._ours: dict[CodeType, str] = {}

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Trace this thread and those that it starts."""
        sys.settrace(self._called)
        threading.settrace(self._called)
        try:
            yield
        finally:
            sys.settrace(None)
            threading.settrace(None)

    def figures(self) -> dict[str, int]:
        """What is counted, by name."""
        both = {frozenset(pair) for pair in self.crossings if pair[::-1] in self.crossings}
        return {
            "files": len(self.files),
            "lines": len(self.lines),
            "crossings": sum(self.crossings.values()),
            "pairs crossed both ways": len(both),
        }

    def _called(self, frame: FrameType, event: str, argument: object) -> Any:
        here = self._file(frame.f_code)
        if not here:
            return None
        self.files.add(here)
        there = self._file(frame.f_back.f_code) if frame.f_back else ""
        if there and there != here:
            self.crossings[there, here] = self.crossings.get((there, here), 0) + 1
        return self._ran

    def _ran(self, frame: FrameType, event: str, argument: object) -> Any:
        if event == "line":
            self.lines.add((self._file(frame.f_code), frame.f_lineno))
        return self._ran

    def _file(self, code: CodeType) -> str:
        """The file of a function of ours; nothing for other code."""
        if code not in self._ours:
            path = os.path.realpath(code.co_filename) if os.path.isabs(code.co_filename) else ""
            inside = path.startswith(f"{ROOT}{os.sep}") and "site-packages" not in path and path != __file__
            self._ours[code] = path if inside and code.co_flags & OPTIMIZED else ""
        return self._ours[code]


def dense() -> None:
    from datasets import load_dataset

    next(iter(load_dataset("timelineqa", "dense", split="test", streaming=True)))


def build() -> None:
    from timelineqa_ds.commands import main

    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(SystemExit):
        main(["build", "--config", "dense", "--lifelogs", "0", "--out", f"{folder}/timelineqa"])


def nota() -> None:
    from datasets import load_dataset

    import realtimeqa_ds  # noqa: F401  registers the name

    next(iter(load_dataset("realtimeqa", "nota", split="test", data_dir="sample", streaming=True)))


def metric() -> None:
    import evaluate

    evaluate.load("denotation_accuracy").compute(predictions=["3"], references=["3"])


CALLS = {
    "stream dense, first row": dense,
    "timelineqa build, a lifelog": build,
    "stream nota of the sample, first row": nota,
    "evaluate.load and compute": metric,
}


@click.command(epilog="Example: bash scripts/bench paths --files")
@click.option("--files", is_flag=True, help="Name the files, too.")
@click.option("--call", type=click.Choice(list(CALLS)), hidden=True)
def paths(files: bool, call: str | None) -> None:
    """How far four calls run through the code, each in a process of its own: files, lines, crossings between files.

    Another checkout is measured by the Python of its environment: PYTHON scripts/bench_paths.py
    """
    if call is None:
        more = ["--files"] if files else []
        for name in CALLS:
            subprocess.run([sys.executable, __file__, "--call", name, *more], check=True, stderr=subprocess.DEVNULL)
        return
    trace = Trace()
    with trace.running(), contextlib.redirect_stdout(io.StringIO()):
        CALLS[call]()
    click.echo(f"{call}: " + ", ".join(f"{count} {name}" for name, count in trace.figures().items()))
    if files:
        click.echo("".join(f"  {os.path.relpath(path, ROOT)}\n" for path in sorted(trace.files)), nl=False)


if __name__ == "__main__":
    paths()
