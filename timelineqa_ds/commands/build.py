"""`timelineqa build`."""

from __future__ import annotations

from pathlib import Path

import click
import orjson
from datasets.utils import tqdm

from .. import options, parquet, spec
from .common import FORMAT, config_named, world


@click.command()
@click.option("--config", default=spec.DEFAULT_CONFIG, show_default=True, help="Config, such as sparse_travel.")
@click.option("--split", "splits", multiple=True, help="Split to build, can be repeated; without: all.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder for the shards.")
@click.option("--lifelogs", help='Personas: "7", "0:10" or "all"; without: those of train, validation and test.')
@click.option("--columns", help="Columns to make, separated by commas; without: all.")
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Processes.")
@world
@FORMAT
def build(
    config: str,
    splits: tuple[str, ...],
    out: Path,
    lifelogs: str | None,
    columns: str | None,
    workers: int,
    seed: int,
    year: int,
    duration: int | None,
    form: str,
) -> None:
    """Write a config as Parquet shards OUT/CONFIG/SPLIT-00000-of-000NN.parquet.

    \b
    timelineqa build --config dense_episodes --split test --out data --workers 2
    timelineqa build --config sparse_travel --lifelogs all --out data
    """
    declared = config_named(config)
    options.check_world(seed, year, duration)
    members = _members(lifelogs, splits)
    kept = options.column_names(columns.split(","), declared.columns) if columns else None
    shards = parquet.plan(out, config, members, seed=seed, year=year, duration=duration, columns=kept)
    total = sum(len(shard.lifelogs) for shard in shards)
    written = []
    with tqdm(total=total, unit=" lifelogs", desc=config) as bar:
        for done in parquet.build(shards, workers):
            written.append(done)
            bar.update(done.lifelogs)
    for done in sorted(written, key=lambda one: one.path):
        if form == "text":
            click.echo(f"{done.path}\t{done.lifelogs} lifelogs\t{done.rows} rows\t{done.bytes} bytes")
    if form == "json":
        click.echo(orjson.dumps([{**one.__dict__, "path": str(one.path)} for one in written]).decode())


def _members(lifelogs: str | None, splits: tuple[str, ...]) -> dict[str, list[int]]:
    members = options.split_members(options.lifelog_indices(lifelogs))
    unknown = [split for split in splits if split not in members]
    if unknown:
        raise ValueError(f"no lifelog asked for is in the split {unknown[0]!r}; expected one of {', '.join(members)}")
    return {split: inside for split, inside in members.items() if not splits or split in splits}
