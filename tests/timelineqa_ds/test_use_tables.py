"""Questions go into WikiTableQuestions programs, and what these predict is scored."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import evaluate
import pytest
from hypothesis import given
from hypothesis import strategies as st

import timelineqa_ds  # noqa: F401  (makes the metric's name known)
from timelineqa_ds.configs import configs
from timelineqa_ds.exports.wtq import write_wtq, wtq_cell


TEXT = st.text(st.sampled_from('ab ,"|\\\n\té'), max_size=12)


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    return list(configs()["sparse"].rows(123).to_pylist())


def unescaped(cell: str) -> str:
    """The escapes read from left to right, independent of how they are written."""
    found, letters = "", iter(cell)
    for letter in letters:
        found += {"n": "\n", "p": "|", "\\": "\\"}[next(letters)] if letter == "\\" else letter
    return found


def read(path: Path) -> list[dict[str, str]]:
    header, *lines = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    return [dict(zip(header.split("\t"), line.split("\t"), strict=True)) for line in lines]


def read_csv(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, doublequote=False, escapechar="\\"))


def test_a_round_trip_scores_all_right(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    assert write_wtq(rows, tmp_path, "test") == len(rows)
    examples = read(tmp_path / "data" / "test.tsv")
    assert [example["id"] for example in examples] == [row["id"] for row in rows]
    for example, row in zip(examples, rows, strict=True):
        table = read_csv(tmp_path / example["context"])
        assert table == [row["table"]["header"], *row["table"]["rows"]]
        lines = (tmp_path / example["context"]).with_suffix(".tsv").read_text(encoding="utf-8").split("\n")[:-1]
        assert [[unescaped(cell) for cell in line.split("\t")] for line in lines] == table
        assert unescaped(example["utterance"]) == row["question"]
    gold = [[unescaped(item) for item in example["targetValue"].split("|")] for example in examples]
    assert gold == [row["answers"] for row in rows]
    metric = evaluate.load("denotation_accuracy", "wtq")
    assert metric.compute(predictions=gold, references=[row["answers"] for row in rows])["denotation_accuracy"] == 1
    wrong = [["nothing of the kind"]] * len(rows)
    assert metric.compute(predictions=wrong, references=[row["answers"] for row in rows])["denotation_accuracy"] == 0


@given(st.lists(TEXT, min_size=1, max_size=3), st.lists(TEXT, min_size=2, max_size=2), TEXT)
def test_any_text_comes_back(
    tmp_path_factory: pytest.TempPathFactory, answers: list[str], cells: list[str], question: str
) -> None:
    folder = tmp_path_factory.mktemp("wtq")
    table = {"name": "t", "header": ["a", "b|c"], "rows": [cells]}
    row = {"id": "i", "lifelog_id": "l", "template": "q", "question": question, "answers": answers, "table": table}
    write_wtq([row], folder, "x")
    (example,) = read(folder / "data" / "x.tsv")

    def blanks(text: str) -> str:
        return "\n".join(" ".join(line.split()) for line in text.split("\n"))

    assert unescaped(example["utterance"]) == blanks(question)
    assert [unescaped(item) for item in example["targetValue"].split("|")] == [blanks(answer) for answer in answers]
    assert read_csv(folder / "csv" / "l-csv" / "q.csv") == [["a", "b|c"], cells]


def test_cells_follow_the_readme_of_the_benchmark() -> None:
    assert wtq_cell("a|b\\c\nd  \t e") == r"a\pb\\c\nd e"


def test_questions_without_tables_are_refused(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="sparse-0123-q04 has no table: load the questions with with_table=True"):
        write_wtq([{**row, "table": None} for row in rows if row["template"] == "q04"], tmp_path, "x")
