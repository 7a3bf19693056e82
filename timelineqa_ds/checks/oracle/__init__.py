"""Answers and evidence of every template in plain Python, from the wording and its parameters alone.

Code of its own, which shares nothing with the SQL: `timelineqa check` holds each against the other.
"""

from __future__ import annotations

from . import days, life, paper, trips
from .parts import Program, Tables, Unclear, Values


PROGRAMS: dict[str, Program] = {**paper.PROGRAMS, **trips.PROGRAMS, **days.PROGRAMS, **life.PROGRAMS}


def answered(tables: Tables, template: str, values: Values, ordered: bool) -> tuple[list[str], list[int]]:
    """The answers as text and the episode ids of the evidence, both ascending unless the answers are `ordered`.

    Args:
        tables: rows of each derived table.
        values: the parameters that the wording names.

    Raises:
        Unclear: if the wording leaves open what is meant.
    """
    answers, rows = PROGRAMS[template](tables, values)
    texts = [str(answer) for answer in answers]
    return texts if ordered else sorted(texts), sorted({row["episode_id"] for row in rows})


__all__ = ["PROGRAMS", "Tables", "Unclear", "answered"]
