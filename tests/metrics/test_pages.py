"""What the page of each metric Space asks for and answers, without a server."""

from __future__ import annotations

import importlib
import json
from dataclasses import fields
from typing import Any

import pandas as pd
import pytest

from timeline_realtime_qa.scoring.results import Options

from .rows import load, names


def page(name: str) -> Any:
    return importlib.import_module(f"timeline_realtime_qa.{name}.app").PAGE


def table(name: str, **changed: list[str | None]) -> pd.DataFrame:
    """What stands in the table at first, with some columns changed."""
    return pd.DataFrame({**{key: list(column.cells) for key, column in page(name).columns.items()}, **changed})


def score(name: str, cells: pd.DataFrame, **values: object) -> Any:
    """The answer of the page; fields that are not named stay as they are at first."""
    asked = {key: argument.value for key, argument in page(name).fields.items()}
    assert set(values) <= set(asked)
    return page(name).score(cells, *{**asked, **values}.values())


@names
def test_what_stands_there_is_scored(name: str) -> None:
    scores, message = score(name, table(name), confidence_level="0.9", return_per_example=True)
    assert message == "" and scores["n"] == len(table(name)) and "ci:0.9/wilson" in scores["signature"]
    assert json.loads(json.dumps(scores, allow_nan=False)) == scores
    assert any(key.endswith("_low") for key in scores) and any(key.endswith("_per_example") for key in scores)


@names
def test_every_argument_is_asked_for(name: str) -> None:
    metric = load(name)
    common = {field.name for field in fields(Options)} - {"return_signature"}  # which is always shown
    configuration = {"configuration"} if metric.configs else set()
    asked = {*page(name).columns, *page(name).fields}
    assert asked == {"predictions", "references", *common, *metric.own_options, *configuration}
    assert tuple(page(name).configs) == metric.configs


@pytest.mark.parametrize(
    ("name", "config"),
    [(name, config) for name in ("denotation_accuracy", "qa_em_f1") for config in page(name).configs],
)
def test_every_configuration_scores_what_stands_there(name: str, config: str) -> None:
    scores, message = score(name, table(name), configuration=config)
    assert message == "" and f"mode:{config}" in scores["signature"]


@names
@pytest.mark.parametrize("blank", ["", None, " "])
def test_an_empty_table_is_refused(name: str, blank: str | None) -> None:
    empty = [blank] * len(table(name))
    nothing = "nothing to score: predictions and references have 0 rows, expected at least 1"
    assert score(name, table(name, **dict.fromkeys(page(name).columns, empty))) == (None, nothing)
    assert score(name, table(name)[:0]) == (None, nothing)


@names
def test_an_empty_cell_is_a_missing_answer(name: str) -> None:
    cells = table(name)
    cells.loc[1, "predictions"] = " "
    scores, message = score(name, cells)
    assert scores is None and message.startswith("predictions row 1: expected an answer, found None")
    assert "pass missing='wrong'" in message
    scores, message = score(name, cells, missing="wrong")
    assert scores["n_missing"] == 1 and scores["n"] == len(cells)
    cells.loc[0, "references"] = None
    assert score(name, cells)[1].startswith("references row 0: expected")


@names
def test_empty_rows_at_the_end_do_not_count(name: str) -> None:
    cells = pd.concat([table(name), pd.DataFrame([[""] * len(table(name).columns)] * 2, columns=table(name).columns)])
    assert score(name, cells) == score(name, table(name))


@names
@pytest.mark.parametrize("cell", ['["a", 5', "[1, ]", '"open', '["\\ud8"]', "[" * 100_000, f"[{'9' * 5000}]"])
def test_what_is_no_json_is_named(name: str, cell: str) -> None:
    cells = table(name)
    cells.loc[1, "predictions"] = cell
    scores, message = score(name, cells)
    assert scores is None and len(message) < 400
    assert message.startswith("predictions row 1: expected ") or "nested too deeply" in message


REFUSED = [
    ("qa_em_f1", "references", "[]", "references row 0: expected at least one gold answer"),
    ("qa_em_f1", "references", "[3]", "references row 0: expected a gold answer"),
    ("nota_accuracy", "references", "B", "references row 0: expected JSON (the index of the right choice"),
    ("nota_accuracy", "choices", '{"a": 1}', "choices row 0: expected a list of the texts"),
    ("nota_accuracy", "nota_index", "2.5", "nota_index row 0: expected an int or None"),
    ("evidence_retrieval", "predictions", "4, 7", "predictions row 0: expected JSON (the list of the retrieved ids"),
    ("evidence_retrieval", "predictions", "true", "predictions row 0: expected a list of ids"),
    ("denotation_accuracy", "answer_type", "colour", "answer_type row 0: expected one of number"),
    ("denotation_accuracy", "predictions", "[[1]]", "predictions row 0: expected a string"),
]


@pytest.mark.parametrize(("name", "column", "cell", "message"), REFUSED)
def test_the_metric_says_what_is_wrong(name: str, column: str, cell: str, message: str) -> None:
    cells = table(name)
    cells.loc[0, column] = cell
    scores, said = score(name, cells)
    assert scores is None and said.startswith(message)


OUT_OF_RANGE = [
    ("qa_em_f1", "confidence_level", "1", "confidence_level: expected None or a number between 0 and 1, found 1"),
    ("qa_em_f1", "confidence_level", "95%", "confidence_level: expected a number such as 0.95"),
    ("nota_accuracy", "confidence_level", "0,95", "confidence_level: expected None or a number"),
    ("denotation_accuracy", "tolerance", "-0.1", "tolerance: expected a number from 0 to below 1"),
    ("evidence_retrieval", "k", "0", "k: expected a positive int"),
    ("evidence_retrieval", "k", "1; 5", "k: expected whole numbers with commas between them"),
]


@pytest.mark.parametrize(("name", "field", "value", "message"), OUT_OF_RANGE)
def test_arguments_out_of_range(name: str, field: str, value: str, message: str) -> None:
    scores, said = score(name, table(name), **{field: value})
    assert scores is None and said.startswith(message)


def test_what_is_not_defined_is_null() -> None:
    scores, _ = score("nota_accuracy", table("nota_accuracy", choices=[""] * 3))
    assert scores["chance"] is None and scores["accuracy"] > 0


def test_forms_of_arguments() -> None:
    several = score("evidence_retrieval", table("evidence_retrieval"), k="[1, 5]")
    assert several == score("evidence_retrieval", table("evidence_retrieval"), k=" 1,5 ")
    assert "recall_at_5" in several[0] and "recall_at_1" in several[0]
    assert "recall_at_3" in score("evidence_retrieval", table("evidence_retrieval"), k="3")[0]
    assert "mrr" not in score("evidence_retrieval", table("evidence_retrieval"), k="")[0]
    assert "base:1" in score("nota_accuracy", table("nota_accuracy"), index_base=1)[0]["signature"]


def test_a_quoted_cell_is_text_as_it_is_written() -> None:
    cells = table("qa_em_f1", predictions=['""', '"[1] Rome"'], references=["Oslo", '"[1] Rome"'])
    scores, _ = score("qa_em_f1", cells, missing="error")
    assert scores["exact_match"] == 0.5 and scores["n_missing"] == 0


def test_a_warning_is_shown_beside_the_scores() -> None:
    cells = table("nota_accuracy", predictions=["3", "2", "1"])
    scores, message = score("nota_accuracy", cells)
    assert scores["n"] == 3 and message.startswith("the predictions look as if they count from 1")


def test_columns_that_somebody_added_or_removed() -> None:
    cells = table("nota_accuracy")
    scores, message = score("nota_accuracy", cells.assign(Header_5=""))
    assert scores is None and message.startswith("table: expected the columns predictions, references, choices")
    assert "Header_5" in message
    scores, message = score(
        "nota_accuracy", cells.drop(columns=["nota_index"])[["choices", "references", "predictions"]]
    )
    assert (scores, message) == score("nota_accuracy", cells)
    assert "pass references=" in score("nota_accuracy", cells.drop(columns=["references"]))[1]


@names
def test_every_field_is_on_the_page(name: str) -> None:
    gradio = pytest.importorskip("gradio", reason="needs gradio: pip install 'timeline-realtime-qa[test]'")
    shown = page(name).blocks()
    labels = {block.label for block in shown.blocks.values() if isinstance(block, gradio.components.FormComponent)}
    assert labels >= set(page(name).fields)
    (button,) = [block for block in shown.blocks.values() if isinstance(block, gradio.Button)]
    assert button.value == "Score"
