"""The arguments of `load_dataset("realtimeqa", ...)`: what they select, and errors that say what is allowed."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest
from datasets import load_dataset

import realtimeqa_ds  # noqa: F401  registers the names


def stream(config: str = "multiple_choice", split: str | None = "test", **options: Any) -> Any:
    return load_dataset("realtimeqa", config, split=split, streaming=True, **{"data_dir": "sample", **options})


def prepared(config: str = "multiple_choice", split: str | None = "test", **options: Any) -> Any:
    return load_dataset("realtimeqa", config, split=split, **{"data_dir": "sample", **options})


@pytest.mark.parametrize(
    ("weeks", "found"),
    [
        ("2019-06-14", {14}),
        ("2019-06-08:2019-06-21", {14, 21}),
        ("2019-06-14:", {14, 21}),
        (":2019-06-14", {7, 14}),
        (["2019-06-07", "2019-06-21:2019-06-22"], {7, 21}),
        ("2019", {7, 14, 21}),
        (2019, {7, 14, 21}),
        ("2019-06", {7, 14, 21}),
        (["2019-06-07", "2019-06"], {7, 14, 21}),
        ("2018:2019-06-14", {7, 14}),
        ("2019-06-14:2020", {14, 21}),
        (":2019-06", {7, 14, 21}),
        (datetime.date(2019, 6, 14), {14}),
    ],
)
def test_weeks(weeks: Any, found: set[int]) -> None:
    assert {row["week"].day for row in stream(weeks=weeks)} == found


BAD: list[tuple[str, dict[str, Any], str]] = [
    ("multiple_choice", {"weeks": "June"}, 'expected weeks= to be a date "2022-06-17"'),
    ("multiple_choice", {"weeks": "2019-06-21:2019-06-07"}, "expected weeks="),
    ("multiple_choice", {"weeks": ":"}, "expected weeks="),
    ("multiple_choice", {"weeks": []}, "expected weeks="),
    ("multiple_choice", {"weeks": 7}, "expected weeks="),
    ("multiple_choice", {"weeks": "2019-13"}, "expected weeks="),
    ("multiple_choice", {"weeks": "2019-06-31"}, "expected weeks="),
    ("multiple_choice", {"weeks": "20190614"}, "expected weeks="),
    ("multiple_choice", {"weeks": "2019-W24"}, "expected weeks="),
    ("multiple_choice", {"weeks": "٢٠١٩"}, "expected weeks="),
    ("multiple_choice", {"weeks": "2020"}, "no week from 2020-01-01 to 2020-12-31; the week before it is 2019-06-28"),
    (
        "multiple_choice",
        {"weeks": "2019-06-15"},
        "no week 2019-06-15; the week before it is 2019-06-14, .* 2019-06-21",
    ),
    (
        "multiple_choice",
        {"documents": "bing"},
        "expected documents= to be one of 'gcs', 'dpr', 'gold', 'gcs.dpr', 'none'",
    ),
    ("documents", {"documents": "none"}, "expected documents= to be one of"),
    ("multiple_choice", {"documents": None}, 'documents="none"'),
    ("multiple_choice", {"top_k": 0}, "expected top_k= to be a whole number"),
    ("multiple_choice", {"top_k": True}, "expected top_k= to be a whole number"),
    ("multiple_choice", {"sources": []}, "expected sources="),
    ("multiple_choice", {"sources": 3}, "expected sources="),
    ("multiple_choice", {"revision": "main"}, "data_dir= local ones"),
    ("multiple_choice", {"data_files": "x.json"}, "takes no data_files"),
    ("multiple_choice", {"shards": 3}, "shards"),
    ("everything", {}, "no config 'everything'; expected one of multiple_choice, nota"),
    ("documents", {"documents": "gold", "weeks": "2019-06-14"}, "none of the 1 weeks asked for has files"),
    ("predictions", {"weeks": "2019-05-31"}, "none of the 1 weeks"),
]


@pytest.mark.parametrize(("config", "options", "message"), BAD)
def test_bad_arguments(config: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        stream(config, **options)


def test_bad_arguments_of_the_remote_source(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="expected revision='bc15.*whose files the package knows.*found 'main'"):
        stream(data_dir=None, revision="main")
    with pytest.raises(ValueError, match="verify=False is for local files"):
        stream(data_dir=None, verify=False)
    with pytest.raises(FileNotFoundError, match="expected a manifest file"):
        stream(data_dir=None, manifest=str(tmp_path / "none"))


def test_unknown_newspaper() -> None:
    with pytest.raises(
        ValueError, match="no question comes from sources=.*these weeks have Harbour Post, The Lantern"
    ):
        prepared(sources="CNN")
