"""Folders and files as users have them: what is there is read, what cannot be read is an error that names it."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from datasets import load_dataset

from realtimeqa_ds import options
from realtimeqa_ds.commands import main
from realtimeqa_ds.files import layout
from realtimeqa_ds.files.source import SAMPLE, LocalSource
from realtimeqa_ds.parsing.errors import DataError
from realtimeqa_ds.parsing.report import Report

from ..tree import Tree
from .marks import GCS, NOTA, QA, READER, WEEK, Read, rule


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs links, pipes and names of bytes")
CONFIGS = {QA: "multiple_choice", NOTA: "nota", GCS: "documents", READER: "predictions"}


@pytest.fixture
def shared() -> Iterator[Path]:
    """A copy of the sample that another user can reach."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield Path(shutil.copytree(SAMPLE, Path(folder) / "tree"))


@pytest.fixture
def as_nobody() -> Iterator[None]:
    """For root, to whom nothing is forbidden: as another user."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.parametrize("linked", ["past/2019", "past", "latest", "past/2019/20190607_qa.jsonl"])
def test_links_to_folders_and_files_are_followed(tree: Tree, table: Read, tmp_path: Path, linked: str) -> None:
    """A link in the place of a year, of a top folder or of a file: its weeks are there as without it."""
    before = [table(config, tree.root, documents="gcs+dpr")["rows"] for config in ("multiple_choice", "nota")]
    shutil.move(tree.root / linked, tmp_path / "elsewhere")
    (tree.root / linked).symlink_to(tmp_path / "elsewhere")
    assert [table(config, tree.root, documents="gcs+dpr")["rows"] for config in ("multiple_choice", "nota")] == before
    assert sorted(LocalSource(tree.root).paths()) == sorted(LocalSource(SAMPLE).paths())


@rule("not_a_file")
@pytest.mark.parametrize(
    ("link", "target", "message"),
    [
        ("past/2019/again", "..", "past/2019/again: .*a link to a folder that it lies in"),
        ("past/all", "../past", "past/all: .*a link to a folder that it lies in"),
        ("backnumber", "nowhere", "backnumber: expected a folder that can be read, found No such file"),
        ("backnumber", "README.md", "backnumber: expected a folder that can be read, found Not a directory"),
    ],
)
def test_links_that_lead_to_no_weeks(tree: Tree, link: str, target: str, message: str) -> None:
    """A folder linked into itself, and a top folder that is none: an error that names it, no loop, no silence."""
    shutil.rmtree(tree.root / link, ignore_errors=True)
    (tree.root / link).symlink_to(target)
    with pytest.raises(DataError, match=message):
        LocalSource(tree.root).paths()


@rule("not_a_file")
@pytest.mark.parametrize("closed", ["past", "past/2019", "past/2019/20190614_qa.jsonl", "."])
def test_what_may_not_be_read_is_an_error(shared: Path, table: Read, as_nobody: None, closed: str) -> None:
    """A folder or file without permission to read it: an error that names it, and no week is lacking in silence."""
    assert len(table("multiple_choice", shared)["rows"]) == 12
    owner = os.geteuid()
    if os.getuid() == 0:
        os.seteuid(0)
    os.chmod(shared / closed, 0)
    os.seteuid(owner)
    with pytest.raises(
        (DataError, FileNotFoundError), match=f"{shared.name if closed == '.' else closed}.*Permission"
    ):
        table("multiple_choice", shared)
    if os.getuid() == 0:
        os.seteuid(0)
    os.chmod(shared / closed, 0o755)
    os.seteuid(owner)


@rule("not_a_file")
@pytest.mark.parametrize("name", CONFIGS)
@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "lost link"])
def test_something_else_in_the_place_of_a_file(tree: Tree, table: Read, name: str, kind: str) -> None:
    """Pipes, devices, folders and links to nothing under the name of a file: an error that names it, at once."""
    path = tree.path(name)
    path.unlink()
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero" if kind == "device" else "nowhere")
    with pytest.raises(DataError, match=f"{name}: expected a .*file.*, found .*; restore or remove it"):
        table(CONFIGS[name], tree.root)
    with pytest.raises(DataError, match=name):
        next(iter(load_dataset("realtimeqa", CONFIGS[name], data_dir=str(tree.root), split="test", streaming=True)))


def test_names_that_are_not_utf_8(tree: Tree, table: Read, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """File and folder names of other bytes: counted as no weekly file, logged legibly, no error of another kind."""
    tree.path("20190628_qa_gen_public.jsonl").unlink()  # the only name of the sample that is no weekly file's
    odd = os.fsencode(tree.root) + b"/past/2019/20190607_qa\xff.jsonl"
    Path(os.fsdecode(odd)).write_text("{}\n")
    assert table("multiple_choice", tree.root)["counts"]["off_grammar"] == 1
    with caplog.at_level("INFO", logger="realtimeqa_ds"):
        rows = load_dataset("realtimeqa", data_dir=str(tree.root), split="test")
    assert len(rows) == 12 and r"20190607_qa\udcff.jsonl" in caplog.text
    made = CliRunner().invoke(main, ["manifest", str(tree.root)])
    assert made.exit_code == 1 and r"20190607_qa\udcff.jsonl: expected a name of UTF-8" in made.output
    os.rename(tree.root, os.fsencode(tmp_path) + b"/tr\xe9e")
    moved = os.fsdecode(os.fsencode(tmp_path) + b"/tr\xe9e")
    assert len(load_dataset("realtimeqa", data_dir=moved, split="test")) == 12


@rule("repeated_key")
@pytest.mark.parametrize("name", CONFIGS)
@pytest.mark.parametrize("spelt", ['"question_id"', '"question\\u005fid"', '"unheard of"'])
def test_an_object_with_a_key_twice(tree: Tree, table: Read, name: str, spelt: str) -> None:
    """A key twice in a row, where JSON readers take the last: an error with file and line, whatever the key."""
    lines = tree.path(name).read_text(encoding="utf-8").splitlines()
    more = f'{spelt}: "20190607_3", ' + ('"unheard of": 1, ' if "unheard" in spelt else "")
    lines[2] = "{" + more + lines[2][1:]
    tree.path(name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"expected each key of an object once, found '.*' again") as caught:
        table(CONFIGS[name], tree.root, weeks=WEEK)
    assert caught.value.path.endswith(name) and caught.value.line == 3


@rule("repeated_key")
def test_a_key_twice_in_a_document(tree: Tree, table: Read) -> None:
    """A key twice further inside, in one document of a pool: an error with file and line."""
    lines = tree.path(GCS).read_text(encoding="utf-8").splitlines()
    assert lines[0].count('"url": ') == 2
    lines[0] = lines[0].replace('"title": ', '"text": "", "title": ', 1)
    tree.path(GCS).write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(DataError, match=f"{GCS}, line 1: expected each key of an object once, found 'text' again"):
        table("multiple_choice", tree.root)


@pytest.mark.parametrize("digits", ["9" * 5_000, "0" * 400 + "1", "1" + "0" * 20, "٣"])
def test_long_numbers(tree: Tree, table: Read, digits: str) -> None:
    """Numbers longer than Python converts, or of other scripts, for an index or a score: an error or no choice."""
    tree.change(READER, 0, prediction=[digits])
    assert table("predictions", tree.root, weeks=WEEK)["counts"]["invalid_choice"] == 1
    for name, fields in (
        (READER, {"score": "9" * 5_000}),
        (QA, {"answer": [digits]}),
        (QA, {"answer": int("9" * 4_000)}),
    ):
        before = tree.path(name).read_text(encoding="utf-8")
        tree.change(name, 1, **fields)
        with pytest.raises(DataError, match=f"{name}, line 2: expected .{{1,200}}$"):
            table("predictions", tree.root, weeks=WEEK)
        tree.path(name).write_text(before, encoding="utf-8")
    lines = tree.path(QA).read_text(encoding="utf-8").splitlines()
    tree.path(QA).write_text('{"question_id": ' + "9" * 5_000 + "}\n" + "\n".join(lines[1:]) + "\n", encoding="utf-8")
    with pytest.raises(DataError, match=f"{QA}, line 1: expected"):
        table("multiple_choice", tree.root)


@pytest.mark.parametrize("name", ["~x", "~", "~root", "a b", "#1", "%41"])
def test_folders_of_any_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A folder whose name begins with ~ or holds odd signs, given from where it is: that folder, no home."""
    shutil.copytree(SAMPLE, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert options.local(f"./{name}").root == tmp_path / name
    assert len(load_dataset("realtimeqa", data_dir=f"./{name}", split="test")) == 12
    assert options.local("~/x").root == tmp_path / "home" / "x"


def test_a_folder_whose_weeks_lack_a_config(tree: Tree) -> None:
    """Weeks without predictions, NOTA or pools: `realtimeqa check` counts what is there and says what is not."""
    for path in tree.root.iterdir():
        if path.name != "backnumber" and path.is_dir():
            shutil.rmtree(path)
    text = CliRunner().invoke(main, ["check", "--data-dir", str(tree.root)])
    assert text.exit_code == 0 and "predictions: no week asked for has files" in text.output
    found = json.loads(CliRunner().invoke(main, ["check", "--data-dir", str(tree.root), "--format", "json"]).stdout)
    assert found["multiple_choice"]["rows"] == {"train": 2} and found["nota"]["rows"] == {}


def test_files_of_another_size_but_the_same_times(tree: Tree) -> None:
    """A file changed with its time put back: the folder's state tells."""
    source, path = LocalSource(tree.root), tree.path(QA)
    before, times = source.state(layout.FOLDERS), path.stat()
    path.write_bytes(path.read_bytes().replace(b"walrus", b"badger"))
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert path.stat().st_size == times.st_size and source.state(layout.FOLDERS) != before


def test_every_week_that_is_there_is_served(tree: Tree) -> None:
    """No week is lost between the names of files and the weeks that are read."""
    weeks = layout.weeks(LocalSource(tree.root).paths(), Report())
    assert [week.stamp for week in weeks] == ["20190531", "20190607", "20190614", "20190621", "20190628"]
