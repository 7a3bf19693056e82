"""Atomic questions: what, when, where, who, how long, and yes/no, each about a single episode.

A question names the day or other fields of its episode until no other episode of that event in the whole log fits, so
the episode is the only evidence. The answer is a part of the context, which is the episode as it is shown; if it is a
list of people or things, all of the list is one answer. A yes/no question names something that is true of the episode,
or, in half of them, something else of this persona's life around that day that is not: context and evidence are then
the one episode that the rest of the question fits, which says otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from ...episodes import Log
from ...tables.phrasing import phrase
from ...world.columns import repeated
from ...world.streams import Streams
from .forms import YES_NO, questions
from .pool import CandidatePool, Draft, EventSource
from .sample import Cell, shares, shuffled, told_wrongly


LIMIT = 5_000  # questions of a lifelog
SCHEMA = pa.schema(
    {
        "id": pa.string(),
        "lifelog_id": pa.string(),
        "question": pa.string(),
        "question_type": pa.string(),
        "context": pa.string(),
        "answers": pa.struct({"text": pa.list_(pa.string()), "answer_start": pa.list_(pa.int32())}),
        "evidence": pa.list_(pa.int32()),
    }
)


def question_table(log: Log, streams: Streams, columns: Sequence[str] | None = None) -> pa.Table:
    """The atomic questions of a lifelog, 5,000 or as many as there are, in random order.

    Args:
        streams: those of the lifelog itself.
        columns: names of the columns to return, all for None.
    """
    texts = phrase(log)
    sources = {event: EventSource(log, asked, texts, streams) for event, asked in questions().items()}
    drafts = _sample(sources, streams)
    made = _columns(log, sources, drafts, streams)
    names = SCHEMA.names if columns is None else list(columns)
    return pa.table([made[name] for name in names], schema=pa.schema([SCHEMA.field(name) for name in names]))


def _sample(sources: dict[str, EventSource], streams: Streams) -> list[Draft]:
    """The questions of all cells, shared out anew when a cell turns out to have fewer than it seemed."""
    pools: dict[Cell, CandidatePool] = {}
    for event, source in sources.items():
        for kind in dict.fromkeys(form.type for form in source.asked.forms):
            forms = [form for form in source.asked.forms if form.type == kind]
            pools[event, kind] = CandidatePool(source, forms, streams)
    capacities = {cell: len(pool) for cell, pool in pools.items()}
    while True:
        wanted = shares(capacities, LIMIT)
        given = {cell: pool.fill(wanted[cell]) for cell, pool in pools.items()}
        if given == wanted:
            return [draft for cell, pool in pools.items() for draft in pool.drafts[: wanted[cell]]]
        capacities.update({cell: given[cell] for cell in pools if given[cell] < wanted[cell]})


def _answered(drafts: list[Draft]) -> list[tuple[Draft, str, str]]:
    """Each draft with its answer and what it names: half of those of yes/no that can be wrong are, in each event."""
    able = [bool(draft.wrong) for draft in drafts if draft.form.type == YES_NO]
    wrongly = iter(told_wrongly(able))
    return [
        (draft, "no", draft.wrong)
        if draft.form.type == YES_NO and next(wrongly)
        else (draft, draft.answer, draft.right)
        for draft in drafts
    ]


def _columns(log: Log, sources: dict[str, EventSource], drafts: list[Draft], streams: Streams) -> dict[str, pa.Array]:
    order = shuffled(len(drafts), streams, "atomic/order")
    answered = _answered(drafts)
    wordings = streams.words("atomic/wording", len(drafts)).tolist()
    asked, answers, evidence = [], [], []
    for place, wording in zip(order.tolist(), wordings, strict=True):
        draft, answer, named = answered[place]
        source = sources[draft.form.event]
        asked.append(source.question(draft, named, wording))
        answers.append({"text": [answer], "answer_start": [] if draft.start is None else [draft.start]})
        evidence.append([int(source.values.episode_ids[draft.row])])
    drafts = [drafts[place] for place in order]
    return {
        "id": pa.array([f"{log.lifelog_id}-a-{number:05d}" for number in range(len(drafts))], pa.string()),
        "lifelog_id": repeated(log.lifelog_id, len(drafts)),
        "question": pa.array(asked, pa.string()),
        "question_type": pa.array([draft.form.type for draft in drafts], pa.string()),
        "context": pa.array([draft.context for draft in drafts], pa.string()),
        "answers": pa.array(answers, SCHEMA.field("answers").type),
        "evidence": pa.array(evidence, pa.list_(pa.int32())),
    }
