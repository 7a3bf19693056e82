"""Push a built dataset folder, or the metrics as Spaces, to the Hub: only what changed, the card last, then the tag.

A token with the right to write comes from `hf auth login` or HF_TOKEN, as for all of huggingface_hub.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click
from datasets.utils import tqdm
from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi
from huggingface_hub.errors import HfHubHTTPError, RepositoryNotFoundError

from timeline_realtime_qa import METRICS, metric_path
from timeline_realtime_qa.commands import Errors


T = TypeVar("T")
FILES_A_COMMIT = 100
WAITS = (1, 4, 15, 60)  # seconds before an upload that failed is tried again
SERVER_ERRORS = (500, 502, 503, 504, 429)
CARD = "README.md"  # comes last: it names the files
THIRD_PARTY = "realtimeqa"  # news content without a licence

DRY_RUN = click.option("--dry-run", is_flag=True, help="Say what would be pushed, and push nothing.")
PRIVATE = click.option("--private", is_flag=True, help="Make a new repository private.")


@click.group(cls=Errors, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 119})
def main() -> None:
    """Push to the Hub (HF_ENDPOINT, or https://huggingface.co)."""


@dataclass(frozen=True)
class Change:
    """What a push does to a repository.

    Attributes:
        add, delete: paths in the repository.
    """

    add: tuple[str, ...]
    delete: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.add or self.delete)

    def of_data(self) -> list[str]:
        return [path for path in (*self.add, *self.delete) if path.endswith(".parquet")]


@main.command(epilog="Example: bash scripts/publish dataset timelineqa my-org/timelineqa --dry-run")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("repo")
@PRIVATE
@click.option(
    "--i-may-publish-third-party-content",
    "rights",
    is_flag=True,
    help="For RealTime QA in a public repository: its questions and articles belong to others and have no licence.",
)
@DRY_RUN
def dataset(folder: Path, repo: str, private: bool, rights: bool, dry_run: bool) -> None:
    """Push FOLDER, made by `timelineqa build` or `realtimeqa build`, to the dataset repository REPO (ORG/NAME).

    What a version's tag names stays as it is: rows that differ need a new version of the dataset.
    """
    made_of = _made_of(folder)
    if made_of["dataset"] == THIRD_PARTY and not rights and not _stays_private(repo, private):
        raise ValueError(
            f"{folder} holds questions of others without a licence: push it to a private repository (--private makes "
            "one), or with --i-may-publish-third-party-content if you have the right to publish it"
        )
    files = {path.relative_to(folder).as_posix(): path for path in _visible_files(folder)}
    _push(repo, "dataset", files, f"v{made_of['version']}", private, dry_run)


@main.command(epilog="Example: bash scripts/publish metrics my-org --metric nota_accuracy --dry-run")
@click.argument("org")
@click.option(
    "--metric", "names", multiple=True, type=click.Choice(sorted(METRICS)), help="Can be repeated; all else."
)
@PRIVATE
@DRY_RUN
def metrics(org: str, names: tuple[str, ...], private: bool, dry_run: bool) -> None:
    """Push the metrics as the Spaces ORG/NAME, each complete in itself."""
    for name in names or sorted(METRICS):
        folder = Path(metric_path(name))
        files = {
            path.name: path.resolve() for path in sorted(folder.iterdir()) if path.is_file() and path.stat().st_size
        }
        version = importlib.import_module(METRICS[name]).VERSION
        _push(f"{org}/{name}", "space", files, f"v{version}", private, dry_run)


def _made_of(folder: Path) -> Mapping[str, Any]:
    path = folder / "manifest.json"
    if not path.is_file():
        raise ValueError(f"{path} is not there: expected a folder made by `timelineqa build` or `realtimeqa build`")
    made_of: Mapping[str, Any] = json.loads(path.read_bytes())["made_of"]
    return made_of


def _visible_files(folder: Path) -> list[Path]:
    """All files but those below hidden folders, which hold the state of builds."""
    return [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]


def _stays_private(repo: str, private: bool) -> bool:
    """Whether the repository is private, or will be once it is made."""
    try:
        return bool(HfApi().repo_info(repo, repo_type="dataset").private)
    except RepositoryNotFoundError:
        return private


def _push(repo: str, kind: str, files: Mapping[str, Path], tag: str, private: bool, dry_run: bool) -> None:
    change, tags = _change(repo, kind, files)
    if tag in tags and change.of_data():
        raise ValueError(
            f"{repo} has the tag {tag} already, and {change.of_data()[0]} differs: other rows need a new version of "
            "the dataset"
        )
    size = sum(files[path].stat().st_size for path in change.add)
    click.echo(
        f"{repo}: {len(change.add)} of {len(files)} files to push ({size:,} bytes), {len(change.delete)} to delete"
    )
    if dry_run:
        for sign, paths in (("+", change.add), ("-", change.delete)):
            for path in paths:
                click.echo(f"  {sign} {path}")
        return
    api = HfApi()
    api.create_repo(
        repo, repo_type=kind, private=private, exist_ok=True, space_sdk="gradio" if kind == "space" else None
    )
    _commit(api, repo, kind, files, change)
    if tag not in tags:
        _patiently(lambda: api.create_tag(repo, tag=tag, repo_type=kind))


def _change(repo: str, kind: str, files: Mapping[str, Path]) -> tuple[Change, set[str]]:
    """What differs between the files here and those of the repository, and the tags of the latter."""
    api = HfApi()
    try:
        there = {entry.path: entry for entry in api.list_repo_tree(repo, recursive=True, repo_type=kind)}
        tags = {one.name for one in api.list_repo_refs(repo, repo_type=kind).tags}
    except RepositoryNotFoundError:
        return Change(tuple(files), ()), set()
    known = {path: entry for path, entry in there.items() if hasattr(entry, "blob_id")}
    add = [path for path, local in files.items() if path not in known or not _same(local, known[path])]
    # The Hub makes .gitattributes itself.
    delete = [path for path in known if path not in files and not path.startswith(".")]
    return Change(tuple(add), tuple(delete)), tags


def _same(local: Path, there: Any) -> bool:
    size = local.stat().st_size
    if size != there.size:
        return False
    # Large files are named by SHA-256, others as git names them.
    digest, wanted = (hashlib.sha256(), there.lfs.sha256) if there.lfs else (hashlib.sha1(), there.blob_id)
    if not there.lfs:
        digest.update(b"blob %d\0" % size)
    with local.open("rb") as file:
        while part := file.read(1 << 20):
            digest.update(part)
    return bool(digest.hexdigest() == wanted)


def _commit(api: HfApi, repo: str, kind: str, files: Mapping[str, Path], change: Change) -> None:
    """Commits of some files each, so that little is lost where one fails; the card and deletions come last."""
    ordered = sorted(change.add, key=lambda path: path == CARD)
    parts = [ordered[first : first + FILES_A_COMMIT] for first in range(0, len(ordered), FILES_A_COMMIT)]
    if change.delete and not parts:
        parts = [[]]
    for number, part in enumerate(tqdm(parts, unit="commit", desc=repo), start=1):
        operations: list[Any] = [CommitOperationAdd(path, files[path]) for path in part]
        if number == len(parts):
            operations += [CommitOperationDelete(path) for path in change.delete]
        message = f"Upload {len(operations)} files" + (f" ({number} of {len(parts)})" if len(parts) > 1 else "")
        _patiently(lambda: api.create_commit(repo, operations, commit_message=message, repo_type=kind))  # noqa: B023


def _patiently(call: Callable[[], T], waits: Sequence[float] = WAITS) -> T:
    """Call again after an error of the server or the network, up to as many times as there are waits."""
    for wait in waits:
        try:
            return call()
        except (HfHubHTTPError, OSError) as error:
            status = getattr(getattr(error, "response", None), "status_code", None)
            if status is not None and status not in SERVER_ERRORS:
                raise
            click.echo(f"  {error}: trying again in {wait} s", err=True)
            time.sleep(wait)
    return call()


if __name__ == "__main__":
    main()
