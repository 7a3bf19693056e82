"""The page of the metric Space."""

from __future__ import annotations

from pathlib import Path

from timeline_realtime_qa.scoring.page import Page  # type: ignore[import-not-found,unused-ignore]


FIELDS = {
    "predictions": '["3 days", "May 2, 2021", "Oslo and Rome"]',
    "references": '[["3"], ["2021-05-02"], ["Rome", "Oslo"]]',
}
PAGE = Page(Path(__file__).with_name("denotation_accuracy.py"), FIELDS, ("timelineqa", "wtq", "tapex"))

if __name__ == "__main__":
    PAGE.interface().launch()
