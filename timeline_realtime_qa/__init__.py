"""What the two datasets share: the metrics, and the names that `datasets` and `evaluate` know after an import.

Importing `timelineqa_ds` or `realtimeqa_ds` calls :func:`register`; nobody else has to. Each metric is a folder here,
laid out as a metric Space, and can also be loaded by its path: ``evaluate.load(metric_path("nota_accuracy"))``.
"""

from __future__ import annotations

import importlib.util

from .names import datasets_hook, evaluate_hook
from .names.registered import DATASETS, METRICS


def register() -> None:
    """Make our names known to `load_dataset` and `evaluate.load`, once per process.

    Raises:
        RuntimeError: if the installed `datasets` or `evaluate` has not the entry point that the names hang on; the
            message says which versions do.
    """
    datasets_hook.register(DATASETS)
    evaluate_hook.register(METRICS)


def metric_path(name: str) -> str:
    """The folder of a metric, for ``evaluate.load(path)``: the route that needs no registration.

    Raises:
        ValueError: if there is no metric of that name; the message lists those that exist.
    """
    if name not in METRICS:
        raise ValueError(f"no metric named {name!r}; expected one of {', '.join(METRICS)}")
    spec = importlib.util.find_spec(f"{__name__}.{name}")
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError(f"the folder of the metric {name} is not installed: pip install timeline-realtime-qa")
    return spec.submodule_search_locations[0]
