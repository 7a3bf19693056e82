"""The page about the original's outputs says what the code says."""

from __future__ import annotations

from pathlib import Path

from timelineqa_ds.original.templates import fault_kinds


PAGE = Path(__file__).parents[3] / "docs" / "original.md"


def test_the_table_of_faults() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    start = lines.index("| kind | of | the question, answer or evidence |") + 2
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in lines[start : start + len(fault_kinds())]
    ]
    assert {kind: f"{of}: {meaning}" for kind, of, meaning in rows} == fault_kinds()
    assert not lines[start + len(fault_kinds())]
