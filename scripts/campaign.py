"""Faults injected at random from a seed: what came of each goes into a ledger, and what must not come is a failure."""

from __future__ import annotations

import importlib
import io
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path

import click
import datasets


ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]  # for the toys of the tests, also in the processes of a build

from faults import running  # noqa: E402
from faults.running import Area, Entry  # noqa: E402
from faults.trial import FAILURE, OUTCOMES  # noqa: E402

from timeline_realtime_qa.display.progress import progress  # noqa: E402


# Module and function of each area, and how many of 20 faults are of it.
AREAS = {
    "files": ("weeks", "files", 6),
    "original": ("original", "original", 3),
    "manifests": ("weeks", "manifests", 2),
    "http": ("http", "http", 2),
    "builds": ("builds", "builds", 2),
    "publishing": ("publishing", "publishing", 1),
    "metrics": ("metric_inputs", "metric_inputs", 4),
}
MIXTURE = [name for name, (_, _, share) in AREAS.items() for _ in range(share)]


def inject(area: str) -> Area:
    """What makes a fault of an area; its module is imported where it is needed."""
    module, name, _ = AREAS[area]
    made: Area = getattr(importlib.import_module(f"faults.{module}"), name)
    return made


def tasks(count: int, areas: Iterable[str]) -> list[tuple[int, str]]:
    """The numbers of the first `count` faults that are of some areas, with their areas."""
    named = ((number, running.area_of(number, MIXTURE)) for number in range(count))
    return [(number, area) for number, area in named if area in areas]


def campaign(
    seed: int,
    asked: Sequence[tuple[int, str]],
    workers: int = 1,
    ledger: Path | None = None,
    made: Callable[[str], Area] = inject,
) -> tuple[Counter[tuple[str, str]], list[Entry]]:
    """Make faults; how often each outcome came in each area, and the failures."""
    counts: Counter[tuple[str, str]] = Counter()
    failures = []
    for area in {area for _, area in asked}:
        made(area)  # so that its modules are imported once, and not by every process
    with ExitStack() as stack:
        out = stack.enter_context(ledger.open("w", encoding="utf-8")) if ledger else io.StringIO()
        bar = stack.enter_context(progress(len(asked), "faults", f"seed {seed}"))
        for entry in running.run(seed, asked, made, workers):
            running.write(out, entry)
            out.flush()
            counts[entry.area, entry.outcome] += 1
            if entry.outcome == FAILURE:
                failures.append(entry)
                bar.set_postfix(failures=len(failures))
            bar.update()
    return counts, sorted(failures, key=lambda entry: entry.number)


def table(counts: Counter[tuple[str, str]]) -> str:
    """Areas by outcomes, with totals."""
    areas = [area for area in AREAS if any(of == area for of, _ in counts)]
    rows = [["", *OUTCOMES, "all"]]
    for area in areas:
        numbers = [counts[area, outcome] for outcome in OUTCOMES]
        rows.append([area, *(f"{number:,}" for number in (*numbers, sum(numbers)))])
    sums = [sum(counts[area, outcome] for area in areas) for outcome in OUTCOMES]
    rows.append(["all", *(f"{number:,}" for number in (*sums, sum(sums)))])
    return "\n".join(f"{name:<12}" + "".join(f"{cell:>14}" for cell in cells) for name, *cells in rows)


def shown(entry: Entry) -> str:
    """An entry for people, with the command that makes it again."""
    replay = f"bash scripts/campaign --seed {entry.seed} --fault {entry.number}"
    return f"{entry.area}: {entry.kind[:1_000]}\n  {entry.outcome}: {entry.detail[:3_000]}\n  again: {replay}"


@click.command(epilog="Example: bash scripts/campaign --faults 10000 --seed 1")
@click.option("--faults", "count", default=10_000, show_default=True, help="How many numbers, from 0.")
@click.option("--seed", default=1, show_default=True, help="Seed and number decide all about a fault.")
@click.option("--only", help=f"Areas to try, of {', '.join(AREAS)}: other numbers are left out.")
@click.option("--ledger", type=click.Path(dir_okay=False, path_type=Path), help="File of JSON Lines, one a fault.")
@click.option("--workers", default=2, show_default=True, type=click.IntRange(1))
@click.option("--fault", "number", type=click.IntRange(0), help="Make this one alone, and print all about it.")
def main(count: int, seed: int, only: str | None, ledger: Path | None, workers: int, number: int | None) -> None:
    """Inject faults into copies of small inputs, and count what comes of them; status 1 where something must not."""
    areas = only.split(",") if only else list(AREAS)
    if unknown := [area for area in areas if area not in AREAS]:
        raise click.UsageError(f"expected --only of {', '.join(AREAS)}, found {unknown[0]!r}")
    datasets.disable_progress_bars() if number is not None else None
    if number is not None:
        area = running.area_of(number, MIXTURE)
        entry = running.one(seed, number, area, inject(area))
        click.echo(shown(entry))
        sys.exit(entry.outcome == FAILURE)
    start = time.monotonic()
    counts, failures = campaign(seed, tasks(count, areas), workers, ledger)
    click.echo(table(counts))
    click.echo(f"{sum(counts.values()):,} faults of seed {seed} in {(time.monotonic() - start) / 60:.1f} minutes")
    for entry in failures:
        click.echo(shown(entry))
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
