"""Where the files come from: a local folder, the embedded sample, or the public repository at a pinned commit.

A source knows which files there are and gives the bytes of one, compared with the manifest unless `verify` is off.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

import datasets
import requests
from datasets.utils import tqdm
from urllib3.util import Retry

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
            stat = os.stat(f"{self.root}/{path}")
            digest.update(f"{path}\0{stat.st_size}\0{stat.st_mtime_ns}\0".encode())
        return digest.hexdigest()

    def paths(self, folders: Sequence[str] = FOLDERS) -> list[str]:
        """All files below `folders`, relative to the root.

        Raises:
            FileNotFoundError: if none of the known folders is there.
        """
        tops = [self.root / name for name in FOLDERS if (self.root / name).is_dir()]
        if not tops:
            raise FileNotFoundError(
                f"expected a folder with {', '.join(f'{n}/' for n in FOLDERS)} (any of them) at {self.root}, found "
                f"{'none of them' if self.root.is_dir() else 'no folder'}; data_dir= takes the root of a clone of the "
                'public repository, or "sample"'
            )
        paths = []
        for top in (top for top in tops if top.name in folders):
            for folder, _, names in os.walk(top):
                below = Path(folder).relative_to(self.root).as_posix()
                paths += [f"{below}/{name}" for name in names]
        return paths

    def knows(self, path: str) -> bool:
        """Whether the bytes that `read` gives are those of the pinned commit, which are well-formed."""
        return self.verify and self.manifest_path == manifest.PINNED and path in manifest.read()

    def read(self, path: str) -> bytes:
        """The bytes of one file.

        Raises:
            DataError: if the manifest knows the file and it differs.
        """
        data = (self.root / path).read_bytes()
        if self.verify and (entry := manifest.read(self.manifest_path).get(path)):
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
        if target.exists():
            data = target.read_bytes()
            try:
                manifest.read(self.manifest_path)[path].check(path, data)
                return data
            except DataError as error:
                logger.warning("the cached copy %s is damaged and will be fetched again: %s", target, error.message)
                target.unlink(missing_ok=True)
        self.prefetch([path], quiet=True)
        return target.read_bytes()

    def prefetch(self, paths: Iterable[str], quiet: bool = False, anew: bool = False) -> None:
        """Fetch all `paths` that are not in the cache, several at a time, with a progress bar in bytes unless `quiet`.

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
        entries = manifest.read(self.manifest_path)
        base = f"{self.base_url.rstrip('/')}/{self.commit}"
        total, title = sum(entries[path].size for path in wanted), f"Downloading {len(wanted)} files"
        progress = tqdm(total=total, unit="B", unit_scale=True, desc=title, disable=quiet)
        with progress as bar, requests.Session() as session, ThreadPoolExecutor(CONNECTIONS) as pool:
            session.proxies.update(self.proxies or {})
            jobs = {
                pool.submit(fetch, f"{base}/{path}", target, entries[path], self.retry, session, anew): path
                for path, target in wanted.items()
            }
            try:
                for job in as_completed(jobs):
                    job.result()
                    bar.update(entries[jobs[job]].size)
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise

    def _target(self, path: str) -> Path:
        return self.cache_dir / self.commit / path


Source = LocalSource | RemoteSource
