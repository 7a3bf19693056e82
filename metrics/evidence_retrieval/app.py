"""The page of the metric Space."""

from __future__ import annotations

from pathlib import Path

from timeline_realtime_qa.scoring.page import Argument, Column, Page


PAGE = Page(
    Path(__file__).with_name("evidence_retrieval.py"),
    {
        "predictions": Column("the list of the retrieved ids, best first", ("[4, 7, 9]", "[2]")),
        "references": Column("the list of the gold ids; [] where nothing is evidence", ("[7, 4]", "[2, 3]")),
    },
    {
        "k": Argument(
            "whole numbers with commas between them: adds recall_at_k and ndcg_at_k for each, and mrr", "1, 5"
        ),
        "empty": Argument(
            "questions without gold ids are scored or skipped; if unset, only what k adds skips them",
            "",
            (("unset", ""), "score", "skip"),
        ),
    },
)

if __name__ == "__main__":
    PAGE.launch()
