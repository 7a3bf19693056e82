"""A picture of a lifelog and of how often its events come."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from timeline_realtime_qa.display.figure import new_figure

from ..world.streams import Ints
from .stats import ALL, EpisodeTally, lines


if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw(file: Path, tallies: Sequence[EpisodeTally], lifelog: pa.Table) -> None:
    """Draw entries per event beside the paper's, and a calendar of the entries of one lifelog, into `file`.

    Raises:
        RuntimeError: if matplotlib is not installed; the message has the command.
    """
    figure = new_figure(15, 9)
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.2))
    _events(left, tallies)
    _calendar(figure, right, lifelog)
    figure.savefig(file, dpi=120)


def _events(axes: Axes, tallies: Sequence[EpisodeTally]) -> None:
    """Entries per lifelog of each event on a logarithmic scale: bars are ours, marks the paper's."""
    colors = ("#9ecae1", "#4292c6", "#084594")
    height = 0.8 / len(tallies)
    events: list[str] = []
    for place, tally in enumerate(tallies):
        of_event = {line.event: line for line in lines([tally]) if line.event != ALL}
        events = events or sorted(of_event, key=lambda event: of_event[event].entries)
        rows = [of_event[event] for event in events]
        y = np.arange(len(rows)) + (place - (len(tallies) - 1) / 2) * height
        axes.barh(y, [line.entries for line in rows], height, color=colors[place % 3], label=tally.density)
        theirs = [line.paper_entries or np.nan for line in rows]
        axes.plot(theirs, y, "k|", markersize=9, label="paper" if place == len(tallies) - 1 else None)
    axes.set_yticks(range(len(events)), events)
    axes.set(xscale="log", xlabel="entries per lifelog", title="Entries per event")
    axes.grid(axis="x", alpha=0.3)
    axes.legend(loc="lower right")


def _calendar(figure: Figure, axes: Axes, lifelog: pa.Table) -> None:
    """Entries a day in each week, a row for each year; the odd days of a year belong to its last week."""
    days = lifelog["start"].to_numpy()
    filled = days[days >= days[pc.not_equal(lifelog["time_scale"], "lifetime").to_numpy()].min()]
    first, last = (int(str(day)[:4]) for day in (filled.min(), filled.max()))
    counts = np.zeros((last - first + 1, 52))
    lengths = np.zeros_like(counts)
    np.add.at(counts, _weeks(filled, first), 1)
    np.add.at(lengths, _weeks(np.arange(f"{first}-01-01", f"{last + 1}-01-01", dtype="datetime64[D]"), first), 1)
    image = axes.imshow(counts / lengths, aspect="auto", cmap="viridis", extent=(0, 52, last + 1, first))
    title = f"Entries a day in each week of {lifelog['lifelog_id'][0].as_py()}"
    axes.set(xlabel="week of the year", ylabel="year", title=title)
    figure.colorbar(image, ax=axes, label="entries a day")


def _weeks(days: npt.NDArray[np.datetime64], first: int) -> tuple[Ints, Ints]:
    """Row and column of each day: years since `first`, and weeks."""
    years = days.astype("datetime64[Y]")
    week = np.minimum((days - years.astype("datetime64[D]")).astype(int) // 7, 51)
    return years.astype(int) + 1970 - first, week
