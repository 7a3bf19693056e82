"""Passes of several sides that take turns, and their medians."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

import click


def alternate(sides: Mapping[str, Callable[[], int]], rounds: int) -> list[dict[str, Any]]:
    """Median wall and CPU seconds of each side over alternating passes, after one pass that does not count."""
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in sides}
    count = {}
    for turn in range(rounds + 1):
        for name, run in sides.items():
            wall, cpu = time.perf_counter(), time.process_time()
            count[name] = run()
            if turn:
                times[name].append((time.perf_counter() - wall, time.process_time() - cpu))
    first = next(iter(sides))
    medians = {name: [statistics.median(side) for side in zip(*of, strict=True)] for name, of in times.items()}
    return [
        {"what": name, "n": count[name], "wall": wall, "cpu": cpu, "wall_ratio": wall / medians[first][0]}
        for name, (wall, cpu) in medians.items()
    ]


def number_of(*arguments: str) -> float:
    """The number that a fresh process of Python prints."""
    return float(subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True).stdout)


def print_passes(rows: list[dict[str, Any]], unit: str) -> None:
    """One line per side."""
    click.echo(f"  {'':<66}{'n':>10}{'wall ' + unit:>9}{'CPU ' + unit:>9}{'wall ratio':>12}")
    for row in rows:
        click.echo(
            f"  {row['what']:<66}{row['n']:>10,}{row['wall']:>9.2f}{row['cpu']:>9.2f}{row['wall_ratio']:>12.2f}"
        )
