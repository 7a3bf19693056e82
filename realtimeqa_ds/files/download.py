"""Fetching one file over HTTP(S): hashed while it streams, tried again within a deadline, never left half-written."""

from __future__ import annotations

import hashlib
import logging
import os
import queue
import threading
import time
from pathlib import Path

import requests
from filelock import FileLock
from urllib3.exceptions import HTTPError
from urllib3.util import Retry

from ..parsing.errors import DownloadError
from .manifest import Entry


logger = logging.getLogger(__name__)
CHUNK = 1 << 16
SILENCE = 20.0  # seconds without a byte
DEADLINE = 900.0  # seconds for a file with all attempts
RETRIES = 4
# Asked below rather than mounted on the session: there it reads the body of a 503 to its end, which may never come.
RETRY = Retry(RETRIES, status_forcelist={408, 425, 429, 500, 502, 503, 504}, backoff_factor=1, backoff_jitter=1)


def fetch(url: str, target: Path, entry: Entry, retry: Retry, session: requests.Session, anew: bool = False) -> None:
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
        lock = locks / f"{target.name}.lock"
        if lock.is_symlink():  # which locking would write through
            lock.unlink(missing_ok=True)
        with FileLock(lock):
            if anew or not target.exists():
                try:
                    _attempts(url, partial, entry, retry, session)
                    os.replace(partial, target)
                finally:
                    partial.unlink(missing_ok=True)
    except OSError as error:  # of the disk, or of `_attempts`
        raise DownloadError(
            f"could not fetch {url} ({entry.size} bytes, sha256 {entry.sha256}): {error}. Check the connection and "
            f"the disk of {target.parent} and try again, or clone the repository at that commit and pass data_dir="
        ) from error


def _attempts(url: str, partial: Path, entry: Entry, retry: Retry, session: requests.Session) -> None:
    end = time.monotonic() + DEADLINE
    while True:
        problem, again, wait = "", True, retry.get_backoff_time()
        try:
            with _answer(url, session, end) as response:
                if response.status_code == 200:
                    problem = _receive(response, partial, entry, end)
                    if not problem:
                        return
                else:
                    problem = f"HTTP status {response.status_code}"
                    again = retry.is_retry("GET", response.status_code)
                    wait = retry.get_retry_after(response.raw) or wait
        except (requests.RequestException, HTTPError, ValueError) as error:
            problem = f"{problem} {type(error).__name__}: {error}".lstrip()
            again = again and not isinstance(error, ValueError)  # which tells of a malformed address
        if again and time.monotonic() + wait > end:
            again = False
            problem += f"; another attempt in {wait:.0f} s would exceed the {DEADLINE:g} s that a file may take"
        if not again or retry.total == 0:
            raise requests.RequestException(problem)
        logger.warning("%s: %s (tried again in %.0f s)", url, problem, wait)
        time.sleep(wait)
        retry = retry.increment("GET", url)


def _answer(url: str, session: requests.Session, end: float) -> requests.Response:
    """The response to a request, with its headers: a server may send them, too, a byte now and then."""
    answers: queue.SimpleQueue[requests.Response | Exception] = queue.SimpleQueue()

    def ask() -> None:
        try:
            answers.put(session.get(url, stream=True, timeout=SILENCE))
        except Exception as error:  # raised by the one who waits
            answers.put(error)

    threading.Thread(target=ask, daemon=True).start()
    try:
        answer = answers.get(timeout=max(0.0, end - time.monotonic()))
    except queue.Empty:
        raise requests.Timeout("no complete headers") from None
    if isinstance(answer, Exception):
        raise answer
    return answer


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
