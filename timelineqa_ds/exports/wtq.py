"""Multi-hop questions as files in the layout of WikiTableQuestions, for programs that read that benchmark.

Source of layout and escapes: the README of WikiTableQuestions 1.0.2 (Pasupat and Liang 2015, arXiv 1508.00305).
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any


FIELDS = ("id", "utterance", "context", "targetValue")
_ESCAPES = str.maketrans({"\\": "\\\\", "\n": "\\n", "|": "\\p"})


def write_wtq(rows: Iterable[Mapping[str, Any]], folder: Path | str, name: str) -> int:
    """Write questions to ``FOLDER/data/NAME.tsv`` and the table of each to ``FOLDER/csv/LIFELOG-csv/TEMPLATE.csv`` and
    ``.tsv``.

    Args:
        rows: questions with the columns id, lifelog_id, template, question, answers and table.

    Returns:
        The number of questions.

    Raises:
        ValueError: for a question without a table (with_table=False).
    """
    root = Path(folder)
    lines = ["\t".join(FIELDS)]
    for row in rows:
        if row["table"] is None:
            raise ValueError(f"{row['id']} has no table: load the questions with with_table=True")
        context = f"csv/{row['lifelog_id']}-csv/{row['template']}.csv"
        _write_table(root / context, row["table"])
        target = "|".join(wtq_cell(answer) for answer in row["answers"])
        lines.append("\t".join([row["id"], wtq_cell(row["question"]), context, target]))
    (root / "data").mkdir(parents=True, exist_ok=True)
    (root / "data" / f"{name}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return len(lines) - 1


def wtq_cell(text: str) -> str:
    """Text as a cell of a WikiTableQuestions TSV file: blanks collapsed; newline, backslash and pipe escaped."""
    return "\n".join(" ".join(line.split()) for line in text.split("\n")).translate(_ESCAPES)


def _write_table(path: Path, table: Mapping[str, Any]) -> None:
    lines = [table["header"], *table["rows"]]
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL, doublequote=False, escapechar="\\", lineterminator="\n")
        writer.writerows(lines)
    text = "".join("\t".join(map(wtq_cell, line)) + "\n" for line in lines)
    path.with_suffix(".tsv").write_text(text, encoding="utf-8")
