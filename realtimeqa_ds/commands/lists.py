"""`realtimeqa manifest`, `realtimeqa rules` and `realtimeqa columns`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from .. import spec
from ..files import manifest
from ..files.source import LocalSource
from ..parsing.report import rules
from .common import FORMAT


@click.command("manifest", epilog="Example: realtimeqa manifest realtimeqa_public > manifest.tsv")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
def make_manifest(folder: Path) -> None:
    """Print the manifest (path, bytes, sha256) of a clone, for `manifest=`."""
    click.echo(manifest.make(folder, LocalSource(folder).paths()), nl=False)


@click.command("rules")
@FORMAT
def list_rules(form: str) -> None:
    """List every irregularity of the public files and what is done about it."""
    rows = [vars(rule) for rule in rules().values()]
    if form == "json":
        click.echo(json.dumps(rows, indent=1))
        return
    click.echo("| rule | kind | what is found | what is done |\n| --- | --- | --- | --- |")
    for row in rows:
        click.echo(f"| `{row['id']}` | {row['kind']} | {row['found']} | {row['done']} |")


@click.command("columns")
def list_columns() -> None:
    """List the columns of every config with their types."""
    for config, columns in spec.COLUMNS.items():
        click.echo(f"### `{config}`\n\nOne row is {spec.ABOUT[config]}.\n")
        click.echo("| column | type | what it holds |\n| --- | --- | --- |")
        types = spec.schema(config)
        for name, column in columns.items():
            kind = str(types.field(name).type).replace("element: ", "").replace("item: ", "")
            kind = "list<document>" if name == "documents" else kind
            click.echo(f"| `{name}` | {kind} | {column.about} |")
        click.echo()
    click.echo("A document in `documents` has the columns of the `documents` config from `retriever` on.")
