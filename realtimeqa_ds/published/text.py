"""Published and own scores as tables for people."""

from __future__ import annotations

from typing import Any

from .scores import TABLES, published


TITLES = dict(
    zip(TABLES, ("Table 1 (all weeks of the paper's year)", "Table 2 (with dates, first six weeks)"), strict=True)
)


def cells_as_text(cells: list[dict[str, Any]]) -> str:
    """Each table with the published value, ours and the difference, in percent."""
    lines = [published()["source"], ""]
    for table, title in TITLES.items():
        lines.append(f"{title}: {published()[table]['weeks']}")
        lines.append(f"  {'system':<16}{'score':<18}{'published':>10}{'ours':>8}{'difference':>12}{'n':>8}")
        for cell in (cell for cell in cells if cell["table"] == table):
            ours = "absent" if cell["ours"] is None else f"{cell['ours']:.1f}"
            difference = "" if cell["difference"] is None else f"{cell['difference']:+.3f}"
            line = f"{cell['published']:>10.1f}{ours:>8}{difference:>12}{cell['n']:>8,}"
            lines.append(f"  {cell['system']:<16}{cell['column']:<18}{line}")
        lines.append("")
    return "\n".join(lines)


def years_as_text(years: list[dict[str, Any]]) -> str:
    """Accuracy by year with intervals."""
    lines = ["Accuracy by year, percent, with 95% Wilson interval (predictions that name no choice are wrong)"]
    lines.append(f"  {'system':<36}{'setting':<17}{'year':<6}{'accuracy':>9}{'interval':>16}{'n':>7}{'invalid':>9}")
    for row in years:
        interval = f"{100 * row['accuracy_low']:.1f} - {100 * row['accuracy_high']:.1f}"
        line = f"{100 * row['accuracy']:>9.1f}{interval:>16}{row['n']:>7,}{row['n_missing']:>9,}"
        lines.append(f"  {row['system']:<36}{row['setting']:<17}{row['year']:<6}{line}")
    return "\n".join(lines)
