"""`timelineqa columns`."""

from __future__ import annotations

import click

from timeline_realtime_qa.hub import cards

from ..card import described
from ..configs import configs
from .common import config_named


@click.command("columns", epilog="Example: timelineqa columns dense dense_travel")
@click.argument("names", metavar="[CONFIGS]...", nargs=-1)
def list_columns(names: tuple[str, ...]) -> None:
    """List the columns of CONFIGS with their types; without, of all kinds, which are the same in every density."""
    of_a_kind = [config.name for config in configs().values() if config.density in (None, "dense")]
    for name in names or of_a_kind:
        config = config_named(name)
        click.echo(f"### `{name}`\n\nOne row is {config.kind.about}.\n")
        click.echo(f"{cards.columns(described(config))}\n")
