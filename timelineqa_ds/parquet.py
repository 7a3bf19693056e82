"""Lifelogs as Parquet shards: generated one at a time, written as one row group each, so that memory stays small.

A shard holds the lifelogs of a few personas and is written under a temporary name and renamed when it is complete.
"""

from __future__ import annotations

import json
import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from timeline_realtime_qa.fingerprint import package_hash

from . import spec
from .generator import config_schema, config_table


LIFELOGS_A_SHARD = 10
METADATA_KEY = "timelineqa"


@dataclass(frozen=True)
class Shard:
    """A file and what is to be in it."""

    path: Path
    config: str
    lifelogs: tuple[int, ...]
    seed: int
    year: int
    duration: int | None
    columns: tuple[str, ...] | None = None

    @property
    def metadata(self) -> dict[str, Any]:
        """What the shard was made of, kept in the file."""
        return {
            "config": self.config,
            "version": spec.VERSION,
            "seed": self.seed,
            "year": self.year,
            "duration": self.duration,
            "package": package_hash(__package__),
        }


@dataclass(frozen=True)
class Written:
    """A finished shard: rows and size in bytes."""

    path: Path
    lifelogs: int
    rows: int
    bytes: int


def plan(
    out: Path,
    config: str,
    members: dict[str, list[int]],
    *,
    seed: int,
    year: int,
    duration: int | None,
    columns: Sequence[str] | None = None,
) -> list[Shard]:
    """The shards ``OUT/CONFIG/SPLIT-00000-of-000NN.parquet`` of the members of each split.

    Raises:
        FileExistsError: if the folder holds a shard of one of these splits that would stay beside the new ones.
    """
    shards: list[Shard] = []
    for split, lifelogs in members.items():
        groups = [lifelogs[first : first + LIFELOGS_A_SHARD] for first in range(0, len(lifelogs), LIFELOGS_A_SHARD)]
        paths = [out / config / f"{split}-{n:05d}-of-{len(groups):05d}.parquet" for n in range(len(groups))]
        stale = sorted({*(out / config).glob(f"{split}-*.parquet")} - set(paths))
        if stale:
            raise FileExistsError(
                f"{stale[0]} is of another build and would be read together with the new shards: "
                "remove it or choose another --out"
            )
        kept = tuple(columns) if columns is not None else None
        shards += [
            Shard(path, config, tuple(group), seed, year, duration, kept)
            for path, group in zip(paths, groups, strict=True)
        ]
    return shards


def build(shards: Sequence[Shard], workers: int = 1) -> Iterator[Written]:
    """Write shards, in as many processes; yields each when it is in place, in any order."""
    if workers == 1 or len(shards) <= 1:
        yield from map(write, shards)
        return
    # A fresh process has no threads of Arrow's that a fork would break.
    with multiprocessing.get_context("spawn").Pool(min(workers, len(shards))) as pool:
        yield from pool.imap_unordered(write, shards)


def write(shard: Shard, finished: Callable[[pa.Table], None] | None = None) -> Written:
    """Generate and write one shard; `finished` is told each table."""
    config = spec.configs()[shard.config]
    schema = config_schema(config, shard.columns, encoded=True)
    shard.path.parent.mkdir(parents=True, exist_ok=True)
    part = shard.path.with_name(f".{shard.path.name}.{os.getpid()}.part")
    rows = 0
    try:
        with pq.ParquetWriter(part, schema, **writer_options(schema)) as writer:
            for index in shard.lifelogs:
                table = config_table(
                    config,
                    index,
                    seed=shard.seed,
                    year=shard.year,
                    duration=shard.duration,
                    columns=shard.columns,
                    encoded=True,
                )
                writer.write_table(table)
                rows += table.num_rows
                if finished:
                    finished(table)
            writer.add_key_value_metadata({METADATA_KEY: json.dumps(shard.metadata)})
        os.replace(part, shard.path)
    finally:
        part.unlink(missing_ok=True)
    return Written(shard.path, len(shard.lifelogs), rows, shard.path.stat().st_size)


def writer_options(schema: pa.Schema) -> dict[str, Any]:
    """Parquet options by what a column holds: words as dictionaries, numbers and dates as differences.

    Sentences hardly repeat, and trying to find repeats costs more than writing them. The Arrow schema is left out of
    the file, or readers would make dictionaries of the words.
    """
    flat = [field for field in schema if pa.types.is_integer(field.type) or pa.types.is_date(field.type)]
    words = [_leaf(field) for field in schema if _is_words(field.type) and field.name != "text"]
    return {
        "compression": "zstd",
        "compression_level": 1,
        "use_dictionary": words or False,
        "column_encoding": {field.name: "DELTA_BINARY_PACKED" for field in flat} or None,
        "store_schema": False,
    }


def _is_words(kind: pa.DataType) -> bool:
    if pa.types.is_list(kind):
        return _is_words(kind.value_type)
    return bool(pa.types.is_string(kind) or pa.types.is_dictionary(kind))


def _leaf(field: pa.Field) -> str:
    """The Parquet name of a column of words."""
    return f"{field.name}.list.element" if pa.types.is_list(field.type) else str(field.name)
