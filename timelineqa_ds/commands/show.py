"""`timelineqa show`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

import click
import orjson

from .. import spec
from ..generator import Lifelog, lifelog
from .common import FORMAT, world


DATE = click.DateTime(["%Y-%m-%d", "%Y/%m/%d"])


@click.command()
@click.argument("density", type=click.Choice(spec.DENSITIES))
@click.argument("index", type=click.IntRange(0))
@click.option("--from", "first", type=DATE, help="First day to show.")
@click.option("--to", "last", type=DATE, help="Last day to show.")
@world
@FORMAT
def show(
    density: str,
    index: int,
    first: datetime | None,
    last: datetime | None,
    seed: int,
    year: int,
    duration: int | None,
    form: str,
) -> None:
    """Print the episodes of a lifelog that start in a period, as in section 4.1 of the paper.

    \b
    timelineqa show dense 7 --from 2021-06-01 --to 2021-06-30
    timelineqa show sparse 12 --format json
    """
    found = lifelog(density, index, seed=seed, year=year, duration=duration)
    begin, end = first.date() if first else date.min, last.date() if last else date.max
    if begin > end:
        raise ValueError(f"--from {begin} is later than --to {end}: expected the earlier day first")
    for row in _rows(found):
        if begin <= row["start"] <= end:
            click.echo(orjson.dumps(row).decode() if form == "json" else f"{row['start']:%Y/%m/%d}, {row['text']}")


def _rows(found: Lifelog) -> Iterator[dict[str, Any]]:
    for batch in found.episodes.to_batches(max_chunksize=10_000):
        yield from batch.to_pylist()
