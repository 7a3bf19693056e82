"""Fetching one file over HTTP(S): hashed while it streams, tried again within a deadline, never left half-written."""

from __future__ import annotations

import hashlib
import logging
import os
import time
from dataclasses import dataclass
from pathlib import Path

import requests
from filelock import FileLock
from urllib3.exceptions import HTTPError
from urllib3.util import Retry

from ..parsing.errors import DownloadError
from .manifest import Entry


logger = logging.getLogger(__name__)
CHUNK = 1 << 16
RETRIED_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504})


@dataclass(frozen=True)
class Patience:
    """How long to try for a file: retries, pause (doubled each time), longest silence and all in all, in seconds."""

    retries: int = 4
    pause: float = 1.0
    silence: float = 20.0
    deadline: float = 900.0


def fetch(
    url: str, target: Path, entry: Entry, patience: Patience, session: requests.Session, anew: bool = False
) -> None:
    """Put the file at `url` at `target`, complete and as `entry` says, or raise and leave what was there as it was.

    A file that is there is fetched only if `anew` asks for it; several processes take turns, so that one fetches.

    Raises:
        DownloadError: when the server refuses, gives up, stalls or sends other bytes than the pinned ones, or takes
            longer than the deadline, or when the disk takes no file.
    """
    partial = target.with_name(f"{target.name}.incomplete")
    locks = target.parent / ".locks"
    try:
        locks.mkdir(parents=True, exist_ok=True)
        with FileLock(locks / f"{target.name}.lock"):
            if anew or not target.exists():
                try:
                    _attempts(url, partial, entry, patience, session)
                    os.replace(partial, target)
                finally:
                    partial.unlink(missing_ok=True)
    except OSError as error:  # of the disk, or of `_attempts`
        raise DownloadError(
            f"could not fetch {url} ({entry.size} bytes, sha256 {entry.sha256}): {error}. Check the connection and "
            f"the disk of {target.parent} and try again, or clone the repository at that commit and pass data_dir="
        ) from error


def _attempts(url: str, partial: Path, entry: Entry, patience: Patience, session: requests.Session) -> None:
    end = time.monotonic() + patience.deadline
    # Not mounted on the session: there it reads the bodies of errors to their end, which may never come.
    retry = Retry(
        patience.retries,
        status_forcelist=RETRIED_STATUS,
        backoff_factor=patience.pause,
        backoff_jitter=patience.pause,
    )
    while True:
        problem, wait = _attempt(url, partial, entry, patience.silence, end, session, retry)
        if not problem:
            return
        if wait is not None and time.monotonic() + wait > end:
            problem += f"; another attempt in {wait:.0f} s would exceed the {patience.deadline:g} s that it may take"
            wait = None
        if wait is None or retry.total == 0:
            raise requests.RequestException(problem)
        logger.warning("%s: %s (tried again in %.0f s)", url, problem, wait)
        time.sleep(wait)
        retry = retry.increment("GET", url)


def _attempt(
    url: str, partial: Path, entry: Entry, silence: float, end: float, session: requests.Session, retry: Retry
) -> tuple[str, float | None]:
    """What is wrong with what came, if anything, and how many seconds later to ask again: None where it is no use."""
    problem = ""
    try:
        with session.get(url, stream=True, timeout=silence) as response:
            if response.status_code == 200:
                return _receive(response, partial, entry, end), retry.get_backoff_time()
            problem = f"HTTP status {response.status_code}"
            if not retry.is_retry("GET", response.status_code):
                return problem, None
            return problem, retry.get_retry_after(response.raw) or retry.get_backoff_time()
    except (requests.RequestException, HTTPError, ValueError) as error:  # a ValueError tells of a malformed address
        wait = None if isinstance(error, ValueError) else retry.get_backoff_time()
        return f"{problem} {type(error).__name__}: {error}".lstrip(), wait


def _receive(response: requests.Response, partial: Path, entry: Entry, end: float) -> str:
    """Write the body of `response` to `partial`; return what is wrong with the whole, or an empty string."""
    digest, size = hashlib.sha256(), 0
    partial.unlink(missing_ok=True)  # of a killed process, or anybody's link
    with open(partial, "xb") as out:
        # read1 gives what has come, so that a server that sends a byte now and then meets the deadline.
        while size <= entry.size and time.monotonic() < end and (chunk := response.raw.read1(CHUNK, True)):
            digest.update(chunk)
            size += out.write(chunk)
    if size < entry.size:
        return f"received {size} of {entry.size} bytes"
    if size > entry.size or digest.hexdigest() != entry.sha256:
        return f"expected {entry.size} bytes with sha256 {entry.sha256}, received other bytes"
    return ""
