"""What the commands share: options, and the lookup of a config."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TypedDict

import click

from timeline_realtime_qa.commands import Choice
from timeline_realtime_qa.display.near import expected

from .. import spec
from ..configs import Config, configs


FORMAT = click.option("--format", "form", type=Choice(["text", "json"]), default="text", show_default=True,
                      help="json: for a machine to read.")  # fmt: skip


class World(TypedDict):
    """The options of `with_world`."""

    seed: int
    year: int
    duration: int | None


def with_world(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say which world is meant, which the command takes as one argument, `world`."""

    @click.option("--seed", type=int, default=spec.SEED, show_default=True, help="The world to generate.")
    @click.option("--year", type=int, default=spec.YEAR, show_default=True, help="Final year of the lifelogs.")
    @click.option("--duration", type=int, help="Years up to the final one; without: all from the age of 18 on.")
    @functools.wraps(command)
    def of_world(*arguments: object, seed: int, year: int, duration: int | None, **others: object) -> None:
        command(*arguments, world={"seed": seed, "year": year, "duration": duration}, **others)

    return of_world


def config_named(name: str) -> Config:
    """The config of that name; the error for another one says what may have been meant."""
    known = configs()
    if name not in known:
        raise ValueError(f"no config {name!r}; {expected(name, known, spec.LISTING)}")
    return known[name]
