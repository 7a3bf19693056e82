"""Makes `load_dataset(NAME)` find our builders, by way of what is private in `datasets`.

`load_dataset`, `load_dataset_builder` and the `get_dataset_*` helpers all ask `dataset_module_factory` which module
builds a name. We answer for our names and pass every other on, so that no current folder is searched, no network is
asked and nothing is written. The public route underneath is the builder class itself.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping

import datasets

from .private import is_there


PRIVATE = {
    "datasets.load:dataset_module_factory": ("path", "revision", "data_dir", "data_files"),
    "datasets.inspect:dataset_module_factory": (),
    "datasets.load:DatasetModule": ("module_path", "hash", "builder_kwargs"),
}
_MODULES: dict[str, str] = {}


def register(modules: Mapping[str, str]) -> None:
    """Let `load_dataset` answer the names of `modules` ({dataset name: importable builder module}), or warn once."""
    first = not _MODULES
    _MODULES.update(modules)
    if first and is_there("datasets", PRIVATE):
        factory = _answering(datasets.load.dataset_module_factory)
        datasets.load.dataset_module_factory = factory
        datasets.inspect.dataset_module_factory = factory


def _answering(original: Callable[..., object]) -> Callable[..., object]:
    """`dataset_module_factory` with an answer of its own for our names."""

    @functools.wraps(original)
    def dataset_module_factory(path: str, *args: object, **kwargs: object) -> object:
        module = _MODULES.get(path)
        if module is None:
            return original(path, *args, **kwargs)
        asked = inspect.signature(original).bind(path, *args, **kwargs).arguments
        if asked.get("data_files") is not None:
            raise ValueError(
                f"{path} takes no data_files (got {asked['data_files']!r}): pass data_dir= to read a local folder"
            )
        builder_kwargs = {"dataset_name": path}
        if asked.get("revision") is not None:
            builder_kwargs["revision"] = str(asked["revision"])
        # The builder knows best what its rows depend on, and makes the hash.
        return datasets.load.DatasetModule(module, "", builder_kwargs)

    return dataset_module_factory
