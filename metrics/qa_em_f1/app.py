"""The page of the metric Space."""

from __future__ import annotations

from pathlib import Path

from timeline_realtime_qa.scoring.page import Page  # type: ignore[import-not-found,unused-ignore]


FIELDS = {
    "predictions": '["The Beatles", "in Paris"]',
    "references": '["beatles", ["Paris", "Paris, France"]]',
}
PAGE = Page(Path(__file__).with_name("qa_em_f1.py"), FIELDS, ("squad", "realtimeqa"))

if __name__ == "__main__":
    PAGE.interface().launch()
