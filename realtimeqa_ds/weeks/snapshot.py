"""One week: its question file is the backbone, and partner files (NOTA, pools, predictions) join it by position.

Partner files repeat the rows of the question file in the same order under the same ids. `Backbone.align` checks that,
and leaves out what the backbone left out, so that a misnamed or doubled row cannot pair with the wrong question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..files.layout import Week
from ..files.source import Source
from ..parsing import jsonl
from ..parsing.errors import DataError, short
from ..parsing.report import Report
from .questions import FIELDS, NOTA_SUFFIX, Question, Reader, canonical_id, nota, source_key


@dataclass(frozen=True)
class Backbone:
    """A week's question file: the published id of every row in order, and by position the questions that stayed."""

    path: str
    ids: list[str]
    kept: dict[int, Question]

    def only(self, newspapers: frozenset[str]) -> Backbone:
        """This backbone with the questions of some newspapers (given by their `source_key`) alone."""
        return replace(self, kept={place: q for place, q in self.kept.items() if source_key(q.source) in newspapers})

    def without(self, flags: frozenset[str]) -> Backbone:
        """This backbone without the questions that have one of `flags`."""
        return replace(self, kept={place: q for place, q in self.kept.items() if not flags.intersection(q.flags)})

    def check(self, ids: Sequence[str | None], path: str, suffix: str = "") -> None:
        """Check that a partner file has the same rows in the same order.

        Raises:
            DataError: if its `ids` are not those of the question file, each with `suffix`.
        """
        for line, (published, expected) in enumerate(zip(ids, self.ids, strict=False), 1):
            if published != expected + suffix:
                message = f"expected question_id {expected + suffix!r} as in {self.path}, found {short(published)}"
                raise DataError(path, message, line)
        if len(ids) != len(self.ids):
            raise DataError(path, f"expected {len(self.ids)} rows as in {self.path}, found {len(ids)}")

    def align(self, rows: list[jsonl.Row], path: str, suffix: str = "") -> list[tuple[Question, jsonl.Row]]:
        """Pair the rows of a partner file with the questions that stayed; errors as of `check`."""
        self.check([row.text("question_id") for row in rows], path, suffix)
        return [(question, rows[position]) for position, question in self.kept.items()]


def read_bytes(source: Source, path: str, report: Report) -> bytes | None:
    """The bytes of a file; None, and counted, for a file without a single row."""
    data = source.read(path)
    if not data or data.isspace():
        report.count("empty_file", path)
        return None
    return data


def read_rows(source: Source, path: str, fields: frozenset[str], report: Report) -> list[jsonl.Row]:
    """The rows of a file; none for an empty file."""
    data = read_bytes(source, path, report)
    return [] if data is None else jsonl.rows(path, data, fields, report)


def backbone(source: Source, week: Week, report: Report) -> Backbone:
    """Read the question file, on which every config stands.

    Raises:
        DataError: for a row that breaks a promise that no rule covers.
    """
    path = week.questions
    rows = read_rows(source, path, FIELDS, report)
    kept: dict[int, Question] = {}
    first: dict[str, jsonl.Row] = {}
    readers: dict[str, list[Reader]] = {}
    for position, row in enumerate(rows):
        name = canonical_id(row, week)
        if name in first:
            if first[name].fields != row.fields:
                raise row.error(f"question {name!r} stands on line {first[name].line} already, with other content")
            report.count("doubled_row", row.where)
            continue
        first[name] = row
        reader = Reader(row, name, week, report)
        question = reader.question()
        if question is None:
            continue
        readers.setdefault(question.content_key, []).append(reader)
        kept[position] = question
    for reader in (reader for alike in readers.values() if len(alike) > 1 for reader in alike):
        reader.flag("repeated_question")
    return Backbone(path, [row.text("question_id") for row in rows], kept)


def nota_questions(source: Source, week: Week, spine: Backbone, report: Report) -> list[Question]:
    """The NOTA forms of a week's questions; none where the week has no NOTA file.

    Raises:
        DataError: for a row or a file that breaks a promise that no rule covers.
    """
    path = week.files.get("nota")
    if path is None:
        report.count("no_nota_file", spine.path)
        return []
    rows = read_rows(source, path, FIELDS, report)
    if not rows:
        return []
    _count_differing_copies(rows, report)
    forms = (nota(original, row, week, report) for original, row in spine.align(rows, path, NOTA_SUFFIX))
    return [form for form in forms if form is not None]


def _count_differing_copies(rows: list[jsonl.Row], report: Report) -> None:
    """Where the question file has a row twice, its NOTA file may hold two different drawings: the first one stays."""
    first: dict[str, jsonl.Row] = {}
    for row in rows:
        earlier = first.setdefault(row.text("question_id"), row)
        if earlier.fields != row.fields:
            report.count("nota_copy_differs", row.where)
