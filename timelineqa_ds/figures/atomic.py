"""What a set of atomic questions is like: how many a lifelog, of which question types and events, how many yes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from .. import spec
from ..generator import Lifelog
from ..tables import diary


ATOMIC = ("lifelog_id", "question_type", "answers", "evidence")
YES_NO = "yes/no"
FREQUENT = 0.02  # share of the questions from which on an event type is called frequent
_KEYS = ["lifelog_id", "question_type", "event", "answer"]


def event_names_of(one: Lifelog) -> pa.Array:
    """The event of each episode_id of a lifelog, which a question's evidence points into."""
    return diary.diary(one.log, ["event"])["event"].combine_chunks()


def atomic_counts(table: pa.Table, events: pa.Array | None) -> pa.Table:
    """How many questions there are of each type, event (null if not known) and answer (yes, no or else null).

    Args:
        events: the event of each episode_id; None where the episodes are not at hand.
    """
    episodes = pc.list_element(table["evidence"], 0).combine_chunks()
    said = pc.list_element(pc.struct_field(table["answers"], "text"), 0)
    asked = pa.table(
        {
            "lifelog_id": table["lifelog_id"],
            "question_type": table["question_type"],
            "event": pa.nulls(table.num_rows, pa.string()) if events is None else events.take(episodes),
            "answer": pc.if_else(pc.equal(table["question_type"], YES_NO), said, pa.scalar(None, pa.string())),
        }
    )
    return asked.group_by(_KEYS).aggregate([([], "count_all")])


def atomic_figures(lifelogs: Sequence[str], rows: pa.Table) -> dict[str, Any]:
    """Counts by density, question type and event."""
    logs = {density: sum(name.startswith(density) for name in lifelogs) for density in spec.DENSITIES}
    return {
        "parts": [_part(density, number, rows) for density, number in logs.items() if number],
        "types": _shares(rows, "question_type", "type"),
        "events": _shares(rows, "event", "event"),
    }


def _part(density: str, lifelogs: int, rows: pa.Table) -> dict[str, Any]:
    inside = rows.filter(pc.starts_with(rows["lifelog_id"], density))
    totals = [line["questions"] for line in _shares(inside, "lifelog_id", "lifelog")]
    polar = {line["answer"]: line["share"] for line in _shares(inside, "answer", "answer")}
    events = _shares(inside, "event", "event")
    return {
        "part": density,
        "lifelogs": lifelogs,
        "questions": sum(totals),
        "per_lifelog": sum(totals) / lifelogs,
        "fewest": min(totals) if len(totals) == lifelogs else 0,
        "most": max(totals, default=0),
        "yes_share": polar.get("yes", 0.0) if polar else None,
        "frequent_events": sum(line["share"] >= FREQUENT for line in events) if events else None,
    }


def _shares(rows: pa.Table, column: str, name: str) -> list[dict[str, Any]]:
    """Questions of each value of a column, most first; without those where it is null."""
    counted = rows.group_by(column).aggregate([("count_all", "sum")]).drop_null()
    counted = counted.rename_columns([name, "questions"]).sort_by([("questions", "descending")])
    total = pc.sum(counted["questions"]).as_py()
    return [{**line, "share": line["questions"] / total} for line in counted.to_pylist()]
