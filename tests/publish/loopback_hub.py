"""A Hub on loopback: the few endpoints that pushing, `load_dataset` and `evaluate.load` ask, kept in memory.

It needs HF_ENDPOINT to be its `url` and HF_HUB_DISABLE_XET=1, both set before huggingface_hub is imported.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import threading
from collections import Counter
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeVar
from urllib.parse import parse_qs, unquote, urlparse

from .hub_repository import Repo, StoredFile


KINDS = "(models|datasets|spaces)"
LFS_SUFFIXES = (".parquet", ".arrow", ".zip")
ROUTES: list[tuple[str, re.Pattern[str], str]] = []  # method of HTTP, path, method of Handler
Answering = TypeVar("Answering", bound=Callable[..., None])


class Hub:
    """The server, running while the `with` lasts.

    Attributes:
        repos: by kind and id, as in ("datasets", "org/timelineqa").
        asked: number of requests by what was asked.
        failures: how many requests are still to be answered with an error of the server, by what is asked.
    """

    def __init__(self) -> None:
        self.repos: dict[tuple[str, str], Repo] = {}
        self.objects: dict[str, bytes] = {}
        self.asked: Counter[str] = Counter()
        self.failures: Counter[str] = Counter()
        self.lock = threading.RLock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.hub = self  # type: ignore[attr-defined]
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Hub:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def route(method: str, path: str) -> Callable[[Answering], Answering]:
    """Mark a method of `Handler` as what answers a path."""

    def mark(function: Answering) -> Answering:
        ROUTES.append((method, re.compile(path), function.__name__))
        return function

    return mark


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # an answer in one packet: a second would wait for the other side

    @property
    def hub(self) -> Hub:
        return self.server.hub  # type: ignore[attr-defined, no-any-return]

    def log_message(self, *args: object) -> None:
        pass

    def answer(self) -> None:
        url = urlparse(self.path)
        path, self.query, self.body = unquote(url.path), parse_qs(url.query), self._read()
        with self.hub.lock:
            for method, pattern, name in ROUTES:
                if self.command in (method, "HEAD" if method == "GET" else method) and (m := pattern.fullmatch(path)):
                    self.hub.asked[name] += 1
                    if self.hub.failures[name] > 0:
                        self.hub.failures[name] -= 1
                        return self.error(500, "InternalError")
                    return getattr(self, name)(*m.groups())  # type: ignore[no-any-return]
            self.hub.asked[f"unknown {self.command} {path}"] += 1
            self.error(404, "NotFound")

    do_GET = do_POST = do_PUT = do_HEAD = answer

    def _read(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def send(self, status: int, body: object, headers: dict[str, str] | None = None) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        kind = "application/octet-stream" if isinstance(body, bytes) else "application/json"
        for name, value in {"Content-Type": kind, "Content-Length": str(len(data)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def error(self, status: int, code: str) -> None:
        self.send(status, {"error": code}, {"X-Error-Code": code, "X-Error-Message": code})

    def found(self, kind: str, name: str, revision: str = "main") -> tuple[Repo, str, dict[str, StoredFile]] | None:
        repo = self.hub.repos.get((kind, name))
        commit = repo.at(unquote(revision)) if repo else None
        if repo is None:
            self.error(404, "RepoNotFound")
        elif commit is None:
            self.error(404, "RevisionNotFound")
        else:
            return repo, *commit
        return None

    @route("GET", "/api/whoami-v2")
    def whoami(self) -> None:
        token = {"type": "access_token", "accessToken": {"role": "write"}}
        self.send(200, {"type": "user", "name": "org", "orgs": [], "auth": token})

    @route("POST", "/api/repos/create")
    def create(self) -> None:
        asked = json.loads(self.body)
        kind, name = asked.get("type", "model") + "s", f"{asked.get('organization') or 'org'}/{asked['name']}"
        known = (kind, name) in self.hub.repos
        private = asked.get("private") or asked.get("visibility") == "private"  # by version of huggingface_hub
        self.hub.repos.setdefault((kind, name), Repo(private=bool(private)))
        url = f"{self.hub.url}/{kind}/{name}"
        self.send(409 if known else 200, {"url": url, "id": name, **({"error": "exists"} if known else {})})

    @route("POST", "/api/validate-yaml")
    def validate(self) -> None:
        self.send(200, {"errors": [], "warnings": []})

    @route("GET", f"/api/{KINDS}/([^/]+/[^/]+)(?:/revision/([^/]+))?")
    def info(self, kind: str, name: str, revision: str | None) -> None:
        if found := self.found(kind, name, revision or "main"):
            repo, sha, files = found
            day = "2026-01-01T00:00:00.000Z"
            self.send(200, {
                "_id": "0", "id": name, "author": name.split("/")[0], "sha": sha, "private": repo.private,
                "gated": False, "disabled": False, "downloads": 0, "likes": 0, "tags": [], "lastModified": day,
                "createdAt": day, "siblings": [{"rfilename": path} for path in files],
            })  # fmt: skip

    @route("GET", f"/api/{KINDS}/([^/]+/[^/]+)/refs")
    def refs(self, kind: str, name: str) -> None:
        if found := self.found(kind, name):
            repo = found[0]
            heads, tags = (
                [
                    {"name": one, "ref": f"refs/{part}/{one}", "targetCommit": repo.commits[at][0]}
                    for one, at in of.items()
                ]
                for part, of in (("heads", repo.refs), ("tags", repo.tags))
            )
            self.send(200, {"branches": heads, "tags": tags, "converts": []})

    @route("POST", f"/api/{KINDS}/([^/]+/[^/]+)/tag/([^/]+)")
    def tag(self, kind: str, name: str, revision: str) -> None:
        if found := self.found(kind, name, revision):
            repo, sha, _ = found
            wanted = json.loads(self.body)["tag"]
            if wanted in repo.tags:
                return self.error(409, "TagExists")
            repo.tags[wanted] = [commit[0] for commit in repo.commits].index(sha)
            self.send(200, {})

    @route("DELETE", f"/api/{KINDS}/([^/]+/[^/]+)/tag/([^/]+)")
    def delete_tag(self, kind: str, name: str, tag: str) -> None:
        if found := self.found(kind, name):
            found[0].tags.pop(tag, None)
            self.send(200, {})

    do_DELETE = answer

    @route("GET", f"/api/{KINDS}/([^/]+/[^/]+)/tree/([^/]+)(?:/(.*))?")
    def tree(self, kind: str, name: str, revision: str, folder: str | None) -> None:
        if found := self.found(kind, name, revision):
            start = (folder or "").strip("/")
            start += "/" if start else ""
            deep = self.query.get("recursive", ["false"])[0].lower() in ("true", "1")
            entries: dict[str, Any] = {}
            for path, file in sorted(found[2].items()):
                if path.startswith(start):
                    parts = path[len(start) :].split("/")
                    for depth in range(1, len(parts) if deep else min(len(parts), 2)):
                        above = start + "/".join(parts[:depth])
                        entries[above] = {"type": "directory", "path": above, "oid": "0" * 40, "size": 0}
                    if deep or len(parts) == 1:
                        entries[path] = file.entry(path)
            if start and not entries:
                return self.error(404, "EntryNotFound")
            self.send(200, list(entries.values()))

    @route("POST", f"/api/{KINDS}/([^/]+/[^/]+)/paths-info/([^/]+)")
    def paths_info(self, kind: str, name: str, revision: str) -> None:
        if found := self.found(kind, name, revision):
            asked = json.loads(self.body) if self.body[:1] == b"{" else parse_qs(self.body.decode())
            paths = asked["paths"] if isinstance(asked["paths"], list) else [asked["paths"]]
            files = found[2]
            entries = [files[path].entry(path) for path in paths if path in files]
            entries += [
                {"type": "directory", "path": path, "oid": "0" * 40, "size": 0}
                for path in paths
                if path not in files and any(known.startswith(path.rstrip("/") + "/") for known in files)
            ]
            self.send(200, entries)

    @route("POST", f"/api/{KINDS}/([^/]+/[^/]+)/preupload/([^/]+)")
    def preupload(self, kind: str, name: str, revision: str) -> None:
        if found := self.found(kind, name, revision):
            known = found[2]
            answers = [
                {
                    "path": one["path"],
                    "uploadMode": "lfs" if one["path"].endswith(LFS_SUFFIXES) or one["size"] > 10 << 20 else "regular",
                    "shouldIgnore": False,
                    "oid": known[one["path"]].etag if one["path"] in known else None,
                }
                for one in json.loads(self.body)["files"]
            ]
            self.send(200, {"files": answers})

    @route("POST", f"/api/{KINDS}/([^/]+/[^/]+)/commit/([^/]+)")
    def commit(self, kind: str, name: str, revision: str) -> None:
        found = self.found(kind, name, revision)
        if not found:
            return
        repo, sha, files = found
        new = dict(files)
        for line in filter(bytes.strip, self.body.splitlines()):
            operation = json.loads(line)
            value = operation["value"]
            if operation["key"] == "header" and value.get("parentCommit", sha) != sha:
                return self.error(412, "PreconditionFailed")
            if operation["key"] == "file":
                new[value["path"]] = StoredFile(base64.b64decode(value["content"]), lfs=False)
            elif operation["key"] == "lfsFile":
                new[value["path"]] = StoredFile(self.hub.objects[value["oid"]], lfs=True)
            elif operation["key"] == "deletedFile":
                new.pop(value["path"], None)
        state = repr((sha, sorted((path, file.etag) for path, file in new.items()))).encode()
        sha = hashlib.sha1(state).hexdigest()
        repo.commits.append((sha, new))
        repo.refs[revision] = len(repo.commits) - 1
        url = f"{self.hub.url}/{kind}/{name}/commit/{sha}"
        self.send(200, {"success": True, "commitOid": sha, "commitUrl": url, "hookOutput": ""})

    @route("POST", r"/(?:(?:datasets|spaces)/)?([^/]+/[^/]+)\.git/info/lfs/objects/batch")
    def lfs_batch(self, name: str) -> None:
        answers = []
        for one in json.loads(self.body)["objects"]:
            answer = {"oid": one["oid"], "size": one["size"], "authenticated": True}
            if one["oid"] not in self.hub.objects:
                answer["actions"] = {"upload": {"href": f"{self.hub.url}/_lfs/{one['oid']}", "header": {}}}
            answers.append(answer)
        self.send(200, {"transfer": "basic", "objects": answers})

    @route("PUT", "/_lfs/([0-9a-f]+)")
    def lfs_put(self, oid: str) -> None:
        if hashlib.sha256(self.body).hexdigest() != oid:
            return self.error(422, "WrongHash")
        self.hub.objects[oid] = self.body
        self.send(200, {})

    @route("GET", r"/(?:(datasets|spaces)/)?([^/]+/[^/]+)/resolve/([^/]+)/(.+)")
    def resolve(self, kind: str | None, name: str, revision: str, path: str) -> None:
        found = self.found(kind or "models", name, revision)
        if not found:
            return
        _, sha, files = found
        if path not in files:
            return self.error(404, "EntryNotFound")
        file = files[path]
        headers = {"X-Repo-Commit": sha, "ETag": f'"{file.etag}"', "Accept-Ranges": "bytes"}
        if file.lfs:
            headers |= {"X-Linked-Etag": f'"{file.etag}"', "X-Linked-Size": str(len(file.data))}
        asked = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", ""))
        if not asked or self.command != "GET":
            return self.send(200, file.data, headers)
        size = len(file.data)
        first = int(asked[1]) if asked[1] else max(0, size - int(asked[2]))
        last = min(int(asked[2]), size - 1) if asked[1] and asked[2] else size - 1
        self.hub.asked["range"] += 1
        self.send(206, file.data[first : last + 1], headers | {"Content-Range": f"bytes {first}-{last}/{size}"})
