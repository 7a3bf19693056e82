"""Every kind of fault is found where it is, and nowhere else."""

from __future__ import annotations

import csv
import json
import time
from pathlib import Path
from typing import Any

import pytest

from timelineqa_ds.checks.oracle import PROGRAMS
from timelineqa_ds.original import lifelog
from timelineqa_ds.original.templates import fault_kinds, recognised, templates


def rows_of(folder: Path) -> dict[str, dict[str, Any]]:
    return {row["template"]: row for row in lifelog(folder).multihop_questions.to_pylist()}


def test_faults_of_the_invented_log(pristine: Path, faults: dict[str, str]) -> None:
    rows = rows_of(pristine / "benchmark" / "sparse-7")
    assert len(rows) == 39
    assert {name: row["known_fault"] for name, row in rows.items() if row["known_fault"]} == faults


def test_every_kind_is_described_and_met(faults: dict[str, str]) -> None:
    met = {kind for kinds in faults.values() for kind in kinds.split("; ")}
    assert set(fault_kinds()) - met == {"wrong answer", "not checked"}  # which have tests of their own
    subjects = {sentence.partition(":")[0] for sentence in fault_kinds().values()}
    assert subjects == {"question", "answer", "evidence", "check"}


def test_there_is_a_derivation_for_every_template() -> None:
    assert set(PROGRAMS) >= set(templates()) == {f"q{number:02d}" for number in range(1, 43)}


def change_result(folder: Path, name: str, *lines: str) -> None:
    (folder / f"{name}-result.csv").write_text("\n".join(lines) + "\n")


@pytest.fixture
def alone(invented: Path) -> Path:
    """The log's folder without the QA file, so that answers can be changed in one place."""
    (invented / "QA" / "db-sparse-7.json").unlink()
    return invented / "benchmark" / "sparse-7"


@pytest.mark.parametrize(
    ("name", "lines", "fault"),
    [
        ("q2", [",count(*)", "0,1"], None),
        ("q2", [",count(*)", "0,2"], "wrong answer"),
        ("q4", [",friends,max(length)", "0,Bo,15"], None),
        ("q4", [",friends,max(length)", "0,Zoe,15"], "wrong answer"),
        ("q5", [",avg(length)", f"0,{60 / 731}"], None),
        ("q18", [",avg", f"0,{2 / 30}"], None),
        ("q19", [",count(*)", "0,1"], None),
        ("q22", [",max(date_obj)", "0,2003-01-10 00:00:00"], None),
        ("q22", [",max(date_obj)", "0,"], "blank"),
        ("q25", [",hobbies,max(num)", "0,chess,3"], None),
        ("q26", [",food_type", "0,soup", "1,stew", "2,herring"], None),
        ("q26", [",food_type", "0,soup", "1,stew"], "wrong answer"),
        ("q27", [",food_type", "0,soup", "1,stew"], "cut at five; wrong answer"),
        ("q42", [",city,num", '0,"Oslo, Norway",2', '1,"Riga, Latvia",1', '2,"Pisa, Italy",1'], "number never filled"),
    ],
)
def test_the_answer_decides_not_the_template(alone: Path, name: str, lines: list[str], fault: str | None) -> None:
    change_result(alone, name, *lines)
    assert rows_of(alone)[f"q{int(name[1:]):02d}"]["known_fault"] == fault


def test_without_a_qa_file_the_evidence_is_the_right_one(alone: Path) -> None:
    rows = rows_of(alone)
    assert rows["q29"]["known_fault"] == "several days"
    visits = lifelog(alone).tables["travel_places_visited"].to_pylist()
    fort = {visit["episode_id"] for visit in visits if visit["place"] == "Old Fort"}
    assert len(fort) == 2 and fort < set(rows["q29"]["evidence"])
    assert rows["q10"]["evidence"] is None and rows["q10"]["known_fault"] == "asks about nan"


def test_what_cannot_be_checked_says_so(invented: Path) -> None:
    folder = invented / "benchmark" / "sparse-7"
    (folder / "daily_chat-log.csv").unlink()
    (folder / "sparse-7.json").unlink()
    rows = rows_of(folder)
    unchecked = {name for name, row in rows.items() if row["known_fault"] == "not checked"}
    assert unchecked == {"q04", "q05", "q06", "q19", "q22"}
    assert rows["q04"]["table"] is None and rows["q04"]["answers"] == ["Ann"]


def test_the_qa_file_alone(invented: Path, faults: dict[str, str]) -> None:
    folder = invented / "benchmark" / "sparse-7"
    both = rows_of(folder)
    (folder / "queries.csv").unlink()
    rows = rows_of(folder)
    assert set(both) - set(rows) == {"q36", "q37", "q38"}  # which the QA file leaves out
    assert {name: row["known_fault"] for name, row in rows.items() if row["known_fault"]} == faults
    assert rows["q42"]["answers"] == ["Oslo", "Riga", "Pisa"] and rows["q42"]["sql"] is None
    same = ("question", "question_type", "evidence", "table", "scope_start", "scope_end")
    for name, row in rows.items():
        assert [row[column] for column in same] == [both[name][column] for column in same]


def test_each_question_is_recognised(invented: Path) -> None:
    with open(invented / "benchmark" / "sparse-7" / "queries.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            found = recognised(row["question"])
            assert found is not None and found.name == f"q{int(row['q_id'][1:]):02d}"
    assert recognised("What is this?") is None


@pytest.mark.parametrize("question", ["What is this?", "a" * 80_000, "a dishes that " * 6_000, " have a for" * 8_000])
def test_a_question_of_no_template_is_an_error(invented: Path, question: str) -> None:
    """At once, however long it is: some patterns take a minute for the longest one here."""
    (invented / "benchmark" / "sparse-7" / "queries.csv").unlink()
    path = invented / "QA" / "db-sparse-7.json"
    document = json.loads(path.read_text())
    document["multihop-questions"][3]["question"] = question
    path.write_text(json.dumps(document))
    start = time.process_time()
    with pytest.raises(ValueError, match=r"db-sparse-7\.json, multihop-questions 3: expected a question of one of"):
        rows_of(invented / "benchmark" / "sparse-7")
    assert time.process_time() - start < 10
