"""`datasets` around the generator: configs, splits, arguments, streaming, resume, processes, clear errors."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import pyarrow as pa
import pytest

from timelineqa_ds import spec
from timelineqa_ds.builder import ROWS, TimelineQA
from timelineqa_ds.configs import configs
from timelineqa_ds.generator import lifelog

from .made import Made


Build = Callable[..., TimelineQA]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """`build(config, **arguments)`: a builder with a cache of its own."""
    return lambda name, **kwargs: TimelineQA(config_name=name, cache_dir=str(tmp_path), **kwargs)


def prepared(builder: TimelineQA, **kwargs: Any) -> datasets.DatasetDict:
    builder.download_and_prepare(**kwargs)
    return builder.as_dataset()


def test_default_config_and_names() -> None:
    names = [config.name for config in TimelineQA.BUILDER_CONFIGS]
    assert names == list(configs()) and TimelineQA.DEFAULT_CONFIG_NAME in names
    assert {"dense_episodes", "sparse_daily_chat", "medium_travel_places_visited", "personas"} <= set(names)


@pytest.mark.parametrize("config", ["dense_episodes", "sparse_jobs", "medium_weekly_grocery", "personas"])
def test_features_are_the_schema(build: Build, config: str) -> None:
    info = build(config).info
    assert info.features.arrow_schema.remove_metadata() == pa.schema(configs()[config].schema())
    assert info.citation and info.license and info.homepage
    assert str(info.version) == spec.VERSION


def test_default_splits(build: Build) -> None:
    shards = {name: build("dense_episodes").as_streaming_dataset(split=name).num_shards for name in SPLITS}
    assert shards == {"train": 80, "validation": 40, "test": 40}


SPLITS = ("train", "validation", "test")


def test_no_persona_is_in_two_splits(build: Build) -> None:
    found = prepared(build("personas", columns=["persona"], lifelogs="all"))
    members = {name: set(found[name]["persona"]) for name in found}
    assert {name: len(inside) for name, inside in members.items()} == {
        "train": 80, "validation": 40, "test": 40, "extra": 840,
    }  # fmt: skip
    assert len(set.union(*members.values())) == 1000


@pytest.mark.parametrize(
    ("lifelogs", "expected"),
    [
        ("7", {"train": [7]}),
        (7, {"train": [7]}),
        ("78:81", {"train": [78, 79], "validation": [80]}),
        ([3, "159:161", "3"], {"train": [3], "test": [159], "extra": [160]}),
        ("78,120:122", {"train": [78], "test": [120, 121]}),
        ("1200", {"extra": [1200]}),
    ],
)
def test_lifelogs_choose_splits(build: Build, lifelogs: object, expected: dict[str, list[int]]) -> None:
    found = prepared(build("personas", lifelogs=lifelogs, columns=["persona"]))
    assert {name: found[name]["persona"][:] for name in found} == expected


def test_rows_are_those_of_the_lifelog(build: Build, made: Made) -> None:
    found = prepared(build("sparse_episodes", lifelogs="5"))["train"]
    assert found.data.table.combine_chunks().equals(made("sparse", 5).episodes.combine_chunks())
    meals = prepared(build("sparse_daily_meal", lifelogs="5"))["train"]
    assert meals.to_list() == made("sparse", 5).tables["daily_meal"].to_pylist()
    assert prepared(build("personas", lifelogs="5"))["train"].to_list() == made("sparse", 5).persona.to_pylist()


def test_arguments_reach_the_generator(build: Build) -> None:
    found = prepared(build("sparse_travel", lifelogs="5", seed=9, year=2001, duration=4))["train"]
    assert found.to_list() == lifelog("sparse", 5, seed=9, year=2001, duration=4).tables["travel"].to_pylist()
    assert {row["start_date"].year for row in found} == {1998, 1999, 2000, 2001}


def test_columns_narrow_the_features_and_the_work(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("timelineqa_ds.tables.diary.phrase", lambda log: pytest.fail("no text was asked for"))
    stream = build("sparse_episodes", lifelogs="5", columns=["event", "start"]).as_streaming_dataset(split="train")
    assert list(stream.features) == ["event", "start"]
    assert set(next(iter(stream))) == {"event", "start"}


def test_tables_are_small(build: Build) -> None:
    builder = build("medium_episodes", lifelogs="7")
    tables = [table for _, table in builder._generate_tables([7])]
    assert len(tables) > 1 and max(table.num_rows for table in tables) == ROWS


@pytest.mark.parametrize("stop", [0, 1, 700, 1500])
def test_a_stream_resumes_where_it_stopped(build: Build, stop: int) -> None:
    def stream() -> datasets.IterableDataset:
        return build(
            "sparse_episodes", lifelogs="0:3", duration=1, columns=["lifelog_id", "episode_id"]
        ).as_streaming_dataset(split="train")

    whole = [(row["lifelog_id"], row["episode_id"]) for row in stream()]
    first = stream()
    iterator = iter(first)
    for _ in range(stop):
        next(iterator)
    second = stream()
    second.load_state_dict(first.state_dict())
    assert [(row["lifelog_id"], row["episode_id"]) for row in second] == whole[stop:]


def test_shards_split_over_workers(build: Build) -> None:
    stream = build("personas", lifelogs="0:6").as_streaming_dataset(split="train")
    parts = [[row["persona"] for row in stream.shard(num_shards=3, index=index)] for index in range(3)]
    assert sorted(sum(parts, [])) == list(range(6)) and all(len(part) == 2 for part in parts)
    shuffled = [row["persona"] for row in stream.shuffle(seed=1, buffer_size=1)]
    assert sorted(shuffled) == list(range(6)) and shuffled != list(range(6))


def test_two_processes_prepare_the_same(build: Build, tmp_path: Path) -> None:
    one = prepared(build("sparse_episodes", lifelogs="0:4", duration=2))["train"]
    other = TimelineQA(config_name="sparse_episodes", lifelogs="0:4", duration=2, cache_dir=str(tmp_path / "other"))
    two = prepared(other, num_proc=2)["train"]
    assert two.data.table.combine_chunks().equals(one.data.table.combine_chunks())


def test_equal_arguments_share_a_prepared_copy(build: Build) -> None:
    plain = build("personas").cache_dir
    assert build("personas", seed=spec.SEED, year=spec.YEAR, duration=None).cache_dir == plain
    assert build("personas", seed=2).cache_dir != plain
    assert build("personas", lifelogs="0:2").cache_dir == build("personas", lifelogs=[1, 0]).cache_dir != plain


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seed": "x"}, "seed='x': expected a whole number"),
        ({"seed": None}, "seed=None: expected a whole number"),
        ({"seed": True}, "seed=True: expected a whole number"),
        ({"year": None}, "year=None: expected a whole number from 1000 to 9000"),
        ({"year": 20220}, "year=20220: expected a whole number from 1000 to 9000"),
        ({"duration": 0}, "duration=0: expected a whole number of at least 1"),
        ({"lifelogs": "a"}, "'a' is not a choice of lifelogs; expected \"all\""),
        ({"lifelogs": "-1"}, "'-1' is not a choice of lifelogs"),
        ({"lifelogs": "1:"}, "'1:' is not a choice of lifelogs"),
        ({"lifelogs": [1.5]}, "1.5 is not a choice of lifelogs"),
        ({"lifelogs": "5:5"}, "'5:5' chooses no lifelog"),
        ({"lifelogs": []}, r"\[\] chooses no lifelog"),
        (
            {"columns": ["txt"]},
            r"columns=\['txt'\]: did you mean text\? expected different names out of lifelog_id, episode_id",
        ),
        ({"columns": []}, r"columns=\[\]: expected different names"),
        ({"columns": ["text", "text"]}, "expected different names"),
        ({"data_dir": "somewhere", "seed": 3}, "seed=3: expected no seed together with data_dir='somewhere'"),
    ],
)
def test_bad_arguments_name_what_is_allowed(build: Build, arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build("dense_episodes", **arguments)


def test_an_unknown_config_lists_those_that_exist(build: Build) -> None:
    with pytest.raises(ValueError, match="dense_daily_chat"):
        build("dense_daily_chats")


def test_an_unknown_argument_is_refused(build: Build) -> None:
    with pytest.raises(ValueError, match="no argument lifelog=3; did you mean lifelogs"):
        build("dense_episodes", lifelog=3)


@pytest.mark.slow
def test_the_first_row_of_a_dense_stream_comes_soon() -> None:
    code = """
import time, timelineqa_ds.builder as b
start = time.perf_counter()
next(iter(b.TimelineQA(config_name="dense_episodes").as_streaming_dataset(split="test")))
print(time.perf_counter() - start)
"""
    seconds = float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
    assert seconds < 1.5


def test_importing_the_package_does_not_load_the_generator() -> None:
    code = "import sys, timelineqa_ds; print('timelineqa_ds.generator' in sys.modules, timelineqa_ds.lifelog.__name__)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.split() == ["False", "lifelog"]


def test_an_unknown_attribute_of_the_package() -> None:
    import timelineqa_ds

    with pytest.raises(AttributeError, match="no attribute 'lifelogs'"):
        timelineqa_ds.lifelogs  # noqa: B018


def test_load_dataset_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from timeline_realtime_qa.names import datasets_hook

    datasets_hook.register({"timelineqa": "timelineqa_ds.builder"})
    found = datasets.load_dataset("timelineqa", "personas", split="train", lifelogs="0:2", cache_dir=str(tmp_path))
    assert found["persona"][:] == [0, 1]
    assert "sparse_episodes" in datasets.get_dataset_config_names("timelineqa")
