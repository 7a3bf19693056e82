"""Counting what a load normalised, flagged or dropped, rule by rule, so that nothing happens silently.

The rules are data (`data/rules.json`): an id, the irregularity, what is done, and its kind:

* ``normalise``: the published value is rewritten to the contract's form, nothing is lost (log level INFO);
* ``keep``: the value stays as published and the row is flagged where a row is concerned (INFO);
* ``drop``: a row, value or file is left out, and the count says how many (WARNING);
* ``refuse``: the load stops with an error that names file and line (no count).
"""

from __future__ import annotations

import functools
import json
import logging
from collections import Counter
from dataclasses import dataclass

from ..spec import DATA
from .errors import printable


logger = logging.getLogger(__name__)
LEVELS = {"normalise": logging.INFO, "keep": logging.INFO, "drop": logging.WARNING}


@dataclass(frozen=True)
class Rule:
    """One irregularity of the public files and what is done about it; `flags` says what rows carry its id."""

    id: str
    kind: str
    found: str
    done: str
    flags: tuple[str, ...] = ()


@functools.cache
def rules() -> dict[str, Rule]:
    """All rules by id, in the order of the docs."""
    rows = json.loads((DATA / "rules.json").read_text(encoding="utf-8"))
    return {row["id"]: Rule(**{**row, "flags": tuple(row.get("flags", ()))}) for row in rows}


class Report:
    """Counts per rule, with the first place each was met."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.first: dict[str, str] = {}

    def count(self, rule: str, where: str, n: int = 1) -> None:
        """Note that `rule` applied `n` times, first at `where` (a file, or "file, line N")."""
        if rules()[rule].kind not in LEVELS:
            raise ValueError(f"rule {rule!r} refuses: raise a DataError instead of counting it")
        self.counts[rule] += n
        self.first.setdefault(rule, printable(where))

    def update(self, other: Report) -> None:
        """Add the counts of another report."""
        self.counts.update(other.counts)
        self.first = {**other.first, **self.first}

    def log(self, title: str) -> None:
        """Write one line per rule that applied: drops as WARNING, the rest as INFO."""
        for name, rule in rules().items():
            if self.counts[name]:
                logger.log(
                    LEVELS[rule.kind],
                    "%s: %d x %s: %s -> %s (first: %s)",
                    *(title, self.counts[name], name, rule.found, rule.done, self.first[name]),
                )


class Tally:
    """The reports of one split, added up over its weeks, to be logged once at the end.

    A stream brings the weeks one by one, in any order and possibly over and over, and never says that it ended: the
    sum is logged when all `total` weeks came by. A preparing process brings its share in one go, which `end` closes.
    """

    def __init__(self, title: str, total: int, streamed: bool) -> None:
        self.title = title
        self.total = total
        self.streamed = streamed
        self._by_week: dict[str, tuple[Report, int]] = {}

    def add(self, week: str, report: Report, rows: int) -> None:
        """Take report and number of rows of one week; a week that is read again replaces what was known of it."""
        self._by_week[week] = report, rows
        if len(self._by_week) == self.total:
            self._log()

    def end(self) -> None:
        """Note that a call for several weeks is over."""
        if not self.streamed:
            self._log()

    def _log(self) -> None:
        merged, count = Report(), 0
        for part, rows in self._by_week.values():
            merged.update(part)
            count += rows
        merged.log(self.title)
        if self.streamed and not count:  # preparing has raised an error by now
            logger.warning("%s: no row is in the weeks asked for and of the newspapers in sources=", self.title)
        self._by_week.clear()
