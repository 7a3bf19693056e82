"""From normalised records to Arrow tables with exactly the columns of `spec`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from . import spec
from .documents import Pool
from .predictions import Prediction
from .questions import Question


def questions(config: str, rows: Sequence[Question], pool: Pool | None) -> pa.Table:
    """The table of a question config; `documents` is null where there is no pool."""
    schema = spec.schema(config)
    columns: dict[str, Any] = {}
    for name, kind in zip(schema.names, schema.types, strict=True):
        if name == "documents":
            columns[name] = pa.nulls(len(rows), kind) if pool is None else pool.lists([row.pool_id for row in rows])
        else:
            attribute = "answer_text" if name == "answers" else name
            columns[name] = pa.array([getattr(row, attribute) for row in rows], kind)
    return pa.table(columns, schema=schema)


def documents(rows: Sequence[Question], pool: Pool | None) -> pa.Table:
    """The table of the `documents` config: none where there is no pool."""
    schema = spec.schema("documents")
    if pool is None:
        return schema.empty_table()
    ids = [row.pool_id for row in rows]
    owner = pa.array(np.repeat(np.arange(len(ids)), [len(pool.ranges[name]) for name in ids]))
    flat = pool.flat(ids)
    columns = {
        "week": pa.array([row.week for row in rows], pa.date32()).take(owner),
        "question_id": pa.array(ids, pa.string()).take(owner),
        **{name: flat.field(name) for name in spec.DOCUMENT},
    }
    return pa.table(columns, schema=schema)


def predictions(rows: Sequence[Prediction]) -> pa.Table:
    """The table of the `predictions` config."""
    schema = spec.schema("predictions")
    columns = {field.name: pa.array([getattr(row, field.name) for row in rows], field.type) for field in schema}
    return pa.table(columns, schema=schema)
