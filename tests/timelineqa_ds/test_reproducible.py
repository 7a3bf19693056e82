"""The same rows always: as committed, in any process, in any order, streamed or prepared."""

from __future__ import annotations

import json
import multiprocessing
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from timelineqa_ds.builder import TimelineQA

from .made import content_hash, lifelog_hashes


# Young and old, in every split, beyond the world, and another seed, final year and duration.
FILE = json.loads((Path(__file__).parent / "golden.json").read_text())
GOLDEN, QUESTIONS = FILE["lifelogs"], FILE["questions"]
SMALL = [one for one in GOLDEN if one["tables"]["episodes"][0] < 3500]


def arguments(one: dict[str, Any]) -> tuple[str, int, dict[str, int | None]]:
    return one["density"], one["index"], one["world"]


def expected(one: dict[str, Any]) -> dict[str, tuple[int, str]]:
    return {name: tuple(value) for name, value in one["tables"].items()}


@pytest.mark.parametrize("one", GOLDEN, ids=lambda one: f"{one['density']}-{one['index']}")
def test_committed_hashes(one: dict[str, Any]) -> None:
    assert lifelog_hashes(*arguments(one)) == expected(one)


@pytest.mark.parametrize("method", sorted({"fork", "spawn"} & {*multiprocessing.get_all_start_methods()}))
def test_two_workers_in_another_order(method: str) -> None:
    assert len(SMALL) >= 3
    worlds = SMALL[::-1]
    with multiprocessing.get_context(method).Pool(2) as pool:
        found = pool.starmap(lifelog_hashes, map(arguments, worlds), chunksize=1)
    assert found == [expected(one) for one in worlds]


def test_streamed_and_prepared_rows_are_the_same(tmp_path: Path) -> None:
    (one,) = [one for one in GOLDEN if (one["density"], one["index"]) == ("medium", 999)]
    builder = TimelineQA(config_name="medium_episodes", lifelogs="999", cache_dir=str(tmp_path))
    streamed = builder.as_streaming_dataset(split="extra")
    builder.download_and_prepare()
    prepared = builder.as_dataset(split="extra").data.table
    assert (prepared.num_rows, content_hash(prepared)) == expected(one)["episodes"]
    rows = pa.Table.from_pylist(list(streamed), prepared.schema)
    assert (rows.num_rows, content_hash(rows)) == expected(one)["episodes"]


def test_a_content_hash_does_not_depend_on_storage() -> None:
    table = pa.table({"a": ["x", "y", "x"], "b": [1, None, 3]})
    plain = content_hash(table)
    chunked = pa.concat_tables([table.slice(0, 1), table.slice(1)])
    encoded = table.set_column(0, "a", table["a"].dictionary_encode())
    assert content_hash(chunked) == content_hash(encoded) == plain
    assert content_hash(table.slice(1)) != plain
    assert content_hash(table.rename_columns(["a", "c"])) != plain
