"""What the command lines share: errors as messages, and the report on a built folder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click


class Errors(click.Group):
    """A group that shows our own errors as messages instead of tracebacks."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (ValueError, OSError, RuntimeError) as error:
            # A reader that has gone (`| head`) is no error: click ends quietly, with status 1.
            if isinstance(error, (click.exceptions.Exit, BrokenPipeError)):
                raise
            raise click.ClickException(str(error)) from error


def report_built(out: Path, splits: Sequence[dict[str, Any]], form: str) -> None:
    """Print what a folder holds of each config and split: a line each, or all as JSON.

    Args:
        splits: config, split, content hash, and the counts that a line shows in their order.
    """
    if form == "json":
        click.echo(json.dumps(splits, separators=(",", ":")))
        return
    for one in splits:
        counts = [f"{value} {name}" for name, value in one.items() if name not in ("config", "split", "content")]
        click.echo("\t".join([str(out / one["config"]), one["split"], *counts]))
