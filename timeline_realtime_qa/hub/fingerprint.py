"""A hash of a package's own files, so that caches notice when its code or its data files change."""

from __future__ import annotations

import functools
import hashlib
import importlib.util
from pathlib import Path
from types import ModuleType


PROSE = (".md", ".cff")  # what is said about rows; none depends on it


@functools.cache
def package_hash(package: str) -> str:
    """Hex sha256 over the names and bytes of all files below the importable `package`, but compiled ones and prose."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ValueError(f"{package!r} is not an importable package")
    root = Path(spec.submodule_search_locations[0])
    digest = hashlib.sha256()
    files = (path for path in root.rglob("*") if path.is_file() and path.suffix not in PROSE)
    for path in sorted(path for path in files if "__pycache__" not in path.parts):
        digest.update(f"{path.relative_to(root).as_posix()}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def code_hash(*modules: ModuleType) -> str:
    """Hex sha256 over the source files of modules."""
    digest = hashlib.sha256()
    for module in modules:
        digest.update(hashlib.sha256(Path(str(module.__file__)).read_bytes()).digest())
    return digest.hexdigest()
