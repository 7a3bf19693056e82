"""Local folders and downloads: nothing but the pinned bytes gets through, and nothing half-written stays."""

from __future__ import annotations

import hashlib
import threading
import time
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import datasets
import pytest
from datasets import load_dataset

from realtimeqa_ds.files import download, manifest
from realtimeqa_ds.files.download import Patience
from realtimeqa_ds.files.source import COMMIT, SAMPLE, LocalSource, RemoteSource
from realtimeqa_ds.parsing.errors import DataError, DownloadError


QUICK = Patience(attempts=4, pause=0.01, timeout=0.5)
PATH = "past/2019/20190607_qa.jsonl"


class Server:
    """Serves the sample as base/COMMIT/PATH with Range; `faults` says what to do wrong at the next requests."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        self.requests: Counter[str] = Counter()
        self.ranges: list[str | None] = []
        handler = type("Handler", (_Handler,), {"state": self})
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.base = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    state: Server

    def log_message(self, *_: Any) -> None:
        pass

    def do_GET(self) -> None:
        commit, _, path = self.path.lstrip("/").partition("/")
        wanted = self.headers.get("Range")
        self.state.requests[path] += 1
        self.state.ranges.append(wanted)
        fault = self.state.faults.pop(0) if self.state.faults else ""
        file = SAMPLE / path
        if commit != COMMIT or not file.is_file() or fault == "404":
            return self.answer(404, b"no such file")
        if fault in ("500", "429"):
            return self.answer(int(fault), b"try later")
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted and fault != "no range" else 0
        body = file.read_bytes()[start:]
        if fault == "wrong byte":
            body = bytes([body[0] ^ 1]) + body[1:]
        return self.answer(206 if start else 200, body + b"x" * (fault == "longer"), fault)

    def answer(self, status: int, body: bytes, fault: str = "") -> None:
        broken = fault in ("truncated", "stall")
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if broken else body)
        if fault == "stall":
            self.wfile.flush()
            time.sleep(1.5)
        self.close_connection = self.close_connection or broken


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.server.shutdown()
    server.server.server_close()


@pytest.fixture(scope="module")
def sample_manifest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("manifest") / "manifest.tsv"
    path.write_text(manifest.make(SAMPLE, LocalSource(SAMPLE).paths()))
    return path


@pytest.fixture
def remote(server: Server, sample_manifest: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RemoteSource:
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", False)
    return RemoteSource(tmp_path / "cache", server.base, COMMIT, sample_manifest, QUICK)


def left(cache: Path) -> list[str]:
    return sorted(p.name for p in cache.rglob("*") if p.is_file() and not p.name.endswith(".lock"))


def test_pinned_manifest() -> None:
    entries = manifest.read()
    assert len(entries) == 3599 and sum(entry.size for entry in entries.values()) == 414_714_812
    assert COMMIT.startswith("bc15fba7f455")


def test_manifest_errors(tmp_path: Path) -> None:
    path = tmp_path / "m.tsv"
    path.write_text("path\tbytes\tsha256\na\tb\tc\n")
    with pytest.raises(DataError, match=r"m.tsv, line 2: expected path TAB bytes TAB sha256, found 'a\\tb\\tc'"):
        manifest.read(path)


@pytest.mark.parametrize("faults", [[], ["500", "429"], ["truncated"], ["truncated"] * 3, ["stall"], ["wrong byte"]])
def test_a_fault_is_survived(
    remote: RemoteSource, server: Server, faults: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download, "CHUNK", 64)  # what a broken transfer loses is at most a chunk
    server.faults = list(faults)
    assert remote.read(PATH) == (SAMPLE / PATH).read_bytes()
    assert server.requests[PATH] == len(faults) + 1
    assert left(remote.cache_dir) == [Path(PATH).name]
    # A transfer that broke off goes on where it stopped.
    resumed = [value for value in server.ranges if value]
    assert len(resumed) == sum(fault in ("truncated", "stall") for fault in faults)
    # The second read is from the cache.
    assert remote.read(PATH) and server.requests[PATH] == len(faults) + 1


def test_a_server_without_range_is_read_from_the_start(remote: RemoteSource, server: Server) -> None:
    server.faults = ["truncated", "no range"]
    assert remote.read(PATH) == (SAMPLE / PATH).read_bytes()


@pytest.mark.parametrize(
    ("faults", "message"),
    [
        (["404"], "HTTP status 404"),
        (["500"] * 4, "HTTP status 500"),
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
    assert PATH in str(caught.value) and "data_dir=" in str(caught.value)
    assert left(remote.cache_dir) == []
    assert remote.read(PATH) == (SAMPLE / PATH).read_bytes()


def test_a_dead_server_is_an_error(remote: RemoteSource, server: Server) -> None:
    server.server.shutdown()
    server.server.server_close()
    with pytest.raises(DownloadError, match="ConnectionError"):
        remote.read(PATH)


def test_what_a_killed_process_left_is_resumed(remote: RemoteSource, server: Server) -> None:
    target = remote.cache_dir / COMMIT / f"{PATH}.incomplete"
    target.parent.mkdir(parents=True)
    target.write_bytes((SAMPLE / PATH).read_bytes()[:100])
    assert remote.read(PATH) == (SAMPLE / PATH).read_bytes()
    assert server.ranges == ["bytes=100-"] and left(remote.cache_dir) == [Path(PATH).name]


def test_what_a_killed_process_left_is_no_use_if_it_is_wrong(remote: RemoteSource, server: Server) -> None:
    target = remote.cache_dir / COMMIT / f"{PATH}.incomplete"
    target.parent.mkdir(parents=True)
    target.write_bytes(b"?" * 100)
    assert remote.read(PATH) == (SAMPLE / PATH).read_bytes()
    assert server.ranges == ["bytes=100-", None]


def test_a_damaged_cached_file_is_fetched_again(remote: RemoteSource, server: Server) -> None:
    remote.read(PATH)
    cached = remote.cache_dir / COMMIT / PATH
    cached.write_bytes(cached.read_bytes()[:-1] + b"?")
    assert remote.read(PATH) == (SAMPLE / PATH).read_bytes() and server.requests[PATH] == 2


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
    assert sum(server.requests.values()) == 1


def test_load_dataset_over_http(
    server: Server, sample_manifest: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", False)
    options: dict[str, Any] = {"base_url": server.base, "manifest": str(sample_manifest)}
    streamed = load_dataset("realtimeqa", "nota", split="test", streaming=True, **options)
    first = next(iter(streamed))
    assert first["question_id"] == "20190607_0_nota"
    # One week's three files, and not those of the weeks after it.
    assert set(server.requests) == {f"past/2019/20190607_{kind}.jsonl" for kind in ("qa", "qa_nota", "gcs")}
    prepared = load_dataset("realtimeqa", "nota", split="test", cache_dir=str(tmp_path / "c"), **options)
    local = load_dataset("realtimeqa", "nota", split="test", data_dir="sample", cache_dir=str(tmp_path / "c"))
    assert list(prepared) == list(local) == list(streamed)
    assert list((tmp_path / "c" / "downloads" / "realtimeqa" / COMMIT).rglob("*_nota.jsonl"))


def test_local_files_are_compared_with_the_manifest(tree: Any, sample_manifest: Path) -> None:
    source = LocalSource(tree.root, sample_manifest)
    assert source.read(PATH)
    tree.change("20190607_qa.jsonl", 0, question_sentence="Which animal blocked the ferry?")
    with pytest.raises(DataError, match=f"{PATH}: expected .* bytes as the manifest says") as caught:
        source.read(PATH)
    assert "verify=False" in str(caught.value)
    assert LocalSource(tree.root, sample_manifest, verify=False).read(PATH)
    with pytest.raises(DataError, match=PATH):
        next(iter(load(tree.root, manifest=str(sample_manifest))))
    row = next(iter(load(tree.root, manifest=str(sample_manifest), verify=False)))
    assert row["question"] == "Which animal blocked the ferry?"


def test_a_file_is_hashed_once_while_it_stays_as_it_is(
    tree: Any, sample_manifest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed: list[str] = []
    original = manifest.Entry.check

    def check(self: manifest.Entry, path: str, data: bytes) -> None:
        hashed.append(path)
        original(self, path, data)

    monkeypatch.setattr(manifest.Entry, "check", check)
    source = LocalSource(tree.root, sample_manifest)
    whole = source.read(PATH)
    assert source.read(PATH) == whole and len(hashed) == 2  # written a moment ago: not to be trusted yet
    monkeypatch.setattr("realtimeqa_ds.files.source.SETTLED", -1.0)
    assert [source.read(PATH) for _ in range(3)] == [whole] * 3 and len(hashed) == 3
    changed = bytearray(whole)
    changed[50] ^= 1
    tree.path("20190607_qa.jsonl").write_bytes(changed)
    with pytest.raises(DataError, match="expected sha256"):
        source.read(PATH)


def load(root: Path, **options: Any) -> Any:
    return load_dataset("realtimeqa", data_dir=str(root), split="test", streaming=True, **options)


def test_a_folder_of_something_else(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="expected a folder with past/.*found none of them"):
        LocalSource(tmp_path).paths()
    with pytest.raises(FileNotFoundError, match="found no folder"):
        load(tmp_path / "nowhere")


def test_entry_check_names_both_hashes() -> None:
    data = b"abc"
    entry = manifest.Entry(3, hashlib.sha256(data).hexdigest())
    entry.check("p", data)
    with pytest.raises(DataError, match=f"expected sha256 {entry.sha256}.*found {hashlib.sha256(b'abd').hexdigest()}"):
        entry.check("p", b"abd")
