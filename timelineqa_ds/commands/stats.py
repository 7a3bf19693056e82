"""`timelineqa stats`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from timeline_realtime_qa.display.figure import INSTALL, check_picture
from timeline_realtime_qa.display.progress import progress

from .. import options
from ..configs import Config
from ..figures import plot, question_plot, question_text, stats
from ..figures import questions as question_stats
from ..generator import lifelog
from .common import FORMAT, World, config_named, with_world


@click.command("stats")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path), required=False)
@click.option("--config", "configs", multiple=True, help="Generate this config instead; can be repeated.")
@click.option(
    "--lifelogs", default="0:57", show_default=True, help="Personas to generate; every age comes once in 57."
)
@click.option(
    "--plot", "picture", type=click.Path(dir_okay=False, path_type=Path),
    help=f"Draw a picture, such as a.png. It needs matplotlib: {INSTALL}",
)  # fmt: skip
@click.option("--show", "shown", default=7, show_default=True, type=click.IntRange(0), help="Lifelog in the picture.")
@with_world
@FORMAT
def stats_command(
    folder: Path | None,
    configs: tuple[str, ...],
    lifelogs: str,
    picture: Path | None,
    shown: int,
    world: World,
    form: str,
) -> None:
    """Figures beside the paper's, of the shards in FOLDER or of configs: of episodes, entries and tokens (Tables 2 and
    9); of questions, how many, of which types and with how much evidence (Tables 3 and 6).

    \b
    timelineqa stats data
    timelineqa stats --config sparse_episodes --config dense_episodes --lifelogs 0:1000
    timelineqa stats --config dense_episodes --plot dense.png
    timelineqa stats --config sparse --config medium --config dense --lifelogs 0:160 --plot questions.png
    timelineqa stats --config dense_atomic
    """
    if (folder is None) == (not configs):
        raise ValueError("expected either a folder of shards or --config, such as --config dense_episodes")
    if picture:
        check_picture(picture)
    if folder is None:
        tallies, asked = _of_configs(_declared(configs, picture), lifelogs, world)
    else:
        tallies, asked = _of_folder(folder)
    _check_kinds(picture, bool(tallies), bool(asked))
    if picture and tallies:
        plot.draw(picture, tallies, lifelog(tallies[-1].density, shown, **world).episodes)
    elif picture:
        question_plot.draw(picture, asked)
    _show(tallies, question_stats.figures(asked), form)


def _declared(names: tuple[str, ...], picture: Path | None) -> list[Config]:
    """The configs of that name, once all of them are known to be of a kind that can be counted and drawn."""
    declared = [config_named(name) for name in names]
    for config in declared:
        question_stats.check_config(config, ["episodes"])
    kinds = [config.kind.name == "episodes" for config in declared]
    _check_kinds(picture, any(kinds), not all(kinds))
    return declared


def _check_kinds(picture: Path | None, episodes: bool, questions: bool) -> None:
    if picture and episodes and questions:
        raise ValueError("a picture is of episodes or of questions, found both: choose one of them by --config")


def _of_configs(
    declared: list[Config], lifelogs: str, world: World
) -> tuple[list[stats.EpisodeTally], list[question_stats.QuestionCounts]]:
    indices = options.lifelog_indices(lifelogs)
    options.check_world(**world)
    tallies, asked = [], []
    for config in declared:
        bar = progress(indices, "lifelogs", config.name)
        if config.kind.name == "episodes":
            tallies.append(stats.of_config(config.name, bar, **world))
        else:
            asked.append(question_stats.of_config(config, bar, **world))
    return tallies, asked


def _of_folder(folder: Path) -> tuple[list[stats.EpisodeTally], list[question_stats.QuestionCounts]]:
    found = stats.of_folder(folder), question_stats.of_folder(folder)
    if not any(found):
        wanted = " or ".join(", ".join(columns) for columns in (stats.COLUMNS, question_stats.MULTIHOP))
        raise FileNotFoundError(f"{folder} holds no Parquet file with the columns {wanted}")
    return found


def _show(tallies: list[stats.EpisodeTally], questions: dict[str, Any], form: str) -> None:
    if form == "json":
        counts = {tally.density: tally.lifelogs for tally in tallies}
        lines = [line.as_dict() for line in stats.lines(tallies)]
        click.echo(json.dumps({"lifelogs": counts, "lines": lines, "questions": questions}))
        return
    texts = [stats.as_text(tallies)] if tallies else []
    click.echo("\n\n".join(texts + ([question_text.as_text(questions)] if questions else [])))
