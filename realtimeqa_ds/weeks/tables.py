"""From normalised records to Arrow tables with exactly the columns of `spec`."""

from __future__ import annotations

import operator
from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from .. import spec
from .documents import Pool
from .predictions import Prediction
from .questions import Question


def questions(config: str, rows: Sequence[Question], pool: Pool | None) -> pa.Table:
    """The table of a question config; `documents` is null where there is no pool."""
    schema = spec.schema(config)
    columns = _columns(rows, schema)
    if pool is not None:
        columns["documents"] = pool.lists([row.pool_id for row in rows])
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
    return pa.table(_columns(rows, schema), schema=schema)


def _columns(rows: Sequence[Question | Prediction], schema: pa.Schema) -> dict[str, pa.Array]:
    """The attributes of the rows as arrays; null where they have none of a name."""
    if not rows:
        return {field.name: pa.nulls(0, field.type) for field in schema}
    names = [name for name in schema.names if hasattr(rows[0], name)]
    values = dict(zip(names, zip(*map(operator.attrgetter(*names), rows), strict=True), strict=True))
    return {
        field.name: pa.array(values[field.name], field.type)
        if field.name in values
        else pa.nulls(len(rows), field.type)
        for field in schema
    }
