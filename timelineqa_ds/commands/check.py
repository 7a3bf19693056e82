"""`timelineqa check`."""

from __future__ import annotations

import json
from collections import Counter

import click
from click.core import ParameterSource

from timeline_realtime_qa.display.progress import progress

from .. import options
from ..generator import lifelog
from .common import FORMAT, World, config_named, with_world


@click.command()
@click.option("--config", default="dense_episodes", show_default=True, help="Episodes or question config to check.")
@click.option("--lifelogs", default="0:100", show_default=True, help="Personas to check.")
@click.option("--data-dir", help="Instead, print what is wrong in a folder of outputs of the original program.")
@with_world
@FORMAT
@click.pass_context
def check(
    context: click.Context,
    config: str,
    lifelogs: str,
    data_dir: str | None,
    world: World,
    form: str,
) -> None:
    """Count what would be wrong; 0 is right.

    In lifelogs: excluded events, people outside their dates, ... In multi-hop questions: answers that the SQL does
    not give, on all episodes or on the evidence; evidence that is not needed; other answers from independent code, ...
    In atomic questions: episodes that fit too, answers that are no span of the context, ...

    \b
    timelineqa check --config sparse_episodes --lifelogs 0:100
    timelineqa check --config dense --lifelogs 0:10
    timelineqa check --config dense_extended --lifelogs 0:10
    timelineqa check --config dense_atomic --lifelogs 0:10

    With --data-dir, the faults of the original program's questions, by template and kind; --lifelogs chooses logs.
    """
    if data_dir is not None:
        _print_original(context, data_dir, form)
        return
    declared = config_named(config)
    density, violations = declared.density, declared.kind.check
    if density is None or violations is None:
        raise ValueError(f"expected an episodes or question config, such as dense_episodes or dense, found {config}")
    broken: Counter[str] = Counter()
    options.check_world(**world)
    for index in progress(options.lifelog_indices(lifelogs), "lifelogs", config):
        broken.update(violations(lifelog(density, index, **world), world["year"]))
    if form == "json":
        click.echo(json.dumps(broken))
    else:
        click.echo("\n".join(f"{count:>9}  {rule}" for rule, count in broken.items()))
    if any(broken.values()):
        raise ValueError("some lifelogs or questions break a rule")


def _print_original(context: click.Context, data_dir: str, form: str) -> None:
    from ..original.multihop import report  # here, since it loads DuckDB

    given = [name for name in context.params if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    needless = [f"--{name}" for name in given if name in ("config", "seed", "year", "duration")]
    if needless:
        raise ValueError(
            f"expected no {', '.join(needless)} together with --data-dir, whose lifelogs are there already"
        )
    found = report(data_dir, context.params["lifelogs"] if "lifelogs" in given else None)
    click.echo(json.dumps(found.as_json()) if form == "json" else "\n".join(found.lines()))
