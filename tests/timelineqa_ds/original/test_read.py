"""The configs on the invented log: every trap of the files, folders, splits and arguments."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from click.testing import CliRunner

from timelineqa_ds.builder import TimelineQA
from timelineqa_ds.commands import main
from timelineqa_ds.configs import configs
from timelineqa_ds.original import OriginalLifelog, folder, lifelog


CONFIGS = [name for name, config in configs().items() if config.density in (None, "sparse")]
CONFIGS.remove("sparse_extended")
Build = Callable[..., TimelineQA]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """`build(config, data_dir, **arguments)`: a builder with a cache of its own."""
    return lambda name, data_dir, **more: TimelineQA(
        config_name=name, data_dir=str(data_dir), cache_dir=str(tmp_path / "cache"), **more
    )


def stream(builder: TimelineQA, split: str = "train") -> list[dict[str, Any]]:
    return list(builder.as_streaming_dataset(split=split))


@pytest.fixture(scope="module")
def log(pristine: Path) -> OriginalLifelog:
    return lifelog(pristine / "benchmark" / "sparse-7")


def by_text(table: pa.Table, column: str, part: str) -> dict[str, Any]:
    row: dict[str, Any]
    (row,) = [row for row in table.to_pylist() if part in str(row[column])]
    return row


@pytest.mark.parametrize("config", CONFIGS)
def test_streamed_is_prepared(build: Build, pristine: Path, config: str) -> None:
    builder = build(config, pristine)
    builder.download_and_prepare()
    prepared = builder.as_dataset()
    assert list(prepared) == ["train"]
    assert prepared["train"].to_list() == stream(builder)
    generated = TimelineQA(config_name=config).info.features
    known = list(builder.info.features)
    assert [name for name in known if name != "known_fault"] == list(generated)
    assert {name: builder.info.features[name] for name in generated} == generated


def test_a_table_without_rows_is_an_empty_split(build: Build, pristine: Path) -> None:
    builder = build("sparse_marriages", pristine)
    builder.download_and_prepare()
    found = builder.as_dataset(split="train")
    assert len(found) == 0 and found.column_names[:2] == ["lifelog_id", "episode_id"]


def test_episodes_are_in_order_with_their_own_numbers(log: OriginalLifelog) -> None:
    rows = log.episodes.to_pylist()
    assert [row["start"] for row in rows] == sorted(row["start"] for row in rows)
    assert sorted(row["episode_id"] for row in rows) == list(range(len(rows))) and rows[0]["event"] == "birth_info"
    assert rows[0] == {
        "lifelog_id": "sparse-0007", "episode_id": 0, "start": date(1985, 3, 9), "end": date(1985, 3, 9),
        "event": "birth_info", "time_scale": "lifetime", "text": "Born on 1985/03/09 in Turku, Finland.",
        "people": [], "place": "Turku", "parent_id": None,
    }  # fmt: skip


def test_events_people_places_and_trips(log: OriginalLifelog) -> None:
    rows = log.episodes
    assert {"watch_tv", "social_media", "college_move", "college_graduation"} <= set(rows["event"].to_pylist())
    alone = by_text(rows, "text", "Riga, Latvia with myself ")
    assert alone["people"] == [] and alone["text"].endswith(" ") and alone["end"] == date(2003, 8, 4)
    late = by_text(rows, "text", "Mole")  # a visit after the end of its trip
    assert (late["start"], late["people"], late["place"]) == (date(2004, 7, 7), ["Ann", "Jo"], "Mole")
    trip = by_text(rows, "text", "From 2004/07/01")
    assert late["parent_id"] == trip["episode_id"]
    unnamed = by_text(rows, "text", "eggs, ham, and bread at breakfast")
    assert unnamed["people"] == []  # the original drew Ann and Bo, and did not tell
    child = by_text(rows, "text", "vision")
    assert (child["people"], child["place"]) == (["Kim"], "clinic")


def test_tables_are_typed_and_oldest_first(log: OriginalLifelog) -> None:
    days = log.tables["travel"]["start_date"].to_pylist()
    assert days == sorted(days) and days[0] == date(2003, 3, 1)
    care = log.tables["annual_medical_care"].to_pylist()
    assert [(row["date"].year, row["for_whom"], row["person"], row["clinic"]) for row in care] == [
        (2003, "myself", None, "clinic"), (2003, "child", "Kim", "clinic"), (2004, "child", "Kim", "clinic"),
    ]  # fmt: skip
    assert log.tables["daily_exercise"]["heart_rate"].to_pylist() == [120, 130, 99]


def test_lists_blanks_repeats_and_apostrophes(log: OriginalLifelog) -> None:
    assert log.tables["daily_chat"]["friends"].to_pylist() == [["Ann"], ["Bo"], ["Ann", "Bo"]]
    meals = log.tables["daily_meal"].to_pylist()
    assert (meals[0]["foodtype"], meals[0]["people"]) == ("eggs, ham, and bread", [])
    made = log.tables["weekly_bakeorcook"].to_pylist()
    assert made[1]["cuisine"] == ["shepherd\u2019s pie", "apple tart"] and made[1]["people"] == []
    assert [row["activity"] for row in made] == ["bake", "cook", "bake"]
    assert log.tables["weekly_grocery"]["online"].to_pylist() == [False, True, False, False]


def test_midnights_and_stale_columns_of_trips(log: OriginalLifelog) -> None:
    meals = log.tables["travel_dining"].to_pylist()
    trips = {trip["start_date"]: trip for trip in log.tables["travel"].to_pylist()}
    assert len(meals) == 8 and "place" not in meals[0]
    for meal in meals:
        trip = trips[meal["start_date"]]
        assert (meal["people"], meal["trip_episode_id"]) == (trip["people"], trip["episode_id"])
    assert [trip["days"] for trip in trips.values()] == [3, 4, 3, 5]


def test_moves_and_jobs(log: OriginalLifelog) -> None:
    (move,) = log.tables["moves"].to_pylist()
    assert (move["type_of_move"], move["destination"], move["people"]) == ("college", "North College", None)
    assert log.tables["jobs"].num_rows == 0


def test_a_move_for_a_job_is_a_job(invented: Path) -> None:
    log = invented / "benchmark" / "sparse-7"
    (log / "sparse-7.json").unlink()
    (log / "moves-log.csv").write_text(
        "eid,date,type_of_move,destination\ne9,2004-01-01,moving to Lodz for a new job,Lodz\n"
    )
    (job,) = lifelog(log).tables["jobs"].to_pylist()
    assert (job["start_date"], job["city"], job["title"]) == (date(2004, 1, 1), "Lodz", None)


def test_columns_in_another_order_and_iso_days(invented: Path, log: OriginalLifelog) -> None:
    path = invented / "benchmark" / "sparse-7" / "daily_chat-log.csv"
    lines = [line.replace("/", "-").split(",", 4) for line in path.read_text().splitlines()]
    path.write_text("".join(",".join([*line[::-1]]) + "\n" for line in lines))
    assert lifelog(path.parent).tables["daily_chat"].equals(log.tables["daily_chat"])


def test_the_persona(log: OriginalLifelog) -> None:
    (row,) = log.persona.to_pylist()
    assert (row["persona"], row["birth_date"], row["name"]) == (7, date(1985, 3, 9), None)
    assert [person["name"] for person in row["friends"]] == ["Ann", "Bo", "Ann"]
    assert row["marriages"] == [{"partner": "Vera", "married_date": None, "divorce_date": None}]


def test_questions_have_what_the_original_lacks(log: OriginalLifelog) -> None:
    rows = {row["template"]: row for row in log.multihop_questions.to_pylist()}
    first = rows["q27"]
    assert (first["id"], first["question_type"], first["answer_type"]) == ("sparse-0007-q27", "argmax", "text")
    assert first["sql"].splitlines()[0].startswith("-- SQLite, of the original program")
    assert first["sql"].splitlines()[1] == "select q27"
    assert first["evidence"] == sorted(set(first["evidence"])) and len(first["evidence"]) == 8
    assert first["table"]["name"] == "travel_dining" and len(first["table"]["rows"]) == 8
    assert "episode_id" in first["table"]["header"] and "place" not in first["table"]["header"]
    assert rows["q40"]["answers"] == ["2003-03-01"] and rows["q09"]["answers"] == ["2004, 6"]
    assert rows["q42"]["answers"] == ["Oslo, Norway", "Riga, Latvia", "Pisa, Italy"]
    assert rows["q24"]["answers"] == [] and rows["q37"]["answers"] == ["2003-02-01"]
    scopes = {name: (rows[name]["scope_start"], rows[name]["scope_end"]) for name in ("q04", "q05", "q16", "q41")}
    assert scopes == {
        "q04": (date(2003, 5, 1), date(2003, 5, 31)),
        "q05": (date(2003, 1, 1), date(2004, 12, 31)),  # neither reading in 2005 nor a degree in 2007 counts
        "q16": (date(2003, 1, 1), date(2004, 12, 31)),
        "q41": (date(2004, 1, 1), date(2004, 12, 31)),
    }


def test_atomic_questions_are_all_pairs(log: OriginalLifelog) -> None:
    rows = log.atomic_questions.to_pylist()
    pairs = sum(len(entry.pairs) for entry in log.need_entries().rows)
    assert len(rows) == pairs > 40
    for row in rows:
        for start in row["answers"]["answer_start"]:
            assert row["context"][start:].startswith(row["answers"]["text"][0])
    stay = next(row for row in rows if row["question"] == "How long did I stay?")
    assert stay["answers"] == {"text": ["3"], "answer_start": []} and stay["question_type"] == "how long"
    yes = next(row for row in rows if row["answers"]["text"] == ["yes"])
    assert yes["question_type"] == "yes/no" and yes["answers"]["answer_start"] == []
    visit = next(row for row in rows if row["question"] == "when was Mole?")  # the text has the month only
    assert visit["answers"] == {"text": ["2004/07/07"], "answer_start": [0]}


def test_the_qa_file_is_enough_for_questions(build: Build, invented: Path) -> None:
    shutil.rmtree(invented / "benchmark")
    assert len(stream(build("sparse_atomic", invented))) == 5
    rows = stream(build("sparse", invented))
    assert len(rows) == 36 and {row["known_fault"] for row in rows} == {"asks about nan", "not checked"}
    with pytest.raises(FileNotFoundError, match="config sparse_episodes needs NAME.json, which sparse-7"):
        stream(build("sparse_episodes", invented))


@pytest.mark.parametrize(
    ("config", "file", "message"),
    [
        ("sparse_episodes", "sparse-7.json", "needs NAME.json"),
        ("sparse_daily_chat", "daily_chat-log.csv", "needs daily_chat-log.csv"),
        ("personas", "persona.json", "needs persona.json"),
        ("sparse", "q12-result.csv", "expected q12-result.csv in"),
    ],
)
def test_a_missing_file_is_named(build: Build, invented: Path, config: str, file: str, message: str) -> None:
    (invented / "benchmark" / "sparse-7" / file).unlink()
    with pytest.raises(FileNotFoundError, match=message):
        stream(build(config, invented))


def test_each_table_alone(build: Build, pristine: Path, tmp_path: Path) -> None:
    for table in ("travel_dining", "weekly_grocery", "daily_read"):
        (tmp_path / table / "sparse-3").mkdir(parents=True)
        shutil.copy(pristine / "benchmark" / "sparse-7" / f"{table}-log.csv", tmp_path / table / "sparse-3")
        rows = stream(build(f"sparse_{table}", tmp_path / table))
        assert rows and {row["lifelog_id"] for row in rows} == {"sparse-0003"}


@pytest.mark.parametrize("inside", [".", "benchmark", "benchmark/sparse-7"])
def test_three_folders_are_the_same(build: Build, pristine: Path, inside: str) -> None:
    rows = stream(build("sparse", pristine / inside, columns=["id", "evidence", "known_fault"]))
    assert len(rows) == 39 and rows[6]["known_fault"] == "tie" and list(rows[0]) == ["id", "evidence", "known_fault"]


def test_splits_densities_and_other_names(
    build: Build, write: Callable[[Path, str], None], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("sparse-7", "sparse-85", "sparse-119", "dense-7", "sparse-130", "sparse-400", "mine"):
        write(tmp_path / "logs", name)
    builder = build("sparse_travel", tmp_path / "logs", columns=["lifelog_id"])
    found = {name: {row["lifelog_id"] for row in stream(builder, name)} for name in builder.as_streaming_dataset()}
    assert found == {
        "train": {"sparse-0007"}, "validation": {"sparse-0085", "sparse-0119"},
        "test": {"sparse-0130", "mine"}, "extra": {"sparse-0400"},
    }  # fmt: skip
    assert "mine: no number in the name, so the split is test" in caplog.text
    people = build("personas", tmp_path / "logs", columns=["persona"])
    assert [row["persona"] for row in stream(people)] == [7]  # of two densities
    some = build("sparse_travel", tmp_path / "logs", lifelogs="80:131", columns=["lifelog_id"])
    assert list(some.as_streaming_dataset()) == ["validation", "test"]
    assert {row["lifelog_id"] for row in stream(some, "test")} == {"sparse-0130"}
    with pytest.raises(FileNotFoundError, match="expected medium logs of these numbers, found dense-7, mine"):
        stream(build("medium_travel", tmp_path / "logs", lifelogs="1"))


def test_two_names_of_one_log(write: Callable[[Path, str], None], tmp_path: Path) -> None:
    write(tmp_path, "sparse-7")
    write(tmp_path, "sparse-07")
    with pytest.raises(ValueError, match="sparse-07 and sparse-7 are both sparse-0007"):
        folder.places(tmp_path)


def test_arguments_of_another_world_are_refused(build: Build, pristine: Path) -> None:
    for argument in ({"seed": 12345}, {"year": 2022}, {"duration": 3}):
        (name,) = argument
        with pytest.raises(ValueError, match=f"expected no {name} together with data_dir="):
            build("sparse", pristine, **argument)
    with pytest.raises(ValueError, match="sparse_extended: it has no counterpart"):
        build("sparse_extended", pristine)
    with pytest.raises(ValueError, match="out of .*known_fault"):
        build("sparse", pristine, columns=["fault"])
    assert stream(build("sparse", pristine, with_table=False))[0]["table"] is None


def test_no_folder_and_an_empty_one(build: Build, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="expected a folder at"):
        build("sparse", tmp_path / "nothing")
    (tmp_path / "empty").mkdir()
    with pytest.raises(FileNotFoundError, match="or QA/db-NAME.json, found none of them"):
        build("sparse", tmp_path / "empty")


def test_a_changed_file_is_read_anew(build: Build, invented: Path) -> None:
    before = build("personas", invented)
    before.download_and_prepare()
    path = invented / "benchmark" / "sparse-7" / "persona.json"
    path.write_text(path.read_text().replace('"calm"', '"loud"'))
    after = build("personas", invented)
    after.download_and_prepare()
    assert before.cache_dir != after.cache_dir
    assert after.as_dataset(split="train")["personality"][:] == ["loud"]


def test_check_prints_the_faults(pristine: Path, faults: dict[str, str]) -> None:
    done = CliRunner().invoke(main, ["check", "--data-dir", str(pristine)])
    assert done.exit_code == 0, done.output
    assert "q20            1      1  tie 1, evidence incomplete 1" in done.output
    found = json.loads(CliRunner().invoke(main, ["check", "--data-dir", str(pristine), "--format", "json"]).output)
    assert {name for name, counts in found["templates"].items() if counts["faulty"]} == set(faults)
    assert found["logs"] == 1 and found["atomic"]["pairs"] > found["atomic"]["distinct"] > 0
    refused = CliRunner().invoke(main, ["check", "--data-dir", str(pristine), "--seed", "1"])
    assert refused.exit_code == 1 and "expected no --seed together with --data-dir" in refused.output
