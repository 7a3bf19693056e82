"""Files from elsewhere: regular ones of the size that a manifest says, and no object with a key twice."""

from __future__ import annotations

import json
import os
import socket
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from timeline_realtime_qa import strict
from timeline_realtime_qa.strict import Unreadable, read_regular, repeated_key


ON_UNIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")


def test_a_regular_file_is_read_whole(tmp_path: Path) -> None:
    """Regular files, empty ones and those behind links: their bytes."""
    for data in (b"", b"a\0b\n" * 10_000):
        (tmp_path / "file").write_bytes(data)
        assert read_regular(tmp_path / "file") == read_regular(str(tmp_path / "file"), len(data)) == data


@ON_UNIX
def test_what_is_no_regular_file_is_never_waited_for(tmp_path: Path) -> None:
    """Pipes, devices, sockets, folders, links to them or to nothing: an error at once that says what was found."""
    os.mkfifo(tmp_path / "pipe")
    for link, target in (("link", "pipe"), ("lost", "nowhere"), ("loop", "loop"), ("zero", "/dev/zero")):
        (tmp_path / link).symlink_to(target)
    with tempfile.TemporaryDirectory() as short, socket.socket(socket.AF_UNIX) as listening:
        listening.bind(f"{short}/s")
        found: dict[str | Path, str] = {
            f"{short}/s": "a socket",
            tmp_path / "pipe": "a pipe",
            tmp_path / "link": "a pipe",
        }
        found |= {tmp_path / "zero": "a device", "/dev/full": "a device", tmp_path: "a folder"}
        found |= {tmp_path / "lost": "No such file", tmp_path / "loop": "symbolic links"}
        for path, kind in found.items():
            with pytest.raises(Unreadable, match=f"expected .*, found .*{kind}"):
                read_regular(path)


@ON_UNIX
def test_a_pipe_put_in_place_of_a_file_that_was_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that turns into a pipe between the look and the opening: no wait, either."""
    (tmp_path / "file").write_bytes(b"abc")
    looked, stat = os.stat(tmp_path / "file"), os.stat
    (tmp_path / "file").unlink()
    os.mkfifo(tmp_path / "file")
    monkeypatch.setattr(os, "stat", lambda path: looked if path == tmp_path / "file" else stat(path))
    with pytest.raises(Unreadable, match="found a pipe"):
        read_regular(tmp_path / "file")


def test_a_file_of_another_size_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files longer or shorter than their manifest says, and giant ones that no manifest knows, cost no memory."""
    with open(tmp_path / "giant", "wb") as file:
        file.truncate(strict.LARGEST + 1)  # a hole, which takes no room
    monkeypatch.setattr(os, "open", None)
    with pytest.raises(Unreadable, match=f"expected 3 bytes as the manifest says, found {strict.LARGEST + 1}"):
        read_regular(tmp_path / "giant", 3)
    with pytest.raises(Unreadable, match=f"expected at most {strict.LARGEST} bytes, found {strict.LARGEST + 1}"):
        read_regular(tmp_path / "giant")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs a file that holds more than its size says")
def test_a_file_that_holds_more_than_its_size_says() -> None:
    """Files that grow while they are read: an error, not a part of them."""
    with pytest.raises(Unreadable, match="expected 0 bytes as its size says, found more"):
        read_regular("/proc/self/status")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from('ab"\\é{:,'), inner, max_size=4),
    max_leaves=12,
)


@given(JSON, st.booleans(), st.sampled_from([None, 1]))
def test_keys_that_come_once(value: Any, ascii_only: bool, indent: int | None) -> None:
    """Objects with each key once, whatever their strings hold: nothing is reported."""
    assert repeated_key(json.dumps(value, ensure_ascii=ascii_only, indent=indent).encode()) is None


@given(
    st.dictionaries(st.sampled_from('ab"\\é{:,'), JSON, min_size=1), st.data(), st.sampled_from([[], [[]], {"x": 1}])
)
def test_a_key_that_comes_twice(fields: dict[str, Any], data: st.DataObject, around: Any) -> None:
    """An object with a key twice at any depth, spelt alike or with escapes: the key and its line."""
    again = data.draw(st.sampled_from(sorted(fields)))
    spelt = (
        json.dumps(again) if data.draw(st.booleans()) else "".join(['"', *(f"\\u{ord(c):04x}" for c in again), '"'])
    )
    text = json.dumps(fields)[:-1] + f',\n\n{spelt} \n: "last"' + "}"
    whole = json.dumps({"outer": ["@", around]}, indent=1).replace('"@"', text)
    line = whole[: whole.rindex(spelt)].count("\n") + 1
    assert repeated_key(whole.encode()) == (again, line)
    assert json.loads(whole)["outer"][0][again] == "last"  # so that the other one would have been lost


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]}', None),
        ('{"a": "\\"a\\": 1, \\"a\\": 2"}', None),
        ('{"a": 1, "b": {"c": 1, "c": 2}}', ("c", 1)),
        ('[{"a": 1,\n"a"\t: 1}]', ("a", 2)),
        ('{"": 0, "": 0}', ("", 1)),
    ],
)
def test_keys_of_one_object_alone_are_compared(text: str, found: tuple[str, int] | None) -> None:
    """The same key in other objects, or inside a string, is no repeat."""
    assert repeated_key(text.encode()) == found
