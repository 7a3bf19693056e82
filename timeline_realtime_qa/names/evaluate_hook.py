"""The one place that touches private API of `evaluate`: it makes `evaluate.load(NAME)` find our metrics.

`evaluate.load` turns a bare name into ``evaluate-metric/NAME`` and asks `HubEvaluationModuleFactory` for its module.
We answer for our names with a module that is already installed and pass every other on. The public route underneath
is the path of the metric's folder: ``evaluate.load(metric_path(NAME))``.

`evaluate` is not imported for that, since it takes seconds where transformers is installed, and nobody needs it to
load a dataset. The names are added when it is imported.
"""

from __future__ import annotations

import importlib.abc
import importlib.util
import sys
import warnings
from collections.abc import Mapping, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

from ..hub.content import files_hash


SUPPORTED = ">=0.4.6,<0.5"
_MODULE = "evaluate.loading"
_MODULES: dict[str, str] = {}


class _InstalledMetric:
    """Stands in for the Hub factory where the metric is one of ours."""

    def __init__(self, module: str) -> None:
        self.module = module

    def get_module(self) -> Any:
        spec = importlib.util.find_spec(self.module)
        folder = Path(str(spec.origin)).parent if spec else Path()
        return sys.modules[_MODULE].ImportableModule(self.module, files_hash(folder))


class _Waiting(importlib.abc.MetaPathFinder):
    """Waits for the import of `evaluate.loading`, and adds the names right after it."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != _MODULE:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is not None and spec.loader is not None:
            loader, execute = spec.loader, spec.loader.exec_module

            def execute_and_add(module: ModuleType) -> None:
                execute(module)
                try:
                    _add(module)
                except RuntimeError as error:  # their import goes on without our names
                    warnings.warn(str(error), RuntimeWarning, stacklevel=2)

            loader.exec_module = execute_and_add  # type: ignore[method-assign]
        return spec


def register(modules: Mapping[str, str]) -> None:
    """Let `evaluate.load` answer the names of `modules` ({metric name: importable module}).

    Raises:
        RuntimeError: if `evaluate` is imported already and lacks the two classes that this hangs on. (A later import
            of such a version warns.)
    """
    first = not _MODULES
    _MODULES.update({f"evaluate-metric/{name}": module for name, module in modules.items()})
    if _MODULE in sys.modules:
        _add(sys.modules[_MODULE], first)
    elif first:
        sys.meta_path.insert(0, _Waiting())


def _add(loading: Any, first: bool = True) -> None:
    """Put our factory before the one of `evaluate`, if this is the first time."""
    lacking = [name for name in ("HubEvaluationModuleFactory", "ImportableModule") if not hasattr(loading, name)]
    if lacking:
        version = sys.modules["evaluate"].__version__
        raise RuntimeError(
            f"registering our metric names needs evaluate{SUPPORTED}, but evaluate {version} is installed and has no "
            f"evaluate.loading.{lacking[0]}: pip install 'evaluate{SUPPORTED}'"
        )
    if first:
        original = loading.HubEvaluationModuleFactory

        def factory(name: str, *args: Any, **kwargs: Any) -> Any:
            return _InstalledMetric(_MODULES[name]) if name in _MODULES else original(name, *args, **kwargs)

        loading.HubEvaluationModuleFactory = factory
