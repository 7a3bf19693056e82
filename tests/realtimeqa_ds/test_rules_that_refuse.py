"""The rules that stop a load with an error that names file and line."""

from __future__ import annotations

from typing import Any

import pytest

from realtimeqa_ds.parsing.errors import DataError
from realtimeqa_ds.parsing.report import rules

from ..tree import Tree
from .marks import GCS, NOTA, QA, READER, Read, rule


REFUSED: list[tuple[str, str, str, dict[str, Any], int | None]] = [
    ("wrong_type", "multiple_choice", QA, {"question_sentence": 3}, 2),
    ("wrong_type", "multiple_choice", QA, {"choices": "A, B"}, 2),
    ("wrong_type", "multiple_choice", QA, {"choices": ["A", None]}, 2),
    ("wrong_type", "multiple_choice", QA, {"answer": ...}, 2),
    ("wrong_type", "multiple_choice", QA, {"answer": {"a": 1}}, 2),
    ("wrong_type", "multiple_choice", QA, {"evidence": ...}, 2),
    ("wrong_type", "multiple_choice", QA, {"question_id": "one"}, 2),
    ("wrong_type", "multiple_choice", QA, {"evidence": "a" + "\u0301\u0323" * 50_000}, 2),  # costly beyond measure
    ("wrong_type", "multiple_choice", QA, {"question_sentence": "<div>" * 80_000}, 2),
    ("wrong_type", "multiple_choice", QA, {"choices": ["a", *["\u0301" * 90] * 1_000]}, 2),
    ("wrong_type", "nota", NOTA, {"choices": ["a", "none of " + "the " * 9_000]}, 2),
    ("wrong_type", "multiple_choice", GCS, {"search_result": ...}, 2),
    ("wrong_type", "multiple_choice", GCS, {"search_result": [None]}, 2),
    ("wrong_type", "multiple_choice", GCS, {"search_result": [{"url": 7}]}, 2),
    ("wrong_type", "multiple_choice", GCS, {"search_result": [{"authors": [None]}]}, 2),
    ("wrong_type", "multiple_choice", GCS, {"search_time": 20190608}, 2),
    ("wrong_type", "predictions", READER, {"prediction": "1"}, 2),
    ("wrong_type", "predictions", READER, {"prediction": [1]}, 2),
    ("wrong_type", "predictions", READER, {"score": "high"}, 2),
    ("wrong_type", "predictions", READER, {"score": 0.5}, 2),
    ("wrong_type", "predictions", "20190607_qa_sample_guess_gen.jsonl", {"prediction": 5}, 2),
    ("answer_out_of_range", "multiple_choice", QA, {"answer": ["4"]}, 2),
    ("answer_out_of_range", "multiple_choice", QA, {"answer": ["-1"]}, 2),
    ("answer_out_of_range", "multiple_choice", QA, {"answer": ["one"]}, 2),
    ("answer_out_of_range", "multiple_choice", QA, {"answer": ["1", "1"]}, 2),
    ("answer_out_of_range", "multiple_choice", QA, {"answer": [True]}, 2),
    ("answer_out_of_range", "multiple_choice", QA, {"choices": ["a", "b", "", "d"]}, 2),
    ("answer_out_of_range", "nota", NOTA, {"answer": ["4"]}, 2),
    ("too_few_choices", "multiple_choice", QA, {"choices": ["a", "", " "], "answer": ["0"]}, 2),
    ("conflicting_row", "multiple_choice", QA, {"question_id": "20190607_0"}, 2),
    ("foreign_row", "nota", NOTA, {"question_id": "20190607_0_nota"}, 2),
    ("foreign_row", "multiple_choice", GCS, {"question_id": "20190607_9"}, 2),
    ("foreign_row", "predictions", READER, {"question_id": "20190614_1"}, 2),
]


@rule("wrong_type")
@rule("answer_out_of_range")
@rule("too_few_choices")
@rule("conflicting_row")
@rule("foreign_row")
@pytest.mark.parametrize(("name", "config", "file", "fields", "line"), REFUSED)
def test_refused(
    tree: Tree, table: Read, name: str, config: str, file: str, fields: dict[str, Any], line: int | None
) -> None:
    assert rules()[name].kind == "refuse"
    tree.change(file, 1, **fields)
    with pytest.raises(DataError) as caught:
        table(config, tree.root)
    assert caught.value.path.endswith(file) and caught.value.line == line
    assert "expected" in str(caught.value) or "already" in str(caught.value)


@rule("foreign_row")
@pytest.mark.parametrize(("config", "file"), [("nota", NOTA), ("multiple_choice", GCS), ("predictions", READER)])
def test_an_id_of_any_length(tree: Tree, table: Read, config: str, file: str) -> None:
    """Thousands of digits in the place of an id: an error with file and line that can be read."""
    tree.change(file, 1, question_id="20190607_" + "9" * 9_000)
    with pytest.raises(DataError, match=f"{file}, line 2: expected question_id '20190607_1") as caught:
        table(config, tree.root)
    assert len(str(caught.value)) < 500


@rule("not_json")
@pytest.mark.parametrize("file", [QA, NOTA, GCS, READER])
@pytest.mark.parametrize("text", ["{", "[1]", "", "null", '{"question_id": "20190607_1"', "\ud800"])
def test_not_json(tree: Tree, table: Read, file: str, text: str) -> None:
    path = tree.path(file)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[1] = text.encode("utf-8", "surrogatepass") + b"\n"
    path.write_bytes(b"".join(lines))
    config = {QA: "multiple_choice", NOTA: "nota", GCS: "documents", READER: "predictions"}[file]
    with pytest.raises(DataError) as caught:
        table(config, tree.root)
    assert caught.value.path.endswith(file)


@rule("foreign_row")
@pytest.mark.parametrize(("config", "file"), [("nota", NOTA), ("multiple_choice", GCS), ("predictions", READER)])
def test_a_partner_file_that_ends_early_is_refused(tree: Tree, table: Read, config: str, file: str) -> None:
    tree.write(file, tree.rows(file)[:-1])
    with pytest.raises(DataError, match="expected 4 rows as in .*_qa.jsonl, found 3"):
        table(config, tree.root)
