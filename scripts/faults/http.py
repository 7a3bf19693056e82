"""Faults of a server: the file is the pinned one, or there is an error that names the address and nothing is left."""

from __future__ import annotations

import functools
import gzip
import os
import random
import socketserver
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import datasets

from realtimeqa_ds.files import download, manifest
from realtimeqa_ds.files.source import COMMIT, SAMPLE, RemoteSource

from .trial import CLEAR, CORRECT, Outcome, Trial, Wrong, judged
from .weeks import FILES


STATUSES = (*[200] * 30, 201, 204, 206, 300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 408, 409, 410,
            416, 418, 425, 429, 451, 500, 501, 502, 503, 504, 505, 599, 0, 99, 1_000)  # fmt: skip
HEADERS = (
    *("Retry-After: 0", "Retry-After: 1", "Retry-After: 3600", "Retry-After: -5", "Retry-After: soon", "Retry-After:"),
    *("Retry-After: Wed, 21 Oct 2015 07:28:00 GMT", "Retry-After: Fri, 31 Dec 9999 23:59:59 GMT", "Retry-After: 1e9"),
    *("Location: /", "Location: //", "Location: http://[::1", "Location: http://127.0.0.1:1/x"),
    *("Location: file:///etc/passwd", "Location: ", "Location: \xff"),
    *("Content-Length: 0", "Content-Length: 5", "Content-Length: 999999", "Content-Length: -1", "Content-Length: x"),
    *("Transfer-Encoding: chunked", "Transfer-Encoding: gzip", "Content-Encoding: gzip", "Content-Encoding: br"),
    *("Content-Encoding: deflate", "Content-Encoding: identity", "Content-Range: bytes 0-4/5", "Connection: close"),
    *("Content-Type: text/html", "ETag: x", "X: " + "a" * 70_000, "no header at all", "Set-Cookie: a=b; Path=/", ""),
)  # fmt: skip
BODIES = ("right", "right", "right", "right", "wrong byte", "short", "longer", "endless", "slow", "silent", "empty",
          "packed", "page", "chunks", "broken chunks")  # fmt: skip
NO_HTTP = (b"", b"\0" * 50, b"HTTP/1.1", b"hello\r\n\r\n", b"HTTP/9.9 xyz\r\n\r\n", b"HTTP/1.1 200 OK\r\n")
RETRY = download.RETRY.new(total=2, backoff_factor=0, backoff_jitter=0)
SILENCE, DEADLINE = 0.25, 0.8  # seconds, in the place of 20 and 900
MOST = 20.0  # seconds that one file may take, with room for a busy machine


class Server(socketserver.ThreadingTCPServer):
    """Answers with the raw answers in `answers`, then with the files of the sample."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers: list[tuple[bytes, bytes, str]] = []
        self.base = f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def handle_error(self, request: object, client_address: object) -> None:
        """The other side hangs up."""


class _Handler(socketserver.StreamRequestHandler):
    server: Server

    def handle(self) -> None:
        asked = self.rfile.readline().split()
        while self.rfile.readline().strip():
            pass
        path = asked[1].decode().removeprefix(f"/{COMMIT}/") if len(asked) > 1 else ""
        if self.server.answers:
            head, body, pace = self.server.answers.pop(0)
        elif (SAMPLE / path).is_file():
            body, pace = (SAMPLE / path).read_bytes(), ""
            head = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(body)
        else:
            head, body, pace = b"HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", b"", ""
        self.wfile.write(head)
        self._send(body, pace)

    def _send(self, body: bytes, pace: str) -> None:
        end = time.monotonic() + 2 * DEADLINE
        half = len(body) // 2
        if pace == "":
            self.wfile.write(body)
        elif pace == "silent":
            self.wfile.write(body[:half])
            self.wfile.flush()
            time.sleep(2 * SILENCE)
        elif pace == "slow":
            for byte in body:
                self.wfile.write(bytes([byte]))
                self.wfile.flush()
                time.sleep(0.02)
                if time.monotonic() > end:
                    return
        while pace == "endless" and time.monotonic() < end:
            self.wfile.write(body)


def server() -> Server:
    """The one of this process: its threads do not live on in one that forks."""
    return _server(os.getpid())


@functools.cache
def _server(process: int) -> Server:
    """One for each process."""
    datasets.config.HF_HUB_OFFLINE = False
    download.SILENCE, download.DEADLINE = SILENCE, DEADLINE
    return Server()


def answer(chance: random.Random, data: bytes) -> tuple[str, tuple[bytes, bytes, str]]:
    """A random answer in words, and as head, body and pace."""
    if chance.random() < 0.06:
        raw = chance.choice(NO_HTTP)
        return f"{raw!r} instead of HTTP", (raw, b"", "")
    status, kind = chance.choice(STATUSES), chance.choice(BODIES)
    headers = [chance.choice(HEADERS) for _ in range(chance.choice((0, 0, 1, 1, 2)))]
    body, more = _body(chance, kind, data)
    if not any(name.startswith(("Content-Length", "Transfer")) for name in (*headers, *more)) and kind != "endless":
        length = len(data) if kind in ("short", "silent", "slow") else len(body)
        more.append(f"Content-Length: {length}")
    lines = [f"HTTP/1.1 {status} Status", "Connection: close", *headers, *more, "", ""]
    told = f"{status} {kind} {[name[:60] for name in headers]}"
    return told, ("\r\n".join(lines).encode("latin-1"), body, kind)


def _body(chance: random.Random, kind: str, data: bytes) -> tuple[bytes, list[str]]:
    if kind == "packed":
        return gzip.compress(data), ["Content-Encoding: gzip"]
    if kind in ("chunks", "broken chunks"):
        sizes = b"%x\r\n%b\r\n0\r\n\r\n" % (len(data), data)
        return sizes if kind == "chunks" else sizes.replace(b"\r\n", b"\r\nzz", 1), ["Transfer-Encoding: chunked"]
    at = chance.randrange(len(data))
    bodies = {
        "wrong byte": data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :],
        "short": data[:at],
        "longer": data + b"x" * chance.choice((1, 5_000)),
        "empty": b"",
        "page": b"<html>try later</html>",
    }
    return bodies.get(kind, data), []


def _cached(trial: Trial, target: Path) -> None:
    """What an earlier process may have left in the cache."""
    left = trial.chance.choice(("", "", "", "part", "link", "wrong", "folder", "pipe", "link to nothing", "lock link"))
    if not left:
        return
    trial.is_(f"{left} in the cache")
    target.parent.mkdir(parents=True)
    partial = target.with_name(f"{target.name}.incomplete")
    if left == "part":
        partial.write_bytes(b"?" * 50)
    elif left == "wrong":
        target.write_bytes(b"?" * 50)
    elif left == "folder":
        target.mkdir()
    elif left == "pipe":
        os.mkfifo(trial.chance.choice((target, partial)))
    elif left == "lock link":
        (target.parent / ".locks").mkdir()
        (target.parent / ".locks" / f"{target.name}.lock").symlink_to(trial.theirs / "key")
    else:
        trial.chance.choice((target, partial)).symlink_to(trial.theirs / ("key" if left == "link" else "nothing"))


def http(trial: Trial) -> Outcome:
    """A few wrong answers of a server, then a right one, over a cache in any state."""
    path = trial.chance.choice(FILES)
    data = (SAMPLE / path).read_bytes()
    running, cache = server(), trial.folder / "cache"
    made = [answer(trial.chance, data) for _ in range(trial.chance.choice((1, 1, 2, 4)))]
    trial.is_(f"{path}: {' | '.join(told for told, _ in made)}")
    listed = trial.folder / "manifest.tsv"
    listed.write_text(manifest.make(SAMPLE, [path]))
    _cached(trial, cache / COMMIT / path)
    running.answers = [raw for _, raw in made]
    source = RemoteSource(cache, running.base, COMMIT, listed, RETRY)
    start = time.monotonic()

    def fetched() -> Outcome:
        if source.read(path) != data:
            raise Wrong("other bytes than the pinned ones")
        return Outcome(CORRECT)

    outcome = judged(fetched, (f"{running.base}/{COMMIT}/{path}", str(cache / COMMIT / path)))
    running.answers = []
    if (seconds := time.monotonic() - start) > MOST:
        raise Wrong(f"took {seconds:.1f} s, though a file may take {DEADLINE}")
    _check_left(cache, path, data, outcome)
    again = judged(fetched, (str(cache / COMMIT / path),))
    if again.name != CORRECT and not (cache / COMMIT / path).is_dir():
        raise Wrong(f"not to be had when the server is well: {again.detail}")
    return outcome


def _check_left(cache: Path, path: str, data: bytes, outcome: Outcome) -> None:
    """Raise where something half-written stays, or something that a later read would take for the file."""
    for left in _left(cache):
        whole = left.name == Path(path).name and left.is_file() and not left.is_symlink() and left.read_bytes() == data
        before = outcome.name == CLEAR and left.name == Path(path).name and (left.is_dir() or left.is_symlink())
        if not whole and not before:
            raise Wrong(f"{left.relative_to(cache)} is left")
    if outcome.name == CORRECT and (cache / COMMIT / path).read_bytes() != data:
        raise Wrong("the cached file has other bytes")


def _left(cache: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(cache):
        if os.path.basename(folder) != ".locks":
            links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
            yield from (Path(folder, name) for name in (*files, *links))
