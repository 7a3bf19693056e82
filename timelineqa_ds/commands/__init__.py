"""``python -m timelineqa_ds``, also installed as ``timelineqa``: one module a command."""

from __future__ import annotations

import click

from timeline_realtime_qa.commands import Errors, version_option

from .. import spec
from . import build, check, lists, show, stats


@click.group(cls=Errors, context_settings={"help_option_names": ["-h", "--help"]})
@version_option(spec.NAME, spec.VERSION)
def main() -> None:
    """TimelineQA lifelogs: generate them, look at them, compare them with the paper."""


for command in (build.build, show.show, stats.stats_command, check.check, lists.list_columns):
    main.add_command(command)
