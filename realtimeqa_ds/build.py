"""The dataset as a folder of Parquet files: a job makes one config of some weeks."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from timeline_realtime_qa.hub.content import files_hash, total
from timeline_realtime_qa.hub.parquet import Counted, ParquetFile
from timeline_realtime_qa.hub.shards import Job, writer_hash

from . import options, spec
from .files import layout, manifest
from .files.layout import Week
from .files.source import SAMPLE, LocalSource, Source
from .parsing.report import Report
from .weeks.reading import Reading


logger = logging.getLogger(__name__)
GROUP = "week"  # the column that tells the rows that are hashed together
WEEKS_A_SHARD = 13  # where articles are included: a quarter of a year, some 30 MB
WEEKS_A_SHARD_WITHOUT = 1_000  # where they are not: all of a split
OPTIONS = {"compression": "zstd", "compression_level": 3}


@dataclass(frozen=True)
class Share:
    """Some weeks of a split, which a job writes."""

    reading: Reading
    split: str
    weeks: tuple[Week, ...]

    def __call__(self, targets: Mapping[str, Path], metadata: Mapping[str, str]) -> dict[str, Counted]:
        """Write CONFIG/SPLIT-00000-of-00008.parquet, week by week."""
        ((name, target),) = targets.items()
        report = Report()
        schema = spec.schema(self.reading.config)
        with ParquetFile(target, schema, {spec.NAME: metadata["made_of"]}, OPTIONS) as file:
            for week in self.weeks:
                table, of_week = self.reading.table(week)
                report.update(of_week)
                if table.num_rows:
                    file.add(table)
        report.log(f"{spec.NAME}/{self.reading.config}/{self.split}")
        return {name: file.counted}


def configs(articles: str) -> list[str]:
    """The configs that are built: without articles, not the one that consists of them."""
    return [name for name in spec.COLUMNS if name != "documents" or articles != "none"]


def plan(
    out: Path, source: Source, names: Iterable[str], articles: str = "none", weeks: str | None = None
) -> list[Job]:
    """The jobs that make the configs `names` of all weeks, or of those asked for.

    Args:
        articles: the pool that questions carry and `documents` consists of (see `documents=` of `load_dataset`).
        weeks: as `weeks=` of `load_dataset`.

    Raises:
        ValueError: if there are no such weeks, or files for any of the configs.
    """
    jobs, left_out = [], []
    for name in names:
        options.check_documents(name, articles, None)
        reading = Reading(source, name, articles)
        report = Report()
        chosen = options.select(layout.weeks(source.paths(layout.folders(name)), report), options.week_ranges(weeks))
        report.log(f"{spec.NAME}/{name}")
        if any(map(reading.serves, chosen)):
            jobs += _jobs(out, reading, reading.serving(chosen))
        else:
            left_out.append(name)
    if not jobs:
        raise ValueError(f"no week asked for has files for {' and '.join(left_out)}; choose other weeks")
    if left_out:
        logger.warning("no week asked for has files for %s, which is left out", " and ".join(left_out))
    return jobs


def _jobs(out: Path, reading: Reading, weeks: list[Week]) -> list[Job]:
    """Those of one config."""
    reading.source.prefetch(path for week in weeks for path in reading.needs(week))
    with_articles = reading.documents != "none" and reading.config != "predictions"
    size = WEEKS_A_SHARD if with_articles else WEEKS_A_SHARD_WITHOUT
    jobs = []
    for split in layout.SPLITS.values():
        members = [week for week in weeks if week.split == split]
        groups = [tuple(members[first : first + size]) for first in range(0, len(members), size)]
        for number, group in enumerate(groups):
            name = f"{reading.config}/{split}-{number:05d}-of-{len(groups):05d}"
            share = {
                "part": number,
                "of": len(groups),
                "split": split,
                "weeks": [week.stamp for week in group],
                "files": _state(reading, group),
            }
            world = made_of(reading.source, reading.documents)
            write = Share(reading, split, group)
            jobs.append(Job(out, name, (f"{name}.parquet",), recipes(), world, share, len(group), write))
    return jobs


def recipes() -> dict[str, str]:
    """What decides the rows of every config: the code that reads and writes them, with the rules."""
    return dict.fromkeys(spec.COLUMNS, total([files_hash(spec.ROOT.parent, spec.RECIPE), writer_hash()]))


def made_of(source: Source, articles: str) -> dict[str, str]:
    """What all files are made of beside what is read: the dataset with its version, and options."""
    if isinstance(source, LocalSource):
        origin = "sample" if source.root == SAMPLE else "local files"
    else:
        origin = source.commit
    return {
        "dataset": spec.NAME,
        "version": spec.VERSION,
        "source": origin,
        "articles": articles,
    }


def _state(reading: Reading, weeks: Iterable[Week]) -> str:
    """A hash over names and contents of the files that are read, so that none can change unnoticed."""
    digest = hashlib.sha256()
    for path in sorted({path for week in weeks for path in reading.needs(week)}):
        digest.update(f"{path}\0{_sha256(reading.source, path)}\0".encode())
    return digest.hexdigest()


def _sha256(source: Source, path: str) -> str:
    if isinstance(source, LocalSource):
        return hashlib.sha256(source.read(path)).hexdigest()
    return manifest.read(source.manifest_path)[path].sha256
