"""Tables of texts: as wide as the terminal is for people, as Markdown for pages."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Sequence
from itertools import zip_longest


APART = "  "
Rows = Sequence[Sequence[str]]


def as_text(titles: Sequence[str], rows: Rows, width: int | None = None) -> str:
    """A table whose cells are wrapped, so that no line is wider than the terminal.

    Args:
        width: None for that of the terminal, and 80 where there is none.
    """
    width = width or _terminal()
    widths = _widths([titles, *rows], width - len(APART) * (len(titles) - 1))
    rule = ["-" * size for size in widths]
    return "\n".join(line for row in (titles, rule, *rows) for line in _lines(row, widths))


def wrapped(text: str) -> str:
    """A sentence in lines that fit the terminal."""
    return textwrap.fill(text, _terminal(), break_on_hyphens=False)


def _terminal() -> int:
    return shutil.get_terminal_size((80, 24)).columns


def as_markdown(titles: Sequence[str], rows: Rows) -> str:
    """The same as a table of Markdown."""
    cells = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in (titles, ["---"] * len(titles), *cells))


def _widths(rows: Rows, room: int) -> list[int]:
    """Of each column: what it asks for, or where that is too much, less of the widest ones, down to their words."""
    columns = list(zip(*rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    words = [max(len(word) for cell in column for word in cell.split() or [""]) for column in columns]
    while sum(widths) > room:
        wide = [number for number, width in enumerate(widths) if width > words[number]]
        # Where not even words have room, they are cut.
        widest = max(wide or range(len(widths)), key=lambda number: widths[number])
        if widths[widest] <= 1:
            break
        widths[widest] -= 1
    return widths


def _lines(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    """A row as lines, with its cells wrapped side by side."""
    cells = [textwrap.wrap(cell, size, break_on_hyphens=False) for cell, size in zip(row, widths, strict=True)]
    return [
        APART.join(f"{text:{size}}" for text, size in zip(line, widths, strict=True)).rstrip()
        for line in zip_longest(*cells, fillvalue="")
    ]
