"""``python -m timelineqa_ds``, also installed as ``timelineqa``: build, show, count and check lifelogs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any, TypeVar

import click
import orjson
from datasets.utils import tqdm

from . import options, parquet, plot, spec, stats
from .consistency import violations
from .content import canonical
from .generator import Lifelog, lifelog


F = TypeVar("F", bound=Callable[..., Any])
FORMAT = click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True,
                      help="json: for a machine to read.")  # fmt: skip
DATE = click.DateTime(["%Y-%m-%d", "%Y/%m/%d"])


def world(command: F) -> F:
    """The options that say which world is meant."""
    for option in (
        click.option("--duration", type=int, help="Years up to the final one; without: all from the age of 18 on."),
        click.option("--year", type=int, default=spec.YEAR, show_default=True, help="Final year of the lifelogs."),
        click.option("--seed", type=int, default=spec.SEED, show_default=True, help="The world to generate."),
    ):
        command = option(command)
    return command


class Errors(click.Group):
    """A group that shows our own errors as messages instead of tracebacks."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (ValueError, OSError, RuntimeError) as error:
            if isinstance(error, click.exceptions.Exit):
                raise
            raise click.ClickException(str(error)) from error


@click.group(cls=Errors, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """TimelineQA lifelogs: generate them, look at them, compare them with the paper."""


@main.command()
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
    declared = _config(config)
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


@main.command()
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
            click.echo(canonical(row).decode() if form == "json" else f"{row['start']:%Y/%m/%d}, {row['text']}")


@main.command("stats")
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
            stats.of_config(_config(name).name, tqdm(indices, desc=name), seed=seed, year=year, duration=duration)
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


@main.command()
@click.option("--config", default="dense_episodes", show_default=True, help="Episodes or multi-hop config to check.")
@click.option("--lifelogs", default="0:100", show_default=True, help="Personas to check.")
@world
@FORMAT
def check(config: str, lifelogs: str, seed: int, year: int, duration: int | None, form: str) -> None:
    """Count what would be wrong: in lifelogs (excluded events, people outside their dates, ...), or in the multi-hop
    questions about them (answers that the SQL does not give, on all episodes or on the evidence, ...); 0 is right.

    \b
    timelineqa check --config sparse_episodes --lifelogs 0:100
    timelineqa check --config dense --lifelogs 0:10
    """
    declared = _config(config)
    density = declared.density
    if density is None:
        raise ValueError(f"lifelogs are checked by an episodes config (such as dense_episodes), found {config}")
    found: Counter[str] = Counter()
    for index in tqdm(options.lifelog_indices(lifelogs), desc=config):
        one = lifelog(density, index, seed=seed, year=year, duration=duration)
        found.update(_question_violations(one) if declared.kind == "multihop" else violations(one, year))
    if form == "json":
        click.echo(json.dumps(found))
    else:
        click.echo("\n".join(f"{count:>9}  {name}" for name, count in found.items()))
    if any(found.values()):
        raise ValueError("some lifelogs break a rule")


def _question_violations(one: Lifelog) -> dict[str, int]:
    from .questions import multihop_check  # here, since it loads DuckDB

    return multihop_check.violations(one)


def _config(name: str) -> spec.Config:
    known = spec.configs()
    if name not in known:
        raise ValueError(f"no config {name!r}; expected one of {', '.join(known)}")
    return known[name]


def _members(lifelogs: str | None, splits: tuple[str, ...]) -> dict[str, list[int]]:
    members = options.split_members(options.lifelog_indices(lifelogs))
    unknown = [split for split in splits if split not in members]
    if unknown:
        raise ValueError(f"no lifelog asked for is in the split {unknown[0]!r}; expected one of {', '.join(members)}")
    return {split: inside for split, inside in members.items() if not splits or split in splits}


def _rows(found: Lifelog) -> Iterator[dict[str, Any]]:
    for batch in found.episodes.to_batches(max_chunksize=10_000):
        yield from batch.to_pylist()
