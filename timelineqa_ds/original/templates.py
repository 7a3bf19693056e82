"""The original's 42 question templates, declared in ``data/original/templates.json``.

* kind, answer_type: question type and answer type of our rows. many: whether the answer may have several rows.
* tables: the derived tables asked about, first the one that the evidence is of.
* cells: the columns of qN-result.csv that are the answer.
* pattern: what tells a question of this template from the others, with its parameters as named groups.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass

from ..declared.vocabulary import read_json


LONGEST = 1_000  # characters of a question; the patterns may look at a text as often as it has characters


@dataclass(frozen=True)
class OriginalTemplate:
    """A template of the original."""

    name: str
    kind: str
    answer_type: str
    tables: list[str]
    cells: list[str]
    pattern: re.Pattern[str]
    many: bool = False

    @property
    def result(self) -> str:
        """The file that the original writes the answer to."""
        return f"q{int(self.name[1:])}-result.csv"

    def match(self, question: str) -> re.Match[str] | None:
        """The question's parameters as groups; None for one of another template, and one longer than any."""
        return self.pattern.search(question) if len(question) <= LONGEST else None


@functools.cache
def templates() -> Mapping[str, OriginalTemplate]:
    """The templates by name (q01 .. q42), read once."""
    declared = read_json("original/templates.json").items()
    return {
        name: OriginalTemplate(name, **{**value, "pattern": re.compile(value["pattern"])}) for name, value in declared
    }


def recognised(question: str) -> OriginalTemplate | None:
    """The template that a question is of; None if it is of none, or could be of several."""
    fitting = [template for template in templates().values() if template.match(question)]
    return fitting[0] if len(fitting) == 1 else None


@functools.cache
def fault_kinds() -> Mapping[str, str]:
    """The kinds of fault, in the order in which they are named, with a sentence that begins with what is faulty."""
    kinds: dict[str, str] = read_json("original/faults.json")
    return kinds


@functools.cache
def our_names() -> Mapping[str, str]:
    """What our templates call a parameter of the original's, where they call it something else."""
    names: dict[str, str] = read_json("original/parameters.json")
    return names
