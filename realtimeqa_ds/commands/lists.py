"""`realtimeqa manifest`, `realtimeqa rules` and `realtimeqa columns`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from .. import spec
from ..files import manifest
from ..files.source import LocalSource
from ..parsing.report import rules
from ..weeks.listed import listed
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
    if form == "json":
        click.echo(json.dumps([vars(rule) for rule in rules().values()], indent=1))
        return
    click.echo("| rule | kind | flag of | what is found | what is done |\n| --- | --- | --- | --- | --- |")
    for rule in rules().values():
        flags = ", ".join(rule.flags)
        click.echo(f"| `{rule.id}` | {rule.kind} | {flags} | {rule.found} | {rule.done} |")


@click.command("listed")
def list_questions() -> None:
    """List the questions that only reading or comparing weeks tells something about, with reasons and sources."""
    click.echo("| flag | questions | reason | source |\n| --- | --- | --- | --- |")
    for row in listed():
        click.echo(f"| `{row.flag}` | {', '.join(row.questions)} | {row.reason} | {row.source} |")


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
