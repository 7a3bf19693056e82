"""What the commands share: options, and errors as messages."""

from __future__ import annotations

from typing import Any

import click


DATA_DIR = click.option(
    "--data-dir", default="sample", show_default=True, help='Root of a clone of the public repository, or "sample".'
)
WEEKS = click.option("--weeks", help="A date, or FIRST:LAST; all weeks by default.")
FORMAT = click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)


class Errors(click.Group):
    """A group that shows our own errors as messages instead of tracebacks."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (ValueError, OSError, RuntimeError) as error:
            if isinstance(error, click.exceptions.Exit):
                raise
            raise click.ClickException(str(error)) from error
