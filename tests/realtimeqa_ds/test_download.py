"""Downloads: nothing but the pinned bytes gets through, nothing half-written stays, nothing waits for ever."""

from __future__ import annotations

import contextlib
import gzip
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import datasets
import pytest
from datasets import load_dataset

from realtimeqa_ds import options
from realtimeqa_ds.files import download, manifest
from realtimeqa_ds.files.source import COMMIT, SAMPLE, RemoteSource
from realtimeqa_ds.parsing.errors import DataError, DownloadError


QUICK = download.RETRY.new(total=3, backoff_factor=0.01, backoff_jitter=0)
PATH = "past/2019/20190607_qa.jsonl"


class Server:
    """Serves the sample as base/COMMIT/PATH; `faults` says what to do wrong at the next requests."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        self.requests: Counter[str] = Counter()
        handler = type("Handler", (_Handler,), {"state": self})
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.base = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    state: Server

    def log_message(self, *_: Any) -> None:
        pass

    def do_GET(self) -> None:
        # A proxy is asked for the whole address.
        commit, _, path = self.path.removeprefix("http://elsewhere.example").lstrip("/").partition("/")
        self.state.requests[path] += 1
        fault, _, value = (self.state.faults.pop(0) if self.state.faults else "").partition(" ")
        file = SAMPLE / path
        if commit != COMMIT or not file.is_file() or fault == "404":
            return self.answer(404, b"no such file")
        if fault in ("206", "302", "429", "500", "503"):
            return self.answer(int(fault), b"try later", {"Location" if fault == "302" else "Retry-After": value})
        body = file.read_bytes()
        if fault == "wrong":
            body = bytes([body[0] ^ 1]) + body[1:]
        if fault == "gzip":
            return self.answer(200, gzip.compress(body), {"Content-Encoding": "gzip"})
        return self.answer(503 if value == "503" else 200, body + b"x" * (fault == "longer"), fault=fault)

    def answer(self, status: int, body: bytes, headers: dict[str, str] | None = None, fault: str = "") -> None:
        broken = fault in ("truncated", "stall", "dribble")
        if fault == "headers":
            with contextlib.suppress(OSError):  # the other side hangs up
                for byte in b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 60:
                    time.sleep(0.05)
                    self.wfile.write(bytes([byte]))
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if broken else body)
        self.wfile.flush()
        if fault == "stall":
            time.sleep(1.5)
        with contextlib.suppress(OSError):  # the other side hangs up
            for byte in body[len(body) // 2 : -1] if fault == "dribble" else ():
                time.sleep(0.05)
                self.wfile.write(bytes([byte]))
        self.close_connection = self.close_connection or broken


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.server.shutdown()
    server.server.server_close()


@pytest.fixture
def remote(server: Server, sample_manifest: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RemoteSource:
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(download, "SILENCE", 0.5)
    monkeypatch.setattr(download, "DEADLINE", 5.0)
    return RemoteSource(tmp_path / "cache", server.base, COMMIT, sample_manifest, QUICK)


def left(cache: Path) -> list[str]:
    return sorted(p.name for p in cache.rglob("*") if p.is_file() and not p.name.endswith(".lock"))


@pytest.mark.parametrize(
    "faults",
    [
        *([], ["500", "429"], ["truncated"], ["truncated"] * 3, ["stall"], ["wrong byte"], ["gzip"]),
        *(["429 1"], ["503 Wed, 21 Oct 2015 07:28:00 GMT"], ["503 soon"], ["dribble 503"]),
    ],
)
def test_a_fault_is_survived(remote: RemoteSource, server: Server, faults: list[str]) -> None:
    expected = 1 + sum(fault != "gzip" for fault in faults)
    start = time.monotonic()
    server.faults = list(faults)
    assert remote.read(PATH) == (SAMPLE / PATH).read_bytes()
    assert server.requests[PATH] == expected
    assert (time.monotonic() - start > 1) == (faults in (["429 1"], ["stall"])) or time.monotonic() - start < 1
    assert left(remote.cache_dir) == [Path(PATH).name]
    # The second read is from the cache.
    assert remote.read(PATH) and server.requests[PATH] == expected


@pytest.mark.parametrize(
    ("faults", "message"),
    [
        (["404"], "HTTP status 404"),
        (["206"], "HTTP status 206"),
        (["302 http://[::1"], "ValueError"),
        (["500"] * 4, "HTTP status 500"),
        (["503 soon"] * 4, "HTTP status 503 InvalidHeader: Invalid Retry-After header: soon"),
        (["503 3600"], "HTTP status 503; another attempt in 3600 s would exceed the 5 s that a file may take"),
        (["truncated"] * 4, "IncompleteRead"),
        (["wrong byte"] * 4, "received other bytes"),
        (["longer"] * 4, "received other bytes"),
        (["truncated"] * 2 + ["404"], "HTTP status 404"),
    ],
)
def test_a_lasting_fault_is_an_error_and_leaves_nothing(
    remote: RemoteSource, server: Server, faults: list[str], message: str
) -> None:
    server.faults = list(faults)
    with pytest.raises(DownloadError, match=message) as caught:
        remote.read(PATH)
    entry = manifest.read(remote.manifest_path)[PATH]
    parts = (f"{server.base}/{COMMIT}/{PATH}", f"{entry.size} bytes", f"sha256 {entry.sha256}", "data_dir=")
    assert all(part in str(caught.value) for part in parts)
    assert left(remote.cache_dir) == [] and not server.faults
    assert remote.read(PATH) == (SAMPLE / PATH).read_bytes()


@pytest.mark.parametrize(
    ("fault", "said"), [("dribble", r"received \d+ of \d+ bytes"), ("headers", "Timeout: no complete headers")]
)
def test_a_server_that_sends_a_byte_now_and_then_meets_the_deadline(
    remote: RemoteSource, server: Server, monkeypatch: pytest.MonkeyPatch, fault: str, said: str
) -> None:
    """Of the body, or of the headers before it."""
    monkeypatch.setattr(download, "DEADLINE", 1.0)
    server.faults = [fault]
    start = time.monotonic()
    with pytest.raises(DownloadError, match=f"{said}; .* exceed the 1 s that a file may take"):
        remote.read(PATH)
    assert time.monotonic() - start < 2 and left(remote.cache_dir) == [] and server.requests[PATH] == 1


def test_a_full_disk_is_an_error_that_names_the_file(remote: RemoteSource, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "replace", lambda *_: os.strerror(os.write(os.open("/dev/full", os.O_WRONLY), b"x")))
    with pytest.raises(DownloadError, match=rf"{PATH}.*No space left on device.*the disk of {remote.cache_dir}"):
        remote.read(PATH)
    assert left(remote.cache_dir) == []


def test_a_dead_server_is_an_error(remote: RemoteSource, server: Server) -> None:
    server.server.shutdown()
    server.server.server_close()
    with pytest.raises(DownloadError, match="ConnectionError"):
        remote.read(PATH)


def test_what_a_killed_process_left_is_replaced(remote: RemoteSource) -> None:
    partial = remote.cache_dir / COMMIT / f"{PATH}.incomplete"
    partial.parent.mkdir(parents=True)
    partial.write_bytes(b"?" * 100)
    assert remote.read(PATH) == (SAMPLE / PATH).read_bytes() and left(remote.cache_dir) == [Path(PATH).name]


@pytest.mark.skipif(sys.platform == "win32", reason="needs links")
@pytest.mark.parametrize(
    "part", ["20190607_qa.jsonl.incomplete", ".locks/20190607_qa.jsonl.lock", "20190607_qa.jsonl"]
)
def test_a_link_in_the_cache_is_not_written_through(remote: RemoteSource, tmp_path: Path, part: str) -> None:
    """A link in the place of a file, its part or its lock: what it leads to stays as it was."""
    other, link = tmp_path / "other", (remote.cache_dir / COMMIT / PATH).parent / part
    other.write_text("somebody's own")
    link.parent.mkdir(parents=True)
    link.symlink_to(other)
    assert remote.read(PATH) == (SAMPLE / PATH).read_bytes() and other.read_text() == "somebody's own"


def test_a_damaged_cached_file_is_fetched_again(remote: RemoteSource, server: Server) -> None:
    remote.read(PATH)
    cached = remote.cache_dir / COMMIT / PATH
    cached.write_bytes(cached.read_bytes()[:-1] + b"?")
    assert remote.read(PATH) == (SAMPLE / PATH).read_bytes() and server.requests[PATH] == 2


@pytest.mark.skipif(sys.platform == "win32", reason="needs pipes")
@pytest.mark.parametrize("kind", ["pipe", "folder"])
def test_something_else_in_the_place_of_a_cached_file(remote: RemoteSource, kind: str) -> None:
    """A pipe in the cache is replaced, a folder is an error that names it; neither is waited for."""
    cached = remote.cache_dir / COMMIT / PATH
    cached.parent.mkdir(parents=True)
    if kind == "pipe":
        os.mkfifo(cached)
        assert remote.read(PATH) == (SAMPLE / PATH).read_bytes()
    else:
        cached.mkdir()
        with pytest.raises(DataError, match=f"{cached}: expected a regular file, found a folder; remove it"):
            remote.read(PATH)


def test_prefetch_fetches_each_file_once(remote: RemoteSource, server: Server) -> None:
    remote.prefetch(remote.paths())
    assert set(server.requests.values()) == {1} and set(server.requests) == set(remote.paths())
    remote.prefetch(remote.paths())
    assert set(server.requests.values()) == {1}
    server.faults = ["404"]
    for path in (PATH, "past/2019/20190614_qa.jsonl"):
        (remote.cache_dir / COMMIT / path).unlink()
    with pytest.raises(DownloadError):
        remote.prefetch(remote.paths())


def test_offline_mode(remote: RemoteSource, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    remote.read(PATH)
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    assert remote.read(PATH)
    with pytest.raises(DownloadError, match="20190614_qa.jsonl is not in the cache .*HF_HUB_OFFLINE"):
        remote.read("past/2019/20190614_qa.jsonl")
    remote.prefetch([PATH], anew=True)
    assert sum(server.requests.values()) == 1


def test_several_at_once_fetch_a_file_once(remote: RemoteSource, server: Server) -> None:
    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(remote.read, [PATH] * 4))) == 1
    assert server.requests[PATH] == 1


def test_a_download_config_counts(
    server: Server, sample_manifest: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", False)
    monkeypatch.setenv("NO_PROXY", "")
    config = datasets.DownloadConfig(
        cache_dir=tmp_path / "files", force_download=True, max_retries=9, proxies={"http": server.base}
    )
    source = options.source(None, None, "http://elsewhere.example", str(sample_manifest), True, config)
    assert isinstance(source, RemoteSource) and source.retry.total == 9
    plain = options.source(None, None, None, None, True)
    assert isinstance(plain, RemoteSource) and plain.retry.total == 4 and plain.proxies is None
    assert plain.cache_dir == Path(datasets.config.DOWNLOADED_DATASETS_PATH) / "realtimeqa"
    given: dict[str, Any] = {"base_url": "http://elsewhere.example", "manifest": str(sample_manifest)}
    for times in (1, 2):
        load_dataset(
            "realtimeqa", documents="none", cache_dir=str(tmp_path / str(times)), download_config=config, **given
        )
        assert set(server.requests.values()) == {times}
    assert (tmp_path / "files" / "realtimeqa" / COMMIT / PATH).is_file()


@pytest.mark.parametrize("revision", ["../x", "..", "a/b", ""])
def test_a_revision_stays_in_the_cache(revision: str, sample_manifest: Path) -> None:
    with pytest.raises(ValueError, match="expected revision= to be a commit or a tag"):
        options.source(None, revision, None, str(sample_manifest), True)


def test_load_dataset_over_http(
    server: Server, sample_manifest: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", False)
    given: dict[str, Any] = {"base_url": server.base, "manifest": str(sample_manifest)}
    streamed = load_dataset("realtimeqa", "nota", split="test", streaming=True, **given)
    first = next(iter(streamed))
    assert first["question_id"] == "20190607_0_nota"
    # One week's three files, and not those of the weeks after it.
    assert set(server.requests) == {f"past/2019/20190607_{kind}.jsonl" for kind in ("qa", "qa_nota", "gcs")}
    prepared = load_dataset("realtimeqa", "nota", split="test", cache_dir=str(tmp_path / "c"), **given)
    local = load_dataset("realtimeqa", "nota", split="test", data_dir="sample", cache_dir=str(tmp_path / "c"))
    assert list(prepared) == list(local) == list(streamed)
    assert list((tmp_path / "c" / "downloads" / "realtimeqa" / COMMIT).rglob("*_nota.jsonl"))
