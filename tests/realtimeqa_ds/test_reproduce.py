"""`realtimeqa reproduce` on the sample; the figures of the real data are in test_public_data."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from realtimeqa_ds.commands import main
from realtimeqa_ds.published import runs as published_runs


def run(*arguments: object, data_dir: object = "sample") -> Result:
    return CliRunner().invoke(main, ["reproduce", "--data-dir", str(data_dir), *map(str, arguments)])


def test_it_fails_when_a_cell_differs() -> None:
    """Predictions that are not the published ones: tables with what is absent, status 1 and how many cells differ."""
    result = run()
    assert result.exit_code == 1 and "32 of 32 cells differ" in result.stderr and "absent" in result.stdout


def test_as_json(tmp_path: Path) -> None:
    """For a machine: the cells and the years, on stdout alone, with the picture beside."""
    pytest.importorskip("matplotlib")
    result = run("--format", "json", "--plot", tmp_path / "weeks.svg")
    found = json.loads(result.stdout)
    assert len(found["cells"]) == 32 and {row["year"] for row in found["accuracy_by_year"]} == {"2019"}
    assert "<svg" in (tmp_path / "weeks.svg").read_text()


@pytest.mark.parametrize("picture", ["weeks.pgn", "weeks", "nowhere/weeks.png"])
def test_a_picture_that_cannot_be_drawn(picture: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be done is refused before anything is read."""
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(published_runs, "joined", lambda data_dir: pytest.fail("read before it was refused"))
    result = run("--plot", picture)
    assert result.exit_code == 1 and "expected" in result.output and picture in result.output


def test_without_matplotlib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An extra that is not installed: error and help have the pip command; without a picture it is not needed."""
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    command = "pip install 'timeline-realtime-qa[plot]'"
    assert command in run("--plot", tmp_path / "weeks.png").output
    assert command in " ".join(run("--help").output.split())
    assert "cells differ" in run().output
