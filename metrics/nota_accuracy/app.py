"""The page of the metric Space."""

from __future__ import annotations

from pathlib import Path

from timeline_realtime_qa.scoring.page import Argument, Column, Page


CHOICES = '["Rome", "Oslo", "None of the above"]'
PAGE = Page(
    Path(__file__).with_name("nota_accuracy.py"),
    {
        "predictions": Column("the index of the chosen choice, such as 2", ("2", "1", "0"), text=True),
        "references": Column(
            "the index of the right choice, from 0, or a list of those that are right", ("2", "1", "2")
        ),
        "choices": Column("optional: the list of the texts of the choices", (CHOICES,) * 3),
        "nota_index": Column(
            'optional: the index of the choice "none of the above", where `choices` do not show it', ("",) * 3
        ),
    },
    {"index_base": Argument("what the predictions count from", 0, (0, 1, "auto"))},
)

if __name__ == "__main__":
    PAGE.launch()
