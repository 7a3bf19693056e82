"""`realtimeqa check`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping

import click

from timeline_realtime_qa.display.progress import progress

from .. import options, spec
from ..files import layout
from ..files.source import LocalSource
from ..parsing.report import Report, rules
from ..weeks.reading import Reading
from .common import DATA_DIR, FORMAT, WEEKS


@click.command()
@DATA_DIR
@WEEKS
@FORMAT
def check(data_dir: str, weeks: str | None, form: str) -> None:
    """Read every row of every config, and count rows and the rules that met them.

    \b
    realtimeqa check --data-dir realtimeqa_public
    realtimeqa check --data-dir realtimeqa_public --weeks 2022-06-17:2022-12-30
    """
    source = options.local(data_dir)
    counted = {config: _read_all(source, config, weeks) for config in spec.COLUMNS}
    if form == "json":
        click.echo(json.dumps(counted, indent=1))
        return
    for config, counts in counted.items():
        rows = ", ".join(f"{n:,} {split}" for split, n in counts["rows"].items())
        click.echo(f"{config}: {rows or 'no week asked for has files'}")
        for rule, n in counts["rules"].items():
            click.echo(f"  {n:>7,}  {rules()[rule].kind:<10}{rule}: {rules()[rule].found} -> {rules()[rule].done}")


def _read_all(source: LocalSource, config: str, weeks: str | None) -> dict[str, Mapping[str, int]]:
    """Rows by split and counts by rule, in the order of the rules."""
    report = Report()
    reading = Reading(source, config)
    rows: Counter[str] = Counter()
    chosen = options.select(layout.weeks(source.paths(layout.folders(config)), report), options.week_ranges(weeks))
    served = reading.serving(chosen) if any(map(reading.serves, chosen)) else []
    for week in progress(served, "weeks", config):
        table, of_week = reading.table(week)
        rows[week.split] += table.num_rows
        report.update(of_week)
    return {"rows": rows, "rules": {rule: report.counts[rule] for rule in rules() if report.counts[rule]}}
