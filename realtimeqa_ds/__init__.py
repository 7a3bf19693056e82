"""RealTime QA (Kasai et al. 2022, arXiv 2207.13332). Importing it registers our names with
`datasets` and `evaluate`.
"""

from __future__ import annotations

import timeline_realtime_qa


__all__ = ["__version__"]
__version__: str  # looked up when first asked for

timeline_realtime_qa.register()


def __getattr__(name: str) -> str:
    if name == "__version__":
        return timeline_realtime_qa.__version__
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
