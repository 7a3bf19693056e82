"""The frozen document pools of one week: what each retriever returned for each question, in the published order.

Pools are most of the bytes, so they stay Arrow columns from the file to the row.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from .. import spec
from ..files.layout import Week
from ..files.source import Source
from ..parsing import jsonl, text
from ..parsing.errors import DataError, short
from ..parsing.report import Report
from .questions import Question
from .snapshot import Backbone, read_bytes


Array = npt.NDArray[np.int32 | np.int64]
T = TypeVar("T")
POOLS = {"gcs": ("gcs",), "dpr": ("dpr",), "gold": ("gold",), "gcs+dpr": ("gcs", "dpr"), "none": ()}
FALLBACK_SIZE = 5
_TEXT = pa.string()
_AUTHORS = pa.list_(_TEXT)
_PAGE = {"url": _TEXT, "title": _TEXT, "text": _TEXT, "authors": _AUTHORS, "publish_date": _TEXT}
_SCORES = ("doc_score", "doc_scores")
_PASSAGE = dict.fromkeys(("doc_id", "text", "publish_date", *_SCORES), _TEXT)
_FIELDS = {"gcs": _PAGE, "gold": _PAGE, "dpr": _PASSAGE}
_FILES = {
    retriever: pa.schema({"question_id": _TEXT, "search_time": _TEXT, "search_result": pa.list_(pa.struct(fields))})
    for retriever, fields in _FIELDS.items()
}
_COLUMNS = [pa.field(name, spec.DOCUMENT_TYPE.field(name).type) for name in spec.DOCUMENT]
# newspaper3k, which extracted the pools, cuts articles at this many characters.
_CUT = 100_000
# The answers come out on the Saturday after the week's Friday, at 03:00 GMT.
_ANNOUNCED = np.timedelta64(27, "h")
_LATE = np.timedelta64(7, "D")


@dataclass(frozen=True)
class Pool:
    """The documents of a week, flat, with the columns of `spec.DOCUMENT`, and by question id which are whose."""

    documents: pa.StructArray
    ranges: Mapping[str, range]

    def lists(self, ids: list[str]) -> pa.ListArray:
        """The documents of each of the questions `ids` as one list array."""
        offsets = pa.array(np.cumsum([0, *(len(self.ranges[name]) for name in ids)]).astype(np.int32))
        return pa.ListArray.from_arrays(offsets, self.flat(ids), type=pa.list_(self.documents.type))

    def flat(self, ids: list[str]) -> pa.StructArray:
        """The documents of the questions `ids`, one after the other."""
        taken = [place for name in ids for place in self.ranges[name]]
        everything = taken == list(range(len(self.documents)))
        return self.documents if everything else self.documents.take(pa.array(taken, pa.int64()))


def pools(
    source: Source,
    week: Week,
    spine: Backbone,
    choice: str,
    top_k: int | None,
    without: frozenset[str],
    report: Report,
) -> Pool | None:
    """The documents of each question as `documents=choice` asks; None where the week has no such pool.

    ``gcs+dpr`` is the paper's fall-back (section 3): the first five web documents that have a text, and where there
    are fewer, DPR passages until there are five (`top_k` where it is given). Documents with one of the flags `without`
    are left out before that.

    Raises:
        DataError: for a pool file that does not fit the week's questions or whose documents are malformed.
    """
    read = {retriever: _pool(source, week, spine, retriever, report) for retriever in POOLS[choice]}
    there = {
        retriever: _without(pool, without, week.files[retriever], report)
        for retriever, pool in read.items()
        if pool is not None
    }
    if not there:
        return None
    if choice == "gcs+dpr":
        return _fallback(there.get("gcs"), there.get("dpr"), top_k or FALLBACK_SIZE)
    pool = there[choice]
    return Pool(pool.documents, {name: places[:top_k] for name, places in pool.ranges.items()})


def _fallback(web: Pool | None, passages: Pool | None, size: int) -> Pool:
    parts = [pool for pool in (web, passages) if pool is not None]
    readable = web.documents.field("text").is_valid().to_pylist() if web is not None else []
    taken = {}
    for name in parts[0].ranges:
        first = [place for place in (web.ranges[name] if web is not None else ()) if readable[place]]
        second = [len(readable) + place for place in (passages.ranges[name] if passages is not None else ())]
        taken[name] = (first + second)[:size]
    return _taken(pa.concat_arrays([pool.documents for pool in parts]), taken)


def _without(pool: Pool, flags: frozenset[str], path: str, report: Report) -> Pool:
    """The pool without the documents that have one of `flags`."""
    met = [bool(flags.intersection(of_document)) for of_document in pool.documents.field("flags").to_pylist()]
    if not any(met):
        return pool
    report.count("left_out", path, sum(met))
    taken = {name: [place for place in places if not met[place]] for name, places in pool.ranges.items()}
    return _taken(pool.documents, taken)


def _taken(documents: pa.StructArray, taken: Mapping[str, Sequence[int]]) -> Pool:
    """Of `documents` those at the places of each question."""
    documents = documents.take(pa.array([place for places in taken.values() for place in places], pa.int64()))
    ends = np.cumsum([0, *map(len, taken.values())]).tolist()
    return Pool(documents, {name: range(*ends) for name, ends in zip(taken, itertools.pairwise(ends), strict=True)})


def _ranks(offsets: Array) -> pa.Array:
    sizes = np.diff(offsets)
    return pa.array((np.arange(offsets[-1]) - np.repeat(offsets[:-1], sizes) + 1).astype(np.int32))


def _pool(source: Source, week: Week, spine: Backbone, retriever: str, report: Report) -> Pool | None:
    path = week.files.get(retriever)
    data = read_bytes(source, path, report) if path else None
    if path is None or data is None:
        report.count("no_pool", path or f"{spine.path} ({retriever})")
        return None
    table = jsonl.columns(path, data, _FILES[retriever], source.knows(path), report)
    spine.check(table["question_id"].to_pylist(), path)
    lists = table["search_result"].combine_chunks()
    _refuse(lists.is_null(), path, None, "expected a list of documents at 'search_result', found null")
    ends = lists.offsets.to_numpy()
    flat = lists.values.slice(ends[0], ends[-1] - ends[0])
    ends = ends - ends[0]
    _refuse(flat.is_null(), path, ends, "expected documents in 'search_result', found null")
    reader = _Columns(path, ends, flat, report)
    owners = [spine.kept.get(position) for position in range(len(ends) - 1)]
    documents = reader.documents(retriever, week, table["search_time"], owners)
    starts = ends.tolist()
    ranges = {q.question_id: range(starts[place], starts[place + 1]) for place, q in spine.kept.items()}
    return Pool(documents, ranges)


def _refuse(wrong: pa.Array, path: str, ends: Array | None, message: str) -> None:
    """Raise about the first true item of `wrong`, whose line is its place, or that of its list by `ends`."""
    if wrong.true_count:
        place = int(np.argmax(wrong.to_numpy(False)))
        line = place if ends is None else int(np.searchsorted(ends, place, side="right")) - 1
        raise DataError(path, message, line + 1)


class _Columns:
    """The documents of one file, column by column: collects the flags of the rules that met each.

    A week has some 200 documents. Lists are faster than Arrow's kernels at that size, for all columns but the texts.
    """

    def __init__(self, path: str, ends: Array, flat: pa.StructArray, report: Report) -> None:
        self.path = path
        self.ends = ends
        self.sizes: list[int] = np.diff(ends).tolist()
        self.flat = flat
        self.report = report
        self.met: dict[str, list[int]] = {}

    def documents(
        self, retriever: str, week: Week, search_times: pa.ChunkedArray, owners: list[Question | None]
    ) -> pa.StructArray:
        """All documents with the columns of `spec.DOCUMENT`; `owners` are the rows' questions, where they stayed."""
        foreign = [bool(owner and owner.flags_of_id) for owner in owners]
        if any(foreign):
            self.met["foreign_id"] = np.flatnonzero(self._of_owner(foreign)).tolist()
        columns = {
            "retriever": pa.repeat(retriever, len(self.flat)),
            "rank": _ranks(self.ends),
            "search_time": self._search_time(week, search_times.to_pylist()),
            "url": self._url(self._of_owner([owner.source_url if owner else None for owner in owners])),
            "text": self._text(),
            "authors": self._authors(),
            "publish_date": self._date(),
            "score": self._score(),
            **{name: self._field(name, _TEXT) for name in ("doc_id", "title")},
        }
        columns["flags"] = self._flags()
        return pa.StructArray.from_arrays([columns[field.name] for field in _COLUMNS], fields=_COLUMNS)

    def _of_owner(self, values: list[T]) -> list[T]:
        """One value per row, repeated for each document of the row."""
        return [value for value, size in zip(values, self.sizes, strict=True) for _ in range(size)]

    def _field(self, name: str, kind: pa.DataType) -> pa.Array:
        """A published field; nulls where no document of the file has it."""
        return self.flat.field(name) if self._has(name) else pa.nulls(len(self.flat), kind)

    def _has(self, name: str) -> bool:
        return bool(self.flat.type.get_field_index(name) >= 0)

    def _line(self, place: int) -> int:
        """The line of a document's row."""
        return int(np.searchsorted(self.ends, place, side="right"))

    def _flag(self, rule: str, places: list[int], times: int | None = None) -> None:
        """Flag the documents at `places` and count them, or `times` where rows are what is counted."""
        if places:
            where = f"{self.path}, line {self._line(places[0])}"
            self.report.count(rule, where, len(places) if times is None else times)
            self.met[rule] = places

    def _flags(self) -> pa.ListArray:
        flags: list[list[str]] = [[] for _ in range(len(self.flat))]
        for rule, places in self.met.items():
            for place in places:
                flags[place].append(rule)
        return pa.array(flags, pa.list_(_TEXT))

    def _url(self, source_urls: list[str | None]) -> pa.Array:
        column = self._field("url", _TEXT)
        urls = column.to_pylist()
        pages = [None if url is None else text.page(url) for url in urls]
        unreadable = [i for i, (url, page) in enumerate(zip(urls, pages, strict=True)) if url is not None and not page]
        self._flag("url_unreadable", unreadable)
        quizzes = [None if url is None else text.page(url) for url in source_urls]
        both = zip(pages, quizzes, strict=True)
        self._flag("quiz_page", [i for i, (page, quiz) in enumerate(both) if page is not None and page == quiz])
        bad = set(unreadable)
        return pa.array([None if i in bad else url for i, url in enumerate(urls)], _TEXT) if bad else column

    def _text(self) -> pa.Array:
        texts = self.flat.field("text")
        sizes = pc.binary_length(texts).fill_null(-1).to_numpy()
        self._flag("no_text", np.flatnonzero(sizes < 0).tolist())
        self._flag("empty_text", np.flatnonzero(sizes == 0).tolist())
        long = np.flatnonzero(sizes >= _CUT).tolist()
        self._flag("cut_text", [place for place in long if len(texts[place].as_py()) == _CUT])
        return texts

    def _authors(self) -> pa.Array:
        authors = self._field("authors", _AUTHORS)
        if authors.values.null_count:
            parents = pc.list_parent_indices(authors).filter(authors.flatten().is_null())
            message = "expected a list of strings at 'authors', found null in it"
            raise DataError(self.path, message, self._line(parents[0].as_py()))
        return authors

    def _date(self) -> pa.Array:
        published = self._field("publish_date", _TEXT).to_pylist()
        dates = [None if value is None else text.date(value) for value in published]
        both = zip(published, dates, strict=True)
        self._flag(
            "date_unreadable", [i for i, (value, date) in enumerate(both) if value is not None and date is None]
        )
        return pa.array(dates, pa.date32())

    def _score(self) -> pa.Array:
        if not self._has(_SCORES[0]):
            return pa.nulls(len(self.flat), pa.float64())
        published = pc.coalesce(*(self.flat.field(name) for name in _SCORES)).to_pylist()
        scores = [None if value is None else text.number(value) for value in published]
        for place, (value, score) in enumerate(zip(published, scores, strict=True)):
            if value is not None and score is None:
                raise DataError(
                    self.path, f"expected a number at {_SCORES[0]!r}, found {short(value)}", self._line(place)
                )
        if scored := len(scores) - scores.count(None):
            self.report.count("score_string", self.path, scored)
        return pa.array(scores, pa.float64())

    def _search_time(self, week: Week, published: list[str | None]) -> pa.Array:
        seconds = [None if time is None else text.minute(time) for time in published]
        limit = int((np.datetime64(week.date, "s") + _ANNOUNCED + _LATE).astype(np.int64))
        both = list(zip(published, seconds, strict=True))
        unreadable = [time is not None and second is None for time, second in both]
        late = [second is not None and second > limit for second in seconds]
        for rule, met in (("search_time_unreadable", unreadable), ("late_search", late)):
            if any(met):
                self._flag(rule, np.flatnonzero(self._of_owner(met)).tolist(), sum(met))
        return pa.array(self._of_owner(seconds), spec.DOCUMENT_TYPE.field("search_time").type)
