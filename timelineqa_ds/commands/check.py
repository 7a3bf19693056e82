"""`timelineqa check`."""

from __future__ import annotations

import json
from collections import Counter

import click
from datasets.utils import tqdm

from .. import options
from ..consistency import violations
from ..generator import Lifelog, lifelog
from .common import FORMAT, config_named, world


@click.command()
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
    declared = config_named(config)
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
    from ..questions import multihop_check  # here, since it loads DuckDB

    return multihop_check.violations(one)
