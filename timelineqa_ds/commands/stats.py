"""`timelineqa stats`."""

from __future__ import annotations

import json
from pathlib import Path

import click
from datasets.utils import tqdm

from .. import options, plot, stats
from ..generator import lifelog
from .common import FORMAT, config_named, world


@click.command("stats")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path), required=False)
@click.option("--config", "configs", multiple=True, help="Generate this episodes config instead; can be repeated.")
@click.option(
    "--lifelogs", default="0:57", show_default=True, help="Personas to generate; every age comes once in 57."
)
@click.option(
    "--plot", "picture", type=click.Path(dir_okay=False, path_type=Path), help="Draw a picture, such as a.png."
)
@click.option("--show", "shown", default=7, show_default=True, type=click.IntRange(0), help="Lifelog in the picture.")
@world
@FORMAT
def stats_command(
    folder: Path | None,
    configs: tuple[str, ...],
    lifelogs: str,
    picture: Path | None,
    shown: int,
    seed: int,
    year: int,
    duration: int | None,
    form: str,
) -> None:
    """Entries and tokens beside the paper's Tables 2 and 9, of the shards in FOLDER or of a config.

    \b
    timelineqa stats data
    timelineqa stats --config sparse_episodes --config dense_episodes --lifelogs 0:1000
    timelineqa stats --config dense_episodes --plot dense.png
    """
    if (folder is None) == (not configs):
        raise ValueError("expected either a folder of shards or --config, such as --config dense_episodes")
    options.check_world(seed, year, duration)
    if folder is not None:
        tallies = stats.of_folder(folder)
    else:
        indices = options.lifelog_indices(lifelogs)
        tallies = [
            stats.of_config(config_named(name).name, tqdm(indices, desc=name), seed=seed, year=year, duration=duration)
            for name in configs
        ]
    if picture:
        one = lifelog(tallies[-1].density, shown, seed=seed, year=year, duration=duration)
        plot.draw(picture, tallies, one.episodes)
    if form == "json":
        counts = {tally.density: tally.lifelogs for tally in tallies}
        click.echo(json.dumps({"lifelogs": counts, "lines": [line.as_dict() for line in stats.lines(tallies)]}))
    else:
        click.echo(stats.as_text(tallies))
