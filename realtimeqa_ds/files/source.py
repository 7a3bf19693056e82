"""Where the files come from: a local folder, the embedded sample, or the public repository at a pinned commit.

A source knows which files there are and gives the bytes of one, compared with the manifest unless `verify` is off.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import datasets
import requests
from urllib3.util import Retry

from timeline_realtime_qa.display.progress import progress
from timeline_realtime_qa.strict import Unreadable, read_regular

from ..parsing.errors import DataError, DownloadError
from ..spec import DATA
from . import manifest
from .download import RETRY, fetch
from .layout import FOLDERS


logger = logging.getLogger(__name__)
REPOSITORY = "https://raw.githubusercontent.com/realtimeqa/realtimeqa_public"
COMMIT = "bc15fba7f45535fbdb2674d03de7b65a2a9e065f"
SAMPLE = DATA / "sample"
CONNECTIONS = 8


@dataclass(frozen=True)
class LocalSource:
    """A clone, an unpacked archive or the sample: a folder that holds past/, backnumber/ and so on.

    Files that the manifest knows are compared with it (all others, such as later weeks, are read as they are).
    """

    root: Path
    manifest_path: Path = manifest.PINNED
    verify: bool = True

    def state(self, folders: Sequence[str]) -> str:
        """A hash over names, sizes and times of all files below `folders`, which tells when one has changed."""
        digest = hashlib.sha256()
        for path in sorted(self.paths(folders)):
            digest.update(os.fsencode(f"{path}\0"))
            with contextlib.suppress(OSError):  # which reading it will tell
                stat = os.stat(f"{self.root}/{path}")
                digest.update(f"{stat.st_size}\0{stat.st_mtime_ns}\0{stat.st_ctime_ns}\0".encode())
        return digest.hexdigest()

    def paths(self, folders: Sequence[str] = FOLDERS) -> list[str]:
        """All files below `folders`, relative to the root; links to folders are followed.

        Raises:
            FileNotFoundError: if none of the known folders is there.
            DataError: for a folder that cannot be read, so that no week is lacking for it.
        """
        try:
            there, found = set(os.listdir(self.root)), "none of them"
        except OSError as error:
            there, found = set(), "no folder" if isinstance(error, FileNotFoundError) else str(error.strerror)
        tops = [name for name in FOLDERS if name in there]
        if not tops:
            raise FileNotFoundError(
                f"expected a folder with {', '.join(f'{n}/' for n in FOLDERS)} (any of them) at {self.root}, found "
                f'{found}; data_dir= takes the root of a clone of the public repository, or "sample"'
            )
        return [path for top in tops if top in folders for path in self._below(top, ())]

    def _below(self, folder: str, around: tuple[str, ...]) -> Iterator[str]:
        """All files below one folder, which lies in the folders `around`."""
        real = os.path.realpath(self.root / folder)
        if real in around:
            raise DataError(folder, "expected files or folders, found a link to a folder that it lies in; remove it")
        try:
            with os.scandir(self.root / folder) as entries:
                # A folder with the name of a file is one that cannot be read.
                inside = [(f"{folder}/{e.name}", e.is_dir() and not e.name.endswith(".jsonl")) for e in entries]
        except OSError as error:
            message = f"expected a folder that can be read, found {error.strerror}; make it readable or remove it"
            raise DataError(folder, message) from error
        for path, is_folder in inside:
            yield from self._below(path, (*around, real)) if is_folder else (path,)

    def knows(self, path: str) -> bool:
        """Whether the bytes that `read` gives are those of the pinned commit, which are well-formed."""
        return self.verify and self.manifest_path == manifest.PINNED and path in manifest.read()

    def read(self, path: str) -> bytes:
        """The bytes of one file.

        Raises:
            DataError: if it is no regular file that can be read, or the manifest knows it and it differs.
        """
        entry = manifest.read(self.manifest_path).get(path) if self.verify else None
        try:
            data = read_regular(self.root / path, entry.size if entry else None)
        except Unreadable as error:
            raise DataError(path, f"{error}; {manifest.REMEDY if entry else 'restore or remove it'}") from error
        if entry:
            entry.check(path, data)
        return data

    def prefetch(self, paths: Iterable[str], quiet: bool = False, anew: bool = False) -> None:
        """Nothing to do: the files are here."""


@dataclass(frozen=True)
class RemoteSource:
    """The files of a manifest at `base_url`/`commit`/PATH over HTTP(S), kept in `cache_dir`."""

    cache_dir: Path
    base_url: str = REPOSITORY
    commit: str = COMMIT
    manifest_path: Path = manifest.PINNED
    retry: Retry = RETRY
    proxies: Mapping[str, str] | None = None

    def paths(self, folders: Sequence[str] = FOLDERS) -> list[str]:
        """All files of the manifest that lie below `folders`."""
        return [path for path in manifest.read(self.manifest_path) if path.partition("/")[0] in folders]

    def knows(self, path: str) -> bool:
        """Whether the bytes that `read` gives are those of the pinned commit, which are well-formed."""
        return self.manifest_path == manifest.PINNED

    def read(self, path: str) -> bytes:
        """The bytes of one file, from the cache or fetched now; a cached file that was damaged is fetched anew.

        Raises:
            DownloadError: if it cannot be had.
        """
        target = self._target(path)
        if os.path.lexists(target):
            try:
                return self._cached(path)
            except DataError as error:
                logger.warning("the cached copy %s is damaged and will be fetched again: %s", target, error.message)
                with contextlib.suppress(OSError):  # where it is a folder, fetching tells
                    target.unlink(missing_ok=True)
        self.prefetch([path], quiet=True)
        return self._cached(path)

    def _cached(self, path: str) -> bytes:
        target, entry = self._target(path), self._entry(path)
        try:
            data = read_regular(target, entry.size)
        except Unreadable as error:
            raise DataError(target, f"{error}; remove it, so that it is fetched again") from error
        entry.check(path, data)
        return data

    def _entry(self, path: str) -> manifest.Entry:
        try:
            return manifest.read(self.manifest_path)[path]
        except KeyError:
            message = f"expected a line for {path}, found none: do not change a manifest while it is in use"
            raise DataError(self.manifest_path, message) from None

    def prefetch(self, paths: Iterable[str], quiet: bool = False, anew: bool = False) -> None:
        """Fetch all `paths` that are not in the cache, several at a time, with a progress bar unless `quiet`.

        `anew` fetches those in the cache, too, except in offline mode.

        Raises:
            DownloadError: if one cannot be had; files that were finished before stay in the cache.
        """
        offline = datasets.config.HF_HUB_OFFLINE
        wanted = {path: self._target(path) for path in paths}
        wanted = {path: target for path, target in wanted.items() if (anew and not offline) or not target.exists()}
        if not wanted:
            return
        if offline:
            path, target = next(iter(wanted.items()))
            raise DownloadError(
                f"{path} is not in the cache ({target}) and offline mode is on: unset HF_HUB_OFFLINE and "
                "HF_DATASETS_OFFLINE to fetch it, or pass data_dir="
            )
        entries = {path: self._entry(path) for path in wanted}
        base = f"{self.base_url.rstrip('/')}/{self.commit}"
        title = f"Downloading {sum(entry.size for entry in entries.values()) / 1e6:,.1f} MB"
        bars = progress(len(wanted), "files", title, quiet=quiet)
        with bars as bar, requests.Session() as session, ThreadPoolExecutor(CONNECTIONS) as pool:
            session.proxies.update(self.proxies or {})
            jobs = [
                pool.submit(fetch, f"{base}/{quote(path)}", target, entries[path], self.retry, session, anew)
                for path, target in wanted.items()
            ]
            try:
                for job in as_completed(jobs):
                    job.result()
                    bar.update()
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise

    def _target(self, path: str) -> Path:
        return self.cache_dir / self.commit / path


Source = LocalSource | RemoteSource
