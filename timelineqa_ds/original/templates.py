"""The original's 42 question templates, declared in ``data/original/templates.json``.

* type, answer: question type and answer type of our rows. many: whether the answer may have several rows.
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


@dataclass(frozen=True)
class Template:
    """A template of the original."""

    name: str
    kind: str
    answer_type: str
    tables: tuple[str, ...]
    cells: tuple[str, ...]
    many: bool
    pattern: re.Pattern[str]

    @property
    def result(self) -> str:
        """The file that the original writes the answer to."""
        return f"q{int(self.name[1:])}-result.csv"


@functools.cache
def templates() -> Mapping[str, Template]:
    """The templates by name (q01 .. q42), read once."""
    return {
        name: Template(
            name=name,
            kind=value["type"],
            answer_type=value["answer"],
            tables=tuple(value["tables"]),
            cells=tuple(value["cells"]),
            many=value.get("many", False),
            pattern=re.compile(value["pattern"]),
        )
        for name, value in read_json("original/templates.json").items()
    }


def recognised(question: str) -> Template | None:
    """The template that a question is of; None if it is of none, or could be of several."""
    found = [template for template in templates().values() if template.pattern.search(question)]
    return found[0] if len(found) == 1 else None


@functools.cache
def fault_kinds() -> Mapping[str, str]:
    """The kinds of fault, in the order in which they are named, with a sentence that begins with what is faulty."""
    found: dict[str, str] = read_json("original/faults.json")
    return found
