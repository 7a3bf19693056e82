"""The five configs through `load_dataset`: golden rows, splits, arguments, streaming, resuming, caching."""

from __future__ import annotations

import datetime
import pickle
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from datasets import get_dataset_config_names, load_dataset

import realtimeqa_ds  # noqa: F401  registers the names
from realtimeqa_ds import spec
from realtimeqa_ds.builder import RealTimeQA
from realtimeqa_ds.files.source import LocalSource

from ..tree import Tree


ROWS = {
    "multiple_choice": {"train": 2, "test": 12, "latest": 2},
    "nota": {"test": 12, "latest": 2},
    "generation": {"train": 2, "test": 12, "latest": 2},
    "documents": {"test": 15, "latest": 1},
    "predictions": {"test": 72},
}


def stream(config: str = "multiple_choice", split: str | None = "test", **options: Any) -> Any:
    return load_dataset("realtimeqa", config, split=split, streaming=True, **{"data_dir": "sample", **options})


def prepared(config: str = "multiple_choice", split: str | None = "test", **options: Any) -> Any:
    return load_dataset("realtimeqa", config, split=split, **{"data_dir": "sample", **options})


@pytest.mark.parametrize("config", ROWS)
def test_rows_streamed_and_prepared(config: str) -> None:
    streams, copies = stream(config, None), prepared(config, None)
    assert {split: len(rows) for split, rows in copies.items()} == ROWS[config]
    for split, rows in copies.items():
        assert list(rows) == list(streams[split])
        assert rows.features == streams[split].features == spec.features(config)


def test_config_names() -> None:
    assert get_dataset_config_names("realtimeqa") == list(ROWS)
    assert stream().info.config_name == "multiple_choice"
    assert str(stream().info.version) == spec.VERSION and "NeurIPS" not in stream().info.description


def test_golden_question() -> None:
    row = list(stream())[9]
    assert {key: value for key, value in row.items() if key not in ("documents", "evidence_raw", "content_key")} == {
        "question_id": "20190621_1",
        "week": datetime.date(2019, 6, 21),
        "question_date": datetime.date(2019, 6, 21),
        "source": "Harbour Post",
        "source_url": "https://harbour-post.example/quiz/20190621",
        "question": "How long did the power cut in Brindle last?",
        "choices": ["20 minutes", "Two hours", "A day", "Three days"],
        "answer": [1],
        "answer_text": ["Two hours"],
        "nota_index": None,
        "evidence": "The cut lasted two hours",
        "evidence_links": ["https://harbour-post.example/power"],
        "source_id": "20190621_1",
        "question_raw": "How long did the power cut in Brindle last?",
        "flags": [],
    }
    assert [document["title"] for document in row["documents"]] == [
        "Brindle dark for two hours",
        "Council checks old trees",
    ]


def test_golden_generation() -> None:
    rows = {row["question_id"]: row for row in stream("generation")}
    assert rows["20190621_1"]["answers"] == ["Two hours"] and "choices" not in rows["20190621_1"]
    assert [name for name, row in rows.items() if row["excluded"]] == ["20190607_3"]
    assert [row["answers"] for row in stream("generation", "latest")] == [[], []]


def test_golden_document() -> None:
    assert list(stream("documents", documents="dpr", weeks="2019-06-14"))[7] == {
        "week": datetime.date(2019, 6, 14),
        "question_id": "20190614_1",
        "retriever": "dpr",
        "rank": 3,
        "doc_id": "1000",
        "url": None,
        "title": None,
        "text": "Zither / A zither is a string instrument whose strings lie over a flat sounding box.",
        "authors": None,
        "publish_date": datetime.date(2018, 12, 31),
        "score": 77.5,
        "search_time": datetime.datetime(2019, 6, 15, 1, 11, tzinfo=datetime.timezone.utc),
        "flags": [],
    }


@pytest.mark.parametrize(
    ("documents", "retrievers", "counts"),
    [
        ("gcs", {"gcs"}, [2, 1, 2, 0]),
        ("dpr", {"dpr"}, [5, 5, 5, 5]),
        ("gold", {"gold"}, [1, 1, 1, 0]),
        ("gcs+dpr", {"gcs", "dpr"}, [5, 5, 5, 5]),
    ],
)
def test_documents(documents: str, retrievers: set[str], counts: list[int]) -> None:
    rows = list(stream(documents=documents, weeks="2019-06-07"))
    assert [len(row["documents"]) for row in rows] == counts
    assert {document["retriever"] for row in rows for document in row["documents"]} == retrievers
    # Ranks are places in the published list of their retriever, also where gcs+dpr takes from two.
    for row in rows:
        for retriever in retrievers:
            ranks = [d["rank"] for d in row["documents"] if d["retriever"] == retriever]
            assert ranks == list(range(1, len(ranks) + 1))
    # The documents config holds the same documents, one a row.
    flat = list(stream("documents", documents=documents, weeks="2019-06-07"))
    assert [{k: row[k] for k in spec.DOCUMENT} for row in flat] == [d for row in rows for d in row["documents"]]


def test_documents_by_week() -> None:
    rows = list(stream(documents="gold"))
    assert [row["documents"] is None for row in rows] == [False] * 4 + [True] * 8
    fallback = list(stream(documents="gcs+dpr", weeks="2019-06-21"))  # a week without dpr passages
    assert [len(row["documents"]) for row in fallback] == [1, 2, 1, 0]


def test_top_k() -> None:
    assert [len(row["documents"]) for row in stream(top_k=1)] == [1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 0]
    merged = list(stream(documents="gcs+dpr", top_k=3, weeks="2019-06-07"))
    assert [[d["retriever"] for d in row["documents"]] for row in merged][0] == ["gcs", "gcs", "dpr"]


def test_sources() -> None:
    assert {row["source"] for row in stream(sources="thelantern")} == {"The Lantern"}
    assert len(list(stream("predictions", sources=["The Lantern"]))) == 36
    assert {row["question_id"] for row in stream("documents", sources="Harbour Post", weeks="2019-06-07")} == {
        "20190607_0",
        "20190607_1",
    }
    assert len(prepared(sources="The Lantern")) == 6


def test_a_stream_without_a_row_is_told(caplog: pytest.LogCaptureFixture) -> None:
    assert list(stream(sources="CNN")) == [] and "no row is in the weeks asked for" in caplog.text


def opened(monkeypatch: pytest.MonkeyPatch, run: Callable[[], Iterable[object]]) -> set[str]:
    paths: set[str] = set()
    original = LocalSource.read

    def read(self: LocalSource, path: str) -> bytes:
        paths.add(path)
        return original(self, path)

    with monkeypatch.context() as patch:
        patch.setattr(LocalSource, "read", read)
        list(run())
    return paths


def test_only_what_is_asked_for_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    week = "past/2019/20190614"
    assert opened(monkeypatch, lambda: stream(weeks="2019-06-14", documents="none")) == {f"{week}_qa.jsonl"}
    assert opened(monkeypatch, lambda: stream(weeks="2019-06-14")) == {f"{week}_qa.jsonl", f"{week}_gcs.jsonl"}
    nota = opened(monkeypatch, lambda: stream("nota", weeks="2019-06-14", documents="none"))
    assert nota == {f"{week}_qa.jsonl", f"{week}_qa_nota.jsonl"}
    predictions = opened(monkeypatch, lambda: stream("predictions"))
    assert not any("gcs.jsonl" in path and "past" in path for path in predictions)


@pytest.mark.parametrize("config", ["multiple_choice", "documents"])
def test_a_stream_resumes(config: str) -> None:
    whole = list(stream(config))
    for stop in (1, 5, 11):
        rows = stream(config)
        for number, _ in enumerate(rows, 1):
            if number == stop:
                break
        again = stream(config)
        again.load_state_dict(rows.state_dict())
        assert list(again) == whole[stop:]


def test_a_stream_is_sharded_by_week() -> None:
    rows = stream()
    assert rows.num_shards == 3
    parts = [list(rows.shard(num_shards=3, index=i)) for i in range(3)]
    assert [{row["week"].day for row in part} for part in parts] == [{7}, {14}, {21}]
    shuffled = list(rows.shuffle(seed=3, buffer_size=1))
    assert sorted(map(repr, shuffled)) == sorted(map(repr, rows))
    assert list(stream()) == list(pickle.loads(pickle.dumps(stream())))


def test_num_proc() -> None:
    assert list(prepared(num_proc=2)) == list(stream())


def test_the_builder_is_the_public_route(tmp_path: Path) -> None:
    builder = RealTimeQA(config_name="nota", data_dir="sample", cache_dir=str(tmp_path))
    assert list(builder.as_streaming_dataset(split="test")) == list(stream("nota"))
    builder.download_and_prepare()
    assert list(builder.as_dataset(split="test")) == list(stream("nota"))
    # Both routes share a prepared copy.
    copy = load_dataset("realtimeqa", "nota", data_dir="sample", cache_dir=str(tmp_path))
    assert Path(copy["test"].cache_files[0]["filename"]).parent == Path(builder.cache_dir)


def test_a_changed_folder_is_prepared_anew(tree: Tree) -> None:
    assert prepared(data_dir=str(tree.root))[0]["question"].startswith("Which animal blocked")
    tree.change("20190607_qa.jsonl", 0, question_sentence="Which animal slept?")
    assert prepared(data_dir=str(tree.root))[0]["question"] == "Which animal slept?"


def test_counts_are_logged_once_at_the_end(tree: Tree, caplog: pytest.LogCaptureFixture) -> None:
    tree.change("20190607_qa.jsonl", 0, answer=[])
    tree.change("20190614_qa.jsonl", 0, answer=[])
    for run in (lambda: list(stream(data_dir=str(tree.root))), lambda: prepared(data_dir=str(tree.root))):
        caplog.clear()
        with caplog.at_level("INFO", logger="realtimeqa_ds"):
            run()
        warned = [r.message for r in caplog.records if r.levelname == "WARNING" and "no_answer" in r.message]
        assert len(warned) == 1 and "multiple_choice/test: 2 x no_answer" in warned[0]
        assert "past/2019/20190607_qa.jsonl, line 1" in warned[0]
        assert sum("evidence_cleaned" in r.message for r in caplog.records if "/test" in r.message) == 1


def test_every_column_is_described() -> None:
    for config, columns in spec.COLUMNS.items():
        rows = stream(config, split="test")
        assert list(rows.features) == list(columns) and all(column.about for column in columns.values())
