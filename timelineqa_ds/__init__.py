"""TimelineQA (Tan et al. 2023, arXiv 2306.01069). Importing it registers our names with
`datasets` and `evaluate`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import timeline_realtime_qa


if TYPE_CHECKING:
    from .generator import lifelog as lifelog

__all__ = ["__version__", "lifelog"]
__version__: str  # looked up when first asked for

timeline_realtime_qa.register()


def __getattr__(name: str) -> Any:
    # The generator is loaded when first used: importing the package only registers names.
    if name == "lifelog":
        from .generator import lifelog

        return lifelog
    if name == "__version__":
        return timeline_realtime_qa.__version__
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
