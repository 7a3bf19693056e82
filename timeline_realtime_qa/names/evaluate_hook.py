"""Makes `evaluate.load(NAME)` find our metrics, by way of what is private in `evaluate`.

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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from types import ModuleType

from .private import is_there


PRIVATE = {
    "evaluate.loading:HubEvaluationModuleFactory": ("name",),
    "evaluate.loading:ImportableModule": ("module_path", "hash"),
}
_LIBRARY = "evaluate"
_MODULES: dict[str, str] = {}


@dataclass(frozen=True)
class _InstalledMetric:
    """Stands in for the Hub factory where the metric is one of ours."""

    module: str

    def get_module(self) -> object:
        return sys.modules[_LIBRARY].loading.ImportableModule(self.module, "")  # an installed module is not cached


class _Waiting(importlib.abc.MetaPathFinder):
    """Waits for the import of `evaluate`, and adds the names right after it."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != _LIBRARY:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is not None and spec.loader is not None:
            loader, execute = spec.loader, spec.loader.exec_module

            def execute_and_add(module: ModuleType) -> None:
                execute(module)
                _add()

            loader.exec_module = execute_and_add  # type: ignore[method-assign]
        return spec


def register(modules: Mapping[str, str]) -> None:
    """Let `evaluate.load` answer the names of `modules` ({metric name: importable module}), or warn once."""
    first = not _MODULES
    _MODULES.update({f"evaluate-metric/{name}": module for name, module in modules.items()})
    if first and _LIBRARY in sys.modules:
        _add()
    elif first:
        sys.meta_path.insert(0, _Waiting())


def _add() -> None:
    """Put our factory before the one of `evaluate`."""
    if is_there(_LIBRARY, PRIVATE):
        loading = sys.modules[_LIBRARY].loading
        original = loading.HubEvaluationModuleFactory

        def factory(name: str, *args: object, **kwargs: object) -> object:
            return _InstalledMetric(_MODULES[name]) if name in _MODULES else original(name, *args, **kwargs)

        loading.HubEvaluationModuleFactory = factory
