"""Multi-hop questions of a lifelog: one of each template that it can answer, with answers and evidence.

Templates are data (``queries``); here their parameters are drawn, their queries run and their evidence shown as text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...world.columns import repeated
from ...world.streams import Ints, Streams
from .queries import Database, ParameterDraw, Parameters, ParameterValue, QueryTemplate, finished, templates


TABLE = pa.struct(
    {"name": pa.string(), "header": pa.list_(pa.string()), "rows": pa.list_(pa.list_(pa.string()))},
)
HIDDEN = ("lifelog_id",)  # the same in every row, and a column of the question anyway

_NO_TEXT = pa.array([], pa.string())
SCHEMA = pa.schema(
    {
        "id": pa.string(),
        "lifelog_id": pa.string(),
        "question": pa.string(),
        "question_type": pa.string(),
        "template": pa.string(),
        "answers": pa.list_(pa.string()),
        "answer_type": pa.string(),
        "evidence": pa.list_(pa.int32()),
        "table": TABLE,
        "scope_start": pa.date32(),
        "scope_end": pa.date32(),
        "sql": pa.string(),
    }
)
TRIES = 6  # rows drawn for a question whose answers do not qualify, before it is not asked


@dataclass(frozen=True)
class MultihopQuestion:
    """A question with its answers.

    Attributes:
        draw: name of the draw its parameters come from; None without parameters.
        parameters: what its queries are bound to, lifelog_id, first and last (the scope) among them.
        evidence: episode ids, ascending.
    """

    template: QueryTemplate
    draw: str | None
    parameters: Parameters
    text: str
    answers: list[str]
    evidence: Ints

    @property
    def sql(self) -> str:
        """The finished query: on tables of any number of lifelogs, it gives the answers."""
        return finished(self.template.sql, self.parameters)


def question_table(
    database: Database,
    streams: Streams,
    columns: Sequence[str] | None = None,
    with_table: bool = True,
    kind: str = "multihop",
) -> pa.Table:
    """The multi-hop questions of a lifelog, by template.

    Args:
        columns: only these; what is left out is not made.
        with_table: else the column `table` is null, which saves most of the size.
        kind: multihop for the templates of the paper, extended for the further ones.
    """
    names = SCHEMA.names if columns is None else list(columns)
    questions = ask(database, streams, kind)
    arrays = {}
    for name in names:
        if name == "table" and not with_table:
            arrays[name] = pa.nulls(len(questions), TABLE)
        else:
            arrays[name] = _COLUMNS[name](database, questions)
    return pa.table(arrays, pa.schema([SCHEMA.field(name) for name in names]))


def ask(database: Database, streams: Streams, kind: str = "multihop") -> list[MultihopQuestion]:
    """The questions themselves."""
    first, last = database.years
    whole: Parameters = {
        "lifelog_id": database.lifelog_id,
        "first": date(first, 1, 1),
        "last": date(last, 12, 31),
    }
    asked = (_question(template, database, streams, whole) for template in templates(kind).values())
    return [question for question in asked if question is not None]


def _question(
    template: QueryTemplate, database: Database, streams: Streams, whole: Parameters
) -> MultihopQuestion | None:
    """A question of a template; None if the lifelog has nothing to ask about."""
    for draw, values in _drawn(template, database, streams):
        parameters = {**whole, **values}
        answers = database.answers(template.sql, parameters)
        if not answers or (template.winners is not None and len(answers) > template.winners):
            continue
        wording = template.wordings[streams.one(f"multihop/{template.name}/wording", 0, len(template.wordings))]
        return MultihopQuestion(
            template=template,
            draw=draw,
            parameters=parameters,
            text=wording.format(**values),
            answers=answers,
            evidence=database.ids(template.evidence, parameters),
        )
    return None


def _drawn(
    template: QueryTemplate, database: Database, streams: Streams
) -> Iterator[tuple[str | None, dict[str, ParameterValue]]]:
    """Parameters to try, one after the other."""
    if not template.draws:
        yield None, {}
    for draw in _draws_in_turn(template, streams):
        if count := database.draw_from(draw.sql):
            for place in streams.integers(f"multihop/{template.name}/{draw.name}", TRIES, 0, count).tolist():
                yield draw.name, database.drawn(place)


def _draws_in_turn(template: QueryTemplate, streams: Streams) -> list[ParameterDraw]:
    """The drawn way to draw first; the others follow, for a lifelog that has nothing for it."""
    if len(template.draws) < 2:
        return list(template.draws)
    place = int(streams.choices(f"multihop/{template.name}/draw", 1, [draw.percent for draw in template.draws])[0])
    return [template.draws[place], *template.draws[:place], *template.draws[place + 1 :]]


def _evidence(database: Database, questions: list[MultihopQuestion]) -> pa.Array:
    ids = [question.evidence for question in questions]
    offsets = np.zeros(len(ids) + 1, dtype=np.int32)
    np.cumsum([len(some) for some in ids], out=offsets[1:])
    values = np.concatenate([np.zeros(0, dtype=np.int64), *ids]).astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(values))


def _table(database: Database, questions: list[MultihopQuestion]) -> pa.StructArray:
    return as_struct(
        [selected(question.template.tables, database.tables, question.evidence) for question in questions]
    )


def _each(
    kind: pa.DataType, of: Callable[[MultihopQuestion], object]
) -> Callable[[Database, list[MultihopQuestion]], pa.Array]:
    """A column made value by value."""
    return lambda database, questions: pa.array([of(question) for question in questions], kind)


_COLUMNS: dict[str, Callable[[Database, list[MultihopQuestion]], pa.Array]] = {
    "id": _each(pa.string(), lambda one: f"{one.parameters['lifelog_id']}-{one.template.name}"),
    "lifelog_id": _each(pa.string(), lambda one: one.parameters["lifelog_id"]),
    "question": _each(pa.string(), lambda one: one.text),
    "question_type": _each(pa.string(), lambda one: one.template.kind),
    "template": _each(pa.string(), lambda one: one.template.name),
    "answers": _each(pa.list_(pa.string()), lambda one: one.answers),
    "answer_type": _each(pa.string(), lambda one: one.template.answer_type),
    "evidence": _evidence,
    "table": _table,
    "scope_start": _each(pa.date32(), lambda one: one.parameters["first"]),
    "scope_end": _each(pa.date32(), lambda one: one.parameters["last"]),
    "sql": _each(pa.string(), lambda one: one.sql),
}


@dataclass(frozen=True)
class Evidence:
    """A table to show, of any types."""

    name: str
    rows: pa.Table


def selected(names: Sequence[str], tables: Mapping[str, pa.Table], ids: Ints) -> Evidence:
    """The rows that have these episode ids, of one derived table or of several one below the other.

    Rows of several tables stand in the order of the tables, each with the name of its own first; a column that a
    table lacks is empty there.
    """
    parts = [_rows(tables[name], ids) for name in names]
    if len(names) > 1:
        parts = [
            rows.add_column(0, "table", repeated(name, len(rows))) for name, rows in zip(names, parts, strict=True)
        ]
    return Evidence("_".join(names), pa.concat_tables(parts, promote_options="default"))


def _rows(table: pa.Table, ids: Ints) -> pa.Table:
    """The rows of a derived table, which is ordered by episode_id."""
    known = table["episode_id"].to_numpy()
    mine = ids[np.isin(ids, known)]
    return table.drop_columns(list(HIDDEN)).take(pa.array(np.searchsorted(known, mine)))


def as_struct(tables: Sequence[Evidence]) -> pa.StructArray:
    """The tables as one column of type `TABLE`."""
    cells = [_cells(evidence.rows) for evidence in tables]
    heights = [evidence.rows.num_rows for evidence in tables]
    widths = [evidence.rows.num_columns for evidence in tables]
    inner = pa.ListArray.from_arrays(_offsets(np.repeat(widths, heights)), pa.concat_arrays([_NO_TEXT, *cells]))
    headers = pa.array([evidence.rows.column_names for evidence in tables], TABLE.field("header").type)
    names = pa.array([evidence.name for evidence in tables], pa.string())
    rows = pa.ListArray.from_arrays(_offsets(np.array(heights)), inner)
    return pa.StructArray.from_arrays([names, headers, rows], fields=list(TABLE))


def _cells(table: pa.Table) -> pa.Array:
    """The values of all columns as text, row by row: the columns one after the other, then put in order."""
    columns = pa.concat_arrays([_text(column) for column in table.columns])
    rows, width = table.num_rows, table.num_columns
    order = (np.arange(rows)[:, None] + np.arange(width) * rows).ravel()
    return columns.take(pa.array(order))


def _text(column: pa.ChunkedArray) -> pa.Array:
    """A column as text: lists joined by commas, yes or no for flags, nothing for null."""
    values = column.combine_chunks()
    if pa.types.is_list(values.type):
        values = pc.binary_join(values, ", ")
    elif pa.types.is_boolean(values.type):
        values = pc.if_else(values, "yes", "no")
    return pc.fill_null(values.cast(pa.string()), "")


def _offsets(sizes: Ints) -> pa.Array:
    offsets = np.zeros(len(sizes) + 1, dtype=np.int32)
    np.cumsum(sizes, out=offsets[1:])
    return pa.array(offsets)
