"""Outputs of the original TimelineQA program, read as the dataset that this package else generates.

No module reaches back. In order: reading (strict CSV and JSON) -> folder (which logs and files), entries, tables, log
(what its files say) -> templates, queries, atomic (what is asked) -> right, faults (what is wrong with it) ->
multihop, source (the configs of the dataset). `lifelog` reads one log.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import pyarrow as pa

from . import atomic
from .folder import places
from .log import OriginalLog


class OriginalLifelog(OriginalLog):
    """A log with its questions.

    What they need: `atomic_questions` NAME.json or the QA file; `multihop_questions` queries.csv with qN-result.csv
    or the QA file.
    """

    @cached_property
    def atomic_questions(self) -> pa.Table:
        """The atomic questions (columns of `D_atomic`)."""
        return atomic.question_table(self)

    @cached_property
    def multihop_questions(self) -> pa.Table:
        """The multi-hop questions (columns of `D` and `known_fault`)."""
        from . import multihop  # here, since it loads DuckDB

        return multihop.question_table(self)


def lifelog(folder: str | Path) -> OriginalLifelog:
    """The log in a folder, such as ``benchmark/sparse-0``, with the QA file in it or in a ``QA`` near it.

    Raises:
        FileNotFoundError: if there is no log.
        ValueError: if there are several.
    """
    there = places(folder)
    if len(there) > 1:
        raise ValueError(f"{folder}: expected the folder of one log, found {', '.join(place.name for place in there)}")
    return OriginalLifelog(there[0])
