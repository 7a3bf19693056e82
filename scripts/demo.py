"""The main jobs without a network: score the baselines of the RealTime QA sample, generate a TimelineQA lifelog."""

from __future__ import annotations

import textwrap

from datasets import get_dataset_config_names, load_dataset
from reproduce import SETTINGS, Pairs, accuracy, joined, scores

import realtimeqa_ds  # noqa: F401  registers the names
import timelineqa_ds


def main() -> None:
    """Both datasets, one after the other."""
    realtimeqa()
    timelineqa()


def timelineqa() -> None:
    """Print a day of a lifelog and the sizes of its derived tables."""
    log = timelineqa_ds.lifelog("medium", 7)
    print(f"\nLifelog {log.lifelog_id}: {log.episodes.num_rows:,} episodes, generated; its last day:")
    last = max(log.episodes["start"].to_pylist())
    for row in log.episodes.to_pylist():
        if row["start"] == last:
            print(f"  {row['start']:%Y/%m/%d}, {row['text']}")
    sizes = ", ".join(f"{name} {table.num_rows:,}" for name, table in log.tables.items())
    print(textwrap.fill(f"Derived tables: {sizes}", 119))


def realtimeqa() -> None:
    """Print rows per config, one question with its pool, and a table of scores."""
    print("Rows of the embedded sample (three invented weeks):")
    for config in get_dataset_config_names("realtimeqa"):
        splits = load_dataset("realtimeqa", config, data_dir="sample", streaming=True)
        print(f"  {config:<16}" + ", ".join(f"{sum(1 for _ in rows)} {split}" for split, rows in splits.items()))

    row = next(iter(load_dataset("realtimeqa", "nota", data_dir="sample", split="test", streaming=True)))
    print(f"\nA question in the NOTA setting, week of {row['week']}, {row['source']}:\n  {row['question']}")
    for place, choice in enumerate(row["choices"]):
        print(f"  {place}. {choice}" + ("   <- right" if place in row["answer"] else ""))
    document = row["documents"][0]
    print(f"  best document: {document['title']} ({document['publish_date']})")
    print(textwrap.indent(textwrap.fill(document["text"], 100), "    "))

    print("\nPublished predictions, scored (invented ones, as all of the sample):")
    runs = joined("sample")
    for setting in SETTINGS:
        for system in (system for system, of in runs if of == setting):
            print(f"  {system:<18}{setting:<16}{score(setting, runs[system, setting])}")


def score(setting: str, pairs: Pairs) -> str:
    """The main scores of one system in one setting."""
    if setting == "generation":
        found = scores(setting, pairs)
        return f"exact match {found['em'][0]:.2f}  F1 {found['f1'][0]:.2f}  (n = {found['em'][1]})"
    choice = accuracy(pairs)
    return f"accuracy {choice['accuracy']:.2f}  (chance {choice['chance']:.2f}, n = {choice['n']})"


if __name__ == "__main__":
    main()
