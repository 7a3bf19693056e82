"""What the tests hold against each other: questions of a lifelog, and hashes over rows one by one.

The hashes share no code with `timeline_realtime_qa.hub.content`, which hashes whole columns.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import orjson
import pyarrow as pa

import timelineqa_ds
from timelineqa_ds.generator import Lifelog
from timelineqa_ds.questions.atomic import table as atomic
from timelineqa_ds.questions.multihop import table as multihop


Made = Callable[[str, int], Lifelog]  # the fixture `made`


def atomic_table(log: Lifelog, columns: Sequence[str] | None = None) -> pa.Table:
    return atomic.question_table(log.log, log.streams, columns)


def question_table(
    log: Lifelog, columns: Sequence[str] | None = None, with_table: bool = True, kind: str = "multihop"
) -> pa.Table:
    return multihop.question_table(log.database, log.streams, columns, with_table, kind)


def ask(log: Lifelog, kind: str = "multihop") -> list[multihop.MultihopQuestion]:
    return multihop.ask(log.database, log.streams, kind)


def content_hash(table: pa.Table) -> str:
    """Hex sha256 over the column names and then each row as one line of canonical JSON."""
    digest = hashlib.sha256(orjson.dumps(table.column_names) + b"\n")
    for batch in table.to_batches(max_chunksize=10_000):
        for row in batch.to_pylist():
            digest.update(orjson.dumps(row) + b"\n")
    return digest.hexdigest()


def lifelog_hashes(density: str, index: int, world: dict[str, Any]) -> dict[str, tuple[int, str]]:
    """Rows and content hash of the persona, the episodes and every derived table of a lifelog."""
    log = timelineqa_ds.lifelog(density, index, **world)
    tables = {"persona": log.persona, "episodes": log.episodes, **log.tables}
    return {name: (table.num_rows, content_hash(table)) for name, table in tables.items()}


def question_hash(kind: str, density: str, index: int) -> str:
    """Content hash of the questions of a kind (multihop, extended or atomic) about a lifelog."""
    log = timelineqa_ds.lifelog(density, index)
    return content_hash(atomic_table(log) if kind == "atomic" else question_table(log, kind=kind))
