"""What the command lines share: errors as messages, and the report on a built folder."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

import click

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
