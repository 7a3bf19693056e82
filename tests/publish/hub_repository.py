"""Repositories of the Hub on loopback: files by path and commit, branches and tags."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field


def git_hash(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


@dataclass(frozen=True)
class StoredFile:
    data: bytes
    lfs: bool

    def entry(self, path: str) -> dict[str, object]:
        found: dict[str, object] = {"type": "file", "path": path, "size": len(self.data), "oid": git_hash(self.data)}
        if self.lfs:
            found["lfs"] = {"oid": self.sha256, "size": len(self.data), "pointerSize": 130}
        return found

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    @property
    def etag(self) -> str:
        return self.sha256 if self.lfs else git_hash(self.data)


@dataclass
class Repo:
    private: bool = False
    commits: list[tuple[str, dict[str, StoredFile]]] = field(default_factory=lambda: [("0" * 40, {})])
    refs: dict[str, int] = field(default_factory=lambda: {"main": 0})
    tags: dict[str, int] = field(default_factory=dict)

    @property
    def files(self) -> dict[str, StoredFile]:
        return self.commits[self.refs["main"]][1]

    def at(self, revision: str) -> tuple[str, dict[str, StoredFile]] | None:
        if (place := {**self.refs, **self.tags}.get(revision)) is not None:
            return self.commits[place]
        return next((commit for commit in self.commits if commit[0] == revision), None)
