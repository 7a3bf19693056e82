"""What a set of lifelogs is like, beside the paper's Tables 2 and 9: entries per lifelog and tokens per entry.

Tokens are counted by the paper's rule: runs of two or more letters.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from .. import spec
from ..configs import configs
from ..declared.events import event_names
from ..declared.vocabulary import read_json


COLUMNS = ("lifelog_id", "event", "text")
TOKEN = r"\p{L}{2,}"
ASCII_TOKEN = r"[A-Za-z]{2,}"  # the same where all is ASCII, in half the time
ALL = "all"  # stands for every event
NOTHING = 0.005  # what tables show as 0.00


@dataclass
class EpisodeTally:
    """Entries and tokens of one density, by event."""

    density: str
    lifelogs: int = 0
    entries: Counter[str] = field(default_factory=Counter)
    tokens: Counter[str] = field(default_factory=Counter)

    def add(self, table: pa.Table) -> None:
        """Count the rows of a table with the columns lifelog_id, event and text."""
        table = pa.table({"event": table["event"], "tokens": token_counts(table["text"])})
        counted = table.group_by("event").aggregate([("tokens", "sum"), ("tokens", "count")]).to_pylist()
        self.entries.update({row["event"]: row["tokens_count"] for row in counted})
        self.tokens.update({row["event"]: row["tokens_sum"] for row in counted})

    def mean_entries(self, event: str = ALL) -> float:
        """Entries per lifelog, of one event or all."""
        return _total(self.entries, event) / self.lifelogs if self.lifelogs else 0.0

    def mean_tokens(self, event: str = ALL) -> float:
        """Tokens per entry, of one event or all."""
        entries = _total(self.entries, event)
        return _total(self.tokens, event) / entries if entries else 0.0


def _total(counts: Counter[str], event: str) -> int:
    return counts.total() if event == ALL else counts[event]


def token_counts(text: pa.ChunkedArray | pa.Array) -> pa.ChunkedArray | pa.Array:
    """Tokens of each string."""
    return pc.count_substring_regex(text, ASCII_TOKEN if pc.all(pc.string_is_ascii(text)).as_py() else TOKEN)


def of_config(config: str, lifelogs: Iterable[int], *, seed: int, year: int, duration: int | None) -> EpisodeTally:
    """Generate lifelogs and count them.

    Args:
        config: an episodes config.

    Raises:
        ValueError: if the config has no episodes.
    """
    declared = configs()[config]
    if declared.kind.name != "episodes" or declared.density is None:
        raise ValueError(f"statistics are of an episodes config (such as dense_episodes), found {config}")
    tally = EpisodeTally(declared.density)
    for index in lifelogs:
        tally.add(declared.rows(index, seed=seed, year=year, duration=duration, columns=COLUMNS, encoded=True))
        tally.lifelogs += 1
    return tally


def of_folder(folder: Path) -> list[EpisodeTally]:
    """Count the Parquet shards of episodes below a folder, by density."""
    tallies = {density: EpisodeTally(density) for density in spec.DENSITIES}
    for _, table in shards(folder, COLUMNS):
        ids = pc.unique(table["lifelog_id"]).to_pylist()
        tally = tallies[ids[0].partition("-")[0]]
        tally.lifelogs += len(ids)
        tally.add(table)
    return [tally for tally in tallies.values() if tally.lifelogs]


def shards(folder: Path, *kinds: Sequence[str]) -> Iterator[tuple[Sequence[str], pa.Table]]:
    """The row groups of the Parquet files below a folder: the columns of the first of `kinds` that a file has all of,
    and the rows. Files that have none are left out, and groups without rows."""
    for path in sorted(folder.rglob("*.parquet")):
        file = pq.ParquetFile(path)
        kind = next((kind for kind in kinds if set(kind) <= set(file.schema_arrow.names)), ())
        for group in range(file.num_row_groups if kind else 0):
            table = file.read_row_group(group, columns=list(kind))
            if table.num_rows:
                yield kind, table


@functools.cache
def paper() -> dict[str, Any]:
    """The paper's figures."""
    figures: dict[str, Any] = read_json("paper.json")
    return figures


@dataclass(frozen=True)
class Line:
    """One figure pair of a table: ours and the paper's (None where it has none)."""

    density: str
    event: str
    entries: float
    paper_entries: float | None
    tokens: float
    paper_tokens: float | None

    def as_dict(self) -> dict[str, Any]:
        """The line with the relative differences."""
        return {
            **self.__dict__,
            "entries_difference": relative(self.entries, self.paper_entries),
            "tokens_difference": relative(self.tokens, self.paper_tokens),
        }


def lines(tallies: Sequence[EpisodeTally]) -> list[Line]:
    """Table 2 (event "all") and Table 9 of each density, per lifelog and per entry."""
    found = []
    for tally in tallies:
        whole = paper()["table2"][tally.density]
        told = {event: (of["per_log"][tally.density], of["tokens"]) for event, of in paper()["table9"].items()}
        told[ALL] = whole["entries"] / whole["logs"], whole["tokens"]
        for event in (ALL, *event_names()):
            entries, tokens = told.get(event, (None, None))
            ours = tally.mean_entries(event), tally.mean_tokens(event)
            found.append(Line(tally.density, event, ours[0], entries, ours[1], tokens))
    return found


def as_text(tallies: Sequence[EpisodeTally]) -> str:
    """The lines as a table for people."""
    counted = ", ".join(f"{tally.lifelogs} {tally.density}" for tally in tallies)
    title = f"Entries per lifelog and tokens per entry, mean of {counted} lifelogs"
    return f"{title}\n{table(_SHOWN, [line.as_dict() for line in lines(tallies)])}"


def relative(ours: float, theirs: float | None) -> float | None:
    """How far ours is from theirs, as a share of theirs; None where theirs is none, or nearly nothing."""
    return None if theirs is None or theirs < NOTHING or not np.isfinite(ours) else ours / theirs - 1


class Shown(NamedTuple):
    """A column of a table for people: its title, the figure that it shows, its least width and the figure's format.

    Attributes:
        beside: the figure that it is the difference to.
    """

    title: str
    key: str
    width: str
    form: str = ""
    beside: str | None = None

    def text(self, line: Mapping[str, Any]) -> str:
        """A figure; for none, a dash, or nothing where there is none that it would be the difference to."""
        if line[self.key] is None:
            return "" if self.beside and line[self.beside] is None else "-"
        return format(line[self.key], self.form)


def table(columns: Sequence[Shown], lines: Sequence[Mapping[str, Any]]) -> str:
    """Lines of figures as a table for people, with a blank at least between two columns."""
    made = [_column(column, [column.title, *map(column.text, lines)]) for column in columns]
    return "\n".join("".join(cells) for cells in zip(*made, strict=True))


def _column(column: Shown, texts: list[str]) -> list[str]:
    side, least = ("<", column.width) if column.width.isdecimal() else (column.width[0], column.width[1:])
    width = max(int(least), 1 + max(map(len, texts)))
    return [f"{text:{side}{width}}" for text in texts]


_SHOWN = (
    Shown("density", "density", "8"),
    Shown("event", "event", "28"),
    Shown("entries", "entries", ">11", ".2f"),
    Shown("paper", "paper_entries", ">11", ".2f"),
    Shown("", "entries_difference", ">8", "+.1%", "paper_entries"),
    Shown("tokens", "tokens", ">8", ".2f"),
    Shown("paper", "paper_tokens", ">8", ".2f"),
    Shown("", "tokens_difference", ">8", "+.1%", "paper_tokens"),
)
