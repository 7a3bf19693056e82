"""Fetching one file over HTTP(S): hashed while it streams, resumed and retried, and never left half-written."""

from __future__ import annotations

import hashlib
import logging
import os
import random
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import requests
from filelock import FileLock

from ..parsing.errors import DownloadError
from .manifest import Entry


logger = logging.getLogger(__name__)
CHUNK = 1 << 16
RETRIED_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504})


@dataclass(frozen=True)
class Patience:
    """How long to keep trying: attempts per file, first pause (doubled each time) and stall limit, in seconds."""

    attempts: int = 5
    pause: float = 1.0
    timeout: float = 20.0

    def sleep(self, attempt: int, response: requests.Response | None) -> None:
        """Back off after `attempt` failures, or as long as the server's Retry-After asks (a minute at most)."""
        asked = response.headers.get("Retry-After", "") if response is not None else ""
        wait = float(asked) if asked.isdigit() else self.pause * 2 ** (attempt - 1) * random.uniform(0.5, 1.5)
        time.sleep(min(wait, 60.0))


def fetch(
    url: str, target: Path, entry: Entry, patience: Patience, session: requests.Session, bar: Any = None
) -> None:
    """Put the file at `url` at `target`, complete and as `entry` says, or raise and leave nothing there.

    A transfer that breaks off is resumed with a Range request; one that was killed is resumed by the next call.
    `bar` is a tqdm-like object whose `update` gets the bytes as they arrive.

    Raises:
        DownloadError: when the server refuses, gives up, stalls or sends other bytes than the pinned ones.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    locks = target.parent / ".locks"
    locks.mkdir(exist_ok=True)
    with FileLock(str(locks / f"{target.name}.lock")):
        if target.exists():
            return
        partial = target.with_name(f"{target.name}.incomplete")
        try:
            _attempts(url, partial, entry, patience, session, bar)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
        os.replace(partial, target)


def _attempts(url: str, partial: Path, entry: Entry, patience: Patience, session: requests.Session, bar: Any) -> None:
    problem = ""
    for attempt in range(1, patience.attempts + 1):
        response = None
        try:
            start = partial.stat().st_size if partial.exists() else 0
            headers = {"Accept-Encoding": "identity"}  # a Range of a compressed body would be of no use
            if 0 < start < entry.size:
                headers["Range"] = f"bytes={start}-"
            response = session.get(url, headers=headers, stream=True, timeout=patience.timeout)
            if response.status_code not in (200, 206):
                problem = f"HTTP status {response.status_code}"
                if response.status_code not in RETRIED_STATUS:
                    break
            else:
                problem = _receive(response, partial, entry, bar)
                if not problem:
                    return
        except requests.RequestException as error:
            problem = f"{type(error).__name__}: {error}"
        finally:
            if response is not None:
                response.close()
        logger.warning("%s: %s (attempt %d of %d)", url, problem, attempt, patience.attempts)
        if attempt < patience.attempts:
            patience.sleep(attempt, response)
    raise DownloadError(
        f"could not fetch {url} ({entry.size} bytes, sha256 {entry.sha256}): {problem}. Check the connection and try "
        "again, or clone the repository at that commit and pass data_dir="
    )


def _receive(response: requests.Response, partial: Path, entry: Entry, bar: Any) -> str:
    """Write the body of `response` to `partial`; return what is wrong with the whole, or an empty string."""
    digest = hashlib.sha256()
    resumed = response.status_code == 206
    if resumed:
        digest.update(partial.read_bytes())
    with open(partial, "ab" if resumed else "wb") as out:
        for chunk in response.iter_content(CHUNK):
            digest.update(chunk)
            out.write(chunk)
            if bar is not None:
                bar.update(len(chunk))
            if out.tell() > entry.size:
                break
        out.flush()
        os.fsync(out.fileno())
        size = out.tell()
    if size < entry.size:
        return f"the transfer ended after {size} of {entry.size} bytes"
    if size > entry.size or digest.hexdigest() != entry.sha256:
        partial.unlink()
        return f"expected {entry.size} bytes with sha256 {entry.sha256}, received other bytes"
    return ""
