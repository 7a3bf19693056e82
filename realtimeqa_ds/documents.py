"""The frozen document pools of one week: what each retriever returned for each question, in the published order.

Pools are most of the bytes, so they stay Arrow columns from the file to the row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from . import jsonl, spec, text
from .errors import DataError
from .layout import Week
from .report import Report
from .snapshot import Backbone, read_bytes
from .source import Source


Array = npt.NDArray[Any]
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


def pools(source: Source, week: Week, spine: Backbone, choice: str, top_k: int | None, report: Report) -> Pool | None:
    """The documents of each question as `documents=choice` asks; None where the week has no such pool.

    ``gcs+dpr`` is the paper's fall-back (section 3): the first five web documents that have a text, and where there
    are fewer, DPR passages until there are five (`top_k` where it is given).

    Raises:
        DataError: for a pool file that does not fit the week's questions or whose documents are malformed.
    """
    found = {retriever: _pool(source, week, spine, retriever, report) for retriever in POOLS[choice]}
    there = {retriever: pool for retriever, pool in found.items() if pool is not None}
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
    documents = pa.concat_arrays([pool.documents for pool in parts])
    documents = documents.take(pa.array([place for places in taken.values() for place in places], pa.int64()))
    ends = np.cumsum([0, *map(len, taken.values())])
    ranges = {name: range(a, b) for name, a, b in zip(taken, ends[:-1].tolist(), ends[1:].tolist(), strict=True)}
    return Pool(_replace(documents, "rank", _ranks(ends)), ranges)


def _replace(documents: pa.StructArray, name: str, column: pa.Array) -> pa.StructArray:
    fields = list(documents.type)
    return pa.StructArray.from_arrays(
        [column if field.name == name else documents.field(field.name) for field in fields], fields=fields
    )


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
    sources = {position: question.source_url for position, question in spine.kept.items()}
    documents = reader.documents(
        retriever, week, table["search_time"], [sources.get(position) for position in range(len(ends) - 1)]
    )
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
    """The documents of one file, column by column: collects the flags of the rules that met each."""

    def __init__(self, path: str, ends: Array, flat: pa.StructArray, report: Report) -> None:
        self.path = path
        self.ends = ends
        self.flat = flat
        self.report = report
        self.met: dict[str, Array] = {}

    def documents(
        self, retriever: str, week: Week, search_times: pa.ChunkedArray, source_urls: list[str | None]
    ) -> pa.StructArray:
        """All documents with the columns of `spec.DOCUMENT`."""
        sizes = np.diff(self.ends)
        owner = pa.array(np.repeat(np.arange(len(sizes)), sizes))
        columns = {
            "retriever": pa.repeat(retriever, len(self.flat)),
            "rank": _ranks(self.ends),
            "search_time": self._search_time(week, search_times.combine_chunks()).take(owner),
            "url": self._url(pa.array(source_urls, _TEXT).take(owner)),
            "text": self._text(),
            "authors": self._authors(),
            "publish_date": self._parsed("publish_date", text.date, pa.date32(), "date_unreadable"),
            "score": self._score(),
            **{name: self._field(name, _TEXT) for name in ("doc_id", "title")},
        }
        columns["flags"] = self._flags()
        fields = [pa.field(name, spec.DOCUMENT_TYPE.field(name).type) for name in spec.DOCUMENT]
        return pa.StructArray.from_arrays([columns[field.name] for field in fields], fields=fields)

    def _field(self, name: str, kind: pa.DataType) -> pa.Array:
        """A published field; nulls where no document of the file has it."""
        return self.flat.field(name) if self._has(name) else pa.nulls(len(self.flat), kind)

    def _has(self, name: str) -> bool:
        return bool(self.flat.type.get_field_index(name) >= 0)

    def _flag(self, rule: str, met: pa.Array | Array, times: int | None = None) -> None:
        """Flag the documents where `met` is true, and count them, or `times` where rows are what is counted."""
        mask = met if isinstance(met, np.ndarray) else met.fill_null(False).to_numpy(False)
        n = int(np.count_nonzero(mask))
        if n:
            line = int(np.searchsorted(self.ends, np.argmax(mask), side="right"))
            self.report.count(rule, f"{self.path}, line {line}", n if times is None else times)
            self.met[rule] = mask

    def _flags(self) -> pa.ListArray:
        met = np.array(list(self.met.values()), bool).reshape(len(self.met), len(self.flat))
        _, which = np.nonzero(met.T)
        offsets = np.concatenate([[0], np.cumsum(met.sum(0))]).astype(np.int32)
        return pa.ListArray.from_arrays(pa.array(offsets), pa.array(list(self.met), _TEXT).take(pa.array(which)))

    def _url(self, source_urls: pa.Array) -> pa.Array:
        urls = self._field("url", _TEXT)
        readable = pc.or_(pc.starts_with(urls, "https://"), pc.starts_with(urls, "http://"))
        self._flag("url_unreadable", pc.invert(readable))
        self._flag("quiz_page", pc.equal(urls, source_urls))
        return pc.if_else(readable, urls, None)

    def _text(self) -> pa.Array:
        texts = self.flat.field("text")
        sizes = pc.binary_length(texts).fill_null(-1).to_numpy()
        self._flag("no_text", sizes < 0)
        self._flag("empty_text", sizes == 0)
        cut = sizes >= _CUT
        for place in np.flatnonzero(cut):
            cut[place] = len(texts[place].as_py()) == _CUT
        self._flag("cut_text", cut)
        return texts

    def _authors(self) -> pa.Array:
        authors = self._field("authors", _AUTHORS)
        if authors.values.null_count:
            parents = pc.list_parent_indices(authors).filter(authors.flatten().is_null())
            line = int(np.searchsorted(self.ends, parents[0].as_py(), side="right"))
            raise DataError(self.path, "expected a list of strings at 'authors', found null in it", line)
        return authors

    def _parsed(self, name: str, parse: Callable[[str], Any], kind: pa.DataType, rule: str) -> pa.Array:
        published = self._field(name, _TEXT)
        parsed = _by_value(published, parse, kind)
        self._flag(rule, pc.and_(published.is_valid(), parsed.is_null()))
        return parsed

    def _score(self) -> pa.Array:
        if not self._has(_SCORES[0]):
            return pa.nulls(len(self.flat), pa.float64())
        published = pc.coalesce(*(self.flat.field(name) for name in _SCORES))
        scores = _by_value(published, text.number, pa.float64())
        wrong = pc.and_(published.is_valid(), scores.is_null())
        _refuse(wrong, self.path, self.ends, f"expected a number as text at {_SCORES[0]!r}")
        found = len(scores) - scores.null_count
        if found:
            self.report.count("score_string", self.path, found)
        return scores

    def _search_time(self, week: Week, published: pa.Array) -> pa.Array:
        times = published.to_pylist()
        seconds = [None if time is None else text.minute(time) for time in times]
        limit = int((np.datetime64(week.date, "s") + _ANNOUNCED + _LATE).astype(np.int64))
        unreadable = [time is not None and second is None for time, second in zip(times, seconds, strict=True)]
        late = [second is not None and second > limit for second in seconds]
        sizes = np.diff(self.ends)
        for rule, met in (("search_time_unreadable", unreadable), ("late_search", late)):
            if any(met):
                self._flag(rule, np.repeat(met, sizes), sum(met))
        return pa.array(seconds, pa.int64()).cast(spec.DOCUMENT_TYPE.field("search_time").type)


def _by_value(published: pa.Array, parse: Callable[[str], Any], kind: pa.DataType) -> pa.Array:
    """`parse` applied to every different string once; null stays null, and so becomes what it gives None for."""
    coded = published.dictionary_encode()
    values = pa.array([parse(value) for value in coded.dictionary.to_pylist()], kind)
    return values.take(coded.indices)
