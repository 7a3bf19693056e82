"""`timelineqa build`."""

from __future__ import annotations

from pathlib import Path

import click

from timeline_realtime_qa.commands import Choice, report_built
from timeline_realtime_qa.display.near import expected
from timeline_realtime_qa.hub.building import Plan, build_by_ray, submit_to_slurm
from timeline_realtime_qa.hub.building import build as build_here

from .. import build as building
from .. import card, options, spec
from ..configs import configs
from .common import FORMAT, World, config_named, with_world


@click.command()
@click.option(
    "--config", "names", multiple=True, default=[spec.DEFAULT_CONFIG], show_default=True,
    help="Config, such as sparse_travel, can be repeated.",
)  # fmt: skip
@click.option("--all", "everything", is_flag=True, help="All configs of all densities.")
@click.option("--split", "splits", multiple=True, help="Split to build, can be repeated; without: all.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder to write into.")
@click.option(
    "--lifelogs",
    help='Personas: "7", "0:10", "test", "0:2,80,120" or "all"; without: those of train, validation and test.',
)
@click.option("--columns", help="Columns to make, separated by commas; without: all.")
@click.option(
    "--lifelogs-a-shard", type=click.IntRange(1), default=building.LIFELOGS_A_SHARD, show_default=True,
    help="Lifelogs that are written together: what is lost when a build is killed, and the size of files.",
)  # fmt: skip
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Jobs that run at once.")
@click.option(
    "--executor", type=Choice(["local", "ray", "slurm"]), default="local", show_default=True,
    help="Where they run: processes of this machine, the cluster of RAY_ADDRESS, or an array job of Slurm.",
)  # fmt: skip
@click.option(
    "--slurm", "sbatch", multiple=True, metavar="NAME=VALUE",
    help="Option of sbatch, can be repeated; partition and time are needed.",
)  # fmt: skip
@with_world
@FORMAT
def build(
    names: tuple[str, ...],
    everything: bool,
    splits: tuple[str, ...],
    out: Path,
    lifelogs: str | None,
    columns: str | None,
    lifelogs_a_shard: int,
    workers: int,
    executor: str,
    sbatch: tuple[str, ...],
    world: World,
    form: str,
) -> None:
    """Write a folder that is a Hub dataset repository as it stands.

    It holds OUT/CONFIG/SPLIT-00000-of-000NN.parquet, the card (README.md), LICENSE, CITATION.cff, manifest.json with
    rows, bytes and hashes, and croissant.json. A build that was stopped goes on when the same command is run again:
    only what is lacking, damaged or of other options is made. Further configs can be added to a folder of the same
    options.

    \b
    timelineqa build --all --out timelineqa --workers 2
    timelineqa build --config dense_episodes --split test --out data --workers 2
    timelineqa build --config sparse_travel --lifelogs all --out data
    timelineqa build --all --out timelineqa --workers 99 --executor slurm --slurm partition=cpu --slurm time=2:00:00
    """
    out = out.absolute()  # workers elsewhere have other folders
    asked, submitted = _configs(names, everything), _sbatch_options(sbatch, executor)
    options.check_world(**world)
    members = _members(lifelogs, splits)
    kept = _columns(columns, asked)
    jobs = building.plan(
        out,
        asked,
        members,
        **world,
        columns=kept,
        lifelogs_a_shard=lifelogs_a_shard,
    )
    plan = Plan(out, jobs, "lifelogs", [split.name for split in spec.SPLITS], card.files)
    if executor == "slurm":
        last = submit_to_slurm(plan, workers, submitted)
        click.echo(f"submitted {len(jobs)} jobs; the job {last} writes the card when all have run")
        return
    folder = build_by_ray(plan, workers) if executor == "ray" else build_here(plan, workers)
    counts = {split: {"lifelogs": len(inside)} for split, inside in members.items()}
    report_built(folder, form, asked, counts)


def _configs(names: tuple[str, ...], everything: bool) -> list[str]:
    asked = {config_named(name).name for name in names}
    return [name for name in configs() if everything or name in asked]


def _sbatch_options(given: tuple[str, ...], executor: str) -> dict[str, str]:
    if given and executor != "slurm":
        raise ValueError(f"--slurm {given[0]}: expected no options of Slurm without --executor slurm")
    wrong = [option for option in given if "=" not in option]
    if wrong:
        raise ValueError(f"--slurm {wrong[0]}: expected NAME=VALUE, such as partition=cpu")
    return dict(option.split("=", 1) for option in given)


def _columns(columns: str | None, names: list[str]) -> list[str] | None:
    if columns is None:
        return None
    if len(names) > 1:
        raise ValueError(f"--columns are those of one config, found {len(names)} configs to build")
    return options.column_names(columns.split(","), configs()[names[0]].kind.columns)


def _members(lifelogs: str | None, splits: tuple[str, ...]) -> dict[str, list[int]]:
    members = options.split_members(options.lifelog_indices(lifelogs))
    unknown = [split for split in splits if split not in members]
    if unknown:
        raise ValueError(f"no lifelog asked for is in the split {unknown[0]!r}; {expected(unknown[0], members)}")
    return {split: inside for split, inside in members.items() if not splits or split in splits}
