"""``python -m realtimeqa_ds``, also installed as ``realtimeqa``: one module a command."""

from __future__ import annotations

import click

from timeline_realtime_qa.commands import Errors, version_option

from .. import spec
from . import build, check, lists, reproduce


@click.group(cls=Errors, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 119})
@version_option(spec.NAME, spec.VERSION)
def main() -> None:
    """RealTime QA: weekly news quizzes with their frozen document pools."""


for command in (
    build.build,
    check.check,
    reproduce.reproduce,
    lists.make_manifest,
    lists.list_rules,
    lists.list_questions,
    lists.list_columns,
):
    main.add_command(command)
