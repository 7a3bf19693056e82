"""`timelineqa columns`."""

from __future__ import annotations

import json

import click

from timeline_realtime_qa.commands import TABLE_FORMAT, columns_json, show_columns
from timeline_realtime_qa.hub import cards

from ..card import described
from ..configs import configs
from .common import config_named


@click.command("columns")
@click.argument("names", metavar="[CONFIGS]...", nargs=-1)
@click.option("--names", "only_names", is_flag=True, help="Only the names, of all configs or of CONFIGS.")
@TABLE_FORMAT
def list_columns(names: tuple[str, ...], only_names: bool, form: str) -> None:
    """List the columns of CONFIGS with their types; without, of all kinds, which are the same in every density.

    \b
    timelineqa columns dense dense_travel
    timelineqa columns --names
    timelineqa columns --format json
    """
    of_a_kind = [name for name, config in configs().items() if only_names or config.density in (None, "dense")]
    asked = [config_named(name) for name in names or of_a_kind]
    if only_names:
        found = [config.name for config in asked]
        click.echo(json.dumps(found) if form == "json" else "\n".join(found))
        return
    told = {config.name: (config.kind.about, cards.columns(described(config))) for config in asked}
    if form == "json":
        click.echo(columns_json(told))
        return
    for name, (about, rows) in told.items():
        show_columns(form, name, about, rows)
