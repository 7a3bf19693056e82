"""The page of the metric Space."""

from __future__ import annotations

from pathlib import Path

from timeline_realtime_qa.scoring.page import Page  # type: ignore[import-not-found,unused-ignore]


FIELDS = {
    "predictions": "[[4, 7, 9], [2]]",
    "references": "[[7, 4], [2, 3]]",
    "k": "[1, 5]",
}
PAGE = Page(Path(__file__).with_name("evidence_retrieval.py"), FIELDS)

if __name__ == "__main__":
    PAGE.interface().launch()
