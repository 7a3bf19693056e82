"""What the tests of rules share: the mark that says which rule a test is of, and the files that they damage."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from realtimeqa_ds.parsing.report import rules

from ..tree import Tree


QA, NOTA, GCS, DPR = (f"20190607_{kind}.jsonl" for kind in ("qa", "qa_nota", "gcs", "dpr"))
WEEK = "2019-06-07"
READER, GUESS = (f"20190607_qa_sample_{system}.jsonl" for system in ("reader_gcs", "guess"))
Read = Callable[..., dict[str, Any]]


def rule(name: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Mark a test as that of a rule: test_rules.py reads the marks and checks that every rule has one."""
    if name not in rules():
        raise ValueError(f"expected a rule of data/rules.json, found {name!r}")
    return lambda test: test


def doubled(tree: Tree) -> None:
    """Row 1 of the first week stands twice in all of its files."""
    for name in (QA, NOTA, GCS, DPR, READER):
        rows = tree.rows(name)
        tree.write(name, rows[:2] + rows[1:])
