"""Damaged files: an error that names file and row, never a wrong row, never an error of another kind."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from timelineqa_ds.original import lifelog
from timelineqa_ds.original.reading import OutputError
from timelineqa_ds.original.tables import file_name, known_columns


TABLES = [name for name in known_columns() if name != "jobs"]
RESULTS = [f"q{number}-result.csv" for number in range(1, 43)]
ROWS = ["sparse-7.json", "persona.json", *map(file_name, TABLES)]  # files that other things than questions are in
FILES = [*ROWS, "queries.csv", "db-sparse-7.json", *RESULTS]
ALLOWED = (ValueError, FileNotFoundError, RuntimeError)


@contextmanager
def damaged(root: Path, file: str, change: Callable[[bytes], bytes]) -> Iterator[Path]:
    """The log's folder with one file changed by `change(bytes)`."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(shutil.copytree(root, Path(folder) / "copy", copy_function=os.link))
        (path,) = copy.rglob(file)
        data = path.read_bytes()
        path.unlink()  # a link to the original's
        path.write_bytes(change(data))
        yield copy / "benchmark" / "sparse-7"


def read(folder: Path, file: str) -> list[dict[str, Any]]:
    """All rows that a file has a part in."""
    log = lifelog(folder)
    if file == "persona.json":
        tables = [log.persona]
    elif file == "sparse-7.json":
        tables = [log.episodes, log.atomic_questions]
    elif file.endswith("-log.csv"):
        tables = [log.table(file.removesuffix("-log.csv"))]
    else:
        tables = [log.multihop_questions]
    return [row for table in tables for row in table.to_pylist()]


@pytest.fixture(scope="module")
def whole(pristine: Path) -> dict[str, list[dict[str, Any]]]:
    """The rows of each file as it is."""
    folder = pristine / "benchmark" / "sparse-7"
    questions = read(folder, "queries.csv")
    return {file: read(folder, file) if file in ROWS else questions for file in FILES}


@given(st.sampled_from(FILES), st.floats(0, 1))
@settings(max_examples=60)
def test_a_file_cut_anywhere(pristine: Path, whole: dict[str, list[dict[str, Any]]], file: str, share: float) -> None:
    (path,) = pristine.rglob(file)
    size = path.stat().st_size
    cut = int(share * size)
    with damaged(pristine, file, lambda data: data[:cut]) as folder:
        try:
            rows = read(folder, file)
        except OutputError as error:
            # A shortened answer shows where the QA file has it whole.
            assert Path(error.path).name in (file, "db-sparse-7.json") and (error.row or file == "sparse-7.json")
        else:
            assert rows == whole[file]
            assert cut == size or path.read_bytes() == b'""\n'


@pytest.mark.parametrize("table", [name for name in TABLES if name != "marriages"])
def test_a_table_cut_between_rows(pristine: Path, whole: dict[str, list[dict[str, Any]]], table: str) -> None:
    file = file_name(table)
    with damaged(pristine, file, lambda data: b"".join(data.splitlines(True)[:-1])) as folder:
        with pytest.raises(OutputError, match=rf"{file}, last line: expected a row for e\d+ .* cut off"):
            read(folder, file)
        # Without the other file nothing can tell; but what is there is right.
        (folder / "sparse-7.json").unlink()
        days = [row["episode_id"] for row in read(folder, file)]
    assert len(days) == len(whole[file]) - 1 and set(days) < {row["episode_id"] for row in whole[file]}


def test_questions_cut_between_rows(pristine: Path) -> None:
    with damaged(pristine, "queries.csv", lambda data: b"".join(data.splitlines(True)[:-1])) as folder:
        with pytest.raises(OutputError, match=r"queries\.csv, last line: expected the question that q42-result\.csv"):
            read(folder, "queries.csv")
    with damaged(pristine, "q26-result.csv", lambda data: b"".join(data.splitlines(True)[:-1])) as folder:
        with pytest.raises(OutputError, match=r"db-sparse-7\.json, multihop-questions 25: expected the answer of q26"):
            read(folder, "queries.csv")


@given(st.sampled_from(FILES), st.floats(0, 0.9999), st.binary(min_size=1, max_size=3))
@settings(max_examples=80)
def test_any_bytes_raise_nothing_else(pristine: Path, file: str, share: float, junk: bytes) -> None:
    def change(data: bytes) -> bytes:
        at = int(share * len(data))
        return data[:at] + junk + data[at + len(junk) :]

    with damaged(pristine, file, change) as folder:
        try:
            read(folder, file)
        except ALLOWED as error:
            assert "sparse-7" in str(error)


@given(data=st.data(), value=st.sampled_from([None, 3, 2.5, True, [], {}, [[]], ["x", 1]]))
@settings(max_examples=60)
def test_values_of_another_type(
    pristine: Path, whole: dict[str, list[dict[str, Any]]], data: st.DataObject, value: object
) -> None:
    """In JSON, at any depth: the value is refused, or it is not used and the rows are the same."""
    file = data.draw(st.sampled_from(["sparse-7.json", "persona.json", "db-sparse-7.json"]))
    where: list[str | int] = []

    def change(text: bytes) -> bytes:
        document = json.loads(text)
        inside = document
        while True:
            keys = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
            where.append(data.draw(st.sampled_from(keys)))
            below = inside[where[-1]]
            if not isinstance(below, (dict, list)) or not below or data.draw(st.integers(0, 3)) == 0:
                inside[where[-1]] = value
                return json.dumps(document).encode()
            inside = below

    with damaged(pristine, file, change) as folder:
        try:
            rows = read(folder, file)
        except OutputError as error:
            assert Path(error.path).name == file
        else:
            assert rows == whole[file] or _may_be_so(file, where, value)


def _may_be_so(file: str, where: list[str | int], value: object) -> bool:
    """Empty lists and days where they may be empty (the numbers of episodes tell any but the last), whole numbers."""
    if file == "sparse-7.json":
        return value == {} and len(where) == 1
    if file == "persona.json":
        return (value == [] and where[-1] in LISTS) or (
            value == 3 and where[-1] in ("birth_month", "birth_day", "trips_per_year")
        )
    return value == [] and where[-1] in ("atomic_qa_pairs", "evidence_list", "answer", 1, 2, "multihop-questions")


LISTS = (
    "sibling_names", "close_friends_names", "partners_names", "kids_names", "professions", "hobbies", "exercise",
    "pet_names",
)  # fmt: skip


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("daily_exercise-log.csv", ",120", ",fast", "line 2: heart_rate: expected a whole number, found 'fast'"),
        ("daily_exercise-log.csv", ",120", ",", "line 2: heart_rate: expected a whole number, found ''"),
        ("daily_chat-log.csv", "2003/05/20", "2003/05/32", "line 3: date: expected a day of the calendar"),
        ("daily_chat-log.csv", "2003/05/20", "20 May", "line 3: date: expected a day such as 2022/01/31"),
        ("daily_chat-log.csv", "2003/05/20", "2003/05/21", "line 3: expected what sparse-7.json has for e"),
        ("daily_chat-log.csv", ",15,", ",15,15,", "line 3: expected 5 values, found 6"),
        ("daily_chat-log.csv", "howlong", "minutes", "line 1: expected the columns 'eid', 'date', 'timeofday'"),
        ("daily_chat-log.csv", "timeofday", "howlong", "line 1: expected the columns"),
        ("annual_medical_care-log.csv", "personal_", "pet_", "for_whom: expected one of personal_medical_care"),
        ("moves-log.csv", "college move", "a whim", "line 2: type_of_move: expected a move for a college"),
        ("queries.csv", "q17,", "q99,", "line 18: expected one of q1 .. q42 with its question, found 'q99'"),
        ("queries.csv", "q17,", "q18,", "line 18: expected one of q1 .. q42 with its question"),
        ("queries.csv", '""friends"": ""Ann""', '""friends"": 3', "line 7: params: friends: expected a text, found 3"),
        ("queries.csv", '""friends"": ""Ann""', '""friends"": ""Bo""', "expected the friends of the question, 'Ann'"),
        ("queries.csv", '""month"": 5', '""month"": 15', "params: month: expected a month, found 15"),
        ("queries.csv", '""month"": 5', '""month: 5', "params: expected a JSON object"),
        ("q5-result.csv", "20.0", "many", "q5-result.csv, line 2: expected a number, found 'many'"),
        ("q5-result.csv", "avg(length)", "avg", "line 1: expected the columns '', 'avg(length)'"),
        ("q5-result.csv", "0,20.0", "1,20.0", "line 2: expected the row number 0, found '1'"),
        ("q5-result.csv", "20.0", "21.0", "multihop-questions 4: expected the answer of q5-result.csv"),
        ("sparse-7.json", '"e5"', '"e6"', "expected the episodes e0 .. e51, each once; e5 is not so"),
        ("sparse-7.json", '"chat0"', '"dance0"', "entry 2003/05/20 dance0: expected an event such as chat0"),
        ("sparse-7.json", '"2003/05/20": {', '"2003/05/32": {', "entry 2003/05/32: expected a day of the calendar"),
        ("sparse-7.json", '"2004/07/05"', '"2004/06/05"', "logical_representation: expected an end on or after"),
        ("persona.json", '"birth_month": 3', '"birth_month": 13', "key 'birth_day': expected a day of birth"),
        ("persona.json", '"birth_month": 3', '"birth_month": "3"', "key 'birth_month': expected a whole number"),
    ],
)  # fmt: skip
def test_errors_name_file_and_row(pristine: Path, file: str, old: str, new: str, message: str) -> None:
    def change(data: bytes) -> bytes:
        text = data.decode()
        assert old in text
        return text.replace(old, new, 1).encode()

    with damaged(pristine, file, change) as folder, pytest.raises(OutputError) as raised:
        read(folder, file if not file.endswith("-result.csv") else "queries.csv")
    assert message in str(raised.value)


@pytest.mark.parametrize(("old", "new"), [("e20", "e999"), ("e20", "e1"), ("2003/05/20", "2003/05/21")])
def test_evidence_of_another_log(pristine: Path, old: str, new: str) -> None:
    def change(data: bytes) -> bytes:
        head, part, questions = data.decode().partition('"multihop-questions"')
        assert f'"{old}"' in questions
        return (head + part + questions.replace(f'"{old}"', f'"{new}"', 1)).encode()

    with damaged(pristine, "db-sparse-7.json", change) as folder:
        message = (
            r"db-sparse-7\.json, multihop-questions \d+: evidence: expected an episode of sparse-7\.json, found e"
        )
        with pytest.raises(OutputError, match=message):
            read(folder, "db-sparse-7.json")


def test_bytes_that_are_no_text(pristine: Path) -> None:
    def change(data: bytes) -> bytes:
        lines = data.splitlines(True)
        lines[2] = lines[2].replace(b"Bo", b"B\xff")
        return b"".join(lines)

    with damaged(pristine, "daily_chat-log.csv", change) as folder:
        with pytest.raises(OutputError, match=r"daily_chat-log\.csv, line 3: expected UTF-8, found the byte 0xff"):
            read(folder, "daily_chat-log.csv")


def test_an_error_survives_another_process() -> None:
    error = pickle.loads(pickle.dumps(OutputError("a.csv", "expected more", "line 3")))
    assert (str(error), error.path, error.row) == ("a.csv, line 3: expected more", "a.csv", "line 3")


def test_the_qa_file_of_another_run(pristine: Path) -> None:
    def change(data: bytes) -> bytes:
        return data.replace(b"tacos for lunch", b"soup for lunch")

    with damaged(pristine, "db-sparse-7.json", change) as folder:
        with pytest.raises(OutputError, match="multihop-questions 10: .* the files are of two runs, keep one of them"):
            read(folder, "queries.csv")
