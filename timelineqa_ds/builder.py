"""`load_dataset("timelineqa", ...)`: the builder, which is also the public route without a registered name."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import datasets
import pyarrow as pa

from timeline_realtime_qa.hub.content import files_hash
from timeline_realtime_qa.names.builder import NamedBuilder
from timeline_realtime_qa.names.private import Key

from . import options, spec
from .configs import Config, configs
from .declared.vocabulary import DATA


if TYPE_CHECKING:
    from .original.source import Original

ROWS = 10_000  # of a table that is handed on: a stream starts early and no table nears Arrow's 2 GiB


@dataclasses.dataclass(frozen=True)
class Generated:
    """The rows of one config, generated; a lifelog is known by its index. `Original` has the same methods."""

    config: Config
    indices: Sequence[int]
    world: Mapping[str, Any]

    def schema(self) -> pa.Schema:
        """The Arrow schema of all columns."""
        return self.config.schema()

    def splits(self) -> Mapping[str, list[Any]]:
        """The lifelogs of each split that has any, by what `table` takes."""
        return options.split_members(self.indices)

    def table(self, member: Any, columns: Sequence[str], with_table: bool = True) -> pa.Table:
        """The rows of one lifelog: only these columns, and nothing else is made."""
        return self.config.rows(member, **self.world, columns=columns, with_table=with_table)


@dataclasses.dataclass
class TimelineQAConfig(datasets.BuilderConfig):
    """The keyword arguments of `load_dataset("timelineqa", CONFIG, ...)`.

    Attributes:
        seed: the world; other seeds have other people.
        year: final year of every lifelog. The birth year of a persona is counted back from it.
        duration: how many years up to and with `year`; None for all from the year of age 18 on.
        lifelogs: indices of personas: "7", "0:10" (end left out), "test" (those of a split), "0:10,80", "all"
            (0 .. 999), a whole number, or a list of these; None for those of train, validation and test (0 .. 159).
            From 160 on: the split `extra`.
        with_table: whether multi-hop questions carry their evidence as a table; without, that column is null.
        columns: names of the columns to make; None for all. What is left out is not computed.
        data_dir: a folder of outputs of the original program, read instead of generating; seed, year and duration
            are then not allowed, and lifelogs=None means all that are there.
    """

    seed: int = spec.SEED
    year: int = spec.YEAR
    duration: int | None = None
    lifelogs: str | int | Sequence[str | int] | None = None
    columns: Sequence[str] | None = None
    with_table: bool = True

    def create_config_id(self, config_kwargs: dict[str, Any], custom_features: Any = None) -> str:
        """The name of the prepared copy: arguments that say the same, or what is the default anyway, share one."""
        defaults = {field.name: field.default for field in dataclasses.fields(TimelineQAConfig)}
        kwargs = {key: value for key, value in config_kwargs.items() if value != defaults.get(key)}
        if "lifelogs" in kwargs:
            kwargs["lifelogs"] = options.lifelog_indices(kwargs["lifelogs"])
        if "columns" in kwargs and not isinstance(kwargs["columns"], str):
            kwargs["columns"] = list(kwargs["columns"])
        if kwargs.get("data_dir") is not None:
            from .original import folder

            kwargs["state"] = folder.state(kwargs["data_dir"])
        return str(super().create_config_id(kwargs, custom_features))


class TimelineQA(NamedBuilder):
    """TimelineQA (Tan et al. 2023, arXiv 2306.01069): lifelogs of imaginary people, generated or read.

    Configs: `D`, `D_episodes`, `D_atomic` and `D_TABLE` for D in sparse, medium and dense and each derived table, and
    `personas`; `timelineqa columns` prints their columns. Splits, by persona and the same in every density: `train`
    (0 .. 79), `validation` (80 .. 119), `test` (120 .. 159), and `extra` (160 and later, with `lifelogs=` only).
    Keyword arguments: see `TimelineQAConfig`. Rows come lifelog by lifelog; each lifelog is a shard.

    With `data_dir=`, the outputs of the original program are read: see `timelineqa_ds.original`.

    Raises:
        ValueError: for a bad argument, naming the allowed values, and for a damaged file, naming the row.
        FileNotFoundError: for a `data_dir` without the files that the config needs.
    """

    BUILDER_CONFIG_CLASS = TimelineQAConfig
    BUILDER_CONFIGS = [
        TimelineQAConfig(
            name=config.name, version=datasets.Version(spec.VERSION), description=f"One row is {config.kind.about}."
        )
        for config in configs().values()
    ]
    DEFAULT_CONFIG_NAME = spec.DEFAULT_CONFIG
    LISTING = spec.LISTING

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        options.check_data_dir(kwargs)
        for name in ("seed", "year"):
            if name in kwargs:  # datasets would take a None for "not given"
                options.check_world(**{"seed": spec.SEED, "year": spec.YEAR, "duration": None, name: kwargs[name]})
        kwargs.setdefault("dataset_name", spec.NAME)
        super().__init__(*args, **{**kwargs, "hash": _hash(kwargs.get("config_name"), kwargs.get("data_dir"))})

    def _info(self) -> datasets.DatasetInfo:
        schema = self._source.schema()
        return datasets.DatasetInfo(
            description=spec.DESCRIPTION,
            citation=spec.CITATION,
            homepage=spec.HOMEPAGE,
            license=spec.LICENSE,
            features=datasets.Features.from_arrow_schema(pa.schema([schema.field(name) for name in self._columns])),
        )

    @property
    def _source(self) -> Generated | Original:
        config, declared = self.config, configs()[self.config.name]
        if config.data_dir is not None:
            from .original.source import Original  # here, since most never read a folder

            return Original(declared, config.data_dir, config.lifelogs)
        world = {"seed": config.seed, "year": config.year, "duration": config.duration}
        options.check_world(**world)
        return Generated(declared, options.lifelog_indices(config.lifelogs), world)

    @property
    def _columns(self) -> list[str]:
        return options.column_names(self.config.columns, self._source.schema().names)

    def _shares(self, dl_manager: Any) -> list[datasets.SplitGenerator]:
        return [
            datasets.SplitGenerator(
                name=split, gen_kwargs={"lifelogs": inside, "preparing": None if dl_manager.is_streaming else split}
            )
            for split, inside in self._source.splits().items()
        ]

    def _generate_tables(self, lifelogs: list[Any], preparing: str | None = None) -> Iterator[tuple[object, pa.Table]]:
        """The rows of each lifelog in tables of at most 10,000. A stream calls this lifelog by lifelog.

        Args:
            preparing: the split that is prepared, None in a stream.
        """
        source, columns = self._source, self._columns
        for shard, member in enumerate(self._preparing(lifelogs, "lifelogs", preparing)):
            table = source.table(member, columns, self.config.with_table)
            for batch, first in enumerate(range(0, table.num_rows, ROWS)):
                yield Key(shard, batch), table.slice(first, ROWS)

    def _as_dataset(self, split: Any = datasets.Split.TRAIN, in_memory: bool = False) -> datasets.Dataset:
        """A prepared split; one without rows (nobody marries, say) is empty, where datasets would raise."""
        known = self.info.splits.get(str(split))
        if known is not None and known.num_examples == 0:
            empty = self.info.features.arrow_schema.empty_table()
            return datasets.Dataset(datasets.table.InMemoryTable(empty), info=self.info.copy(), split=split)
        return super()._as_dataset(split, in_memory)


def _hash(config: str | None, data_dir: object) -> str:
    """What tells prepared copies apart that the same arguments ask for: hash of the code and data that decide rows."""
    known = configs().get(config or spec.DEFAULT_CONFIG)
    reads = known.kind.reads if known else ()
    return files_hash(
        DATA.parent, (*reads, "original", "data/original", "checks/oracle") if data_dir is not None else reads
    )
