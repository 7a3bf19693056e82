"""A picture of questions: their types, how much evidence they have, and how often each template is asked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from timeline_realtime_qa.display.figure import new_figure

from .. import spec
from .question_text import TITLES
from .questions import EDGES, QuestionCounts, figures


if TYPE_CHECKING:
    from matplotlib.axes import Axes

OURS, PAPER = "#4292c6", "#252525"
COLORS = {"sparse": "#9ecae1", "medium": "#4292c6", "dense": "#084594"}
KINDS = {
    "average": "#e6550d",
    "count": "#4292c6",
    "argmax": "#31a354",
    "list": "#756bb1",
    "sum": "#fdae6b",
    "boolean": "#08306b",
    "date": "#de77ae",
    "duration": "#8c564b",
    "order": "#bcbd22",
}
OTHER = "#969696"
NONE, LEAST = 0.3, (0.2, 0.5)  # where a logarithmic scale shows 0, and the limits of its bar
HEIGHTS = {"multihop": 9.0, "extended": 9.0, "atomic": 6.0}


def draw(file: Path, asked: Sequence[QuestionCounts]) -> None:
    """Draw the figures of all kinds of questions into `file`, one kind below the other.

    Raises:
        RuntimeError: if matplotlib is not installed; the message has the command.
    """
    found = figures(asked)
    heights = [HEIGHTS[kind] for kind in found]
    figure = new_figure(15, sum(heights))
    rows = figure.subfigures(len(found), 1, height_ratios=heights, squeeze=False)[:, 0]
    for row, (kind, counted) in zip(rows, found.items(), strict=True):
        row.suptitle(f"{TITLES[kind]} of {counted['lifelogs']} lifelogs")
        if kind == "atomic":
            left, right = row.subplots(1, 2)
            _shares(left, "type", counted["types"])
            _shares(right, "event", counted["events"])
            continue
        axes = row.subplot_mosaic([["types", "templates"], ["evidence", "templates"]], width_ratios=(1.4, 1))
        _shares(axes["types"], "type", counted["types"])
        _evidence(axes["evidence"], [one for one in asked if one.config.kind.name == kind], counted["bins"])
        _templates(axes["templates"], counted)
    figure.savefig(file, dpi=120)


def _shares(axes: Axes, name: str, lines: list[dict[str, Any]]) -> None:
    """Share of the questions by type or event: bars are ours, marks the paper's."""
    places = np.arange(len(lines))[::-1]
    axes.barh(places, [100 * line["share"] for line in lines], color=OURS, label="ours")
    theirs = [100 * (line.get("paper_share") or np.nan) for line in lines]
    for place, line, marked in zip(places, lines, theirs, strict=True):
        end = np.fmax(100 * line["share"], marked)
        axes.annotate(f"{line['share']:.1%}", (end, place), (6, 0), textcoords="offset points", va="center")
    if np.isfinite(theirs).any():
        axes.plot(theirs, places, "|", markersize=24, markeredgewidth=2, color=PAPER, label="paper")
        axes.legend(loc="lower right", markerscale=0.5)
    axes.set_yticks(places, [line[name] for line in lines])
    title = f"Question {name}s" if name == "type" else "Events asked about"
    axes.set(xlabel="share of the questions in percent", title=title)
    axes.margins(x=0.12)
    axes.grid(axis="x", alpha=0.3)


def _evidence(axes: Axes, asked: Sequence[QuestionCounts], bins: list[dict[str, Any]]) -> None:
    """How many questions have how many episodes as evidence, on a logarithmic scale, with each bin's share above."""
    some = sorted(asked, key=lambda one: spec.DENSITIES.index(one.config.density or ""))
    sizes = [np.maximum(one.rows["size"].to_numpy(), NONE) for one in some]
    top = 10.0 ** np.ceil(np.log10(max(2 * EDGES[-1], *(size.max() for size in sizes))))
    # Halves, so that no size lies on a cut, and the bins' limits among them.
    cuts = np.unique([*LEAST, *np.round(np.geomspace(1, top, 4 * int(np.log10(top)) + 1)) + 0.5])
    densities = [str(one.config.density) for one in some]
    axes.hist(sizes, cuts.tolist(), stacked=True, color=[COLORS[name] for name in densities], label=densities)
    axes.set(xscale="log", xlim=(cuts[0], top))
    axes.set_xticks([NONE, 1, 10, 100, 1000, 10_000], ["0", "1", "10", "100", "1,000", "10,000"])
    axes.minorticks_off()
    limits = [cuts[0], *(edge + 0.5 for edge in EDGES), top]
    for edge in limits[1:-1]:
        axes.axvline(edge, color=PAPER, linestyle=":")
    for line, low, high in zip(bins, limits[:-1], limits[1:], strict=True):
        theirs = "" if line["paper_share"] is None else f"\npaper {line['paper_share']:.1%}"
        label = f"{line['bin']}\n{line['share']:.1%}{theirs}"
        axes.text(np.sqrt(low * high), 0.97, label, ha="center", va="top", transform=axes.get_xaxis_transform())
    axes.set_ylim(top=1.45 * axes.get_ylim()[1])
    axes.set(xlabel="episodes of evidence", ylabel="questions", title="Size of the evidence")
    axes.legend(loc="center right")


def _templates(axes: Axes, counted: dict[str, Any]) -> None:
    """Share of the lifelogs in which each template is asked, colored by type."""
    lines = counted["templates"]
    places = np.arange(len(lines))[::-1]
    for kind in dict.fromkeys(line["type"] for line in counted["types"]):
        of_kind = [place for place, line in enumerate(lines) if line["type"] == kind]
        widths = [100 * lines[place]["questions"] / counted["lifelogs"] for place in of_kind]
        axes.barh(places[of_kind], widths, color=KINDS.get(kind, OTHER), label=kind)
    axes.set_yticks(places, [line["template"] for line in lines], fontsize=8)
    axes.set(ylim=(-1, len(lines)), xlabel="asked in so many percent of the lifelogs", title="Templates")
    axes.grid(axis="x", alpha=0.3)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.06), ncols=4, frameon=False)
