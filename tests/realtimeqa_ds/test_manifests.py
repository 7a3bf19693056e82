"""Manifests as users have them: damaged, changed, hostile; and the cache, which nothing leads out of."""

from __future__ import annotations

import gzip
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from datasets import load_dataset
from datasets.exceptions import DatasetGenerationError
from hypothesis import given
from hypothesis import strategies as st

from realtimeqa_ds.files import manifest
from realtimeqa_ds.files.source import LocalSource
from realtimeqa_ds.parsing.errors import DataError

from ..tree import Tree
from .marks import QA


SHA = "0" * 64
LINE = f"past/2019/{QA}\t3\t{SHA}"


@pytest.mark.parametrize(
    "path",
    [
        *("../x", "past/../../x", "/etc/passwd", "past//x", "./x", "past/.", "", "past/..", "..", "past/x/"),
        *("C:/x", "past\\..\\..\\x", "past/a:b", "past/\x01", "past/x\x7f/../y"),
    ],
)
def test_paths_that_lead_elsewhere(tmp_path: Path, path: str) -> None:
    """Paths with .., absolute ones, those of a drive or with controls: an error with file and line, no download."""
    (tmp_path / "m.tsv").write_text(f"{LINE}\n{path}\t3\t{SHA}\n")
    with pytest.raises(DataError, match="m.tsv, line 2: expected a path below the folder"):
        load_dataset("realtimeqa", manifest=str(tmp_path / "m.tsv"), base_url="http://127.0.0.1:9")
    assert [p.name for p in tmp_path.iterdir() if p.name != "hf"] == ["m.tsv"]


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"", 1),
        (b"path\tbytes\tsha256\n# nothing\n", None),
        (LINE.encode() + b"\n\n", 2),
        (LINE.encode() + b"\nb\t\xb2\t" + SHA.encode(), 2),  # no UTF-8
        (f"{LINE}\nb\t²\t{SHA}".encode(), 2),
        (f"{LINE}\nb\t-1\t{SHA}".encode(), 2),
        (f"{LINE}\nb\t{'9' * 5_000}\t{SHA}".encode(), 2),
        (f"{LINE}\nb\t3\t{SHA[1:]}g".encode(), 2),
        (f"{LINE}\nb\t3\t{SHA[1:]}".encode(), 2),
        (f"{LINE}\nb 3 {SHA}".encode(), 2),
        (f"{LINE}\nb\t3\t{SHA}\tmore".encode(), 2),
        (f"{LINE}\n{LINE}\n".encode(), 2),
        (f"{LINE}\n{{}}".encode(), 2),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_damaged_manifests(tmp_path: Path, data: bytes, line: int | None, packed: bool) -> None:
    """Lines of another form, sizes that are no numbers, a path twice, nothing at all: an error with file and line."""
    path = tmp_path / ("m.tsv.gz" if packed else "m.tsv")
    path.write_bytes(gzip.compress(data) if packed else data)
    with pytest.raises(DataError, match="expected ") as caught:
        manifest.read(path)
    assert caught.value.path == str(path) and caught.value.line == line


@given(st.data())
def test_a_packed_manifest_with_any_byte_changed_or_cut(data: st.DataObject) -> None:
    """Damaged gzip: the entries of the whole one, or an error that names the file."""
    whole = gzip.compress(f"{LINE}\nb\t4\t{SHA}\n".encode(), mtime=0)
    place = data.draw(st.integers(0, len(whole) - 1))
    broken = whole[:place] + data.draw(st.sampled_from([b"", bytes([whole[place] ^ 4]) + whole[place + 1 :]]))
    try:
        found = manifest._parsed(Path("m.tsv.gz"), broken)
    except DataError as error:
        assert error.path == "m.tsv.gz"
    else:
        assert found == manifest._parsed(Path("m.tsv.gz"), whole)


def test_a_manifest_that_unpacks_to_giant_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A gzip file that grows without end: an error at a limit."""
    monkeypatch.setattr(manifest, "_LONGEST", 10_000)
    (tmp_path / "m.tsv.gz").write_bytes(gzip.compress(b"#" * 20_000))
    with pytest.raises(DataError, match="expected a manifest of at most 10000 bytes"):
        manifest.read(tmp_path / "m.tsv.gz")


def test_lines_of_other_systems(tmp_path: Path) -> None:
    """Line ends of Windows, a byte-order mark, no last line end: the same entries."""
    plain = f"path\tbytes\tsha256\n{LINE}\n"
    for text in (plain, plain.replace("\n", "\r\n"), "\ufeff" + plain, plain[:-1]):
        (tmp_path / "m.tsv").write_bytes(text.encode())
        assert manifest.read(tmp_path / "m.tsv") == {f"past/2019/{QA}": manifest.Entry(3, SHA)}


@pytest.mark.skipif(sys.platform == "win32", reason="needs pipes")
@pytest.mark.parametrize("kind", ["pipe", "folder", "device"])
def test_a_manifest_that_is_no_file(tmp_path: Path, kind: str) -> None:
    """A pipe, a folder, a device as manifest: an error that names it, at once."""
    path = tmp_path / "m"
    os.mkfifo(path) if kind == "pipe" else path.mkdir() if kind == "folder" else path.symlink_to("/dev/zero")
    with pytest.raises(FileNotFoundError, match=f"expected a manifest file at manifest='{path}'"):
        load_dataset("realtimeqa", data_dir="sample", manifest=str(path))
    with pytest.raises(DataError, match=f"{path}: expected a regular file, found a {kind}; manifest= takes"):
        manifest.read(path)


def test_a_changed_manifest_is_noticed(tree: Tree, tmp_path: Path) -> None:
    """A manifest edited under the same name, in one process or for a prepared copy: what it says now counts."""
    path = tmp_path / "m.tsv"
    path.write_text(manifest.make(tree.root, LocalSource(tree.root).paths()))

    def load(streaming: bool) -> Any:
        given: dict[str, Any] = {"data_dir": str(tree.root), "manifest": str(path), "streaming": streaming}
        return next(iter(load_dataset("realtimeqa", split="test", **given)))

    assert load(False)["question_id"] == load(True)["question_id"] == "20190607_0"
    times = path.stat()
    header, *lines = path.read_text().splitlines(keepends=True)
    path.write_text(header + "".join(line[:-65] + "0" * 64 + "\n" for line in lines))  # other hashes, the same size
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    for streaming in (False, True):
        with pytest.raises((DataError, DatasetGenerationError)) as caught:
            load(streaming)
        assert f"_qa.jsonl: expected sha256 {SHA} as the manifest says" in str(caught.value.__cause__ or caught.value)


def test_the_same_manifest_elsewhere_is_the_same_copy(tmp_path: Path, sample_manifest: Path) -> None:
    """A prepared copy belongs to what a manifest says, not to where it lies."""
    (tmp_path / "again.tsv").write_bytes(sample_manifest.read_bytes())
    files = [
        load_dataset("realtimeqa", data_dir="sample", manifest=str(path), split="test").cache_files
        for path in (sample_manifest, tmp_path / "again.tsv")
    ]
    assert files[0] == files[1]
