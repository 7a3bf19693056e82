"""The page of the metric Space."""

from __future__ import annotations

from pathlib import Path

from timeline_realtime_qa.scoring.page import Column, Page


PAGE = Page(
    Path(__file__).with_name("qa_em_f1.py"),
    {
        "predictions": Column("the answer", ("The Beatles", "in Paris"), text=True),
        "references": Column(
            "the gold answer, or a list: of alternatives in `squad`, of the parts of one answer in `realtimeqa`",
            ("beatles", '["Paris", "Paris, France"]'),
            text=True,
        ),
    },
    configs=("squad", "realtimeqa"),
)

if __name__ == "__main__":
    PAGE.launch()
