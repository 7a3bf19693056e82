"""Parquet shards: complete, typed, readable by anybody, never half written."""

from __future__ import annotations

import json

import datasets
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from timelineqa_ds import parquet, spec
from timelineqa_ds.generator import config_schema


def planned(out, config="sparse_episodes", members=None, **kwargs):
    return parquet.plan(
        out, config, members or {"train": [5, 6]}, **{"seed": 12345, "year": 2022, "duration": None, **kwargs}
    )


def test_names_and_groups(tmp_path):
    shards = planned(tmp_path, members={"train": list(range(25)), "test": [120]})
    assert [shard.path.relative_to(tmp_path).as_posix() for shard in shards] == [
        "sparse_episodes/train-00000-of-00003.parquet",
        "sparse_episodes/train-00001-of-00003.parquet",
        "sparse_episodes/train-00002-of-00003.parquet",
        "sparse_episodes/test-00000-of-00001.parquet",
    ]
    assert [len(shard.lifelogs) for shard in shards] == [10, 10, 5, 1]


@pytest.mark.parametrize("config", ["sparse_episodes", "sparse_weekly_grocery", "sparse_jobs", "personas"])
def test_a_shard_has_the_rows_and_plain_types(tmp_path, made, config):
    (written,) = parquet.build(planned(tmp_path, config))
    table = pq.read_table(written.path)
    declared = spec.configs()[config]
    of = {"episodes": lambda one: one.episodes, "personas": lambda one: one.persona}
    get = of.get(declared.kind, lambda one: one.tables[declared.kind])
    expected = pa.concat_tables([get(made("sparse", index)) for index in (5, 6)])
    assert table.num_rows == written.rows == expected.num_rows
    assert table.to_pylist() == expected.to_pylist()
    assert table.schema.names == config_schema(declared).names
    assert not any(pa.types.is_dictionary(field.type) for field in table.schema)
    assert written.bytes == written.path.stat().st_size
    assert pq.ParquetFile(written.path).num_row_groups == 2


def test_datasets_reads_the_same_features(tmp_path):
    (written,) = parquet.build(planned(tmp_path))
    found = datasets.load_dataset("parquet", data_files=str(written.path), cache_dir=str(tmp_path / "cache"))["train"]
    assert found.features == datasets.Features.from_arrow_schema(config_schema(spec.configs()["sparse_episodes"]))


def test_the_file_says_what_it_was_made_of(tmp_path):
    (written,) = parquet.build(planned(tmp_path, seed=3, duration=2))
    said = json.loads(pq.read_metadata(written.path).metadata[b"timelineqa"])
    assert said["config"] == "sparse_episodes" and said["version"] == spec.VERSION
    assert (said["seed"], said["year"], said["duration"]) == (3, 2022, 2) and len(said["package"]) == 64


def test_two_workers_write_the_same_bytes(tmp_path):
    members = {"train": [5, 6, 7], "test": [121]}
    one = sorted(parquet.build(planned(tmp_path / "1", members=members, duration=2)), key=lambda w: w.path)
    two = sorted(parquet.build(planned(tmp_path / "2", members=members, duration=2), workers=2), key=lambda w: w.path)
    assert [w.path.read_bytes() for w in one] == [w.path.read_bytes() for w in two]


def test_a_failed_shard_leaves_nothing(tmp_path, monkeypatch):
    def fail(*args, **kwargs):
        raise RuntimeError("no power")

    monkeypatch.setattr(parquet, "config_table", fail)
    with pytest.raises(RuntimeError, match="no power"):
        list(parquet.build(planned(tmp_path)))
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_shards_of_another_build_are_not_left_beside(tmp_path):
    list(parquet.build(planned(tmp_path, "personas", {"train": list(range(11))})))
    with pytest.raises(FileExistsError, match="train-00000-of-00002.parquet is of another build"):
        planned(tmp_path, "personas", {"train": [1]})
    assert len(planned(tmp_path, "personas", {"test": [120]})) == 1


def test_columns(tmp_path):
    (written,) = parquet.build(planned(tmp_path, columns=["episode_id", "people"]))
    assert pq.read_schema(written.path).names == ["episode_id", "people"]
