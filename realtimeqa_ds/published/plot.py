"""A picture of accuracy by week."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from timeline_realtime_qa.display.figure import new_figure

from .runs import Runs, grouped
from .scores import accuracy


if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_weeks(runs: Runs, file: Path) -> None:
    """Accuracy by week in the original setting, a line per system (mean over five weeks, dots for each week).

    Systems of the paper's years and later ones stand in panels of their own, since years lie between them.

    Raises:
        RuntimeError: if matplotlib is not installed; the message has the command.
    """
    eras: dict[str, dict[str, dict[str, float]]] = defaultdict(dict)
    for system, weeks in grouped(runs, "multiple_choice", "%Y-%m-%d").items():
        eras[min(weeks)[:4]][system] = {week: accuracy(pairs)["accuracy"] for week, pairs in sorted(weeks.items())}
    figure = new_figure(12, 6.5 * (len(eras) or 1))
    panels = figure.subplots(len(eras) or 1, squeeze=False)
    for axes, (era, systems) in zip(panels[:, 0], sorted(eras.items()), strict=False):
        _draw_era(axes, systems)
        axes.set_title(f"RealTime QA, original setting: accuracy by week, systems run since {era}")
    figure.savefig(file, dpi=120)


def _draw_era(axes: Axes, systems: Mapping[str, Mapping[str, float]]) -> None:
    """One panel: a colour per model, a solid line with documents (_gcs), a dashed one without."""
    from matplotlib import colormaps, dates, ticker

    models = sorted({system.removesuffix("_gcs") for system in systems})
    palette = colormaps["tab10" if len(models) <= 10 else "tab20"]
    for system, weeks in systems.items():
        model = system.removesuffix("_gcs")
        color = palette(models.index(model) % palette.N)
        style = "--" if system == model and f"{model}_gcs" in systems else "-"
        days, values = np.array(list(weeks), "datetime64[D]"), np.array(list(weeks.values()))
        means = [values[max(place - 2, 0) : place + 3].mean() for place in range(len(values))]
        axes.plot(days, means, style, color=color, linewidth=2, label=f"{system} ({values.mean():.0%})")
        axes.plot(days, values, ".", color=color, alpha=0.3, markersize=5)
    axes.set(ylim=(0, 1), ylabel="accuracy")
    axes.yaxis.set_major_formatter(ticker.PercentFormatter(1))
    formatter = dates.ConciseDateFormatter(axes.xaxis.get_major_locator())  # type: ignore[no-untyped-call]
    axes.xaxis.set_major_formatter(formatter)
    axes.grid(alpha=0.3)
    title = "system (mean of weeks)\nlines: mean of five weeks"
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), title=title, frameon=False, fontsize="small")
