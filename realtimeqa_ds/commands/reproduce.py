"""`realtimeqa reproduce`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from timeline_realtime_qa.display.figure import INSTALL, check_picture

from .. import options
from ..published import plot, runs, scores, text
from .common import FORMAT


@click.command()
@click.option("--data-dir", help='Root of a clone, or "sample"; without: the public files at the pinned commit.')
@click.option(
    "--plot", "picture", type=click.Path(dir_okay=False, path_type=Path),
    help=f"Draw accuracy by week, such as weeks.png. It needs matplotlib: {INSTALL}",
)  # fmt: skip
@FORMAT
def reproduce(data_dir: str | None, picture: Path | None, form: str) -> None:
    """The paper's Table 1 and two rows of its Table 2 from the published predictions, and accuracy by year.

    Averages go over questions. Exit status 1 if a cell differs from the published one by more than 0.05.

    \b
    realtimeqa reproduce --data-dir realtimeqa_public
    realtimeqa reproduce --data-dir realtimeqa_public --plot weeks.png --format json
    """
    if picture:
        check_picture(picture)
    if data_dir is not None:
        options.local(data_dir).paths()  # an error, before anything is read, where it is no clone
    joined = runs.joined(data_dir)
    cells, years = scores.cells(joined), scores.by_year(joined)
    if picture:
        plot.draw_weeks(joined, picture)
    if form == "json":
        click.echo(json.dumps({"cells": cells, "accuracy_by_year": years}, indent=1))
    else:
        click.echo(f"{text.cells_as_text(cells)}\n{text.years_as_text(years)}")
    if differing := scores.differing(cells):
        raise ValueError(f"{len(differing)} of {len(cells)} cells differ by more than {scores.TOLERANCE}")
