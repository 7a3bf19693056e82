"""What the command lines share: errors as messages, options, tables, and the report on a built folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import click

from .display.near import did_you_mean, near
from .display.tables import Rows, as_markdown, as_text, wrapped
from .hub.folder import Folder


class Errors(click.Group):
    """A group that shows our own errors as messages instead of tracebacks."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except (ValueError, OSError, RuntimeError) as error:
            # A reader that has gone (`| head`) is no error: click ends quietly, with status 1.
            if isinstance(error, (click.exceptions.Exit, BrokenPipeError)):
                raise
            raise click.ClickException(str(error)) from error


class Choice(click.Choice[str]):
    """A choice of names whose error says what may have been meant."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        meant = did_you_mean(near(str(value), self.choices))
        return f"{super().get_invalid_choice_message(value, ctx)} {meant[:1].upper()}{meant[1:]}".rstrip()


TABLE_FORMAT = click.option(
    "--format", "form", type=Choice(["text", "markdown", "json"]), default="text", show_default=True,
    help="text: as wide as the terminal, 80 columns where there is none; json: for a machine to read.",
)  # fmt: skip


def version_option(name: str, version: str) -> Callable[[Any], Any]:
    """--version: that of the package and that of the dataset."""
    message = f"%(package)s %(version)s, dataset {name} {version}"
    return click.version_option(package_name="timeline-realtime-qa", message=message)


def show_table(form: str, titles: tuple[str, ...], rows: Rows) -> None:
    """Print a table as text or Markdown. In Markdown the first column, which holds names, is marked as code."""
    if form == "markdown":
        click.echo(as_markdown(titles, [[f"`{name}`", *others] for name, *others in rows]))
    else:
        click.echo(as_text(titles, rows))


def show_columns(form: str, name: str, about: str, rows: Rows) -> None:
    """Print the columns of a config: name, type and meaning of each."""
    title = f"### `{name}`\n\nOne row is {about}." if form == "markdown" else wrapped(f"{name}: one row is {about}")
    click.echo(f"{title}\n")
    show_table(form, ("column", "type", "what it holds"), rows)
    click.echo()


def columns_json(configs: Mapping[str, tuple[str, Rows]]) -> str:
    """What `show_columns` prints of several configs, {name: (about, rows)}, as JSON."""
    told = {
        name: {"about": about, "columns": [dict(zip(("name", "type", "about"), row, strict=True)) for row in rows]}
        for name, (about, rows) in configs.items()
    }
    return json.dumps(told, indent=1, ensure_ascii=False)


def report_built(folder: Folder, form: str, names: Iterable[str], splits: Mapping[str, Mapping[str, int]]) -> None:
    """Print what a folder holds of configs and splits: a line each, or all as JSON.

    Args:
        splits: the splits to tell of, each with further counts, which come first.
    """
    built = []
    for name in names:
        for split, part in folder.configs[name].items():
            counts = {**splits.get(split, {}), "files": len(part.files), "rows": part.rows, "bytes": part.bytes}
            if split in splits and form == "json":
                built.append({"config": name, "split": split, **counts, "content": part.content})
            elif split in splits:
                texts = [f"{value} {count}" for count, value in counts.items()]
                click.echo("\t".join([str(folder.out / name), split, *texts]))
    if form == "json":
        click.echo(json.dumps(built, separators=(",", ":")))
