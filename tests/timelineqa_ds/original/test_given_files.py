"""Folders and files as users have them: what is there is read, what cannot be read is an error that names it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from timelineqa_ds.original import OriginalLifelog, lifelog
from timelineqa_ds.original.folder import places, state
from timelineqa_ds.original.reading import OutputError, read_days


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs links and pipes")
READ: dict[str, Callable[[OriginalLifelog], pa.Table]] = {
    "sparse-7.json": lambda log: log.episodes,
    "persona.json": lambda log: log.persona,
    "queries.csv": lambda log: log.multihop_questions,
    "q7-result.csv": lambda log: log.multihop_questions,
    "db-sparse-7.json": lambda log: log.multihop_questions,
    "daily_chat-log.csv": lambda log: log.table("daily_chat"),
}


def read(root: Path, file: str) -> pa.Table:
    return READ[file](lifelog(root / "benchmark" / "sparse-7"))


@pytest.mark.parametrize("kind", ["a pipe", "a device", "a folder", "No such file"])
@pytest.mark.parametrize("file", READ)
def test_something_else_in_the_place_of_a_file(invented: Path, file: str, kind: str) -> None:
    """Pipes, devices, folders and links to nothing under the name of a file: an error that names it, at once."""
    (path,) = invented.rglob(file)
    path.unlink()
    if kind == "a pipe":
        os.mkfifo(path)
    elif kind == "a folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero" if kind == "a device" else "nowhere")
    with pytest.raises(OutputError, match=f"{file}: expected a .*file.*, found {kind}"):
        read(invented, file)
    assert state(invented)


@pytest.mark.parametrize("linked", ["benchmark", "benchmark/sparse-7", "QA", "QA/db-sparse-7.json"])
def test_links_to_folders_and_files_are_followed(invented: Path, tmp_path: Path, linked: str) -> None:
    """A link in the place of the outputs, of a log, or of a file: the same questions as without it."""
    before = read(invented, "queries.csv")
    shutil.move(invented / linked, tmp_path / "elsewhere")
    (invented / linked).symlink_to(tmp_path / "elsewhere")
    assert [place.name for place in places(invented)] == ["sparse-7"]
    assert read(invented, "queries.csv").equals(before)


def test_links_to_nothing(invented: Path) -> None:
    """A link to nothing among the logs: an error that names it, since it may have been a log."""
    (invented / "benchmark" / "sparse-8").symlink_to("nowhere")
    with pytest.raises(OutputError, match="sparse-8: expected a folder that can be read, found No such file"):
        places(invented)


def test_folders_that_may_not_be_read(invented: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log's folder without permission to read it: an error that names it, and no log is lacking in silence."""
    listed = os.listdir

    def refuse(path: Path) -> list[str]:
        if str(path).endswith("sparse-7"):
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr(os, "listdir", refuse)
    with pytest.raises(OutputError, match="sparse-7: expected a folder that can be read, found Permission denied"):
        places(invented)


@pytest.mark.parametrize("name", ["~x", "~", "~root"])
def test_folders_of_any_name(invented: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A folder whose name begins with ~, given from where it is: that folder, not somebody's home."""
    shutil.move(invented, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    assert [place.name for place in places(f"./{name}")] == ["sparse-7"]


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("persona.json", '"birth_month":', '"birth_month": 1, "birth_month":'),
        ("persona.json", '"birth_month":', '"birth\\u005fmonth": 1, "birth_month":'),
        ("sparse-7.json", '"2003/05/20": {', '"2003/05/20": {},\n"2003/05/20": {'),
        ("sparse-7.json", '"chat0": {', '"chat0": {}, "chat0": {'),
        ("sparse-7.json", '"eid":', '"eid": "e1", "eid":'),
        ("db-sparse-7.json", '"multihop-questions":', '"multihop-questions": [], "multihop-questions":'),
        ("queries.csv", '{""month""', '{""month"": 4, ""month""'),
    ],
)
def test_objects_with_a_key_twice(invented: Path, file: str, old: str, new: str) -> None:
    """A key twice in an object, where JSON readers take the last: an error with file and line, at any depth."""
    (path,) = invented.rglob(file)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(
        OutputError, match=rf"{file}, line \d+: .*expected each key of an object once, found '.+' again"
    ):
        read(invented, file)


def test_a_day_twice_in_different_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A day twice in a file that is parsed in pieces: an error with its line, however far apart the two are."""
    monkeypatch.setattr("timelineqa_ds.original.reading.PIECE", 8)
    days = [f'"2003/05/{day:02}": {{"chat0": {{"eid": "e{day}"}}}}' for day in (1, 2, 3, 1)]
    (tmp_path / "log.json").write_text("{" + ",\n".join(days) + "}")
    with pytest.raises(OutputError, match="log.json, line 4: expected each key of an object once, found '2003/05/01'"):
        list(read_days(tmp_path / "log.json"))


@pytest.mark.parametrize("params", ["[" * 100_000, '{""month"": ' + "9" * 5_000 + "}", '{""a"": ' + "[" * 5_000])
def test_cells_that_a_parser_gives_up(invented: Path, params: str) -> None:
    """Numbers of thousands of digits and deep nesting in a cell: an error with file and line."""
    (path,) = invented.rglob("queries.csv")
    text = path.read_text()
    first = text.index('"{""month""')
    path.write_text(text[: first + 1] + params + text[text.index('}"', first) + 1 :])
    with pytest.raises(OutputError, match=r"queries\.csv, line \d+: (params: )?(expected|month: expected|field)"):
        read(invented, "queries.csv")


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("q7-result.csv", "\n0,", "\n7#,"),
        ("q7-result.csv", ",", ",#"),
        ("queries.csv", "\nq7,", "\nq7#,"),
        ("queries.csv", "What", "Who#"),
        ("sparse-7.json", '"2003/05/20": {', '"2003/05/20#": {'),
        ("sparse-7.json", '"chat0"', '"chat#0x"'),
        ("daily_chat-log.csv", "howlong", "how#long"),
    ],
)
def test_values_of_any_length(invented: Path, file: str, old: str, new: str) -> None:
    """A key, cell or header of thousands of characters: an error with file and place that can be read."""
    (path,) = invented.rglob(file)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new.replace("#", "9" * 9_000), 1))
    with pytest.raises(OutputError, match=f"{file}, .*expected") as raised:
        read(invented, file)
    assert len(str(raised.value)) < 1_000
