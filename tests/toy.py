"""A small dataset of two configs, `a` and `b`, whose builds are killed, damaged and mixed up by tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from timeline_realtime_qa.hub import building, shards
from timeline_realtime_qa.hub.content import content_hash
from timeline_realtime_qa.hub.folder import read_folder


RECIPES = {"a": "recipe of a", "b": "recipe of b"}
# What the tests run, in this process and in those that are killed.
TOY = '''
import os, sys, time
from pathlib import Path
import pyarrow as pa
from timeline_realtime_qa.hub import shards
from timeline_realtime_qa.hub.parquet import ParquetFile

SCHEMA = pa.schema({"group": pa.int32(), "text": pa.string()})

class Write:
    """Two files with the rows of a few groups; says so in a log."""
    def __init__(self, first, seed, size, pause, log):
        self.first, self.seed, self.size, self.pause, self.log = first, seed, size, pause, log

    def __call__(self, targets, metadata):
        if self.log:
            with open(self.log, "a") as log:
                log.write(f"{self.first}\\n")
        counted = {}
        for name, path in targets.items():
            with ParquetFile(path, SCHEMA, metadata, {"compression": "none", "use_dictionary": False}) as file:
                for group in range(self.first, self.first + 3):
                    texts = [f"{name} {self.seed} {group} {row} " + "x" * 50 for row in range(self.size)]
                    file.add(pa.table({"group": [group] * self.size, "text": texts}, SCHEMA))
                    time.sleep(self.pause)
            counted[name] = file.counted
        return counted

def jobs(out, count=8, seed=1, size=100, pause=0.0, log=None, names=("a", "b")):
    return [
        shards.Job(
            out=Path(out), name=f"all/train-{number:05d}-of-{count:05d}",
            files=tuple(f"{name}/train-{number:05d}-of-{count:05d}.parquet" for name in names),
            recipes={"a": "recipe of a", "b": "recipe of b"}, world={"dataset": "toy", "seed": seed},
            share={"part": number, "of": count, "groups": [3 * number, 3 * number + 1, 3 * number + 2]}, size=3,
            write=Write(3 * number, seed, size, pause, log),
        )
        for number in range(count)
    ]
'''
toy: dict[str, Any] = {}
exec(TOY, toy)
jobs: Callable[..., list[shards.Job]] = toy["jobs"]


def plan(out: Path, **options: Any) -> building.Plan:
    return building.Plan(out, jobs(out, **options), "groups", ["train"], lambda folder: {})


def damage(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def build(out: Path, **options: Any) -> list[shards.Done]:
    return [shards.run(job) for job in jobs(out, **options)]


def state(out: Path, seed: int = 1) -> dict[str, tuple[int, str]]:
    """Rows and content of each split, after a look whether the files really hold that."""
    folder = read_folder(out, {"dataset": "toy", "seed": seed}, RECIPES, ["train"])
    found = {}
    for config, splits in folder.configs.items():
        table = pa.concat_tables([pq.read_table(out / file.path) for file in splits["train"].files])
        assert content_hash(table, "group") == splits["train"].content
        found[config] = (splits["train"].rows, splits["train"].content)
    return found


def left_over(out: Path) -> list[str]:
    """Files that neither belong to the dataset nor to a finished job."""
    ending = (".parquet", ".json", ".lock")
    return [path.name for path in out.rglob("*") if path.is_file() and not path.name.endswith(ending)]
