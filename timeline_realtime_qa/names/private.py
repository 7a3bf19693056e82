"""What has to be where we look for it: private API of `datasets` and `evaluate`, which may move with any version."""

from __future__ import annotations

import importlib.metadata
import inspect
import pkgutil
import warnings
from collections.abc import Callable, Collection, Mapping

import datasets.builder


SUPPORTED = {"datasets": ">=5.1,<6", "evaluate": ">=0.4.6,<0.5"}


# What a builder yields with each table: shard and batch. Any other key does, but for what datasets notes about shards.
Key: Callable[[int, int], object] = getattr(datasets.builder, "Key", lambda shard, batch: f"{shard}_{batch}")


def is_there(library: str, names: Mapping[str, Collection[str]]) -> bool:
    """Whether a library has all of `names` (MODULE:NAME, with the parameters of each); warns if it has not."""
    if (lacking := next(filter(None, map(_lacking, names, names.values())), None)) is None:
        return True
    needed, installed = f"{library}{SUPPORTED[library]}", importlib.metadata.version(library)
    warnings.warn(
        f"our names are not known to {library}: that needs {needed}, but {library} {installed} is "
        f"installed and has no {lacking}; everything else works: pip install '{needed}'",
        RuntimeWarning,
        stacklevel=3,
    )
    return False


def _lacking(name: str, parameters: Collection[str]) -> str | None:
    """What is not there of a function or class: itself, or the first of its parameters."""
    shown = name.replace(":", ".")
    try:
        known = inspect.signature(pkgutil.resolve_name(name)).parameters
    except (ImportError, AttributeError):
        return shown
    return next((f"{shown}({parameter}=)" for parameter in parameters if parameter not in known), None)
