"""What the commands share: options, and the lookup of a config."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click

from .. import spec
from ..configs import Config, configs


F = TypeVar("F", bound=Callable[..., object])
FORMAT = click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True,
                      help="json: for a machine to read.")  # fmt: skip


def world(command: F) -> F:
    """The options that say which world is meant."""
    for option in (
        click.option("--duration", type=int, help="Years up to the final one; without: all from the age of 18 on."),
        click.option("--year", type=int, default=spec.YEAR, show_default=True, help="Final year of the lifelogs."),
        click.option("--seed", type=int, default=spec.SEED, show_default=True, help="The world to generate."),
    ):
        command = option(command)
    return command


def config_named(name: str) -> Config:
    known = configs()
    if name not in known:
        raise ValueError(f"no config {name!r}; expected one of {', '.join(known)}")
    return known[name]
