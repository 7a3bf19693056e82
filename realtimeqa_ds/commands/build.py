"""`realtimeqa build`."""

from __future__ import annotations

from pathlib import Path

import click

from timeline_realtime_qa.commands import Choice, report_built
from timeline_realtime_qa.hub.building import Plan, refuse_foreign
from timeline_realtime_qa.hub.building import build as build_here

from .. import build as building
from .. import card, options
from ..files import layout
from ..weeks.documents import POOLS
from .common import FORMAT, WEEKS


@click.command()
@click.option("--data-dir", help='Root of a clone, or "sample"; without: the public files at the pinned commit.')
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder to write into.")
@WEEKS
@click.option(
    "--articles", type=Choice(list(POOLS)), is_flag=False, flag_value="gcs", default="none", show_default=True,
    help="Include the texts of a pool (gcs if none is named). They are their publishers': do not republish them.",
)  # fmt: skip
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Processes.")
@FORMAT
def build(data_dir: str | None, out: Path, weeks: str | None, articles: str, workers: int, form: str) -> None:
    """Write a folder that is a Hub dataset repository as it stands.

    It holds OUT/CONFIG/SPLIT-00000-of-000NN.parquet of every config, the card (README.md), LICENSE (what is known
    about rights), CITATION.cff, manifest.json with rows, bytes and hashes, and croissant.json. Articles are left out
    unless --articles asks for them. A build that was stopped goes on when the same command is run again: only what is
    lacking, damaged or of changed files or options is made.

    \b
    realtimeqa build --data-dir sample --out realtimeqa
    realtimeqa build --data-dir realtimeqa_public --out private/realtimeqa --articles gcs --workers 2
    """
    out = out.absolute()  # workers elsewhere have other folders
    refuse_foreign(out)  # before anything is fetched
    source = options.source(data_dir, None, None, None, verify=True)
    jobs = building.plan(out, source, building.configs(articles), articles, weeks)
    splits = list(layout.SPLITS.values())
    folder = build_here(Plan(out, jobs, "weeks", splits, card.files), workers)
    report_built(folder, form, folder.configs, {split: {} for split in splits})
