"""The command line: `python -m realtimeqa_ds` (installed as `realtimeqa`)."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import click
from datasets.utils import tqdm

from . import layout, manifest, options, spec
from .reading import Reading
from .report import Report, rules
from .source import LocalSource


DATA_DIR = click.option(
    "--data-dir", default="sample", show_default=True, help='Root of a clone of the public repository, or "sample".'
)
FORMAT = click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 119})
def main() -> None:
    """RealTime QA: weekly news quizzes with their frozen document pools."""


@main.command(epilog='Example: realtimeqa check --data-dir realtimeqa_public --weeks "2022-06-17:2022-12-30"')
@DATA_DIR
@click.option("--weeks", help="A date, or FIRST:LAST; all weeks by default.")
@FORMAT
def check(data_dir: str, weeks: str | None, form: str) -> None:
    """Read every row of every config, and count rows and the rules that met them."""
    source = options.local(data_dir)
    try:
        counted = {config: _read_all(source, config, weeks) for config in spec.COLUMNS}
    except (ValueError, FileNotFoundError) as error:
        raise click.ClickException(str(error)) from error
    if form == "json":
        click.echo(json.dumps(counted, indent=1))
        return
    for config, found in counted.items():
        click.echo(f"{config}: " + ", ".join(f"{n:,} {split}" for split, n in found["rows"].items()))
        for rule, n in found["rules"].items():
            click.echo(f"  {n:>7,}  {rules()[rule].kind:<10}{rule}: {rules()[rule].found} -> {rules()[rule].done}")


def _read_all(source: LocalSource, config: str, weeks: str | None) -> dict[str, Any]:
    """Rows by split and counts by rule, in the order of the rules."""
    report = Report()
    reading = Reading(source, config)
    rows: Counter[str] = Counter()
    chosen = options.select(layout.weeks(source.paths(layout.folders(config)), report), options.week_ranges(weeks))
    for week in tqdm(reading.serving(chosen), desc=config, unit="week"):
        table, of_week = reading.table(week)
        rows[week.split] += table.num_rows
        report.update(of_week)
    return {"rows": rows, "rules": {rule: report.counts[rule] for rule in rules() if report.counts[rule]}}


@main.command("manifest", epilog="Example: realtimeqa manifest realtimeqa_public > manifest.tsv")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
def make_manifest(folder: Path) -> None:
    """Print the manifest (path, bytes, sha256) of a clone, for `manifest=`."""
    click.echo(manifest.make(folder, LocalSource(folder).paths()), nl=False)


@main.command("rules")
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


@main.command("columns")
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


if __name__ == "__main__":
    main(prog_name="realtimeqa")
