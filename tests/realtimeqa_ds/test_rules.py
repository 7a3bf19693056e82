"""The rules of data/rules.json about files and questions, each met on a damaged copy of the sample."""

from __future__ import annotations

import datetime
import re
from pathlib import Path
from typing import Any

import pytest

from realtimeqa_ds.parsing.report import rules

from ..tree import Tree
from .marks import GCS, GUESS, NOTA, QA, READER, WEEK, Read, doubled, rule


@rule("off_grammar")
def test_off_grammar(tree: Tree, table: Read) -> None:
    tree.add("past/2019/20190607-20190614_qa.jsonl", tree.path(QA).read_text())
    tree.add("past/2019/20190607_qa_public.jsonl", tree.path(QA).read_text())
    found = table("multiple_choice", tree.root)
    # And the questions of latest/ without their choices, which repeat those with them.
    assert found["counts"]["off_grammar"] == 3 and len(found["rows"]) == 12


@rule("no_question_file")
def test_no_question_file(tree: Tree, table: Read) -> None:
    tree.path(QA).unlink()
    found = table("nota", tree.root)
    assert len(found["rows"]) == 8 and found["counts"]["no_question_file"] == 4


@rule("empty_file")
@pytest.mark.parametrize(("name", "rows", "pools"), [(QA, 8, 8), (GCS, 12, 8)])
def test_empty_file(tree: Tree, table: Read, name: str, rows: int, pools: int) -> None:
    tree.path(name).write_text("")
    found = table("multiple_choice", tree.root)
    assert len(found["rows"]) == rows and found["counts"]["empty_file"] >= 1
    assert sum(row["documents"] is not None for row in found["rows"]) == pools


@rule("empty_file")
def test_empty_predictions(tree: Tree, table: Read) -> None:
    tree.path(READER).write_text("")
    found = table("predictions", tree.root)
    assert len(found["rows"]) == 68 and found["counts"]["empty_file"] == 1


@rule("no_nota_file")
def test_no_nota_file(tree: Tree, table: Read) -> None:
    tree.path(NOTA).write_text("")
    emptied = table("nota", tree.root)
    assert len(emptied["rows"]) == 8 and emptied["counts"]["empty_file"] == 1
    tree.path(NOTA).unlink()
    missing = table("nota", tree.root)
    assert len(missing["rows"]) == 8 and missing["counts"]["no_nota_file"] == 1
    assert len(table("multiple_choice", tree.root)["rows"]) == 12


@rule("no_pool")
def test_no_pool_is_null_and_not_empty(tree: Tree, table: Read) -> None:
    tree.path(GCS).unlink()
    found = table("multiple_choice", tree.root)
    assert found["counts"]["no_pool"] == 1
    assert [row["documents"] is None for row in found["rows"]] == [True] * 4 + [False] * 8
    assert found["rows"][-1]["documents"] == []


@rule("unknown_field")
def test_unknown_field(tree: Tree, table: Read) -> None:
    tree.change(QA, 1, difficulty="hard", tags=[])
    documents = tree.rows(GCS)[0]["search_result"]
    tree.change(GCS, 0, search_result=[{**documents[0], "language": "en"}])
    found = table("multiple_choice", tree.root)
    assert found["counts"]["unknown_field"] == 3 and len(found["rows"]) == 12


@rule("doubled_row")
def test_doubled_row(tree: Tree, table: Read) -> None:
    before = table("nota", tree.root)
    doubled(tree)
    after = table("nota", tree.root)
    assert after["rows"] == before["rows"] and after["counts"]["doubled_row"] == 1
    for name in (GUESS, "20190607_qa_nota_sample_guess.jsonl", "20190607_qa_sample_guess_gen.jsonl"):
        tree.path(name).unlink()
    for name in ("20190607_qa_nota_sample_reader_gcs.jsonl", "20190607_qa_sample_reader_gcs_gen.jsonl"):
        tree.path(name).unlink()
    predictions = table("predictions", tree.root, weeks=WEEK)["rows"]
    assert [row["question_id"] for row in predictions] == [f"20190607_{n}" for n in range(4)]


@rule("empty_question")
def test_empty_question(tree: Tree, table: Read) -> None:
    tree.change(QA, 2, question_sentence="\u200b ", choices=["", ""], answer=[])
    found = table("multiple_choice", tree.root)
    assert found["counts"]["empty_question"] == 1
    assert [r["question_id"] for r in found["rows"]][:4] == ["20190607_0", "20190607_1", "20190607_3", "20190614_0"]
    # Partner files still have the row: they are joined by position.
    assert found["rows"][2]["documents"] == [] and len(table("nota", tree.root)["rows"]) == 11


@rule("no_answer")
def test_no_answer(tree: Tree, table: Read) -> None:
    tree.change(QA, 2, answer=[])
    found = table("multiple_choice", tree.root)
    assert found["counts"]["no_answer"] == 1 and len(found["rows"]) == 11
    tree.change(NOTA, 1, answer=[])
    assert len(table("nota", tree.root)["rows"]) == 10


@rule("foreign_id")
def test_foreign_id(tree: Tree, table: Read) -> None:
    for path in tree.root.rglob("20190607_*.jsonl"):
        tree.change(path.name, 3, question_id="20190531_3" + "_nota" * ("_nota" in path.name))
    row = table("multiple_choice", tree.root)["rows"][3]
    assert (row["question_id"], row["source_id"], row["flags"]) == (
        "20190607_3",
        "20190531_3",
        ["foreign_id", "needs_choices"],
    )
    row = table("nota", tree.root)["rows"][3]
    assert (row["question_id"], row["source_id"]) == ("20190607_3_nota", "20190531_3_nota")
    for config, rows in (("documents", 5), ("predictions", 6)):
        found = table(config, tree.root, weeks=WEEK, documents="dpr")["rows"]
        flagged = [row["question_id"].removesuffix("_nota") for row in found if "foreign_id" in row["flags"]]
        assert flagged == ["20190607_3"] * rows


@rule("repeated_question")
def test_repeated_question(tree: Tree, table: Read) -> None:
    rows = tree.rows(QA)
    tree.change(QA, 3, question_sentence=rows[0]["question_sentence"].upper(), choices=rows[0]["choices"][::-1])
    found = table("multiple_choice", tree.root)["rows"]
    assert found[3]["content_key"] == found[0]["content_key"]
    assert [number for number, row in enumerate(found) if "repeated_question" in row["flags"]] == [0, 3]
    assert len({row["content_key"] for row in found}) == 11


@rule("answer_not_list")
@pytest.mark.parametrize("answer", ["1", 1])
def test_answer_not_list(tree: Tree, table: Read, answer: Any) -> None:
    tree.change(QA, 0, answer=answer)
    found = table("multiple_choice", tree.root)
    assert found["rows"][0]["answer"] == [1] and found["counts"]["answer_not_list"] == 1


@rule("empty_choice")
def test_empty_choice_keeps_positions(tree: Tree, table: Read) -> None:
    tree.change(QA, 0, choices=["A moose", "A walrus", "", "A goat", ""])
    row = table("multiple_choice", tree.root)["rows"][0]
    assert row["choices"] == ["A moose", "A walrus", "", "A goat", ""]
    assert row["answer_text"] == ["A walrus"] and row["flags"] == ["empty_choice"]


@rule("duplicate_choices")
def test_duplicate_choices(tree: Tree, table: Read) -> None:
    tree.change(QA, 0, choices=["A moose", "A walrus", "A moose", "A goat"])
    row = table("multiple_choice", tree.root)["rows"][0]
    assert row["choices"].count("A moose") == 2 and row["flags"] == ["duplicate_choices"]


@rule("date_format")
def test_date_format(tree: Tree, table: Read) -> None:
    tree.change(QA, 0, question_date="2019-06-06")
    found = table("multiple_choice", tree.root)
    assert found["rows"][0]["question_date"] == datetime.date(2019, 6, 6)
    assert found["rows"][0]["flags"] == [] and found["counts"]["date_format"] == 1


@rule("date_implausible")
@pytest.mark.parametrize("published", ["2019/06/08", "2019/05/31", "2018/06/07"])
def test_date_implausible(tree: Tree, table: Read, published: str) -> None:
    tree.change(QA, 0, question_date=published)
    row = table("multiple_choice", tree.root)["rows"][0]
    assert row["question_date"].isoformat() == published.replace("/", "-") and row["flags"] == ["date_implausible"]
    assert row["week"] == datetime.date(2019, 6, 7)


@rule("date_unreadable")
def test_date_unreadable(tree: Tree, table: Read) -> None:
    tree.change(QA, 0, question_date="June 6")
    documents = tree.rows(GCS)[0]["search_result"]
    tree.change(GCS, 0, search_result=[{**documents[0], "publish_date": "yesterday"}])
    found = table("multiple_choice", tree.root)
    assert found["rows"][0]["question_date"] is None and found["rows"][0]["flags"] == ["date_unreadable"]
    (document,) = found["rows"][0]["documents"]
    assert document["publish_date"] is None and document["flags"] == ["date_unreadable"]
    assert found["counts"]["date_unreadable"] == 2


@rule("url_unreadable")
def test_url_unreadable(tree: Tree, table: Read) -> None:
    tree.change(QA, 0, question_url="")
    documents = tree.rows(GCS)[0]["search_result"]
    tree.change(GCS, 0, search_result=[{**documents[0], "url": "javascript:0"}])
    row = table("multiple_choice", tree.root)["rows"][0]
    assert row["source_url"] is None and row["flags"] == ["url_unreadable"]
    assert row["documents"][0]["url"] is None and row["documents"][0]["flags"] == ["url_unreadable"]


@rule("question_cleaned")
@rule("evidence_cleaned")
def test_cleaned(tree: Tree, table: Read) -> None:
    raw = "Which <em>animal</em> blocked\u200b the ferry &amp; why?"
    tree.change(QA, 0, question_sentence=raw)
    found = table("multiple_choice", tree.root)
    row = found["rows"][0]
    assert row["question"] == "Which animal blocked the ferry & why?" and row["question_raw"] == raw
    assert row["evidence"] == "Crews waited while a walrus slept on the ramp of the Tallow Island ferry."
    assert row["evidence_raw"].startswith("Crews waited while <a href=")
    assert row["evidence_links"] == ["https://harbour-post.example/walrus-ferry"]
    assert found["counts"]["question_cleaned"] == 1 and found["counts"]["evidence_cleaned"] == 10


@rule("evidence_leaks_answer")
def test_evidence_leaks_answer(tree: Tree, table: Read) -> None:
    evidence = 'It is <a href="https://a.example">Cape Rook</a>.'
    for name in ("20190628_qa_public.jsonl", "20190628_qa_gen_public.jsonl"):
        tree.change(name, 0, evidence=evidence)
    for config in ("multiple_choice", "nota", "generation"):
        row = table(config, tree.root, split="latest")["rows"][0]
        assert (row["evidence"], row["evidence_links"], row["evidence_raw"]) == (None, [], evidence)
        assert row["flags"] == ["evidence_leaks_answer"] and row["answer_text"] == []


def test_every_rule_has_a_test() -> None:
    tests = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert set(re.findall(r'^@rule\("(\w+)"\)$', tests, re.MULTILINE)) == set(rules())
