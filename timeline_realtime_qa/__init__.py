"""What the two datasets share: the metrics, and the names that `datasets` and `evaluate` know after an import.

Importing `timelineqa_ds` or `realtimeqa_ds` calls :func:`register`; nobody else has to. Each metric is a folder here,
laid out as a metric Space, and can also be loaded by its path: ``evaluate.load(metric_path("nota_accuracy"))``.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util

from .display.near import expected
from .names import datasets_hook, evaluate_hook
from .names.registered import DATASETS, METRICS


__all__ = ["__version__", "metric_path", "register"]
__version__: str  # looked up when first asked for: importing only registers names


def register() -> None:
    """Make our names known to `load_dataset` and `evaluate.load`, once per process.

    Where the installed `datasets` or `evaluate` has not what the names hang on, a RuntimeWarning says which versions
    have; the builder classes, the command lines and `evaluate.load(metric_path(NAME))` do not need it.
    """
    datasets_hook.register(DATASETS)
    evaluate_hook.register(METRICS)


def metric_path(name: str) -> str:
    """The folder of a metric, for ``evaluate.load(path)``: the route that needs no registration.

    Raises:
        ValueError: if there is no metric of that name; the message lists those that exist.
    """
    if name not in METRICS:
        raise ValueError(f"no metric named {name!r}; {expected(name, METRICS)}")
    spec = importlib.util.find_spec(f"{__name__}.{name}")
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError(f"the folder of the metric {name} is not installed: pip install timeline-realtime-qa")
    return spec.submodule_search_locations[0]


def __getattr__(name: str) -> str:
    if name == "__version__":
        return importlib.metadata.version("timeline-realtime-qa")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
