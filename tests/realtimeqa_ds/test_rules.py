"""Each rule of data/rules.json, met on a damaged copy of the sample: what is counted, what the rows then hold."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import pytest

from realtimeqa_ds.parsing.errors import DataError
from realtimeqa_ds.parsing.report import rules


QA, NOTA, GCS, DPR = (f"20190607_{kind}.jsonl" for kind in ("qa", "qa_nota", "gcs", "dpr"))
WEEK = "2019-06-07"
READER, GUESS = (f"20190607_qa_sample_{system}.jsonl" for system in ("reader_gcs", "guess"))
Read = Callable[..., dict[str, Any]]
COVERED: set[str] = set()


def rule(name: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Mark a test as that of a rule: the last test checks that every rule has one."""
    COVERED.add(name)
    return lambda test: test


@rule("off_grammar")
def test_off_grammar(tree: Any, table: Read) -> None:
    tree.add("past/2019/20190607-20190614_qa.jsonl", tree.path(QA).read_text())
    tree.add("past/2019/20190607_qa_public.jsonl", tree.path(QA).read_text())
    found = table("multiple_choice", tree.root)
    assert found["counts"]["off_grammar"] == 2 and len(found["rows"]) == 12


@rule("no_question_file")
def test_no_question_file(tree: Any, table: Read) -> None:
    tree.path(QA).unlink()
    found = table("nota", tree.root)
    assert len(found["rows"]) == 8 and found["counts"]["no_question_file"] == 4


@rule("empty_file")
@pytest.mark.parametrize(("name", "rows", "pools"), [(QA, 8, 8), (GCS, 12, 8)])
def test_empty_file(tree: Any, table: Read, name: str, rows: int, pools: int) -> None:
    tree.path(name).write_text("")
    found = table("multiple_choice", tree.root)
    assert len(found["rows"]) == rows and found["counts"]["empty_file"] >= 1
    assert sum(row["documents"] is not None for row in found["rows"]) == pools


@rule("empty_file")
def test_empty_predictions(tree: Any, table: Read) -> None:
    tree.path(READER).write_text("")
    found = table("predictions", tree.root)
    assert len(found["rows"]) == 68 and found["counts"]["empty_file"] == 1


@rule("no_nota_file")
def test_no_nota_file(tree: Any, table: Read) -> None:
    tree.path(NOTA).write_text("")
    emptied = table("nota", tree.root)
    assert len(emptied["rows"]) == 8 and emptied["counts"]["empty_file"] == 1
    tree.path(NOTA).unlink()
    missing = table("nota", tree.root)
    assert len(missing["rows"]) == 8 and missing["counts"]["no_nota_file"] == 1
    assert len(table("multiple_choice", tree.root)["rows"]) == 12


@rule("no_pool")
def test_no_pool_is_null_and_not_empty(tree: Any, table: Read) -> None:
    tree.path(GCS).unlink()
    found = table("multiple_choice", tree.root)
    assert found["counts"]["no_pool"] == 1
    assert [row["documents"] is None for row in found["rows"]] == [True] * 4 + [False] * 8
    assert found["rows"][-1]["documents"] == []


@rule("unknown_field")
def test_unknown_field(tree: Any, table: Read) -> None:
    tree.change(QA, 1, difficulty="hard", tags=[])
    documents = tree.rows(GCS)[0]["search_result"]
    tree.change(GCS, 0, search_result=[{**documents[0], "language": "en"}])
    found = table("multiple_choice", tree.root)
    assert found["counts"]["unknown_field"] == 3 and len(found["rows"]) == 12


def doubled(tree: Any) -> None:
    """Row 1 of the first week stands twice in all of its files."""
    for name in (QA, NOTA, GCS, DPR, READER):
        rows = tree.rows(name)
        tree.write(name, rows[:2] + rows[1:])


@rule("doubled_row")
def test_doubled_row(tree: Any, table: Read) -> None:
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


@rule("nota_copy_differs")
def test_nota_copy_differs(tree: Any, table: Read) -> None:
    before = table("nota", tree.root)
    doubled(tree)
    tree.change(NOTA, 2, choices=["Four", "Five", "None of the above"], answer=["0"])
    after = table("nota", tree.root)
    assert after["rows"] == before["rows"] and after["counts"]["nota_copy_differs"] == 1


@rule("empty_question")
def test_empty_question(tree: Any, table: Read) -> None:
    tree.change(QA, 2, question_sentence="\u200b ", choices=["", ""], answer=[])
    found = table("multiple_choice", tree.root)
    assert found["counts"]["empty_question"] == 1
    assert [r["question_id"] for r in found["rows"]][:4] == ["20190607_0", "20190607_1", "20190607_3", "20190614_0"]
    # Partner files still have the row: they are joined by position.
    assert found["rows"][2]["documents"] == [] and len(table("nota", tree.root)["rows"]) == 11


@rule("no_answer")
def test_no_answer(tree: Any, table: Read) -> None:
    tree.change(QA, 2, answer=[])
    found = table("multiple_choice", tree.root)
    assert found["counts"]["no_answer"] == 1 and len(found["rows"]) == 11
    tree.change(NOTA, 1, answer=[])
    assert len(table("nota", tree.root)["rows"]) == 10


@rule("foreign_id")
def test_foreign_id(tree: Any, table: Read) -> None:
    for name, suffix in ((QA, ""), (NOTA, "_nota"), (GCS, ""), (READER, "")):
        tree.change(name, 3, question_id=f"20190531_3{suffix}")
    row = table("multiple_choice", tree.root)["rows"][3]
    assert (row["question_id"], row["source_id"], row["flags"]) == ("20190607_3", "20190531_3", ["foreign_id"])
    row = table("nota", tree.root)["rows"][3]
    assert (row["question_id"], row["source_id"]) == ("20190607_3_nota", "20190531_3_nota")


@rule("repeated_question")
def test_repeated_question(tree: Any, table: Read) -> None:
    rows = tree.rows(QA)
    tree.change(QA, 3, question_sentence=rows[0]["question_sentence"].upper(), choices=rows[0]["choices"][::-1])
    found = table("multiple_choice", tree.root)["rows"]
    assert found[3]["flags"] == ["repeated_question"] and found[3]["content_key"] == found[0]["content_key"]
    assert len({row["content_key"] for row in found}) == 11


@rule("answer_not_list")
@pytest.mark.parametrize("answer", ["1", 1])
def test_answer_not_list(tree: Any, table: Read, answer: Any) -> None:
    tree.change(QA, 0, answer=answer)
    found = table("multiple_choice", tree.root)
    assert found["rows"][0]["answer"] == [1] and found["counts"]["answer_not_list"] == 1


@rule("empty_choice")
def test_empty_choice_keeps_positions(tree: Any, table: Read) -> None:
    tree.change(QA, 0, choices=["A moose", "A walrus", "", "A goat", ""])
    row = table("multiple_choice", tree.root)["rows"][0]
    assert row["choices"] == ["A moose", "A walrus", "", "A goat", ""]
    assert row["answer_text"] == ["A walrus"] and row["flags"] == ["empty_choice"]


@rule("duplicate_choices")
def test_duplicate_choices(tree: Any, table: Read) -> None:
    tree.change(QA, 0, choices=["A moose", "A walrus", "A moose", "A goat"])
    row = table("multiple_choice", tree.root)["rows"][0]
    assert row["choices"].count("A moose") == 2 and row["flags"] == ["duplicate_choices"]


@rule("date_format")
def test_date_format(tree: Any, table: Read) -> None:
    tree.change(QA, 0, question_date="2019-06-06")
    found = table("multiple_choice", tree.root)
    assert found["rows"][0]["question_date"] == datetime.date(2019, 6, 6)
    assert found["rows"][0]["flags"] == [] and found["counts"]["date_format"] == 1


@rule("date_implausible")
@pytest.mark.parametrize("published", ["2019/06/08", "2019/05/31", "2018/06/07"])
def test_date_implausible(tree: Any, table: Read, published: str) -> None:
    tree.change(QA, 0, question_date=published)
    row = table("multiple_choice", tree.root)["rows"][0]
    assert row["question_date"].isoformat() == published.replace("/", "-") and row["flags"] == ["date_implausible"]
    assert row["week"] == datetime.date(2019, 6, 7)


@rule("date_unreadable")
def test_date_unreadable(tree: Any, table: Read) -> None:
    tree.change(QA, 0, question_date="June 6")
    documents = tree.rows(GCS)[0]["search_result"]
    tree.change(GCS, 0, search_result=[{**documents[0], "publish_date": "yesterday"}])
    found = table("multiple_choice", tree.root)
    assert found["rows"][0]["question_date"] is None and found["rows"][0]["flags"] == ["date_unreadable"]
    (document,) = found["rows"][0]["documents"]
    assert document["publish_date"] is None and document["flags"] == ["date_unreadable"]
    assert found["counts"]["date_unreadable"] == 2


@rule("url_unreadable")
def test_url_unreadable(tree: Any, table: Read) -> None:
    tree.change(QA, 0, question_url="")
    documents = tree.rows(GCS)[0]["search_result"]
    tree.change(GCS, 0, search_result=[{**documents[0], "url": "javascript:0"}])
    row = table("multiple_choice", tree.root)["rows"][0]
    assert row["source_url"] is None and row["flags"] == ["url_unreadable"]
    assert row["documents"][0]["url"] is None and row["documents"][0]["flags"] == ["url_unreadable"]


@rule("question_cleaned")
@rule("evidence_cleaned")
def test_cleaned(tree: Any, table: Read) -> None:
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
def test_evidence_leaks_answer(tree: Any, table: Read) -> None:
    evidence = 'It is <a href="https://a.example">Cape Rook</a>.'
    for name in ("20190628_qa_public.jsonl", "20190628_qa_gen_public.jsonl"):
        tree.change(name, 0, evidence=evidence)
    for config in ("multiple_choice", "nota", "generation"):
        row = table(config, tree.root, split="latest")["rows"][0]
        assert (row["evidence"], row["evidence_links"], row["evidence_raw"]) == (None, [], evidence)
        assert row["flags"] == ["evidence_leaks_answer"] and row["answer_text"] == []


@rule("nota_foreign_fields")
def test_nota_foreign_fields(tree: Any, table: Read) -> None:
    before = table("nota", tree.root)["rows"]
    tree.change(
        NOTA, 0, question_url="https://other.example/", evidence="Another week.", question_sentence="7. Which?"
    )
    after = table("nota", tree.root)
    assert after["rows"] == before and after["counts"]["nota_foreign_fields"] == 1


@rule("nota_unchanged")
def test_nota_unchanged(tree: Any, table: Read) -> None:
    choices = ["A moose", "A walrus", "None of the above"]
    tree.change(QA, 0, choices=choices)
    tree.change(NOTA, 0, choices=choices)
    assert table("nota", tree.root)["rows"][0]["flags"] == ["nota_unchanged"]
    assert table("multiple_choice", tree.root)["rows"][0]["nota_index"] == 2


@rule("nota_absent")
def test_nota_absent(tree: Any, table: Read) -> None:
    tree.change(NOTA, 0, choices=["A moose", "A walrus", "Nothing"])
    row = table("nota", tree.root)["rows"][0]
    assert row["nota_index"] is None and row["flags"] == ["nota_absent"]


@rule("nota_contradicts")
def test_nota_contradicts(tree: Any, table: Read) -> None:
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
def test_document_flags(tree: Any, table: Read) -> None:
    first, second = tree.rows(GCS)[0]["search_result"]
    url = tree.rows(QA)[0]["question_url"]
    dead = {"url": first["url"], "title": "gone"}
    tree.change(GCS, 0, search_result=[{**first, "text": "é" * 100_000}, dead, {**second, "text": "", "url": url}])
    row = table("multiple_choice", tree.root)["rows"][0]
    assert [d["flags"] for d in row["documents"]] == [["cut_text"], ["no_text"], ["quiz_page", "empty_text"]]
    assert [d["text"] for d in row["documents"][1:]] == [None, ""]
    assert row["documents"][1]["authors"] is None and row["documents"][1]["publish_date"] is None
    merged = table("multiple_choice", tree.root, documents="gcs+dpr")["rows"][0]["documents"]
    assert [(d["rank"], d["retriever"]) for d in merged] == list(enumerate(["gcs"] * 2 + ["dpr"] * 3, 1))


@rule("late_search")
def test_late_search(tree: Any, table: Read) -> None:
    tree.change(GCS, 0, search_time="2019/06/15/03:00")
    tree.change(GCS, 1, search_time="2019/06/15/03:01")
    found = table("multiple_choice", tree.root)
    assert found["counts"]["late_search"] == 1
    assert [d["flags"] for row in found["rows"][:2] for d in row["documents"]] == [[], [], ["late_search"]]


@rule("search_time_unreadable")
def test_search_time_unreadable(tree: Any, table: Read) -> None:
    tree.change(GCS, 0, search_time="Saturday")
    found = table("multiple_choice", tree.root)
    assert found["counts"]["search_time_unreadable"] == 1
    assert {d["search_time"] for d in found["rows"][0]["documents"]} == {None}


@rule("score_string")
@pytest.mark.parametrize("key", ["doc_score", "doc_scores"])
def test_scores(tree: Any, table: Read, key: str) -> None:
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
def test_undeclared_system(tree: Any, table: Read) -> None:
    tree.add("baseline_results/2019/20190607_qa_acme_reader-7.jsonl", tree.path(READER).read_text())
    found = table("predictions", tree.root, weeks=WEEK)
    rows = [row for row in found["rows"] if row["system"] == "acme_reader-7"]
    assert {(row["choice"], row["index_base"]) for row in rows} == {(None, None)}
    assert rows[0]["prediction"] and found["counts"]["undeclared_system"] == 1


@rule("invalid_choice")
@pytest.mark.parametrize("said", ["", "null", "0", "5", "1999", "A walrus", "-1", "1.0"])
def test_invalid_choice_of_a_system_that_counts_from_one(tree: Any, table: Read, said: str) -> None:
    tree.change(GUESS, 0, prediction=[said])
    found = table("predictions", tree.root, weeks=WEEK)
    row = next(row for row in found["rows"] if (row["system"], row["setting"]) == ("sample_guess", "multiple_choice"))
    assert (row["prediction"], row["choice"], row["index_base"]) == (said, None, 1)
    assert row["flags"] == ["invalid_choice"] and found["counts"]["invalid_choice"] == 1


@rule("generation_list")
def test_generation_list(tree: Any, table: Read) -> None:
    tree.change("20190607_qa_sample_guess_gen.jsonl", 0, prediction=["a walrus"])
    rows = table("predictions", tree.root, weeks=WEEK)["rows"]
    assert rows[0]["prediction"] == "a walrus" and rows[0]["flags"] == ["generation_list"]


def test_choices_are_shifted_by_the_declared_base(table: Read) -> None:
    rows = table("predictions", weeks=WEEK)["rows"]
    choices = {(row["system"], row["prediction"], *row["choice"]) for row in rows if row["choice"] is not None}
    assert all(choice == int(said) - (system == "sample_guess") for system, said, choice in choices)


REFUSED: list[tuple[str, str, str, dict[str, Any], int | None]] = [
    ("wrong_type", "multiple_choice", QA, {"question_sentence": 3}, 2),
    ("wrong_type", "multiple_choice", QA, {"choices": "A, B"}, 2),
    ("wrong_type", "multiple_choice", QA, {"choices": ["A", None]}, 2),
    ("wrong_type", "multiple_choice", QA, {"answer": ...}, 2),
    ("wrong_type", "multiple_choice", QA, {"answer": {"a": 1}}, 2),
    ("wrong_type", "multiple_choice", QA, {"evidence": ...}, 2),
    ("wrong_type", "multiple_choice", QA, {"question_id": "one"}, 2),
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
    tree: Any, table: Read, name: str, config: str, file: str, fields: dict[str, Any], line: int | None
) -> None:
    assert rules()[name].kind == "refuse"
    tree.change(file, 1, **fields)
    with pytest.raises(DataError) as caught:
        table(config, tree.root)
    assert caught.value.path.endswith(file) and caught.value.line == line
    assert "expected" in str(caught.value) or "already" in str(caught.value)


@rule("not_json")
@pytest.mark.parametrize("file", [QA, NOTA, GCS, READER])
@pytest.mark.parametrize("text", ["{", "[1]", "", "null", '{"question_id": "20190607_1"', "\ud800"])
def test_not_json(tree: Any, table: Read, file: str, text: str) -> None:
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
def test_a_partner_file_that_ends_early_is_refused(tree: Any, table: Read, config: str, file: str) -> None:
    tree.write(file, tree.rows(file)[:-1])
    with pytest.raises(DataError, match="expected 4 rows as in .*_qa.jsonl, found 3"):
        table(config, tree.root)


COVERED.add("differs_from_manifest")  # tests/realtimeqa_ds/test_source.py


def test_every_rule_has_a_test() -> None:
    assert COVERED == set(rules())
