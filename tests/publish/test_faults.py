"""What must not be published, or not over what others push meanwhile."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from huggingface_hub import HfApi
from huggingface_hub.errors import HfHubHTTPError

from timeline_realtime_qa.hub import publishing

from . import hub_repository
from .loopback_hub import Handler, Hub


NAME = "org/timelineqa"
SHARD = "sparse/train-00000-of-00001.parquet"
Publish = Callable[..., str]
Make = Callable[..., Path]
SECRET = b"PRIVATE KEY"


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "id_ed25519"
    path.write_bytes(SECRET)
    return path


@pytest.mark.parametrize("path", ["LICENSE", "README.md", SHARD, "sparse"])
def test_a_link_is_not_followed(
    hub: Hub, publish: Callable[..., str], make: Callable[..., Path], secret: Path, path: str
) -> None:
    built = make({SHARD: SECRET})
    if path == "sparse":
        (built / path).rename(secret.with_name("elsewhere"))
        (built / path).symlink_to(secret.with_name("elsewhere"))
    else:
        (built / path).unlink(missing_ok=True)
        (built / path).symlink_to(secret)
    said = publish("dataset", built, NAME, code=1)
    assert f"{built / path}" in said and "no link and nothing outside" in said and not hub.repos


@pytest.mark.parametrize("to", ["{secret}", "../id_ed25519", "sparse/../../id_ed25519"])
def test_a_manifest_cannot_name_what_lies_outside(
    hub: Hub, publish: Callable[..., str], make: Callable[..., Path], secret: Path, to: str
) -> None:
    """Though size and hash are those of the file."""
    built = make({SHARD: SECRET})
    text = (built / "manifest.json").read_text().replace(SHARD, to.format(secret=secret))
    (built / "manifest.json").write_text(text)
    said = publish("dataset", built, NAME, code=1)
    assert "manifest.json cannot be read" in said and "expected a file of the folder itself" in said
    assert to.format(secret=secret) in said and not hub.repos


@pytest.mark.parametrize("to", [".env", ".build/markers/state.json", "sparse/notes.txt", "sparse/train.parquet"])
def test_a_manifest_cannot_name_what_no_build_makes(hub: Hub, publish: Publish, make: Make, to: str) -> None:
    """Other files that lie in the folder, hidden ones or notes, with their size and hash."""
    built = make({SHARD: SECRET})
    (built / to).parent.mkdir(parents=True, exist_ok=True)
    (built / to).write_bytes(SECRET)
    (built / "manifest.json").write_text((built / "manifest.json").read_text().replace(SHARD, to))
    said = publish("dataset", built, NAME, code=1)
    assert "manifest.json cannot be read" in said and repr(to) in said and not hub.repos


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes as POSIX has them")
@pytest.mark.parametrize("kind", ["pipe", "folder", "link to nothing", "link within"])
@pytest.mark.parametrize("path", ["README.md", "CITATION.cff", "manifest.json", SHARD])
def test_what_is_no_regular_file(hub: Hub, publish: Publish, make: Make, path: str, kind: str) -> None:
    """Neither waited for nor read, in place of a data file, the manifest, or a text that may be there or not."""
    built = make({SHARD: b"rows"})
    (built / path).unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(built / path)
    elif kind == "folder":
        (built / path).mkdir()
    else:
        (built / path).symlink_to(built / ("nothing" if "nothing" in kind else "other"))
        (built / "other").write_bytes(b"rows")
    said = publish("dataset", built, NAME, code=1)
    assert str(built / path) in said and not hub.repos


@pytest.mark.parametrize(
    ("path", "how"),
    [
        *((path, how) for path in ("README.md", SHARD) for how in ("link", "bytes", "gone")),
        *(("sparse", how) for how in ("link", "gone")),
    ],
)
def test_what_changes_after_the_check(
    hub: Hub,
    publish: Publish,
    script: Any,
    make: Make,
    secret: Path,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    how: str,
) -> None:
    """A file or folder is swapped between check and upload: what is behind is not sent, even without a commit."""
    built, check = make({SHARD: b"rows"}), script.finished

    def swap(*arguments: Any) -> Any:
        checked = check(*arguments)
        if how != "bytes":
            (built / path).rename(secret.with_name("was there"))
        if how == "link":
            (built / path).symlink_to(secret if path != "sparse" else secret.with_name("was there"))
        elif how == "bytes":
            (built / path).write_bytes(SECRET)
        return checked

    monkeypatch.setattr(script, "finished", swap)
    said = publish("dataset", built, NAME, code=1)
    assert str(built / path) in said and "again" in said
    stored = [*hub.objects.values(), *(file.data for file in hub.repos["datasets", NAME].files.values())]
    assert SECRET not in stored and len(hub.repos["datasets", NAME].commits) == 1


def test_files_are_sent_some_at_a_time(
    hub: Hub, publish: Publish, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is held in memory meanwhile is bounded, and the commit is still one."""
    monkeypatch.setattr(publishing, "BYTES_AT_ONCE", 20)
    data = {f"sparse/train-{number:05d}-of-00005.parquet": b"rows %d ...." % number for number in range(5)}
    publish("dataset", make(data), NAME)
    assert hub.asked["lfs_batch"] == 3 and len(hub.repos["datasets", NAME].commits) == 2
    assert {path: hub.repos["datasets", NAME].files[path].data for path in data} == data


def test_a_folder_that_is_reached_by_a_link_is_published(
    hub: Hub, publish: Callable[..., str], make: Callable[..., Path], tmp_path: Path
) -> None:
    (tmp_path / "link").symlink_to(make({SHARD: b"rows"}))
    publish("dataset", tmp_path / "link", NAME)
    assert SHARD in hub.repos["datasets", NAME].files


TEXTS = [
    *("{}", "[]", "no JSON", '{"configs": {}, "made_of": {}}', '{"configs": [1]}', "[" * 100_000, "9" * 5_000, "\0"),
    '{"configs": {}, "made_of": {"dataset": "timelineqa", "version": "1.0.0"}}',
]
TEXTS_OF_NONE: list[Any] = ["\ud800", "1.0\n", "9" * 5_000, None, 5, ["1.0.0"]]


@pytest.mark.parametrize("text", TEXTS)
def test_a_manifest_that_is_none(hub: Hub, publish: Callable[..., str], make: Callable[..., Path], text: str) -> None:
    built = make({SHARD: b"rows"})
    (built / "manifest.json").write_text(text)
    said = publish("dataset", built, NAME, code=1)
    assert "manifest.json cannot be read as a manifest" in said and not hub.repos


@pytest.mark.parametrize("name", ["version", "dataset"])
@pytest.mark.parametrize("value", TEXTS_OF_NONE)
def test_a_manifest_of_no_version(hub: Hub, publish: Publish, make: Make, name: str, value: object) -> None:
    """Half a character, a line end or no text, of which no tag can be made."""
    built = make({SHARD: b"rows"})
    told = json.loads((built / "manifest.json").read_text())
    told["made_of"][name] = value
    (built / "manifest.json").write_text(json.dumps(told))
    said = publish("dataset", built, NAME, code=1)
    assert "manifest.json cannot be read as a manifest" in said and f"expected a text as {name}" in said
    assert not hub.repos


@pytest.mark.parametrize("place", ["path", "recipe", "rows", "sha256"])
def test_a_manifest_with_values_of_any_length(hub: Hub, publish: Publish, make: Make, place: str) -> None:
    built = make({SHARD: b"rows"})
    told = json.loads((built / "manifest.json").read_text())
    told["configs"]["sparse"]["splits"]["train"]["files"][0][place] = ["x" * 9_000]
    (built / "manifest.json").write_text(json.dumps(told))
    said = publish("dataset", built, NAME, code=1)
    assert "manifest.json cannot be read as a manifest" in said and len(said) < 1_000


def refuse(times: int, before: Callable[[], None], status: int | None, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Let something happen before the first commits; the Hub itself refuses them, or answers with a status."""
    commit, done = HfApi.create_commit, list[int]()

    def between(self: HfApi, *arguments: Any, **options: Any) -> object:
        done.append(1)
        if len(done) <= times:
            before()
            if status:
                answer: Any = SimpleNamespace(status_code=status, headers={}, request=None)
                raise HfHubHTTPError(str(status), response=answer)
        return commit(self, *arguments, **options)

    monkeypatch.setattr(HfApi, "create_commit", between)
    return done


@pytest.mark.parametrize("status", [None, 409])
def test_a_push_that_is_overtaken_is_planned_anew(
    hub: Hub,
    publish: Callable[..., str],
    make: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
    status: int | None,
) -> None:
    publish("dataset", make({SHARD: b"rows"}), NAME)
    repo = hub.repos["datasets", NAME]

    def push_something() -> None:
        files = {**repo.files, f"notes{len(repo.commits)}.txt": hub_repository.StoredFile(b"theirs", lfs=False)}
        repo.commits.append((f"{len(repo.commits):040d}", files))
        repo.refs["main"] = len(repo.commits) - 1

    done = refuse(2, push_something, status, monkeypatch)
    built = make({SHARD: b"other rows"}, version="1.0.1")
    publish("dataset", built, NAME)
    assert len(done) == 3 and {"notes2.txt", "notes3.txt"} <= set(repo.files)
    assert repo.files[SHARD].data == b"other rows" and repo.tags["v1.0.1"] == len(repo.commits) - 1
    assert json.loads(repo.files["manifest.json"].data)["made_of"]["version"] == "1.0.1"


def test_others_are_not_overtaken(
    hub: Hub, publish: Callable[..., str], make: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What would be read with the new files, pushed after the plan, is an error as ever."""
    publish("dataset", make({SHARD: b"rows"}), NAME)
    repo = hub.repos["datasets", NAME]

    def push_rows() -> None:
        files = {**repo.files, "sparse/train-more.parquet": hub_repository.StoredFile(b"theirs", lfs=True)}
        repo.commits.append(("1" * 40, files))
        repo.refs["main"] = len(repo.commits) - 1

    refuse(1, push_rows, None, monkeypatch)
    said = publish("dataset", make({SHARD: b"other rows"}, version="1.0.1"), NAME, code=1)
    assert "holds sparse/train-more.parquet" in said and repo.files[SHARD].data == b"rows"


@pytest.mark.parametrize("answer", [b"<html>be patient</html>", {}, [], 5, None, "x"])
@pytest.mark.parametrize("times", [1, 99])
@pytest.mark.parametrize("asked", ["info", "refs", "preupload", "commit"])
def test_answers_that_nobody_can_read(
    hub: Hub, publish: Publish, make: Make, monkeypatch: pytest.MonkeyPatch, asked: str, times: int, answer: Any
) -> None:
    """The page of a proxy, or other JSON, with status 200: asked again, and then an error that says what to do."""
    publish("dataset", make({SHARD: b"rows"}), NAME)
    method, sent = getattr(Handler, asked), list[int]()

    def other(self: Handler, *arguments: Any) -> None:
        sent.append(1)
        if len(sent) <= times:
            self.send(200, answer)
        else:
            method(self, *arguments)

    monkeypatch.setattr(Handler, asked, other)
    said = publish("dataset", make({SHARD: b"other rows"}, version="1.0.1"), NAME, code=int(times > 1))
    rows = hub.repos["datasets", NAME].files[SHARD].data
    assert rows == (b"rows" if times > 1 else b"other rows")
    assert times == 1 or "the Hub failed 5 times" in said and "run the same command again" in said


@pytest.mark.parametrize("asked", ["info", "refs", "preupload", "commit", "tag"])
@pytest.mark.parametrize("status", [400, 403, 413, 422])
def test_a_refusal_names_what_was_asked(
    hub: Hub, publish: Publish, make: Make, monkeypatch: pytest.MonkeyPatch, asked: str, status: int
) -> None:
    """Whatever huggingface_hub says of a status, the address stands beside it."""
    publish("dataset", make({SHARD: b"rows"}), NAME)
    monkeypatch.setattr(Handler, asked, lambda self, *arguments: self.error(status, "Refused"))
    said = publish("dataset", make({SHARD: b"other rows"}, version="1.0.1"), NAME, code=1)
    assert f"{hub.url}/api/datasets/{NAME}" in said and "Traceback" not in said


def test_a_repository_that_is_never_still(
    hub: Hub, publish: Callable[..., str], make: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse(99, lambda: None, 412, monkeypatch)
    assert "others change org/timelineqa all the while" in publish("dataset", make({SHARD: b"rows"}), NAME, code=1)
