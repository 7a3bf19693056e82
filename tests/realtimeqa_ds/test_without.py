"""`without=`: questions, documents and predictions with a flag are left out, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from datasets import load_dataset

from realtimeqa_ds import options, spec
from realtimeqa_ds.parsing.report import rules

from ..tree import Tree
from .marks import GCS, NOTA, QA, READER, Read, rule


@rule("left_out")
@pytest.mark.parametrize("config", spec.COLUMNS)
def test_without_leaves_out_questions(tree: Tree, table: Read, config: str) -> None:
    """A flag of questions: they are left out with their documents and predictions, and counted; all else stays."""
    tree.change(QA, 0, choices=["A moose", "A walrus", "A moose", "A goat"])
    without = {"without": frozenset(["duplicate_choices"])}
    before, after = table(config, tree.root), table(config, tree.root, **without)
    kept = [row for row in before["rows"] if row["question_id"].removesuffix("_nota") != "20190607_0"]
    assert after["rows"] == kept != before["rows"] and after["counts"]["left_out"] == 1
    loaded = load_dataset("realtimeqa", config, data_dir=str(tree.root), split="test", without="duplicate_choices")
    assert list(loaded) == list(loaded.from_list(kept, features=loaded.features))


@rule("left_out")
def test_without_leaves_out_documents(tree: Tree, table: Read) -> None:
    """A flag of documents: they are left out before the fall-back and before top_k; places stay as published."""
    url = tree.rows(QA)[0]["question_url"]
    documents = tree.rows(GCS)[0]["search_result"]
    tree.change(GCS, 0, search_result=[{**documents[0], "url": url}, *documents])

    def ranks(**given: Any) -> list[tuple[str, int]]:
        row = table("multiple_choice", tree.root, without=frozenset(["quiz_page"]), **given)["rows"][0]
        return [(document["retriever"], document["rank"]) for document in row["documents"]]

    assert ranks() == [("gcs", 2), ("gcs", 3)] and ranks(top_k=1) == [("gcs", 2)]
    assert ranks(documents="gcs+dpr") == [("gcs", 2), ("gcs", 3), ("dpr", 1), ("dpr", 2), ("dpr", 3)]
    tree.change(GCS, 0, search_result=[{**documents[0], "url": url}])
    assert ranks() == []  # and not null: the week has a pool


@rule("left_out")
def test_without_leaves_out_predictions(tree: Tree, table: Read) -> None:
    """A flag of predictions leaves out those; one of NOTA forms the predictions about them."""
    tree.change(READER, 0, prediction=["none"])
    tree.change(QA, 1, choices=["Two", "Five", "None of the above"], answer=["1"])
    tree.change(NOTA, 1, choices=["Two", "Five", "None of the above"], answer=["1"])
    whole = table("predictions", tree.root)["rows"]
    invalid = table("predictions", tree.root, without=frozenset(["invalid_choice"]))
    assert invalid["rows"] == [row for row in whole if row["choice"] is not None or row["setting"] == "generation"]
    assert invalid["counts"]["left_out"] == len(whole) - len(invalid["rows"]) > 0
    unchanged = table("predictions", tree.root, without=frozenset(["nota_unchanged"]))
    assert unchanged["rows"] == [row for row in whole if row["question_id"] != "20190607_1_nota"]
    assert unchanged["counts"]["left_out"] == 2


def test_splits_without_a_row(tree: Tree) -> None:
    """Flags that all questions of a split have: the split is not there; those that all rows have: an error."""
    for number in range(2):
        for name in ("20190531_qa.jsonl", "20190628_qa_public.jsonl"):
            tree.change(name, number, choices=["a", "a", "b"])
    splits = load_dataset("realtimeqa", data_dir=str(tree.root), without=["duplicate_choices", "no_text"])
    assert set(splits) == {"test"}
    with pytest.raises(ValueError, match="no question without duplicate_choices comes from any newspaper; .*Harbour"):
        load_dataset("realtimeqa", data_dir=str(tree.root), without="duplicate_choices", weeks="2019-05-31")


@pytest.mark.parametrize("without", ["quizpage", ["quiz_page", "off_grammar"], 3, {"a": 1}, [["quiz_page"]]])
def test_flags_that_there_are_not(without: Any) -> None:
    """Flags that no row can have: an error that names those that there are."""
    with pytest.raises(
        ValueError, match="expected without= to be a flag or a list of flags of .*quiz_page, .*, found"
    ):
        load_dataset("realtimeqa", data_dir="sample", without=without, streaming=True)


def test_every_flag_of_the_sample_is_declared(table: Read) -> None:
    """Rows carry flags that data/rules.json declares for their kind, which `without=` then takes."""
    kinds = {"documents": "document", "predictions": "prediction"}
    for config in spec.COLUMNS:
        for row in table(config)["rows"]:
            assert all(kinds.get(config, "question") in rules()[flag].flags for flag in row["flags"])
    assert options.flag_names(None) == frozenset() and options.flag_names(["no_text"]) == {"no_text"}
