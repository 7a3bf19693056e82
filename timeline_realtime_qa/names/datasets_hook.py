"""The one place that touches private API of `datasets`: it makes `load_dataset(NAME)` find our builders.

`load_dataset`, `load_dataset_builder` and the `get_dataset_*` helpers all ask `dataset_module_factory` which module
builds a name. We answer for our names and pass every other on, so that no current folder is searched, no network is
asked and nothing is written. The public route underneath is the builder class itself.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Mapping
from typing import Any

import datasets
import datasets.inspect
import datasets.load


SUPPORTED = ">=5.1,<6"
_MODULES: dict[str, str] = {}


def register(modules: Mapping[str, str]) -> None:
    """Let `load_dataset` answer the names of `modules` ({dataset name: importable builder module}).

    Raises:
        RuntimeError: if the installed `datasets` lacks the function that is wrapped here, or calls it differently.
    """
    _check_version()
    first = not _MODULES
    _MODULES.update(modules)
    if first:
        factory = _answering(datasets.load.dataset_module_factory)
        datasets.load.dataset_module_factory = factory
        datasets.inspect.dataset_module_factory = factory


def _check_version() -> None:
    factory = getattr(datasets.load, "dataset_module_factory", None)
    known = inspect.signature(factory).parameters if factory else {}
    lacking = {"path", "revision", "data_dir", "data_files"} - set(known)
    elsewhere = hasattr(datasets.inspect, "dataset_module_factory") and hasattr(datasets.load, "DatasetModule")
    if lacking or not elsewhere:
        raise RuntimeError(
            f"registering our dataset names needs datasets{SUPPORTED}, but datasets {datasets.__version__} is "
            f"installed, whose load.dataset_module_factory differs: pip install 'datasets{SUPPORTED}'"
        )


def _answering(original: Any) -> Any:
    """`dataset_module_factory` with an answer of its own for our names."""

    @functools.wraps(original)
    def dataset_module_factory(path: str, *args: Any, **kwargs: Any) -> Any:
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
        return datasets.load.DatasetModule(module, "", builder_kwargs)

    return dataset_module_factory
