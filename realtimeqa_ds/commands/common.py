"""The options that commands share."""

from __future__ import annotations

import click

from timeline_realtime_qa.commands import Choice


DATA_DIR = click.option(
    "--data-dir", default="sample", show_default=True, help='Root of a clone of the public repository, or "sample".'
)
WEEKS = click.option("--weeks", help="A date, month or year, or FIRST:LAST; all weeks by default.")
FORMAT = click.option("--format", "form", type=Choice(["text", "json"]), default="text", show_default=True,
                      help="json: for a machine to read.")  # fmt: skip
