"""Derived tables and the table of episodes: typed, joined to the episodes, without stale columns."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from timelineqa_ds.configs import configs
from timelineqa_ds.episodes import make_log
from timelineqa_ds.generator import Lifelog, lifelog
from timelineqa_ds.tables.derived import derived_tables
from timelineqa_ds.tables.diary import SCHEMA, diary, encoded_schema

from .made import Made


CONTRACT = (
    "marriages moves jobs travel travel_places_visited travel_dining annual_medical_care monthly_pet_care "
    "weekly_grocery weekly_dating weekly_hobby weekly_bakeorcook daily_exercise daily_read daily_watchtv daily_meal "
    "daily_chat"
).split()


@pytest.fixture(scope="module", params=[("sparse", 0), ("medium", 5)], ids=str)
def one(request: pytest.FixtureRequest, made: Made) -> Lifelog:
    return made(*request.param)


def test_the_tables_of_the_contract() -> None:
    assert sorted(derived_tables()) == sorted(CONTRACT)
    for table in derived_tables().values():
        assert table.schema.names[:2] == ["lifelog_id", "episode_id"]


def test_configs_describe_every_column() -> None:
    assert len(configs()) == 3 * (4 + len(CONTRACT)) + 1
    for config in configs().values():
        assert list(config.kind.columns) == config.schema().names
        assert all(config.kind.columns.values())


def test_arrow_is_valid(one: Lifelog) -> None:
    for table in (one.episodes, one.persona, *one.tables.values()):
        table.validate(full=True)


def test_rows_are_those_of_the_events_and_carry_their_day(one: Lifelog) -> None:
    episodes = one.episodes
    for name, table in derived_tables().items():
        found = one.tables[name]
        ids = episodes.filter(pc.is_in(episodes["event"], pa.array(table.events)))["episode_id"]
        assert found["episode_id"].to_pylist() == ids.to_pylist(), name
        day = next(column for column, source in table.sources.items() if source == "start")
        assert found[day].to_pylist() == episodes["start"].take(found["episode_id"]).to_pylist(), name
        if "people" in table.sources.values():
            people = next(column for column, source in table.sources.items() if source == "people")
            assert found[people].to_pylist() == episodes["people"].take(found["episode_id"]).to_pylist(), name


def test_every_table_value_is_in_the_text(one: Lifelog) -> None:
    text = one.episodes["text"].to_pylist()
    derived = {"lifelog_id", "episode_id", "type_of_move", "for_whom", "readtype", "mealtype", "activity", "online"}
    for name, found in one.tables.items():
        for row in found.to_pylist():
            said = text[row["episode_id"]].lower()
            for column, value in row.items():
                if column in derived or column.endswith(("date", "_id")) or value is None:
                    continue
                for word in value if isinstance(value, list) else [value]:
                    assert str(word).lower() in said, (name, column, row)


def test_sub_episodes_carry_their_trip(one: Lifelog) -> None:
    travel = {row["episode_id"]: row for row in one.tables["travel"].to_pylist()}
    parents = one.episodes["parent_id"].to_pylist()
    for name in ("travel_places_visited", "travel_dining"):
        for row in one.tables[name].to_pylist():
            trip = travel[row["trip_episode_id"]]
            assert parents[row["episode_id"]] == row["trip_episode_id"]
            assert (row["city"], row["start_date"], row["end_date"]) == (
                trip["city"],
                trip["start_date"],
                trip["end_date"],
            )
            assert row["people"] == trip["people"]


def test_ends_of_jobs_and_marriages(made: Made) -> None:
    ended = open_ended = 0
    for index in range(12):
        one = made("sparse", index)
        episodes = one.episodes.to_pylist()
        for table, end, day in (
            ("jobs", "end_episode_id", "end_date"),
            ("marriages", "divorce_episode_id", "divorce_date"),
        ):
            for row in one.tables[table].to_pylist():
                if row[end] is None:
                    assert row[day] is None
                    open_ended += 1
                    continue
                ending = episodes[row[end]]
                assert ending["event"] in ("job_end", "divorce") and ending["start"] == row[day]
                told = row["employer"] if table == "jobs" else row["partner_name"]
                assert told in ending["text"]
                ended += 1
    assert ended > 5 and open_ended > 2


def test_an_end_that_duration_keeps_while_the_beginning_is_cut() -> None:
    for index in range(12):
        cut = lifelog("sparse", index, duration=3)
        for row in cut.tables["jobs"].to_pylist():
            assert row["end_episode_id"] is None or cut.episodes["event"][row["end_episode_id"]].as_py() == "job_end"


def test_only_what_is_asked_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("timelineqa_ds.tables.diary.phrase", lambda log: pytest.fail("no text was asked for"))
    log = make_log("sparse", 5, 12345, 2022)
    assert diary(log, ["event", "start"]).column_names == ["event", "start"]
    meals = configs()["sparse_daily_meal"].rows(5, columns=["foodtype"])
    assert meals.column_names == ["foodtype"] and meals.num_rows > 100


def test_columns_alone_are_the_columns_of_the_whole(one: Lifelog) -> None:
    density, index = one.lifelog_id.split("-")
    for name in SCHEMA.names:
        alone = configs()[f"{density}_episodes"].rows(int(index), columns=[name])
        assert alone[name].combine_chunks().equals(one.episodes[name].combine_chunks()), name


def test_encoded_says_the_same(one: Lifelog) -> None:
    density, index = one.lifelog_id.split("-")
    encoded = configs()[f"{density}_episodes"].rows(int(index), encoded=True)
    assert encoded.schema == encoded_schema()
    for name in ("event", "place", "lifelog_id", "time_scale"):
        assert encoded[name].cast(pa.string()).to_pylist() == one.episodes[name].to_pylist()
    assert encoded["people"].to_pylist() == one.episodes["people"].to_pylist()


def test_lifelog_arguments_are_checked() -> None:
    with pytest.raises(ValueError, match="density='thick': expected one of sparse, medium, dense"):
        lifelog("thick", 1)
    with pytest.raises(ValueError, match="index=-1: expected a whole number of at least 0"):
        lifelog("dense", -1)
    with pytest.raises(ValueError, match="year='2022': expected a whole number from 1000 to 9000"):
        lifelog("dense", 1, year="2022")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="duration=0: expected a whole number of at least 1"):
        lifelog("dense", 1, duration=0)


@pytest.mark.parametrize("year", [1000, 1900, 9000])
def test_far_years(year: int) -> None:
    one = lifelog("sparse", 2, year=year)
    assert max(one.episodes["start"].to_pylist()).year == year
