"""`realtimeqa manifest`, `realtimeqa rules`, `realtimeqa listed` and `realtimeqa columns`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from timeline_realtime_qa.commands import TABLE_FORMAT, columns_json, show_columns, show_table
from timeline_realtime_qa.display.near import expected
from timeline_realtime_qa.display.tables import wrapped

from .. import spec
from ..files import manifest
from ..files.source import LocalSource
from ..parsing.report import rules
from ..weeks.listed import listed


@click.command("manifest")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
def make_manifest(folder: Path) -> None:
    """Print the manifest (path, bytes, sha256) of a clone, for `manifest=`.

    \b
    realtimeqa manifest realtimeqa_public > manifest.tsv
    """
    click.echo(manifest.make(folder, LocalSource(folder).paths()), nl=False)


@click.command("rules")
@TABLE_FORMAT
def list_rules(form: str) -> None:
    """List every irregularity of the public files and what is done about it.

    \b
    realtimeqa rules
    realtimeqa rules --format json
    """
    if form == "json":
        click.echo(json.dumps([vars(rule) for rule in rules().values()], indent=1))
        return
    rows = [(rule.id, rule.kind, ", ".join(rule.flags), rule.found, rule.done) for rule in rules().values()]
    if form == "markdown":
        show_table(form, ("rule", "kind", "flag of", "what is found", "what is done"), rows)
        return
    # All texts in one cell, which leaves them more room.
    told = [
        (name, kind, f"{found} -> {done}" + (f" (flag of {of})" if of else "")) for name, kind, of, found, done in rows
    ]
    show_table(form, ("rule", "kind", "what is found -> what is done"), told)


@click.command("listed")
@TABLE_FORMAT
def list_questions(form: str) -> None:
    """List the questions that only reading or comparing weeks tells something about, with reasons and sources.

    \b
    realtimeqa listed
    realtimeqa listed --format json
    """
    if form == "json":
        click.echo(json.dumps([vars(row) for row in listed()], indent=1))
        return
    rows = [(row.flag, ", ".join(row.questions), row.reason, row.source) for row in listed()]
    show_table(form, ("flag", "questions", "reason", "source"), rows)


@click.command("columns")
@click.argument("names", metavar="[CONFIGS]...", nargs=-1)
@TABLE_FORMAT
def list_columns(names: tuple[str, ...], form: str) -> None:
    """List the columns of CONFIGS with their types; without, of all.

    \b
    realtimeqa columns
    realtimeqa columns nota documents
    realtimeqa columns --format json
    """
    for name in names:
        if name not in spec.COLUMNS:
            raise ValueError(f"no config {name!r}; {expected(name, spec.COLUMNS)}")
    told = {name: (spec.ABOUT[name], _columns(name)) for name in names or spec.COLUMNS}
    if form == "json":
        click.echo(columns_json(told))
        return
    for name, (about, rows) in told.items():
        show_columns(form, name, about, rows)
    told_last = "A document in `documents` has the columns of the `documents` config from `retriever` on."
    click.echo(told_last if form == "markdown" else wrapped(told_last.replace("`", "")))


def _columns(config: str) -> list[tuple[str, str, str]]:
    """Name, type and meaning of each column."""
    types = {field.name: str(field.type) for field in spec.schema(config)} | {"documents": "list<document>"}
    return [
        (name, types[name].replace("element: ", "").replace("item: ", ""), column.about)
        for name, column in spec.COLUMNS[config].items()
    ]
