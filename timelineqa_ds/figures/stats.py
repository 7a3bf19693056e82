"""What a set of lifelogs is like, beside the paper's Tables 2 and 9: entries per lifelog and tokens per entry.

Tokens are counted by the paper's rule: runs of two or more letters.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from .. import spec
from ..configs import configs
from ..declared.events import event_names
from ..declared.vocabulary import read_json


COLUMNS = ("lifelog_id", "event", "text")
TOKEN = r"\p{L}{2,}"
_NONE = pa.array([], pa.int32())


@dataclass
class Tally:
    """Entries and tokens of one density, by event."""

    density: str
    lifelogs: int = 0
    entries: dict[str, int] = field(default_factory=dict)
    tokens: dict[str, int] = field(default_factory=dict)

    def add(self, table: pa.Table) -> None:
        """Count the rows of a table with the columns lifelog_id, event and text."""
        table = pa.table({"event": table["event"], "tokens": token_counts(table["text"])})
        counted = table.group_by("event").aggregate([("tokens", "sum"), ("tokens", "count")]).to_pylist()
        for row in counted:
            self.entries[row["event"]] = self.entries.get(row["event"], 0) + row["tokens_count"]
            self.tokens[row["event"]] = self.tokens.get(row["event"], 0) + row["tokens_sum"]

    def mean_entries(self, event: str | None = None) -> float:
        """Entries per lifelog, of one event or all."""
        total = sum(self.entries.values()) if event is None else self.entries.get(event, 0)
        return total / self.lifelogs if self.lifelogs else 0.0

    def mean_tokens(self, event: str | None = None) -> float:
        """Tokens per entry, of one event or all."""
        entries = sum(self.entries.values()) if event is None else self.entries.get(event, 0)
        tokens = sum(self.tokens.values()) if event is None else self.tokens.get(event, 0)
        return tokens / entries if entries else 0.0


def token_counts(text: pa.ChunkedArray | pa.Array) -> pa.Array:
    """Tokens of each string."""
    if isinstance(text, pa.ChunkedArray):
        return pa.concat_arrays([token_counts(chunk) for chunk in text.chunks]) if text.num_chunks else _NONE
    if not len(text):
        return _NONE
    _, cuts, data = text.buffers()
    offsets = np.frombuffer(cuts, dtype=np.int32)[text.offset : text.offset + len(text) + 1]
    first, stop = int(offsets[0]), int(offsets[-1])
    letters = np.frombuffer(data, dtype=np.uint8)[first:stop] if stop > first else np.zeros(0, dtype=np.uint8)
    if len(letters) and letters.max() > 127:
        return pc.count_substring_regex(text, TOKEN)
    return pa.array(_ascii_tokens(letters, offsets - first))


def _ascii_tokens(characters: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """The same on the bytes of all strings at once, ten times as fast: where a letter follows a token's first one."""
    letter = ((characters | 32) - 97) < 26
    begins = letter.copy()
    begins[1:] &= ~letter[:-1]
    edges = offsets[:-1][offsets[:-1] < len(letter)]
    begins[edges] = letter[edges]
    goes_on = np.append(letter[1:], False) if len(letter) else letter
    goes_on[edges[edges > 0] - 1] = False
    before = np.zeros(len(letter) + 1, dtype=np.int32)
    np.cumsum(begins & goes_on, out=before[1:])
    return np.diff(before[offsets]).astype(np.int32)


def of_config(config: str, lifelogs: Iterable[int], *, seed: int, year: int, duration: int | None) -> Tally:
    """Generate lifelogs and count them.

    Args:
        config: an episodes config.

    Raises:
        ValueError: if the config has no episodes.
    """
    declared = configs()[config]
    if declared.kind.name != "episodes" or declared.density is None:
        raise ValueError(f"statistics are of an episodes config (such as dense_episodes), found {config}")
    tally = Tally(declared.density)
    for index in lifelogs:
        tally.add(declared.rows(index, seed=seed, year=year, duration=duration, columns=COLUMNS, encoded=True))
        tally.lifelogs += 1
    return tally


def of_folder(folder: Path) -> list[Tally]:
    """Count the Parquet shards of episodes below a folder, by density."""
    tallies: dict[str, Tally] = {}
    for path in sorted(folder.rglob("*.parquet")):
        if not set(COLUMNS) <= set(pq.read_schema(path).names):
            continue
        file = pq.ParquetFile(path)
        for group in range(file.num_row_groups):
            table = file.read_row_group(group, columns=list(COLUMNS))
            ids = pc.unique(table["lifelog_id"]).to_pylist()
            tally = tallies.setdefault(ids[0].partition("-")[0], Tally(ids[0].partition("-")[0]))
            tally.lifelogs += len(ids)
            tally.add(table)
    return [tallies[density] for density in spec.DENSITIES if density in tallies]


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


def lines(tallies: Sequence[Tally]) -> list[Line]:
    """Table 2 (event "all") and Table 9 of each density, per lifelog and per entry."""
    found = []
    for tally in tallies:
        whole = paper()["table2"][tally.density]
        found.append(
            Line(
                tally.density,
                "all",
                tally.mean_entries(),
                whole["entries"] / whole["logs"],
                tally.mean_tokens(),
                whole["tokens"],
            )
        )
        for event in event_names():
            theirs = paper()["table9"].get(event)
            found.append(
                Line(
                    tally.density,
                    event,
                    tally.mean_entries(event),
                    theirs and theirs["per_log"][tally.density],
                    tally.mean_tokens(event),
                    theirs and theirs["tokens"],
                )
            )
    return found


def as_text(tallies: Sequence[Tally]) -> str:
    """The lines as a table for people."""
    rows = [f"{'density':8}{'event':28}{'entries':>11}{'paper':>11}{'':>8}{'tokens':>8}{'paper':>8}{'':>8}"]
    for line in lines(tallies):
        rows.append(
            f"{line.density:8}{line.event:28}{line.entries:>11.2f}{number(line.paper_entries):>11}"
            f"{percent(relative(line.entries, line.paper_entries)):>8}{line.tokens:>8.2f}"
            f"{number(line.paper_tokens):>8}{percent(relative(line.tokens, line.paper_tokens)):>8}"
        )
    counted = ", ".join(f"{tally.lifelogs} {tally.density}" for tally in tallies)
    return "\n".join([f"Entries per lifelog and tokens per entry, mean of {counted} lifelogs", *rows])


def relative(ours: float, theirs: float | None) -> float | None:
    """How far ours is from theirs, as a share of theirs."""
    return None if not theirs or not np.isfinite(ours) else ours / theirs - 1


def number(value: float | None) -> str:
    """A figure of a table, or a dash for none."""
    return "-" if value is None else f"{value:.2f}"


def percent(value: float | None) -> str:
    """A relative difference of a table, or nothing for none."""
    return "" if value is None else f"{100 * value:+.1f}%"
