"""`load_dataset("realtimeqa", ...)`: the builder, which is also the public route without a registered name."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import datasets
import pyarrow as pa

from timeline_realtime_qa.hub.content import files_hash
from timeline_realtime_qa.names.builder import NamedBuilder
from timeline_realtime_qa.names.private import Key

from . import options, spec
from .files import layout, manifest
from .files.layout import Week
from .parsing.errors import printable
from .parsing.report import Report, Tally
from .weeks.reading import Reading


@dataclasses.dataclass
class RealTimeQAConfig(datasets.BuilderConfig):
    """The keyword arguments of `load_dataset("realtimeqa", CONFIG, ...)`.

    Attributes:
        weeks: "2022-06-17", "2023-04", "2023", "2022-06-17:2023-06-02" (inclusive, either end may be left out) or a
            list of these; None for all. A week is named by its Friday. Files of other weeks are not opened.
        sources: newspaper or list of newspapers ("CNN", "THE WEEK", "USAtoday", "DelawareOnline"), case and blanks
            aside; None for all.
        documents: which pool: "gcs" (web search), "dpr" (Wikipedia passages), "gold" (pages that the explanation
            links to), "gcs+dpr" (the paper's fall-back to five) or "none" (no pool file is opened).
        top_k: at most this many documents per question; None for all.
        without: a flag or list of flags (`python -m realtimeqa_ds rules`): what has one of them is left out, a
            question with its documents and predictions; None for none.
        data_dir: root of a clone or unpacked archive of the public repository, or "sample" for the embedded sample.
        revision: commit of the public repository; None for the pinned one.
        base_url: where the files of all commits are served; None for the public repository.
        manifest: path of a manifest that replaces the pinned one (`python -m realtimeqa_ds manifest CLONE`).
        verify: whether local files that the manifest knows are compared with it.
    """

    weeks: str | Sequence[str] | None = None
    sources: str | Sequence[str] | None = None
    documents: str = "gcs"
    top_k: int | None = None
    without: str | Sequence[str] | None = None
    revision: str | None = None
    base_url: str | None = None
    manifest: str | None = None
    verify: bool = True

    def create_config_id(self, config_kwargs: dict[str, Any], custom_features: datasets.Features | None = None) -> str:
        """The name of the prepared copy: a local folder counts with its path and the state of its files, a manifest
        with what is in it.
        """
        data_dir = config_kwargs.get("data_dir")
        if data_dir not in (None, "sample"):
            folder = options.local(data_dir)
            config_kwargs = {
                **config_kwargs,
                "data_dir": printable(folder.root),
                "state": folder.state(layout.folders(self.name)),
            }
        listed = config_kwargs.get("manifest")
        if listed is not None and Path(listed).is_file():  # another one is refused where it is used
            config_kwargs = {**config_kwargs, "manifest": hashlib.sha256(manifest.content(Path(listed))).hexdigest()}
        return str(super().create_config_id(config_kwargs, custom_features))


class RealTimeQA(NamedBuilder):
    """RealTime QA (Kasai et al. 2022, arXiv 2207.13332): weekly news quizzes with their frozen document pools.

    Configs: `multiple_choice` (default), `nota`, `generation`, `documents`, `predictions`; their columns, types and
    units are in `realtimeqa_ds.spec.COLUMNS`. Splits: `train` (quizzes from before the project, "backnumber"), `test`
    (past weeks), `latest` (answers not public yet); a split without rows for the config is not there. Keyword
    arguments: see `RealTimeQAConfig`. Rows come week by week, oldest first, in the published order.

    Of a `download_config=`, which only a preparing load gets, these count: `cache_dir`, `force_download` (except in
    offline mode), `max_retries` (where it is more than ours), `proxies` and `disable_tqdm`.

    Raises:
        ValueError: for a bad argument (naming the allowed values), and as `DataError` for a file that breaks a
            promise of the data (naming file and line).
        FileNotFoundError: for a `data_dir` that holds none of the known folders.
        RuntimeError: as `DownloadError`, for a file that cannot be fetched.
    """

    BUILDER_CONFIG_CLASS = RealTimeQAConfig
    BUILDER_CONFIGS = [
        RealTimeQAConfig(name=name, version=datasets.Version(spec.VERSION), description=f"One row is {about}.")
        for name, about in spec.ABOUT.items()
    ]
    DEFAULT_CONFIG_NAME = spec.DEFAULT_CONFIG
    LISTING = spec.LISTING

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "documents" in kwargs and kwargs["documents"] is None:
            raise ValueError('expected documents="none" for no documents, found None')
        kwargs.setdefault("dataset_name", spec.NAME)
        kwargs["hash"] = kwargs.get("hash") or files_hash(spec.ROOT.parent, spec.RECIPE)
        super().__init__(*args, **kwargs)

    def _info(self) -> datasets.DatasetInfo:
        config = self.config
        options.check_documents(config.name, config.documents, config.top_k)
        options.week_ranges(config.weeks)
        options.source_names(config.sources)
        options.flag_names(config.without)
        return datasets.DatasetInfo(
            description=spec.DESCRIPTION,
            citation=spec.CITATION,
            homepage=spec.HOMEPAGE,
            license=spec.LICENSE,
            features=spec.features(config.name),
        )

    def _shares(self, dl_manager: datasets.DownloadManager) -> list[datasets.SplitGenerator]:
        config = self.config
        download = dl_manager.download_config
        source = options.source(
            config.data_dir, config.revision, config.base_url, config.manifest, config.verify, download
        )
        names = options.source_names(config.sources)
        without = options.flag_names(config.without)
        reading = Reading(source, config.name, config.documents, config.top_k, names, without)
        report = Report()
        weeks = options.select(
            layout.weeks(source.paths(layout.folders(config.name)), report), options.week_ranges(config.weeks)
        )
        report.log(f"{spec.NAME}/{config.name}")
        weeks = reading.serving(weeks)
        if not dl_manager.is_streaming:
            paths = [path for week in weeks for path in reading.needs(week)]
            source.prefetch(paths, quiet=download.disable_tqdm, anew=download.force_download)
            weeks = reading.with_rows(weeks)  # since a split without rows cannot be prepared
        splits = {split: [week for week in weeks if week.split == split] for split in layout.SPLITS.values()}
        return [
            datasets.SplitGenerator(
                name=split,
                gen_kwargs={
                    "weeks": members,
                    "reading": reading,
                    "preparing": None if dl_manager.is_streaming or download.disable_tqdm else split,
                    "tally": Tally(f"{spec.NAME}/{config.name}/{split}", len(members), dl_manager.is_streaming),
                },
            )
            for split, members in splits.items()
            if members
        ]

    def _generate_tables(
        self, weeks: list[Week], reading: Reading, tally: Tally, preparing: str | None = None
    ) -> Iterator[tuple[object, pa.Table]]:
        """One table per week. A stream calls this week by week, a preparing process once with all of its weeks.

        Args:
            preparing: the split that is prepared, None in a stream.
        """
        for shard, week in enumerate(self._preparing(weeks, "weeks", preparing)):
            table, report = reading.table(week)
            tally.add(week.stamp, report, table.num_rows)
            if table.num_rows:
                yield Key(shard, 0), table
        tally.end()
