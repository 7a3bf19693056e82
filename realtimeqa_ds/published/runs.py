"""The published predictions of every system, each beside its question."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from datasets import load_dataset

from timeline_realtime_qa.display.progress import progress

from ..spec import NAME


SETTINGS = ("multiple_choice", "nota", "generation")
Pairs = list[tuple[dict[str, Any], dict[str, Any]]]  # predictions, each with its question
Runs = dict[tuple[str, str], Pairs]


def joined(data_dir: str | None) -> Runs:
    """The predictions by system and setting, each beside its question.

    Args:
        data_dir: root of a clone, "sample", or None for the public files at the pinned commit.
    """
    gold = {
        setting: {row["question_id"]: row for row in rows(setting, data_dir, documents="none")}
        for setting in progress(SETTINGS, "settings", "questions")
    }
    runs: Runs = defaultdict(list)
    for row in rows("predictions", data_dir):
        runs[row["system"], row["setting"]].append((row, gold[row["setting"]][row["question_id"]]))
    return dict(runs)


def rows(config: str, data_dir: str | None, **options: Any) -> Iterable[dict[str, Any]]:
    """The past rows of a config, by way of Arrow tables, which is many times faster than row by row."""
    stream = load_dataset(NAME, config, data_dir=data_dir, split="test", streaming=True, **options)
    for table in stream.with_format("arrow").iter(1000):
        yield from table.to_pylist()


def grouped(runs: Runs, setting: str, key: str) -> dict[str, dict[str, Pairs]]:
    """The pairs of a setting by system and by year ("%Y") or week ("%Y-%m-%d")."""
    groups: dict[str, dict[str, Pairs]] = defaultdict(lambda: defaultdict(list))
    for (system, of), pairs in sorted(runs.items()):
        for pair in pairs if of == setting else ():
            groups[system][pair[0]["week"].strftime(key)].append(pair)
    return groups
