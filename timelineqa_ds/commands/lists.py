"""`timelineqa columns`."""

from __future__ import annotations

import click
from datasets.features.features import Features

from timeline_realtime_qa.hub import cards

from .. import spec
from ..generator import config_schema
from .common import config_named


@click.command("columns", epilog="Example: timelineqa columns dense dense_travel")
@click.argument("configs", nargs=-1)
def list_columns(configs: tuple[str, ...]) -> None:
    """List the columns of CONFIGS with their types; without, of all kinds, which are the same in every density."""
    of_a_kind = [config.name for config in spec.configs().values() if config.density in (None, "dense")]
    for name in configs or of_a_kind:
        config = config_named(name)
        features = Features.from_arrow_schema(config_schema(config))
        click.echo(f"### `{name}`\n\nOne row is {config.about}.\n")
        click.echo(f"{cards.columns(cards.Described(config.about, features, config.columns))}\n")
