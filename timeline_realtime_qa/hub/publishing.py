"""Bringing a repository of the Hub to what it is to hold: only what differs, the card last, then the tag.

A commit names the one that it follows: where another came in between, the Hub refuses it and all is planned anew.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import logging
import os
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ParamSpec, TypeVar

from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi, RepoFile
from huggingface_hub import errors as hub

from ..display.progress import progress
from . import disk
from .folder import AROUND, CARD, MANIFEST, read_manifest
from .shards import File, split_of


T = TypeVar("T")
P = ParamSpec("P")
logger = logging.getLogger(__name__)
FILES_A_COMMIT = 100
BYTES_AT_ONCE = 1 << 28  # of files that are sent together, and held in memory meanwhile
WAITS = (1, 4, 15, 60)  # seconds before a request that failed is made again
PASSING = (408, 429, 500, 502, 503, 504)  # statuses that a later request may not get
OVERTAKEN = (409, 412)  # statuses of a commit that does not follow the last one
# The first is the HTTPError of httpx or httpx2, by version of huggingface_hub.
NETWORK: tuple[type[Exception], ...] = (hub.HfHubHTTPError.__mro__[1], ConnectionError, TimeoutError)
# What huggingface_hub ends with when it is answered something else, such as the page of a proxy, with status 200.
UNREAD = (ValueError, LookupError, TypeError, AttributeError)


@dataclass(frozen=True)
class Remote:
    """What a repository holds at a commit; nothing if there is no such repository."""

    sha: str = ""
    private: bool | None = None
    files: Mapping[str, RepoFile] = field(default_factory=dict)
    tags: frozenset[str] = frozenset()

    @classmethod
    def ask(cls, repo: str, kind: str) -> Remote:
        """What there is now."""
        api = HfApi()
        try:
            info = patiently(api.repo_info, repo, repo_type=kind)
        except hub.RepositoryNotFoundError:
            return cls()
        entries = patiently(lambda: [*api.list_repo_tree(repo, revision=info.sha, recursive=True, repo_type=kind)])
        tags = patiently(api.list_repo_refs, repo, repo_type=kind).tags
        # The Hub makes .gitattributes itself.
        files = {one.path: one for one in entries if isinstance(one, RepoFile) and not one.path.startswith(".")}
        return cls(str(info.sha), bool(info.private), files, frozenset(tag.name for tag in tags))


@dataclass(frozen=True)
class Local:
    """A regular file of a folder as it was when it was checked."""

    folder: Path
    path: str
    size: int
    sha256: str

    @classmethod
    def check(cls, folder: Path, path: str) -> Local:
        """What lies there now.

        Raises:
            ValueError: if it is no file of the folder itself.
        """
        with disk.opened(folder, path) as file:
            return cls(folder, path, os.fstat(file.fileno()).st_size, disk.sha256(file))

    def read(self) -> bytes:
        """The bytes that were checked, to be sent instead of a path, which may lead elsewhere a moment later.

        Raises:
            ValueError: if there are others now.
        """
        with contextlib.suppress(FileNotFoundError):
            data = disk.read(self.folder, self.path)
            if hashlib.sha256(data).hexdigest() == self.sha256:
                return data
        raise ValueError(
            f"{self.folder / self.path} has changed since it was checked: run the same command again when nothing "
            "writes into the folder any more"
        )


@dataclass(frozen=True)
class Push:
    """What a repository is to hold.

    Attributes:
        kind: dataset or space.
        files: by path in the repository.
        tag: names the result, unless the repository has it already.
        mark: by what a repository of ours is known.
        ours: what of a repository may be deleted; None if it is not known to be ours.
    """

    repo: str
    kind: str
    files: Mapping[str, Local]
    tag: str
    mark: str
    ours: Callable[[Remote], Collection[str] | None]

    def plan(self, remote: Remote) -> tuple[list[str], list[str]]:
        """The paths to add and those to delete.

        Raises:
            ValueError: if it would take from others, mix two builds or change what a tag names.
        """
        ours = self.ours(remote)
        added = [path for path, local in self.files.items() if not _same(local, remote.files.get(path))]
        deleted = [path for path in remote.files if path in (ours or ()) and path not in self.files]
        changed = [path for path in added if path in remote.files]
        kept = sorted(remote.files.keys() - self.files.keys() - {*deleted})
        if ours is None and (foreign := [path for path in (*kept, *changed) if path != CARD]):
            raise ValueError(
                f"{self.repo} holds {foreign[0]}, which is not in this push, and no {self.mark}: push to another "
                "repository, or delete that file first"
            )
        splits = {_split(path) for path in self.files} - {""}
        if mixed := [path for path in kept if _split(path) in splits]:
            raise ValueError(
                f"{self.repo} holds {mixed[0]}, which its {MANIFEST} does not list and which would be read with the "
                f"new files: delete it there first (hf repos delete-files {self.repo} {mixed[0]} --type dataset)"
            )
        if self.tag in remote.tags and (lost := [path for path in (*changed, *deleted) if _split(path)]):
            raise ValueError(
                f"{self.repo} has the tag {self.tag} already, and {lost[0]} differs: other rows need a new version of "
                "the dataset, or a name of your own (--tag NAME)"
            )
        return added, deleted

    def make(self, remote: Remote, paths: Sequence[str], private: bool) -> None:
        """Make the repository if there is none, the commits and the tag.

        Args:
            remote, paths: what was there, and what is to be added and deleted.
        """
        api, repo, kind = HfApi(), self.repo, self.kind
        sdk = "gradio" if kind == "space" else None
        patiently(api.create_repo, repo, repo_type=kind, private=private, exist_ok=True, space_sdk=sdk)
        for wait in WAITS:
            if self._commit(api, remote, paths):
                break
            time.sleep(wait)
            remote = Remote.ask(repo, kind)
            paths = [path for part in self.plan(remote) for path in part]
        else:
            raise RuntimeError(f"others change {repo} all the while: run the same command again later to go on")
        if self.tag not in remote.tags:
            patiently(api.create_tag, repo, tag=self.tag, repo_type=kind, exist_ok=True)

    def _commit(self, api: HfApi, remote: Remote, paths: Sequence[str]) -> bool:
        """Commits of some files each, so that little is lost where one fails; False if another came in between."""
        parts, parent = _parts(paths), remote.sha or None
        for number, part in enumerate(progress(parts, "commits", self.repo), start=1):
            made: list[CommitOperationAdd | CommitOperationDelete] = []
            made += self._sent_ahead(api, [path for path in part if path in self.files])
            made += [CommitOperationDelete(path) for path in part if path not in self.files]
            message = f"Upload {len(part)} files" + (f" ({number} of {len(parts)})" if len(parts) > 1 else "")
            call = functools.partial(api.create_commit, commit_message=message, parent_commit=parent)
            try:
                parent = patiently(call, self.repo, made, repo_type=self.kind).oid
            except hub.HfHubHTTPError as error:
                if error.response.status_code not in OVERTAKEN:
                    raise
                logger.warning("%s has changed meanwhile: what is to be pushed is planned anew", self.repo)
                return False
        return True

    def _sent_ahead(self, api: HfApi, paths: Sequence[str]) -> list[CommitOperationAdd]:
        """What adds files in a commit, after the large ones have been sent."""
        sent: list[CommitOperationAdd] = []
        waiting: list[CommitOperationAdd] = []
        for path in paths:
            waiting.append(CommitOperationAdd(path, self.files[path].read()))
            if path == paths[-1] or sum(self.files[one.path_in_repo].size for one in waiting) >= BYTES_AT_ONCE:
                patiently(api.preupload_lfs_files, self.repo, waiting, repo_type=self.kind)
                sent, waiting = sent + waiting, []
        return sent


def finished(folder: Path, shards: Sequence[File]) -> dict[str, Local]:
    """The files of a dataset by path.

    Raises:
        ValueError: if they are not what the manifest says, as where a build was stopped, or no files of the folder.
    """
    files: dict[str, Local] = {}
    paths = [*AROUND, *(shard.path for shard in shards)]
    for path in progress(paths, "files", f"{folder} is read"):
        with contextlib.suppress(FileNotFoundError):
            files[path] = Local.check(folder, path)
    read = {path: (file.size, file.sha256) for path, file in files.items()}
    wrong = [shard.path for shard in shards if read.get(shard.path) != (shard.bytes, shard.sha256)]
    if wrong := wrong + [CARD] * (CARD not in files):
        raise ValueError(
            f"{folder} is not a finished build: of what belongs to it, {len(wrong)} files are not there or not of the "
            f"size and sha256 in {MANIFEST}, such as {wrong[0]}; run the build command again to its end"
        )
    return files


def listed(repo: str, dataset: str, remote: Remote) -> set[str] | None:
    """The data files that the repository's own manifest lists; None if it has none of this dataset."""
    if MANIFEST not in remote.files:
        return None
    path = patiently(HfApi().hf_hub_download, repo, MANIFEST, repo_type="dataset", revision=remote.sha)
    try:
        made_of, shards = read_manifest(Path(path).resolve())  # in its cache it is a link
    except ValueError:  # something else of that name
        return None
    return {shard.path for shard in shards} if made_of["dataset"] == dataset else None


def _same(local: Local, there: RepoFile | None) -> bool:
    if there is None or local.size != there.size:
        return False
    if there.lfs:  # large files are named by SHA-256, others as git names them
        return bool(there.lfs.sha256 == local.sha256)
    data = local.read()
    return bool(there.blob_id == hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest())


def _split(path: str) -> str:
    """CONFIG/SPLIT of a data file; nothing for other files."""
    return split_of(path) if path.endswith(".parquet") else ""


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


def patiently(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call again after an error of the server or the network, after each of the waits.

    Raises:
        RuntimeError: if there is such an error still.
    """
    for wait in (*WAITS, 0):
        try:
            return call(*args, **kwargs)
        except Exception as error:
            if not _passing(error):
                if isinstance(error, hub.HfHubHTTPError) and (asked := error.response.request):
                    error.append_to_message(f" ({asked.method} {asked.url})")
                raise
            said = f"{type(error).__name__}: {error}"
        if wait:
            logger.warning("%s: trying again in %d s", said, wait)
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
    wrong_call = (hub.OfflineModeIsEnabled, hub.HFValidationError)
    return isinstance(error, (*NETWORK, *UNREAD)) and not isinstance(error, wrong_call)
