"""The page of the metric Space."""

from __future__ import annotations

import json
from pathlib import Path

from timeline_realtime_qa.scoring.page import Page  # type: ignore[import-not-found,unused-ignore]


FIELDS = {
    "predictions": '["2", "1", "0"]',
    "references": "[[2], [1], [2]]",
    "choices": json.dumps([["Rome", "Oslo", "None of the above"]] * 3),
}
PAGE = Page(Path(__file__).with_name("nota_accuracy.py"), FIELDS)

if __name__ == "__main__":
    PAGE.interface().launch()
