"""A hash of rows that does not depend on how they are stored: files, chunks, encodings, library versions."""

from __future__ import annotations

import datetime
import hashlib
from typing import Any

import orjson
import pyarrow as pa

from .generator import lifelog


def content_hash(table: pa.Table) -> str:
    """Hex sha256 over the column names and then each row as one line of canonical JSON."""
    digest = hashlib.sha256(orjson.dumps(table.column_names) + b"\n")
    for batch in table.to_batches(max_chunksize=10_000):
        for row in batch.to_pylist():
            digest.update(canonical(row) + b"\n")
    return digest.hexdigest()


def lifelog_hashes(density: str, index: int, world: dict[str, Any]) -> dict[str, tuple[int, str]]:
    """Rows and content hash of the persona, the episodes and every derived table of a lifelog.

    Args:
        world: seed, year and duration, where they are not the default.
    """
    one = lifelog(density, index, **world)
    tables = {"persona": one.persona, "episodes": one.episodes, **one.tables}
    return {name: (table.num_rows, content_hash(table)) for name, table in tables.items()}


def canonical(row: dict[str, Any]) -> bytes:
    """A row as JSON: keys in order of the columns, dates as YYYY-MM-DD, no blanks."""
    return orjson.dumps(row, default=_plain)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime.date):
        return value.isoformat()
    raise TypeError(f"expected plain values in a row, found {type(value).__name__}")
