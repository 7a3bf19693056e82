"""What `scripts/publish` does to repositories of a Hub on loopback; that others can load them: `test_published`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from huggingface_hub import constants
from huggingface_hub.errors import HfHubHTTPError

from realtimeqa_ds.commands import main as realtimeqa
from timeline_realtime_qa.hub import publishing

from ..tree import Tree
from . import hub_repository
from .hub_repository import Repo
from .loopback_hub import Hub


NAME = "org/timelineqa"


def build(out: Path, *options: str) -> None:
    done = CliRunner().invoke(realtimeqa, ["build", "--out", str(out), *options])
    assert done.exit_code == 0, done.output


def shards(split: str, of: int, text: str = "rows") -> dict[str, bytes]:
    paths = [f"{split}-{number:05d}-of-{of:05d}.parquet" for number in range(of)]
    return {path: f"{text} of {path}".encode() for path in paths}


def given(*paths: str) -> tuple[str, dict[str, hub_repository.StoredFile]]:
    """A first commit of somebody else's."""
    return "0" * 40, {path: hub_repository.StoredFile(b"{}", lfs=False) for path in paths}


def test_a_second_push_has_nothing_to_push(hub: Hub, publish: Callable[..., str]) -> None:
    publish("metrics", "org", "--metric", "qa_em_f1", "--private")
    repo = hub.repos["spaces", "org/qa_em_f1"]
    commits = len(repo.commits)
    assert repo.private and commits == 2
    assert "0 of " in publish("metrics", "org", "--metric", "qa_em_f1") and len(repo.commits) == commits


def test_a_dry_run_says_what_and_pushes_nothing(hub: Hub, publish: Callable[..., str]) -> None:
    said = publish("metrics", "org", "--metric", "qa_em_f1", "--dry-run")
    assert "  + qa_em_f1.py" in said and not hub.repos


def test_a_space_of_something_else_is_left_alone(hub: Hub, publish: Callable[..., str]) -> None:
    repo = hub.repos["spaces", "org/qa_em_f1"] = Repo(commits=[given("app.py")])
    assert "holds app.py" in publish("metrics", "org", "--metric", "qa_em_f1", code=1) and len(repo.commits) == 1
    repo.commits[0] = given("qa_em_f1.py", "old.py", ".gitattributes")
    publish("metrics", "org", "--metric", "qa_em_f1")
    assert "old.py" not in repo.files and {"columns.py", ".gitattributes"} <= set(repo.files)


def test_every_request_that_fails_is_made_again(
    hub: Hub, publish: Callable[..., str], make: Callable[..., Path]
) -> None:
    asked = ("info", "refs", "create", "validate", "preupload", "lfs_batch", "commit", "tag")
    hub.failures = Counter(dict.fromkeys(asked, 1))
    hub.failures += Counter(tree=7, resolve=7, lfs_put=7)  # which huggingface_hub itself asks six times
    publish("dataset", make(shards("sparse/train", 1)), NAME)
    publish("dataset", make(shards("sparse/train", 1, "other rows"), version="1.0.1"), NAME)
    repo = hub.repos["datasets", NAME]
    assert not +hub.failures and set(repo.tags) == {"v1.0.0", "v1.0.1"}
    assert repo.files["sparse/train-00000-of-00001.parquet"].data.startswith(b"other rows")


def test_a_hub_that_fails_or_is_away_is_an_error_with_what_to_do(
    hub: Hub, publish: Callable[..., str], make: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    built = make(shards("sparse/train", 1))
    hub.failures["lfs_put"] = 1_000
    said = publish("dataset", built, NAME, code=1)
    assert "Error while uploading" in said and "run the same command again" in said
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    said = publish("dataset", built, NAME, code=1)
    assert "ConnectError" in said and "run the same command again" in said


def test_a_refused_upload_is_not_tried_again() -> None:
    class Forbidden:
        status_code, headers, request = 403, dict[str, str](), None

    def upload() -> None:
        tried.append(1)
        raise RuntimeError("Error while uploading") from HfHubHTTPError("403", response=Forbidden())  # type: ignore

    tried: list[int] = []
    with pytest.raises(RuntimeError, match="uploading"):
        publishing.patiently(upload)
    assert len(tried) == 1


def test_a_folder_that_was_not_built_is_refused(publish: Callable[..., str], tmp_path: Path) -> None:
    assert "expected a folder made by `timelineqa build`" in publish("dataset", tmp_path, NAME, code=1)


@pytest.mark.parametrize("lacking", ["bytes", "sparse/train-00001-of-00002.parquet", "README.md"])
def test_a_folder_that_contradicts_its_manifest_is_refused(
    hub: Hub, publish: Callable[..., str], make: Callable[..., Path], lacking: str
) -> None:
    """As a killed build leaves it, which has written some files and not yet the manifest."""
    built = make(shards("sparse/train", 2))
    if lacking == "bytes":
        lacking = "sparse/train-00000-of-00002.parquet"
        (built / lacking).write_bytes((built / lacking).read_bytes().swapcase())
    else:
        (built / lacking).unlink()
    said = publish("dataset", built, NAME, code=1)
    assert "not a finished build" in said and f"such as {lacking}; run the build" in said and not hub.repos


def test_only_what_belongs_to_the_dataset_is_pushed(
    hub: Hub, publish: Callable[..., str], make: Callable[..., Path]
) -> None:
    built = make(shards("sparse/train", 1))
    for name in ("LICENSE", "notes.txt", "sparse/val-00000-of-00002.parquet", ".build/state"):
        (built / name).parent.mkdir(exist_ok=True)
        (built / name).touch()
    said = publish("dataset", built, NAME)
    assert "2 files of" in said and "such as notes.txt" in said
    expected = {"README.md", "LICENSE", "manifest.json", *shards("sparse/train", 1)}
    assert set(hub.repos["datasets", NAME].files) == expected


def test_files_of_others_are_neither_deleted_nor_replaced(
    hub: Hub, publish: Callable[..., str], make: Callable[..., Path]
) -> None:
    repo = hub.repos["datasets", NAME] = Repo()
    built = make(shards("sparse/train", 2))
    for path in ("data.csv", "manifest.json"):
        repo.commits[0] = given(path, "README.md")
        said = publish("dataset", built, NAME, code=1)
        assert f"holds {path}, which is not in this push" in said and len(repo.commits) == 1
    repo.commits[0] = given(".gitattributes", "README.md")
    publish("dataset", built, NAME)
    other = make(shards("nota/test", 1), "realtimeqa")
    assert "no manifest.json of realtimeqa" in publish("dataset", other, NAME, code=1)
    repo.files.update(given("notes.txt")[1])
    publish("dataset", make(shards("sparse/train", 3)), NAME, "--tag", "three")
    kept = {".gitattributes", "notes.txt"}
    assert set(repo.files) == {"README.md", "manifest.json", *shards("sparse/train", 3), *kept}
    repo.files.update(given("sparse/train-more.parquet")[1])
    said = publish("dataset", built, NAME, code=1)
    assert "hf repos delete-files org/timelineqa sparse/train-more.parquet" in said


def test_no_commit_has_half_a_split_and_a_stopped_push_goes_on(
    hub: Hub, publish: Callable[..., str], make: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publishing, "FILES_A_COMMIT", 4)
    built = make({**shards("sparse/train", 3), **shards("medium/val", 2), **shards("dense/train", 2)})
    publish("dataset", built, NAME)
    repo = hub.repos["datasets", NAME]
    assert [len(files) for _, files in repo.commits] == [0, 3, 7, 9]
    repo.refs["main"] = 1
    repo.tags.clear()
    assert "6 of 9 files to push" in publish("dataset", built, NAME)
    more = {**shards("sparse/train", 2), **shards("medium/val", 3), **shards("dense/train", 2)}
    publish("dataset", make(more, version="1.0.1"), NAME)
    assert set(repo.files) == {"README.md", "manifest.json", *more}
    for _, files in repo.commits:
        # CONFIG/SPLIT and the number of files that a name says there are.
        found = Counter((path.split("-")[0], int(path[-13:-8])) for path in files if path.endswith(".parquet"))
        assert all(number == of for (_, of), number in found.items()) and len(dict(found.keys())) == len(found)


def test_what_a_tag_names_is_added_to_and_not_changed(
    hub: Hub, publish: Callable[..., str], make: Callable[..., Path]
) -> None:
    publish("dataset", make(shards("sparse/train", 2)), NAME)
    repo = hub.repos["datasets", NAME]
    assert "0 of " in publish("dataset", make(shards("sparse/train", 2)), NAME) and len(repo.commits) == 2
    more = {**shards("sparse/train", 2), **shards("sparse/val", 1)}
    assert "the tag v1.0.0 stays where it is" in publish("dataset", make(more), NAME)
    assert repo.tags == {"v1.0.0": 1} and set(repo.files) == {"README.md", "manifest.json", *more}
    for data in (shards("sparse/train", 2), {**more, **shards("sparse/val", 1, "other rows")}):
        said = publish("dataset", make(data), NAME, code=1)
        assert "v1.0.0 already" in said and "--tag NAME" in said and len(repo.commits) == 3
    publish("dataset", make(data), NAME, "--tag", "ours")
    changed = {path for path, file in repo.files.items() if file != repo.commits[2][1][path]}
    assert changed == {"sparse/val-00000-of-00001.parquet", "manifest.json"} and repo.tags == {"v1.0.0": 1, "ours": 3}


def test_third_party_content_stays_private_unless_acknowledged(
    hub: Hub, publish: Callable[..., str], tree: Tree, tmp_path: Path
) -> None:
    build(tmp_path / "invented", "--data-dir", "sample")
    publish("dataset", tmp_path / "invented", "org/sample")
    assert not hub.repos["datasets", "org/sample"].private
    built = tmp_path / "realtimeqa"
    build(built, "--data-dir", str(tree.root))
    assert "without a licence" in publish("dataset", built, "org/realtimeqa", code=1) and len(hub.repos) == 1
    publish("dataset", built, "org/realtimeqa", "--private")
    assert hub.repos["datasets", "org/realtimeqa"].private
    hub.repos["datasets", "org/open"] = Repo()
    assert "without a licence" in publish("dataset", built, "org/open", "--private", code=1)
    publish("dataset", built, "org/open", "--i-may-publish-third-party-content")
    assert "README.md" in hub.repos["datasets", "org/open"].files
