"""Push a built dataset folder, or the metrics as Spaces, to the Hub: only what changed, the card last, then the tag.

A token with the right to write comes from `hf auth login` or HF_TOKEN, as for all of huggingface_hub.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import json
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import click
from datasets.utils import tqdm
from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi, RepoFile
from huggingface_hub import errors as hub

from timeline_realtime_qa import METRICS, metric_path
from timeline_realtime_qa.commands import Errors
from timeline_realtime_qa.hub.folder import AROUND, CARD, MANIFEST
from timeline_realtime_qa.hub.shards import File, sha256, split_of


T = TypeVar("T")
FILES_A_COMMIT = 100
WAITS = (1, 4, 15, 60)  # seconds before a request that failed is made again
PASSING = (408, 429, 500, 502, 503, 504)  # statuses that a later request may not get
# The first is the HTTPError of httpx or httpx2, by version of huggingface_hub.
NETWORK: tuple[type[Exception], ...] = (hub.HfHubHTTPError.__mro__[1], ConnectionError, TimeoutError)
THIRD_PARTY = "realtimeqa"  # news content without a licence, but for the sample

DRY_RUN = click.option("--dry-run", is_flag=True, help="Say what would be pushed, and push nothing.")
PRIVATE = click.option("--private", is_flag=True, help="Make a new repository private.")


@click.group(cls=Errors, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 119})
def main() -> None:
    """Push to the Hub (HF_ENDPOINT, or https://huggingface.co)."""


@dataclass(frozen=True)
class There:
    """What a repository holds at a commit; nothing if there is no such repository."""

    sha: str = ""
    private: bool | None = None
    files: Mapping[str, RepoFile] = field(default_factory=dict)
    tags: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Push:
    """What a repository is to hold, and what follows for its files.

    Attributes:
        kind: dataset or space.
        files: by path in the repository.
        tag: names the result, unless the repository has it already.
        mark: by what a repository of ours is known.
        ours: what may be deleted; None if the repository is not known to be ours.
    """

    repo: str
    kind: str
    files: Mapping[str, Path]
    tag: str
    there: There
    mark: str
    ours: Collection[str] | None

    @functools.cached_property
    def added(self) -> list[str]:
        return [path for path, local in self.files.items() if not _same(local, self.there.files.get(path))]

    @functools.cached_property
    def deleted(self) -> list[str]:
        return [path for path in self.there.files if path in (self.ours or ()) and path not in self.files]


@main.command(epilog="Example: bash scripts/publish dataset timelineqa my-org/timelineqa --dry-run")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("repo")
@click.option("--tag", help="Name of what is pushed.  [default: v and the version of the dataset]")
@PRIVATE
@click.option(
    "--i-may-publish-third-party-content", "rights", is_flag=True,
    help="For RealTime QA in a public repository: its questions and articles belong to others and have no licence.",
)  # fmt: skip
@DRY_RUN
def dataset(folder: Path, repo: str, tag: str | None, private: bool, rights: bool, dry_run: bool) -> None:
    """Push FOLDER, made by `timelineqa build` or `realtimeqa build`, to the dataset repository REPO (ORG/NAME).

    What a tag names stays as it is: rows that differ need a new version of the dataset, or --tag.
    """
    if not (path := folder / MANIFEST).is_file():
        raise ValueError(f"{path} is not there: expected a folder made by `timelineqa build` or `realtimeqa build`")
    manifest, there = json.loads(path.read_bytes()), _there(repo, "dataset")
    made_of, stays_private = manifest["made_of"], private if there.private is None else there.private
    name = made_of["dataset"]
    if name == THIRD_PARTY and made_of["source"] != "sample" and not rights and not stays_private:
        raise ValueError(
            f"{folder} holds questions of others without a licence: push it to a private repository (--private makes "
            "one), or with --i-may-publish-third-party-content if you have the right to publish it"
        )
    files, ours = _finished(folder, manifest), _listed(repo, there, name)
    tag = tag or f"v{made_of['version']}"
    _push(Push(repo, "dataset", files, tag, there, f"{MANIFEST} of {name}", ours), private, dry_run)


@main.command(epilog="Example: bash scripts/publish metrics my-org --metric nota_accuracy --dry-run")
@click.argument("org")
@click.option("--metric", "names", multiple=True, type=click.Choice(sorted(METRICS)), help="Repeatable; all else.")
@PRIVATE
@DRY_RUN
def metrics(org: str, names: tuple[str, ...], private: bool, dry_run: bool) -> None:
    """Push the metrics as the Spaces ORG/NAME, each complete in itself."""
    for name in names or sorted(METRICS):
        found = sorted(path for path in Path(metric_path(name)).iterdir() if path.is_file() and path.stat().st_size)
        files = {path.name: path.resolve() for path in found}
        tag = f"v{importlib.import_module(METRICS[name]).VERSION}"
        there = _there(f"{org}/{name}", "space")
        ours = there.files if f"{name}.py" in there.files else None
        _push(Push(f"{org}/{name}", "space", files, tag, there, f"{name}.py", ours), private, dry_run)


def _shards(manifest: Any) -> list[dict[str, Any]]:
    """What a manifest says of each data file."""
    splits = (split for config in manifest["configs"].values() for split in config["splits"].values())
    return [file for split in splits for file in split["files"]]


def _finished(folder: Path, manifest: Any) -> dict[str, Path]:
    """The files of a dataset by path.

    Raises:
        ValueError: if they are not what the manifest says, as where a build was stopped.
    """
    shards = [File(**one) for one in _shards(manifest)]
    wrong = [one.path for one in tqdm(shards, unit="file", desc=f"{folder} is read") if not one.intact(folder)]
    wrong += [] if (folder / CARD).is_file() else [CARD]
    if wrong:
        raise ValueError(
            f"{folder} is not a finished build: of what belongs to it, {len(wrong)} files are not there or not of the "
            f"size and sha256 in {MANIFEST}, such as {wrong[0]}; run the build command again to its end"
        )
    files = {path: folder / path for path in (*AROUND, *(one.path for one in shards)) if (folder / path).is_file()}
    found = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    # Hidden folders hold the state of builds.
    if others := [path for path in found if path not in files and "/." not in f"/{path}"]:
        click.echo(f"{len(others)} files of {folder} are not in {MANIFEST} and left out, such as {others[0]}")
    return files


def _there(repo: str, kind: str) -> There:
    api = HfApi()
    try:
        info = _patiently(lambda: api.repo_info(repo, repo_type=kind))
    except hub.RepositoryNotFoundError:
        return There()
    entries = _patiently(lambda: [*api.list_repo_tree(repo, revision=info.sha, recursive=True, repo_type=kind)])
    tags = _patiently(lambda: api.list_repo_refs(repo, repo_type=kind)).tags
    # The Hub makes .gitattributes itself.
    files = {one.path: one for one in entries if isinstance(one, RepoFile) and not one.path.startswith(".")}
    return There(str(info.sha), bool(info.private), files, frozenset(one.name for one in tags))


def _listed(repo: str, there: There, name: str) -> set[str] | None:
    """The data files that the repository's own manifest lists; None if it has none of this dataset."""
    if MANIFEST not in there.files:
        return None
    path = _patiently(lambda: HfApi().hf_hub_download(repo, MANIFEST, repo_type="dataset", revision=there.sha))
    try:
        manifest = json.loads(Path(str(path)).read_bytes())
        return {one["path"] for one in _shards(manifest)} if manifest["made_of"]["dataset"] == name else None
    except (ValueError, LookupError, TypeError, AttributeError):  # something else of that name
        return None


def _same(local: Path, there: RepoFile | None) -> bool:
    if there is None or local.stat().st_size != there.size:
        return False
    if there.lfs:  # large files are named by SHA-256, others as git names them
        return bool(there.lfs.sha256 == sha256(local))
    data = local.read_bytes()
    return bool(there.blob_id == hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest())


def _push(push: Push, private: bool, dry_run: bool) -> None:
    _check(push)
    add, delete, repo, kind = push.added, push.deleted, push.repo, push.kind
    size = sum(push.files[path].stat().st_size for path in add)
    click.echo(f"{repo}: {len(add)} of {len(push.files)} files to push ({size:,} bytes), {len(delete)} to delete")
    if (add or delete) and push.tag in push.there.tags:
        click.echo(f"  the tag {push.tag} stays where it is, without this")
    if dry_run:
        click.echo("".join([*(f"  + {path}\n" for path in add), *(f"  - {path}\n" for path in delete)]), nl=False)
        return
    api, sdk = HfApi(), "gradio" if kind == "space" else None
    _patiently(lambda: api.create_repo(repo, repo_type=kind, private=private, exist_ok=True, space_sdk=sdk))
    _commit(api, push)
    if push.tag not in push.there.tags:
        _patiently(lambda: api.create_tag(repo, tag=push.tag, repo_type=kind, exist_ok=True))


def _check(push: Push) -> None:
    """Check that a push takes nothing from others, mixes no two builds and changes nothing that a tag names.

    Raises:
        ValueError: if it would.
    """
    repo, there = push.repo, push.there
    changed = [path for path in push.added if path in there.files]
    kept = sorted(there.files.keys() - push.files.keys() - {*push.deleted})
    if push.ours is None and (foreign := [path for path in (*kept, *changed) if path != CARD]):
        raise ValueError(
            f"{repo} holds {foreign[0]}, which is not in this push, and no {push.mark}: push to another repository, "
            "or delete that file first"
        )
    splits = {_split(path) for path in push.files} - {""}
    if mixed := [path for path in kept if _split(path) in splits]:
        raise ValueError(
            f"{repo} holds {mixed[0]}, which its {MANIFEST} does not list and which would be read with the new files: "
            f"delete it there first (hf repos delete-files {repo} {mixed[0]} --type dataset)"
        )
    if push.tag in there.tags and (lost := [path for path in (*changed, *push.deleted) if _split(path)]):
        raise ValueError(
            f"{repo} has the tag {push.tag} already, and {lost[0]} differs: other rows need a new version of the "
            "dataset, or a name of your own (--tag NAME)"
        )


def _split(path: str) -> str:
    """CONFIG/SPLIT of a data file; nothing for other files."""
    return split_of(path) if path.endswith(".parquet") else ""


def _commit(api: HfApi, push: Push) -> None:
    """Commits of some files each, so that little is lost where one fails."""
    parts = _parts([*push.added, *push.deleted])
    for number, part in enumerate(tqdm(parts, unit="commit", desc=push.repo), start=1):
        made: list[Any] = [CommitOperationAdd(path, push.files[path]) for path in part if path in push.files]
        made += [CommitOperationDelete(path) for path in part if path not in push.files]
        said = f"Upload {len(part)} files" + (f" ({number} of {len(parts)})" if len(parts) > 1 else "")
        _patiently(lambda: api.create_commit(push.repo, made, commit_message=said, repo_type=push.kind))  # noqa: B023


def _parts(paths: Collection[str]) -> list[list[str]]:
    """Some files for each commit: those of a split in one, so that it is never half changed; the card in the last."""
    groups: dict[str, list[str]] = {}
    for path in paths:
        groups.setdefault(_split(path), []).append(path)
    groups[""] = groups.pop("", [])
    parts: list[list[str]] = [[]]
    for group in groups.values():
        if len(parts[-1]) + len(group) > FILES_A_COMMIT:
            parts.append([])
        parts[-1] += group
    return [part for part in parts if part]


def _patiently(call: Callable[[], T]) -> T:
    """Call again after an error of the server or the network, after each of the waits.

    Raises:
        RuntimeError: if there is such an error still.
    """
    for wait in (*WAITS, 0):
        try:
            return call()
        except Exception as error:
            if not _passing(error):
                raise
            said = f"{type(error).__name__}: {error}"
        if wait:
            click.echo(f"  {said}: trying again in {wait} s", err=True)
            time.sleep(wait)
    raise RuntimeError(
        f"the Hub failed {len(WAITS) + 1} times or could not be reached, at last with {said}: what has been pushed "
        "stays; run the same command again later to go on"
    )


def _passing(error: BaseException) -> bool:
    """Whether an error is one of the server or the network, which a later request may not meet."""
    if isinstance(error, (RuntimeError, hub.LocalEntryNotFoundError)):  # in place of another, or of hf_xet
        return error.__cause__ is None or _passing(error.__cause__)
    if (response := getattr(error, "response", None)) is not None:
        return response.status_code in PASSING
    return isinstance(error, NETWORK) and not isinstance(error, hub.OfflineModeIsEnabled)


if __name__ == "__main__":
    main()
