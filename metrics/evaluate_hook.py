"""The one place that touches private API of `evaluate`: it makes `evaluate.load(NAME)` find our metrics.

`evaluate.load` turns a bare name into ``evaluate-metric/NAME`` and asks `HubEvaluationModuleFactory` for its module.
We answer for our names with a module that is already installed and pass every other on. The public route underneath
is the path of the metric's folder: ``evaluate.load(metric_path(NAME))``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import evaluate
import evaluate.loading

from .fingerprint import package_hash


SUPPORTED = ">=0.4.6,<0.5"
_MODULES: dict[str, str] = {}


class _InstalledMetric:
    """Stands in for the Hub factory where the metric is one of ours."""

    def __init__(self, module: str) -> None:
        self.module = module

    def get_module(self) -> Any:
        package = self.module.rpartition(".")[0]
        return evaluate.loading.ImportableModule(self.module, package_hash(package))


def register(modules: Mapping[str, str]) -> None:
    """Let `evaluate.load` answer the names of `modules` ({metric name: importable module}).

    Raises:
        RuntimeError: if the installed `evaluate` lacks the two classes that this hangs on.
    """
    lacking = [n for n in ("HubEvaluationModuleFactory", "ImportableModule") if not hasattr(evaluate.loading, n)]
    if lacking:
        raise RuntimeError(
            f"registering our metric names needs evaluate{SUPPORTED}, but evaluate {evaluate.__version__} is "
            f"installed and has no evaluate.loading.{lacking[0]}: pip install 'evaluate{SUPPORTED}'"
        )
    first = not _MODULES
    _MODULES.update({f"evaluate-metric/{name}": module for name, module in modules.items()})
    if first:
        original = evaluate.loading.HubEvaluationModuleFactory

        def factory(name: str, *args: Any, **kwargs: Any) -> Any:
            return _InstalledMetric(_MODULES[name]) if name in _MODULES else original(name, *args, **kwargs)

        evaluate.loading.HubEvaluationModuleFactory = factory
