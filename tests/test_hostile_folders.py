"""Folders that others have changed: a build reads and writes files of the folder itself, and replaces only its own."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from timeline_realtime_qa.hub import building, disk, executors, shards
from timeline_realtime_qa.hub.folder import MANIFEST, is_built, manifest, read_folder, read_manifest

from .toy import RECIPES, build, jobs, plan, state


Outside = Callable[[], dict[str, bytes]]
MARKER = f"{shards.STATE}/markers/all/train-00003-of-00008.json"
SHARD = "a/train-00003-of-00008.parquet"


@pytest.fixture
def outside(tmp_path: Path) -> Outside:
    """What lies beside the built folder `out`."""
    (tmp_path / "theirs" / "a").mkdir(parents=True)
    for name in ("key", "a/train-00003-of-00008.parquet", "x.part", "x.lock"):
        (tmp_path / "theirs" / name).write_text("theirs")
    files = [path for path in (tmp_path / "theirs").rglob("*") if path.is_file()]
    return lambda: {str(path): path.read_bytes() for path in files if path.exists()}


def with_manifest(out: Path) -> Path:
    """A finished build."""
    build(out)
    folder = read_folder(out, {"dataset": "toy", "seed": 1}, RECIPES, ["train"])
    told = json.loads(manifest(folder, dict.fromkeys(RECIPES, "group")))
    told["made_of"]["version"] = "1.0.0"
    (out / MANIFEST).write_text(json.dumps(told))
    return out


WRONG: list[Any] = [
    *(
        "../theirs/key",
        "a/../../theirs/a/train-00003-of-00008.parquet",
        "..\\theirs\\key",
        "a/train\0",
        "README.md",
        "",
    ),
    *("b/train-00004-of-00008.parquet", ".build/train-00003-of-00008.parquet", "a/train-00003-of-00008.parquet\n"),
    *(None, True, -1, 1.5, float("inf"), 1 << 70, [], {}, ["a"], {"a": 1}),
]


def places(told: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to all values of JSON."""
    inner = told.items() if isinstance(told, dict) else enumerate(told) if isinstance(told, list) else ()
    return [at, *(place for key, value in inner for place in places(value, (*at, key)))]


def replaced(told: Any, place: tuple[Any, ...], value: Any) -> Any:
    """JSON with the value at a place, or all of it, replaced."""
    if not place:
        return value
    inner = told
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return told


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_marker_with_a_value_that_no_build_writes(
    tmp_path: Path, outside: Outside, caplog: pytest.LogCaptureFixture, data: st.DataObject
) -> None:
    """Any value of a marker replaced by paths that lead elsewhere, wrong types, numbers or names: no marker."""
    before, out = outside(), tmp_path / "out"
    shutil.rmtree(out, ignore_errors=True)
    with_manifest(out)
    whole, told = state(out), json.loads((out / MARKER).read_bytes())
    place, value = data.draw(st.sampled_from(places(told))), data.draw(st.sampled_from(WRONG))
    (out / MARKER).write_text(json.dumps(replaced(told, place, value)))
    caplog.clear()
    try:
        building.build(plan(out))
    except (ValueError, OSError) as error:
        assert str(out) in str(error)  # a change that makes it the marker of another build
    else:
        harmless = place and (place[-1] in ("recipe", "bytes", "rows", "arrow_bytes", "content") or value in ([], {}))
        assert f"{out / MARKER} is not as a build writes it" in caplog.text or harmless, (place, value)
        assert state(out) == whole
    assert outside() == before


@pytest.mark.parametrize("text", ["", "null", "[" * 100_000, '{"name": ' + "9" * 5_000 + "}", "\ud800", '{"name": 1}'])
def test_a_marker_that_is_damaged(tmp_path: Path, caplog: pytest.LogCaptureFixture, text: str) -> None:
    """Whatever a file of that name holds counts for nothing, and a warning names it."""
    build(tmp_path)
    (tmp_path / MARKER).write_bytes(text.encode(errors="surrogatepass"))
    assert [bool(done.written) for done in build(tmp_path)] == [number == 3 for number in range(8)]
    assert f"{tmp_path / MARKER} is not as a build writes it" in caplog.text


def test_a_marker_of_another_job(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It would have rows of the one written into the file of the other."""
    build(tmp_path)
    whole, other = state(tmp_path), MARKER.replace("00003", "00005")
    shutil.copy(tmp_path / other, tmp_path / MARKER)
    build(tmp_path)
    told = json.loads((tmp_path / MARKER).read_text())
    told["files"] += json.loads((tmp_path / other).read_text())["files"]
    told["files"][-1]["sha256"] = "0" * 64
    (tmp_path / MARKER).write_text(json.dumps(told))
    build(tmp_path)
    assert state(tmp_path) == whole and caplog.text.count("of another job") == 2


PLACES = [
    *(".build", ".build/markers", ".build/moving", ".build/parts", ".build/markers/all", ".build/parts/all", MARKER),
    *(".build/build.lock", ".build/parts/all/train-00003-of-00008.lock", "a", SHARD, MANIFEST, "README.md"),
    *(".build/parts/all/train-00003-of-00008.part", ".build/moving/all"),
]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs links and pipes as POSIX has them")
@pytest.mark.parametrize("kind", ["link", "link to nothing", "pipe"])
@pytest.mark.parametrize("path", PLACES)
def test_links_and_pipes_anywhere(tmp_path: Path, outside: Outside, path: str, kind: str) -> None:
    """In place of any file or folder of a build: what they lead to is not read, written over, emptied or removed."""
    before, out, theirs = outside(), with_manifest(tmp_path / "out"), tmp_path / "theirs"
    (out / "README.md").write_text("of the build")
    if (out / path).is_dir():
        shutil.rmtree(out / path)
    (out / path).unlink(missing_ok=True)
    (out / path).parent.mkdir(parents=True, exist_ok=True)
    to = theirs if "." not in path.removeprefix(".build") else theirs / "x.lock"
    if kind == "pipe":
        os.mkfifo(out / path)
    else:
        (out / path).symlink_to(to if kind == "link" else theirs / "nothing")
    try:
        building.build(plan(out))
    except (ValueError, OSError, RuntimeError) as error:
        assert str(out / path) in str(error) or str((out / path).resolve()) in str(error), error
    else:
        assert len(state(out)) == 2
    assert outside() == before and sorted(os.listdir(theirs)) == ["a", "key", "x.lock", "x.part"]


def test_a_temporary_name_that_is_a_link(tmp_path: Path, outside: Outside) -> None:
    before = outside()
    (tmp_path / f".README.md.{os.getpid()}.tmp").symlink_to(tmp_path / "theirs" / "key")
    disk.write_file(tmp_path / "README.md", b"ours")
    assert outside() == before and (tmp_path / "README.md").read_bytes() == b"ours"


def test_a_file_that_is_replaced_while_it_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder becomes a link after it was checked: the file behind it is not read."""
    for name in ("a", "theirs"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(name)
    opened = os.open

    def replace(path: Any, *arguments: Any) -> int:
        (tmp_path / "a").rename(tmp_path / "was a")
        (tmp_path / "a").symlink_to(tmp_path / "theirs")
        handle = opened(path, *arguments)
        (tmp_path / "a").unlink()
        (tmp_path / "was a").rename(tmp_path / "a")
        return handle

    monkeypatch.setattr(os, "open", replace)
    with pytest.raises(ValueError, match="was replaced while it was opened"):
        disk.read(tmp_path, "a/file")
    monkeypatch.undo()
    assert disk.read(tmp_path, "a/file") == b"a"


@pytest.mark.parametrize(
    "path", ["", ".", "..", "a/..", "../out", "/etc/passwd", "a\0b", "circle", "circle/a", "link/a"]
)
def test_what_is_not_inside(tmp_path: Path, path: str) -> None:
    """Whatever leads elsewhere, or to the folder as a whole, is refused by name."""
    (tmp_path / "circle").symlink_to("circle")
    (tmp_path / "link").symlink_to(tmp_path)
    with pytest.raises(
        ValueError, match=re.escape(repr(str(tmp_path / path))) + " is .*: expected a file of the folder"
    ):
        disk.inside(tmp_path, path)


THEIRS: dict[str, Callable[[Path, Path], object]] = {
    "by pyarrow": lambda path, ours: pq.write_table(pa.table({"mine": [1]}), path),
    "from rows of ours": lambda path, ours: pq.write_table(pq.read_table(ours).slice(3), path),
    "no Parquet": lambda path, ours: path.write_text("mine"),
    "empty": lambda path, ours: path.touch(),
}


@pytest.mark.parametrize("theirs", list(THEIRS))
@pytest.mark.parametrize("beside", ["nothing", "a build of b", "a manifest that tells of other bytes"])
def test_parquet_of_somebody_is_not_written_over(tmp_path: Path, theirs: str, beside: str) -> None:
    """A file at a place of the build of which nothing says that a build has made it, whatever is in it."""
    other, out = with_manifest(tmp_path / "other"), tmp_path / "out"
    (out / "a").mkdir(parents=True)
    if beside == "a build of b":
        build(out, names=("b",))
    elif beside != "nothing":
        shutil.copy(other / MANIFEST, out)
    THEIRS[theirs](out / SHARD, other / SHARD)
    before = (out / SHARD).read_bytes()
    with pytest.raises(FileExistsError, match=f"{re.escape(str(out / SHARD))} was not made by a build"):
        building.build(plan(out))
    assert (out / SHARD).read_bytes() == before and len(list((out / "a").iterdir())) == 1


def test_what_a_killed_build_has_moved_is_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed after its first file is in its place, before there is a marker; then built with other options."""
    replace = os.replace

    def killed(source: Path, place: Path) -> None:
        replace(source, place)
        if place.suffix == ".parquet":
            raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        shards.run(jobs(tmp_path)[3])
    monkeypatch.undo()
    assert (tmp_path / SHARD).exists() and list(shards.markers(tmp_path)) == []
    assert building.build(plan(tmp_path, seed=2)).rows == 4_800
    assert list((tmp_path / shards.STATE / shards.MOVING).rglob("*.json")) == []


NO_MANIFESTS = [
    *("{}", "[]", "5", "null", '"made_of"', '{"made_of": 5}', '{"made_of": {"dataset": "toy"}}', "[" * 100_000, "\0"),
    *('{"made_of": {"dataset": ["toy"], "version": "1"}, "configs": {}}', '{"configs": ' + "9" * 5_000 + "}"),
]


@pytest.mark.parametrize("text", NO_MANIFESTS)
def test_a_manifest_that_is_none(tmp_path: Path, text: str) -> None:
    """Of any JSON or none: an error that names it and says what to do, and a folder that no build has made."""
    (tmp_path / MANIFEST).write_text(text)
    with pytest.raises(
        ValueError, match=f"{tmp_path / MANIFEST} cannot be read as a manifest .*; run the build command"
    ):
        read_manifest(tmp_path / MANIFEST)
    assert not is_built(tmp_path)
    with pytest.raises(FileExistsError, match="manifest.json was not made by a build"):
        building.build(plan(tmp_path))
    assert (tmp_path / MANIFEST).read_text() == text


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_manifest_with_a_value_that_no_build_writes(tmp_path: Path, data: st.DataObject) -> None:
    """Any value replaced: the manifest still names only files in the folder, with counts and hashes, or is none."""
    if not (tmp_path / MANIFEST).exists():
        with_manifest(tmp_path)
        (tmp_path / MANIFEST).rename(tmp_path / "whole.json")
    told = json.loads((tmp_path / "whole.json").read_text())
    place, value = data.draw(st.sampled_from(places(told))), data.draw(st.sampled_from(WRONG))
    (tmp_path / MANIFEST).write_text(json.dumps(replaced(told, place, value)))
    try:
        made_of, files = read_manifest(tmp_path / MANIFEST)
    except ValueError as error:
        assert str(tmp_path / MANIFEST) in str(error)
    else:
        assert {type(made_of[name]) for name in ("dataset", "version")} == {str}
        assert all(disk.inside(tmp_path, file.path).name.startswith("train-") for file in files)
        assert all(type(count) is int for file in files for count in (file.rows, file.bytes, file.arrow_bytes))


@pytest.mark.parametrize("text", ["", "[]", "5", "[" * 100_000])
def test_a_submission_that_is_damaged(tmp_path: Path, text: str) -> None:
    waiting = tmp_path / shards.STATE / "slurm" / "then" / executors.WAITING
    waiting.parent.mkdir(parents=True)
    waiting.write_text(text)
    with pytest.raises(ValueError, match=f"{waiting} does not say what was submitted .* remove {waiting.parent}"):
        executors.check_waiting(tmp_path, jobs(tmp_path))


def test_a_build_of_another_dataset_in_the_folder(tmp_path: Path) -> None:
    """Its markers count in other units."""
    build(tmp_path)
    other = plan(tmp_path, names=("b",), seed=3)
    with pytest.raises(FileExistsError, match="8 files of another build"):
        building.check_folder(building.Plan(other.out, other.jobs, "part", other.splits, other.around))
