"""Where the files come from: a local folder, the embedded sample, or the public repository at a pinned commit.

A source knows which files there are and gives the bytes of one, compared with the manifest unless `verify` is off.
"""

from __future__ import annotations

import hashlib
import io
import logging
import os
import threading
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import datasets
import requests
from datasets.utils import tqdm

from ..parsing.errors import DataError, DownloadError
from ..spec import DATA
from . import manifest
from .download import Patience, fetch
from .layout import FOLDERS


logger = logging.getLogger(__name__)
REPOSITORY = "https://raw.githubusercontent.com/realtimeqa/realtimeqa_public"
COMMIT = "bc15fba7f45535fbdb2674d03de7b65a2a9e065f"
SAMPLE = DATA / "sample"
CONNECTIONS = 8
_per_thread = threading.local()


# Files that this process has hashed, by what they must be and what they were: every config and every pass reads the
# same files again. A file that was written a moment ago could change once more without a change of its times, so only
# older ones are remembered (as git does with its index).
_checked: set[tuple[manifest.Entry, tuple[int, ...]]] = set()
SETTLED = 2.0  # seconds


def _identity(file: io.FileIO) -> tuple[int, ...]:
    """Which file it is, its size and the times of its last change, the latest of them last."""
    stat = os.fstat(file.fileno())
    return (
        stat.st_dev,
        stat.st_ino,
        stat.st_size,
        stat.st_mtime_ns,
        stat.st_ctime_ns,
        max(stat.st_mtime_ns, stat.st_ctime_ns),
    )


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
        found = [self.root / name for name in FOLDERS if (self.root / name).is_dir()]
        if not found:
            raise FileNotFoundError(
                f"expected a folder with {', '.join(f'{n}/' for n in FOLDERS)} (any of them) at {self.root}, found "
                f"{'none of them' if self.root.is_dir() else 'no folder'}; data_dir= takes the root of a clone of the "
                'public repository, or "sample"'
            )
        paths = []
        for top in (top for top in found if top.name in folders):
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
        entry = manifest.read(self.manifest_path).get(path) if self.verify else None
        with open(f"{self.root}/{path}", "rb", buffering=0) as file:
            before = _identity(file)
            data = file.readall()
            unchanged = before == _identity(file)
        if entry and not (unchanged and (entry, before) in _checked):
            entry.check(path, data)
            if unchanged and time.time() - before[-1] / 1e9 > SETTLED:
                _checked.add((entry, before))
        return data

    def is_here(self, path: str) -> bool:
        """Whether the file is on this disk."""
        return True

    def prefetch(self, paths: Iterable[str], quiet: bool = False) -> None:
        """Nothing to do: the files are here."""


@dataclass(frozen=True)
class RemoteSource:
    """The files of a manifest at `base_url`/`commit`/PATH over HTTP(S), kept in `cache_dir`."""

    cache_dir: Path
    base_url: str = REPOSITORY
    commit: str = COMMIT
    manifest_path: Path = manifest.PINNED
    patience: Patience = field(default_factory=Patience)

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
        entry = manifest.read(self.manifest_path)[path]
        target = self._target(path)
        if target.exists():
            data = target.read_bytes()
            try:
                entry.check(path, data)
                return data
            except DataError as error:
                logger.warning("the cached copy %s is damaged and will be fetched again: %s", target, error.message)
                target.unlink()
        self._fetch(path)
        return target.read_bytes()

    def is_here(self, path: str) -> bool:
        """Whether the file is on this disk."""
        return self._target(path).exists()

    def prefetch(self, paths: Iterable[str], quiet: bool = False) -> None:
        """Fetch all `paths` that are not in the cache, several at a time, with a progress bar in bytes unless `quiet`.

        Raises:
            DownloadError: if one cannot be had; files that were finished before stay in the cache.
        """
        lacking = [path for path in paths if not self.is_here(path)]
        if not lacking:
            return
        total = sum(manifest.read(self.manifest_path)[path].size for path in lacking)
        title = f"Downloading {len(lacking)} files"
        progress = tqdm(total=total, unit="B", unit_scale=True, desc=title, disable=quiet)
        with progress as bar, ThreadPoolExecutor(CONNECTIONS) as pool:
            jobs = [pool.submit(self._fetch, path, bar) for path in lacking]
            try:
                for job in jobs:
                    job.result()
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise

    def _target(self, path: str) -> Path:
        return self.cache_dir / self.commit / path

    def _fetch(self, path: str, bar: tqdm | None = None) -> None:
        if datasets.config.HF_HUB_OFFLINE:
            raise DownloadError(
                f"{path} is not in the cache ({self._target(path)}) and offline mode is on: unset HF_HUB_OFFLINE and "
                "HF_DATASETS_OFFLINE to fetch it, or pass data_dir="
            )
        if not hasattr(_per_thread, "session"):
            _per_thread.session = requests.Session()
        url = f"{self.base_url.rstrip('/')}/{self.commit}/{path}"
        entry = manifest.read(self.manifest_path)[path]
        fetch(url, self._target(path), entry, self.patience, _per_thread.session, bar)


Source = LocalSource | RemoteSource
