"""The dataset as a folder of Parquet files: a job makes every config asked for of a few lifelogs, each made once."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from timeline_realtime_qa.hub.content import total
from timeline_realtime_qa.hub.parquet import Counted, ParquetFile
from timeline_realtime_qa.hub.shards import Job, writer_hash

from . import spec
from .configs import Config, configs
from .episodes import make_log
from .generator import Lifelog


LIFELOGS_A_SHARD = 10
PERSONAS_A_SHARD = 1_000  # a persona alone is a row


@dataclass(frozen=True)
class LifelogShare:
    """Some lifelogs of a density (of none: personas), which a job writes.

    Attributes:
        columns: those to make; None for all.
    """

    density: str | None
    lifelogs: tuple[int, ...]
    seed: int
    year: int
    duration: int | None
    columns: tuple[str, ...] | None = None

    def __call__(self, targets: Mapping[str, Path], metadata: Mapping[str, str]) -> dict[str, Counted]:
        """Write CONFIG/SPLIT-00000-of-00008.parquet of several configs, lifelog by lifelog."""
        made = {name: configs()[name.partition("/")[0]] for name in targets}
        with contextlib.ExitStack() as stack:
            files = {
                name: stack.enter_context(_file(config, targets[name], self.columns, metadata))
                for name, config in made.items()
            }
            for index in self.lifelogs:
                one = self._lifelog(index) if self.density else None
                for name, config in made.items():
                    files[name].add(self._rows(config, index, one))
        return {name: file.counted for name, file in files.items()}

    def _lifelog(self, index: int) -> Lifelog:
        return Lifelog(make_log(str(self.density), index, self.seed, self.year, self.duration))

    def _rows(self, config: Config, index: int, one: Lifelog | None) -> pa.Table:
        if one is None:
            return config.rows(index, seed=self.seed, year=self.year, columns=self.columns)
        return config.table(one, self.columns, encoded=True)


def plan(
    out: Path,
    names: Sequence[str],
    members: Mapping[str, Sequence[int]],
    *,
    seed: int = spec.SEED,
    year: int = spec.YEAR,
    duration: int | None = None,
    columns: Sequence[str] | None = None,
    lifelogs_a_shard: int = LIFELOGS_A_SHARD,
) -> list[Job]:
    """The jobs that make the configs `names` of the members of each split.

    Args:
        members: indices of personas by split.
        columns: those to make, which all configs must have; None for all.
    """
    kept = tuple(columns) if columns is not None else None
    whole, known = made_of(seed, year, duration, kept), recipes()
    jobs = []
    for density in dict.fromkeys(configs()[name].density for name in names):
        together = [name for name in names if configs()[name].density == density]
        size = lifelogs_a_shard if density else max(PERSONAS_A_SHARD, lifelogs_a_shard)
        for split, indices in members.items():
            groups = [tuple(indices[first : first + size]) for first in range(0, len(indices), size)]
            for number, group in enumerate(groups):
                place = f"{split}-{number:05d}-of-{len(groups):05d}"
                jobs.append(
                    Job(
                        out=out,
                        name=f"{density or 'personas'}/{place}",
                        files=tuple(f"{name}/{place}.parquet" for name in together),
                        recipes=known,
                        world=whole,
                        share={"part": number, "of": len(groups), "split": split, "lifelogs": list(group)},
                        size=len(group),
                        write=LifelogShare(density, group, seed, year, duration, kept),
                    )
                )
    return jobs


def made_of(seed: int, year: int, duration: int | None, columns: Sequence[str] | None) -> dict[str, object]:
    """What all files are made of: the dataset with its version, and the options of the world."""
    return {
        "dataset": spec.NAME,
        "version": spec.VERSION,
        "seed": seed,
        "year": year,
        "duration": duration,
        "columns": list(columns) if columns is not None else None,
    }


def recipes() -> dict[str, str]:
    """What decides the rows of every config: its recipe, and how rows are written and hashed."""
    return {name: total([config.recipe, writer_hash()]) for name, config in configs().items()}


def group_column(config: Config) -> str:
    """The column that tells the rows of one lifelog, which are hashed together."""
    return "lifelog_id" if config.density else "persona"


def writer_options(schema: pa.Schema) -> dict[str, object]:
    """Parquet options by what a column holds: words as dictionaries, numbers and dates as differences.

    Sentences hardly repeat, and trying to find repeats costs more than writing them. The Arrow schema is left out of
    the file, or readers would make dictionaries of the words.
    """
    flat = [field for field in schema if pa.types.is_integer(field.type) or pa.types.is_date(field.type)]
    words = [_leaf(field) for field in schema if _is_words(field.type) and field.name not in _SENTENCES]
    return {
        "compression": "zstd",
        "compression_level": 1,
        "use_dictionary": words or False,
        "column_encoding": {field.name: "DELTA_BINARY_PACKED" for field in flat} or None,
        "store_schema": False,
    }


_SENTENCES = ("text", "question", "context", "sql", "id")


def _file(config: Config, path: Path, columns: Sequence[str] | None, metadata: Mapping[str, str]) -> ParquetFile:
    stored = config.schema(columns, encoded=True)
    schema = config.schema(columns)
    return ParquetFile(path, schema, {spec.NAME: metadata["made_of"]}, writer_options(stored), stored)


def _is_words(kind: pa.DataType) -> bool:
    if pa.types.is_list(kind):
        return _is_words(kind.value_type)
    return bool(pa.types.is_string(kind) or pa.types.is_dictionary(kind))


def _leaf(field: pa.Field) -> str:
    """The Parquet name of a column of words."""
    return f"{field.name}.list.element" if pa.types.is_list(field.type) else str(field.name)
