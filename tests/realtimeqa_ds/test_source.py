"""Local folders and manifests: a file that the manifest knows has the pinned bytes."""

from __future__ import annotations

import hashlib
import pickle
from pathlib import Path
from typing import Any

import pytest
from datasets import load_dataset

from realtimeqa_ds.files import manifest
from realtimeqa_ds.files.source import COMMIT, LocalSource
from realtimeqa_ds.parsing.errors import DataError

from ..tree import Tree
from .marks import rule


PATH = "past/2019/20190607_qa.jsonl"


def test_pinned_manifest() -> None:
    entries = manifest.read()
    assert len(entries) == 3599 and sum(entry.size for entry in entries.values()) == 414_714_812
    assert COMMIT.startswith("bc15fba7f455")


def test_manifest_errors(tmp_path: Path) -> None:
    path = tmp_path / "m.tsv"
    path.write_text("path\tbytes\tsha256\na\tb\tc\n")
    with pytest.raises(DataError, match=r"m.tsv, line 2: expected path TAB bytes TAB sha256, found 'a\\tb\\tc'"):
        manifest.read(path)


@rule("differs_from_manifest")
def test_local_files_are_compared_with_the_manifest(tree: Tree, sample_manifest: Path) -> None:
    source = LocalSource(tree.root, sample_manifest)
    assert source.read(PATH)
    tree.change("20190607_qa.jsonl", 0, question_sentence="Which animal blocked the ferry?")
    with pytest.raises(DataError, match=f"{PATH}: expected .* bytes as the manifest says") as caught:
        source.read(PATH)
    assert "verify=False" in str(caught.value)
    assert LocalSource(tree.root, sample_manifest, verify=False).read(PATH)
    with pytest.raises(DataError, match=PATH):
        next(iter(load(tree.root, manifest=str(sample_manifest))))
    row = next(iter(load(tree.root, manifest=str(sample_manifest), verify=False)))
    assert row["question"] == "Which animal blocked the ferry?"


def load(root: Path, **options: Any) -> Any:
    return load_dataset("realtimeqa", data_dir=str(root), split="test", streaming=True, **options)


def test_a_folder_of_something_else(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="expected a folder with past/.*found none of them"):
        LocalSource(tmp_path).paths()
    with pytest.raises(FileNotFoundError, match="found no folder"):
        load(tmp_path / "nowhere")


def test_entry_check_names_both_hashes() -> None:
    data = b"abc"
    entry = manifest.Entry(3, hashlib.sha256(data).hexdigest())
    entry.check("p", data)
    with pytest.raises(DataError, match=f"expected sha256 {entry.sha256}.*found {hashlib.sha256(b'abd').hexdigest()}"):
        entry.check("p", b"abd")


@pytest.mark.parametrize(
    ("place", "line", "where"), [(2, 2, ", line 2"), ("key 'a'", None, ", key 'a'"), (None, None, "")]
)
def test_an_error_says_where_and_can_be_pickled(place: int | str | None, line: int | None, where: str) -> None:
    error = DataError("f.json", "expected a, found b", place)
    assert str(error) == str(pickle.loads(pickle.dumps(error))) == f"f.json{where}: expected a, found b"
    assert error.line == line
