"""The page of the metric Space."""

from __future__ import annotations

from pathlib import Path

from timeline_realtime_qa.scoring.page import Argument, Column, Page


PAGE = Page(
    Path(__file__).with_name("denotation_accuracy.py"),
    {
        "predictions": Column(
            "the answer, or the list of its items", ("3 days", "May 2, 2021", "Oslo and Rome"), text=True
        ),
        "references": Column(
            "the gold answer, or the list of its items", ("3", "2021-05-02", '["Rome", "Oslo"]'), text=True
        ),
        "answer_type": Column("optional, `timelineqa`: number, date, text or boolean", ("",) * 3, text=True),
        "canonical": Column("optional, `wtq`: the list of the canonical values of the gold items", ("",) * 3),
    },
    {"tolerance": Argument("`timelineqa`: how far numbers may differ, such as 0.01; 0.000001 if empty")},
    configs=("timelineqa", "wtq", "tapex"),
)

if __name__ == "__main__":
    PAGE.launch()
