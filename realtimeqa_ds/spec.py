"""What the dataset is: its version, configs and columns, where it comes from, and how to cite it.

Code, cards and docs all read these declarations.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import pyarrow as pa
from datasets import Features, List, Value


ROOT = Path(__file__).parent
DATA = ROOT / "data"
# What decides rows: a change of anything else makes no file anew.
RECIPE = (
    *("realtimeqa_ds/spec.py", "realtimeqa_ds/parsing", "realtimeqa_ds/files", "realtimeqa_ds/weeks"),
    *("realtimeqa_ds/data/rules.json", "realtimeqa_ds/data/listed.json", "realtimeqa_ds/data/systems.json"),
    *("timeline_realtime_qa/strict.py", "timeline_realtime_qa/scoring/nota.py"),
)
NAME = "realtimeqa"
# Patch: the same records. Minor: columns added. Major: records changed. CHANGELOG says what changed.
VERSION = "2.0.0"
HOMEPAGE = "https://github.com/realtimeqa/realtimeqa_public"
LICENSE = (
    "The public repository carries no licence and its document pools are news articles of their publishers. This "
    "package ships none of it and downloads it to your machine for research; do not republish the articles."
)
DESCRIPTION = (
    "Weekly news quizzes, each with the document pool that was frozen when it was asked, in the original "
    'multiple-choice, NOTA ("none of the above") and generation settings, with published baseline predictions.'
)
CITATION = (DATA / "citation.bib").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Column:
    """One column: its type in `datasets` terms and what it holds."""

    type: Value | List
    about: str


TEXT, INT, FLOAT, DATE, BOOL = (Value(t) for t in ("string", "int32", "float64", "date32", "bool"))

DOCUMENT = {
    "retriever": Column(TEXT, "gcs (web search), dpr (Wikipedia passages of December 2018) or gold (linked pages)"),
    "rank": Column(INT, "place in its retriever's published list, from 1 (published order, not sorted by score)"),
    "doc_id": Column(TEXT, "the retriever's own id: the passage number for dpr, null for web pages"),
    "url": Column(TEXT, "address of the page; null for dpr"),
    "title": Column(TEXT, "title as the search engine gave it (cut where it ends in ...); null for dpr and gold"),
    "text": Column(TEXT, "extracted text as published; null where the page could not be read, and possibly empty"),
    "authors": Column(List(TEXT), "as extracted, which can be wrong; null where the page could not be read"),
    "publish_date": Column(DATE, "date of the page"),
    "score": Column(FLOAT, "the retriever's score; null for web pages"),
    "search_time": Column(Value("timestamp[s, tz=UTC]"), "when the search ran, in UTC; null for gold"),
    "flags": Column(List(TEXT), "rules of data/rules.json that met the document"),
}

DOCUMENT_TYPE = pa.struct([(name, Features({"_": c.type}).type.field("_").type) for name, c in DOCUMENT.items()])
_QUESTION = {
    "question_id": Column(TEXT, "YYYYMMDD_N with the week's date; the NOTA form ends in _nota"),
    "week": Column(DATE, "the Friday that names the snapshot; answers came out on Saturday at 03:00 GMT"),
    "question_date": Column(DATE, "date of the quiz, where it can be read"),
    "source": Column(TEXT, "newspaper of the quiz, as published (CNN, THE WEEK, USAtoday, DelawareOnline)"),
    "source_url": Column(TEXT, "page of the quiz"),
    "question": Column(TEXT, "the question as plain text"),
}
_CHOICES = {
    "choices": Column(List(TEXT), "choices as published, positions kept (a choice can be empty)"),
    "answer": Column(List(INT), "0-based right choices; empty when not public"),
}
_ANSWER_TEXT = {"answer_text": Column(List(TEXT), "the right choices as text; empty when not public")}
_NOTA_INDEX = {"nota_index": Column(INT, '0-based place of the "none of the above" choice; null if there is none')}
_EVIDENCE = {
    "evidence": Column(TEXT, "the newspaper's explanation as plain text; null where it would give away an answer"),
    "evidence_links": Column(List(TEXT), "addresses of web pages that the explanation links to"),
    "documents": Column(List({k: c.type for k, c in DOCUMENT.items()}), "the pool; null where the week has none"),
}
_GENERATION = {
    "answers": Column(List(TEXT), "the parts that together are the gold answer; empty when not public"),
    "excluded": Column(BOOL, "the official scorer skips it: except is in the last ten characters"),
}
_PROVENANCE = {
    "source_id": Column(TEXT, "the id as published: another than question_id where the flag foreign_id stands"),
    "question_raw": Column(TEXT, "the question as published, with markup and invisible characters"),
    "evidence_raw": Column(TEXT, "the explanation as published (HTML)"),
    "content_key": Column(
        TEXT,
        "equal for questions of equal wording and choices, in every config but nota, so that repeats can be found",
    ),
    "flags": Column(List(TEXT), "rules of data/rules.json that met the row"),
}
_PREDICTION = {
    "week": _QUESTION["week"],
    "system": Column(TEXT, "as the file names spell it, without the setting"),
    "setting": Column(TEXT, "multiple_choice, nota or generation"),
    "question_id": Column(TEXT, "joins the rows of the setting's config"),
    "prediction": Column(TEXT, "as published (several choices joined by a comma)"),
    "choice": Column(List(INT), "0-based choices whatever base the file used; null if invalid, and in generation"),
    "index_base": Column(INT, "the base that the file used, as declared in data/systems.json; null in generation"),
    "score": Column(FLOAT, "the system's own confidence, where published"),
    "flags": Column(List(TEXT), "rules of data/rules.json that met the row"),
}

COLUMNS = MappingProxyType(
    {
        "multiple_choice": {**_QUESTION, **_CHOICES, **_ANSWER_TEXT, **_NOTA_INDEX, **_EVIDENCE, **_PROVENANCE},
        "nota": {**_QUESTION, **_CHOICES, **_ANSWER_TEXT, **_NOTA_INDEX, **_EVIDENCE, **_PROVENANCE},
        "generation": {**_QUESTION, **_ANSWER_TEXT, **_EVIDENCE, **_GENERATION, **_PROVENANCE},
        "documents": {"week": _QUESTION["week"], "question_id": Column(TEXT, "id of the question"), **DOCUMENT},
        "predictions": _PREDICTION,
    }
)
ABOUT = MappingProxyType(
    {
        "multiple_choice": "a question of one week with its choices",
        "nota": 'a question of one week where one choice gave way to "none of the above"',
        "generation": "a question of one week without its choices",
        "documents": "one document of one question's pool",
        "predictions": "one published prediction of a baseline system",
    }
)
DEFAULT_CONFIG = "multiple_choice"
LISTING = "`realtimeqa columns`"  # what lists all configs


@functools.cache
def schema(config: str) -> pa.Schema:
    """The Arrow schema of a config."""
    return features(config).arrow_schema


def features(config: str) -> Features:
    """The `datasets` features of a config."""
    return Features({name: column.type for name, column in COLUMNS[config].items()})
