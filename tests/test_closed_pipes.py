"""A reader that goes before everything is printed, as `| head` does: a quiet end with the status of click, 1."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from .conftest import ROOT


COMMANDS = [
    ["-m", "timelineqa_ds", "columns"],
    ["-m", "timelineqa_ds", "show", "dense", "7", "--format", "json"],
    ["-m", "timelineqa_ds", "--help"],
    ["-m", "realtimeqa_ds", "rules", "--format", "json"],
    ["-m", "realtimeqa_ds", "columns"],
    ["-m", "realtimeqa_ds", "build", "--help"],
    ["scripts/publish.py", "metrics", "--help"],
    ["scripts/demo.py", "--help"],
    ["scripts/bench_timelineqa.py", "--help"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_reader_that_has_gone(command: list[str]) -> None:
    """Whatever a command or script prints, and however little: no traceback, no message."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([sys.executable, *command], stdout=writing, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, "")
