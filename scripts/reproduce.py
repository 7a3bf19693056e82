"""Reproduce published results from the published predictions, through `load_dataset` and `evaluate.load` only."""

from __future__ import annotations

import functools
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click
import evaluate
import pandas as pd
from datasets import load_dataset

import realtimeqa_ds
from timeline_realtime_qa.commands import Errors
from timelineqa_ds.figures.plot import new_figure


PUBLISHED = Path(realtimeqa_ds.__file__).parent / "data" / "published.json"
SETTINGS = ("multiple_choice", "nota", "generation")
TOLERANCE = 0.05
Pairs = list[tuple[dict[str, Any], dict[str, Any]]]  # predictions, each with its question
Runs = dict[tuple[str, str], Pairs]


@click.group(cls=Errors, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 119})
def main() -> None:
    """Reproduce published results from published predictions."""


@main.command(epilog="Example: bash scripts/reproduce realtimeqa --data-dir realtimeqa_public --out out")
@click.option("--data-dir", help="Root of a clone of the public repository; the pinned commit is fetched by default.")
@click.option("--out", type=click.Path(path_type=Path), default="out", show_default=True, help="Where the plot goes.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def realtimeqa(data_dir: str | None, out: Path, form: str) -> None:
    """The paper's Table 1, two rows of its Table 2, and accuracy by year and by week.

    Averages go over questions. Exit status 1 if a cell differs from the published one by more than 0.05.
    """
    runs = joined(data_dir)
    published = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    cells = [cell for table in ("table1", "table2") for cell in compare(runs, table, published[table])]
    years = by_year(runs)
    plot = draw_weeks(runs, out)
    if form == "json":
        click.echo(json.dumps({"cells": cells, "accuracy_by_year": years, "plot": str(plot)}, indent=1))
    else:
        print_cells(cells, published)
        print_years(years)
        click.echo(f"\naccuracy by week: {plot}")
    differing = [cell for cell in cells if cell["difference"] is None or abs(cell["difference"]) > TOLERANCE + 1e-9]
    if differing:
        click.echo(f"{len(differing)} of {len(cells)} cells differ by more than {TOLERANCE}", err=True)
        sys.exit(1)


metric = functools.cache(evaluate.load)


def joined(data_dir: str | None) -> Runs:
    """The predictions of every system and setting, each beside its question."""
    gold = {s: {row["question_id"]: row for row in rows(s, data_dir, documents="none")} for s in SETTINGS}
    runs: Runs = defaultdict(list)
    for row in rows("predictions", data_dir):
        runs[row["system"], row["setting"]].append((row, gold[row["setting"]][row["question_id"]]))
    return dict(runs)


def rows(config: str, data_dir: str | None, **options: Any) -> Iterable[dict[str, Any]]:
    """The past rows of a config, by way of Arrow tables, which is many times faster than row by row."""
    stream = load_dataset("realtimeqa", config, data_dir=data_dir, split="test", streaming=True, **options)
    for table in stream.with_format("arrow").iter(1000):
        yield from table.to_pylist()


def compare(runs: Runs, table: str, published: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Ours beside the published value, cell by cell, in percent."""
    first, last = published["weeks"].split(":")
    cells = []
    for system, values in published["rows"].items():
        ours: dict[str, Any] = {}
        for setting in SETTINGS:
            pairs = [p for p in runs.get((system, setting), ()) if first <= p[0]["week"].isoformat() <= last]
            ours.update(scores(setting, pairs) if pairs else {})
        for column, value in zip(published["columns"], values, strict=True):
            found, n = ours.get(column, (None, 0))
            difference = None if found is None else 100 * found - value
            cells.append(
                {"table": table, "system": system, "column": column, "published": value, "n": n}
                | {"ours": None if found is None else 100 * found, "difference": difference}
            )
    return cells


def scores(setting: str, pairs: Pairs) -> dict[str, tuple[float, int]]:
    """The scores of one run as {column: (score, n)}; the official scorer skips excluded questions in generation."""
    if setting == "generation":
        scored = [(said, gold) for said, gold in pairs if not gold["excluded"]]
        found = metric("qa_em_f1", "realtimeqa").compute(
            predictions=[said["prediction"] for said, _ in scored], references=[gold["answers"] for _, gold in scored]
        )
        return {"em": (found["exact_match"], found["n"]), "f1": (found["f1"], found["n"])}
    found = accuracy(pairs)
    return {setting: (found["accuracy"], found["n"])}


def accuracy(pairs: Pairs, level: float | None = None) -> dict[str, Any]:
    """`nota_accuracy` of one run; a prediction that names no choice is wrong."""
    said, gold = zip(*pairs, strict=True)
    found: dict[str, Any] = metric("nota_accuracy").compute(
        predictions=[row["choice"] for row in said],
        references=[row["answer"] for row in gold],
        choices=[row["choices"] for row in gold],
        missing="wrong",
        confidence_level=level,
    )
    return found


def grouped(runs: Runs, setting: str, key: str) -> dict[str, dict[str, list[Any]]]:
    """The pairs of a setting by system and by year ("%Y") or week ("%Y-%m-%d")."""
    groups: dict[str, dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
    for (system, of), pairs in sorted(runs.items()):
        for pair in pairs if of == setting else ():
            groups[system][pair[0]["week"].strftime(key)].append(pair)
    return groups


def by_year(runs: Runs) -> list[dict[str, Any]]:
    """Accuracy by system, setting and year with its 95% Wilson interval."""
    rows = []
    for setting in ("multiple_choice", "nota"):
        for system, years in grouped(runs, setting, "%Y").items():
            for year, pairs in years.items():
                found = accuracy(pairs, 0.95)
                kept = ("accuracy", "accuracy_low", "accuracy_high", "n", "n_missing")
                rows.append({"setting": setting, "system": system, "year": year} | {k: found[k] for k in kept})
    return rows


def draw_weeks(runs: Runs, out: Path) -> Path:
    """Accuracy by week in the original setting, a line per system (mean over five weeks, dots for each week).

    Systems of the paper's years and later ones stand in panels of their own, since years lie between them.
    """
    eras: dict[str, dict[str, Any]] = defaultdict(dict)
    for system, weeks in grouped(runs, "multiple_choice", "%Y-%m-%d").items():
        eras[min(weeks)[:4]][system] = {week: accuracy(pairs)["accuracy"] for week, pairs in sorted(weeks.items())}
    figure = new_figure(12, 6.5 * (len(eras) or 1))
    panels = figure.subplots(len(eras) or 1, squeeze=False)
    for axes, (era, systems) in zip(panels[:, 0], sorted(eras.items()), strict=False):
        draw_era(axes, systems)
        axes.set_title(f"RealTime QA, original setting: accuracy by week, systems run since {era}")
    out.mkdir(parents=True, exist_ok=True)
    path = out / "realtimeqa_accuracy_by_week.png"
    figure.savefig(path, dpi=120)
    return path


def draw_era(axes: Any, systems: Mapping[str, Mapping[str, float]]) -> None:
    """One panel: a colour per model, a solid line with documents (_gcs), a dashed one without."""
    from matplotlib import colormaps, dates, ticker

    models = sorted({system.removesuffix("_gcs") for system in systems})
    palette = colormaps["tab10" if len(models) <= 10 else "tab20"]
    for system, weeks in systems.items():
        model = system.removesuffix("_gcs")
        color = palette(models.index(model) % palette.N)
        style = "--" if system == model and f"{model}_gcs" in systems else "-"
        values = pd.Series(weeks).rename(pd.Timestamp)
        mean = values.rolling(5, center=True, min_periods=1).mean()
        axes.plot(values.index, mean, style, color=color, linewidth=2, label=f"{system} ({values.mean():.0%})")
        axes.plot(values.index, values, ".", color=color, alpha=0.3, markersize=5)
    axes.set(ylim=(0, 1), ylabel="accuracy")
    axes.yaxis.set_major_formatter(ticker.PercentFormatter(1))
    formatter = dates.ConciseDateFormatter(axes.xaxis.get_major_locator())  # type: ignore[no-untyped-call]
    axes.xaxis.set_major_formatter(formatter)
    axes.grid(alpha=0.3)
    title = "system (mean of weeks)\nlines: mean of five weeks"
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), title=title, frameon=False, fontsize="small")


def print_cells(cells: list[dict[str, Any]], published: Mapping[str, Any]) -> None:
    """Each table with the published value, ours and the difference, in percent."""
    titles = {"table1": "Table 1 (all weeks of the paper's year)", "table2": "Table 2 (with dates, first six weeks)"}
    click.echo(f"{published['source']}\n")
    for table, title in titles.items():
        click.echo(f"{title}: {published[table]['weeks']}")
        click.echo(f"  {'system':<16}{'score':<18}{'published':>10}{'ours':>8}{'difference':>12}{'n':>8}")
        for cell in (cell for cell in cells if cell["table"] == table):
            ours = "absent" if cell["ours"] is None else f"{cell['ours']:.1f}"
            difference = "" if cell["difference"] is None else f"{cell['difference']:+.3f}"
            line = f"{cell['published']:>10.1f}{ours:>8}{difference:>12}{cell['n']:>8,}"
            click.echo(f"  {cell['system']:<16}{cell['column']:<18}{line}")
        click.echo()


def print_years(years: list[dict[str, Any]]) -> None:
    """Accuracy by year with intervals."""
    click.echo("Accuracy by year, percent, with 95% Wilson interval (predictions that name no choice are wrong)")
    click.echo(f"  {'system':<36}{'setting':<17}{'year':<6}{'accuracy':>9}{'interval':>16}{'n':>7}{'invalid':>9}")
    for row in years:
        interval = f"{100 * row['accuracy_low']:.1f} - {100 * row['accuracy_high']:.1f}"
        line = f"{100 * row['accuracy']:>9.1f}{interval:>16}{row['n']:>7,}{row['n_missing']:>9,}"
        click.echo(f"  {row['system']:<36}{row['setting']:<17}{row['year']:<6}{line}")


if __name__ == "__main__":
    main()
