"""A question of the original as a case to decide: its parameters with the log's tables, and what is right for it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

from ..tables.derived import derived_tables
from .rows import Rows


if TYPE_CHECKING:
    from .lifelog import Log


@dataclass(frozen=True)
class Right:
    """What is right.

    Attributes:
        answers: the right answers: a number, all winners, or all items.
        evidence: the episodes that they follow from.
        mistaken: answers that a known mistake gives, by the kind of fault.
        faults: of the question itself.
        candidates: what an argmax chooses from.
        ranked: for a list of the most common, how often each is there; then `answers` is empty.
    """

    answers: list[str]
    evidence: set[int]
    mistaken: Mapping[str, list[str]] = field(default_factory=dict)
    faults: tuple[str, ...] = ()
    candidates: frozenset[str] = frozenset()
    ranked: Mapping[str, int] | None = None

    def cut(self) -> Right:
        """The same with the answers cut at the first comma, as QA files have them."""
        ranked = self.ranked and {value.partition(",")[0]: count for value, count in self.ranked.items()}
        answers = [answer.partition(",")[0] for answer in self.answers]
        return dataclasses.replace(self, answers=answers, ranked=ranked)


class Case:
    """A question's parameters with the log's tables."""

    def __init__(self, log: Log, parameters: Mapping[str, Any]) -> None:
        self._log = log
        self._parameters = parameters

    def rows(self, name: str) -> Rows:
        """All rows of a derived table, with repeated names as they are."""
        return Rows.of(self._log.table(name, repeats=True), derived_tables()[name])

    def __getitem__(self, name: str) -> Any:
        return self._parameters[name]

    @property
    def years(self) -> tuple[int, int]:
        """First and last year of the log.

        Raises:
            FileNotFoundError: if no file tells.
        """
        found = self._log.years
        if found is None:
            raise FileNotFoundError(f"{self._log.lifelog_id}: no file says which years the log has")
        return found

    @property
    def days(self) -> int:
        """Days of these years."""
        first, last = self.years
        return (date(last, 12, 31) - date(first, 1, 1)).days + 1

    def entry_texts(self, rows: Rows) -> list[str]:
        """The texts of the episodes of some rows.

        Raises:
            FileNotFoundError: without NAME.json.
        """
        by_number = self._log.need_entries().by_number
        return [by_number[number].text for number in rows.values("episode_id")]

    def at_month(self, rows: Rows) -> Rows:
        """The rows of the month asked about."""
        return rows.at(year=self["year"], month=self["month"])
