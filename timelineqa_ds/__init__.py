"""TimelineQA (Tan et al. 2023, arXiv 2306.01069). Importing it registers our names with
`datasets` and `evaluate`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from timeline_realtime_qa import register


if TYPE_CHECKING:
    from .generator import lifelog as lifelog

register()


def __getattr__(name: str) -> Any:
    # The generator is loaded when first used: importing the package only registers names.
    if name == "lifelog":
        from .generator import lifelog

        return lifelog
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
