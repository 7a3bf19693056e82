"""`timelineqa show`."""

from __future__ import annotations

from datetime import date, datetime

import click
import orjson
import pyarrow.compute as pc

from timeline_realtime_qa.commands import Choice

from .. import spec
from ..generator import lifelog
from .common import FORMAT, World, with_world


DATE = click.DateTime(["%Y-%m-%d", "%Y/%m/%d"])


@click.command()
@click.argument("density", type=Choice(spec.DENSITIES))
@click.argument("index", type=click.IntRange(0))
@click.option("--from", "first", type=DATE, help="First day to show.")
@click.option("--to", "last", type=DATE, help="Last day to show.")
@with_world
@FORMAT
def show(
    density: str,
    index: int,
    first: datetime | None,
    last: datetime | None,
    world: World,
    form: str,
) -> None:
    """Print the episodes of a lifelog that start in a period, as in section 4.1 of the paper.

    \b
    timelineqa show dense 7 --from 2021-06-01 --to 2021-06-30
    timelineqa show sparse 12 --format json
    """
    begin, end = first.date() if first else date.min, last.date() if last else date.max
    if begin > end:
        raise ValueError(f"--from {begin} is later than --to {end}: expected the earlier day first")
    start = pc.field("start")
    episodes = lifelog(density, index, **world).episodes.filter((start >= begin) & (start <= end))
    for batch in episodes.to_batches(max_chunksize=10_000):
        for row in batch.to_pylist():
            click.echo(orjson.dumps(row).decode() if form == "json" else f"{row['start']:%Y/%m/%d}, {row['text']}")
