"""The rules about NOTA files, pools and predictions, each met on a damaged copy of the sample."""

from __future__ import annotations

import pytest

from ..tree import Tree
from .marks import DPR, GCS, GUESS, NOTA, QA, READER, WEEK, Read, doubled, rule


@rule("nota_copy_differs")
def test_nota_copy_differs(tree: Tree, table: Read) -> None:
    before = table("nota", tree.root)
    doubled(tree)
    tree.change(NOTA, 2, choices=["Four", "Five", "None of the above"], answer=["0"])
    after = table("nota", tree.root)
    assert after["rows"] == before["rows"] and after["counts"]["nota_copy_differs"] == 1


@rule("nota_foreign_fields")
def test_nota_foreign_fields(tree: Tree, table: Read) -> None:
    before = table("nota", tree.root)["rows"]
    tree.change(
        NOTA, 0, question_url="https://other.example/", evidence="Another week.", question_sentence="7. Which?"
    )
    after = table("nota", tree.root)
    assert after["rows"] == before and after["counts"]["nota_foreign_fields"] == 1


@rule("nota_unchanged")
def test_nota_unchanged(tree: Tree, table: Read) -> None:
    choices = ["A moose", "A walrus", "None of the above"]
    tree.change(QA, 0, choices=choices)
    tree.change(NOTA, 0, choices=choices)
    assert table("nota", tree.root)["rows"][0]["flags"] == ["nota_unchanged"]
    assert table("multiple_choice", tree.root)["rows"][0]["nota_index"] == 2


@rule("nota_absent")
def test_nota_absent(tree: Tree, table: Read) -> None:
    tree.change(NOTA, 0, choices=["A moose", "A walrus", "Nothing"])
    row = table("nota", tree.root)["rows"][0]
    assert row["nota_index"] is None and row["flags"] == ["nota_absent"]


@rule("nota_contradicts")
def test_nota_contradicts(tree: Tree, table: Read) -> None:
    tree.change(NOTA, 0, answer=["0"])
    found = table("nota", tree.root)
    assert found["counts"]["nota_contradicts"] == 1 and len(found["rows"]) == 11
    # Another spelling of the right choice is no contradiction.
    tree.change(NOTA, 0, answer=["1"], choices=["A moose", "a “walrus”", "None of the above"])
    assert len(table("nota", tree.root)["rows"]) == 12


@rule("no_text")
@rule("empty_text")
@rule("cut_text")
@rule("quiz_page")
def test_document_flags(tree: Tree, table: Read) -> None:
    first, second = tree.rows(GCS)[0]["search_result"]
    url = tree.rows(QA)[0]["question_url"]
    dead = {"url": first["url"], "title": "gone"}
    tree.change(GCS, 0, search_result=[{**first, "text": "é" * 100_000}, dead, {**second, "text": "", "url": url}])
    row = table("multiple_choice", tree.root)["rows"][0]
    assert [d["flags"] for d in row["documents"]] == [["cut_text"], ["no_text"], ["quiz_page", "empty_text"]]
    assert [d["text"] for d in row["documents"][1:]] == [None, ""]
    assert row["documents"][1]["authors"] is None and row["documents"][1]["publish_date"] is None
    merged = table("multiple_choice", tree.root, documents="gcs+dpr")["rows"][0]["documents"]
    assert [(d["rank"], d["retriever"]) for d in merged] == [
        (1, "gcs"),
        (3, "gcs"),
        (1, "dpr"),
        (2, "dpr"),
        (3, "dpr"),
    ]


@rule("late_search")
def test_late_search(tree: Tree, table: Read) -> None:
    tree.change(GCS, 0, search_time="2019/06/15/03:00")
    tree.change(GCS, 1, search_time="2019/06/15/03:01")
    found = table("multiple_choice", tree.root)
    assert found["counts"]["late_search"] == 1
    assert [d["flags"] for row in found["rows"][:2] for d in row["documents"]] == [[], [], ["late_search"]]


@rule("search_time_unreadable")
def test_search_time_unreadable(tree: Tree, table: Read) -> None:
    tree.change(GCS, 0, search_time="Saturday")
    found = table("multiple_choice", tree.root)
    assert found["counts"]["search_time_unreadable"] == 1
    assert {d["search_time"] for d in found["rows"][0]["documents"]} == {None}


@rule("score_string")
@pytest.mark.parametrize("key", ["doc_score", "doc_scores"])
def test_scores(tree: Tree, table: Read, key: str) -> None:
    rows = tree.rows(DPR)
    for row in rows:
        row["search_result"] = [{"doc_id": d["doc_id"], "text": d["text"], key: "81.5"} for d in row["search_result"]]
    tree.write(DPR, rows)
    tree.change(READER, 0, score="81.5")
    found = table("documents", tree.root, documents="dpr", weeks=WEEK)
    assert {row["score"] for row in found["rows"]} == {81.5}
    assert found["counts"]["score_string"] == 20
    scores = [row["score"] for row in table("predictions", tree.root, weeks=WEEK)["rows"]]
    assert 81.5 in scores and None in scores


@rule("undeclared_system")
def test_undeclared_system(tree: Tree, table: Read) -> None:
    tree.add("baseline_results/2019/20190607_qa_acme_reader-7.jsonl", tree.path(READER).read_text())
    found = table("predictions", tree.root, weeks=WEEK)
    rows = [row for row in found["rows"] if row["system"] == "acme_reader-7"]
    assert {(row["choice"], row["index_base"]) for row in rows} == {(None, None)}
    assert rows[0]["prediction"] and found["counts"]["undeclared_system"] == 1


@rule("invalid_choice")
@pytest.mark.parametrize("said", ["", "null", "0", "5", "1999", "A walrus", "-1", "1.0"])
def test_invalid_choice_of_a_system_that_counts_from_one(tree: Tree, table: Read, said: str) -> None:
    tree.change(GUESS, 0, prediction=[said])
    found = table("predictions", tree.root, weeks=WEEK)
    row = next(row for row in found["rows"] if (row["system"], row["setting"]) == ("sample_guess", "multiple_choice"))
    assert (row["prediction"], row["choice"], row["index_base"]) == (said, None, 1)
    assert row["flags"] == ["invalid_choice"] and found["counts"]["invalid_choice"] == 1


@rule("generation_list")
def test_generation_list(tree: Tree, table: Read) -> None:
    tree.change("20190607_qa_sample_guess_gen.jsonl", 0, prediction=["a walrus"])
    rows = table("predictions", tree.root, weeks=WEEK)["rows"]
    assert rows[0]["prediction"] == "a walrus" and rows[0]["flags"] == ["generation_list"]


def test_choices_are_shifted_by_the_declared_base(table: Read) -> None:
    rows = table("predictions", weeks=WEEK)["rows"]
    choices = {(row["system"], row["prediction"], *row["choice"]) for row in rows if row["choice"] is not None}
    assert all(choice == int(said) - (system == "sample_guess") for system, said, choice in choices)
