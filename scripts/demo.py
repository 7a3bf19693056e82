"""The main jobs without a network: score the baselines of the RealTime QA sample, generate a TimelineQA lifelog."""

from __future__ import annotations

import textwrap

import click
from datasets import get_dataset_config_names, load_dataset

import timelineqa_ds
from realtimeqa_ds.published.runs import SETTINGS, Pairs, joined
from realtimeqa_ds.published.scores import accuracy, scores


@click.command()
def main() -> None:
    """Both datasets, one after the other."""
    realtimeqa()
    timelineqa()


def timelineqa() -> None:
    """Print a day of a lifelog and the sizes of its derived tables."""
    log = timelineqa_ds.lifelog("medium", 7)
    click.echo(f"\nLifelog {log.lifelog_id}: {log.episodes.num_rows:,} episodes, generated; its last day:")
    last = max(log.episodes["start"].to_pylist())
    for row in log.episodes.to_pylist():
        if row["start"] == last:
            click.echo(f"  {row['start']:%Y/%m/%d}, {row['text']}")
    sizes = ", ".join(f"{name} {table.num_rows:,}" for name, table in log.tables.items())
    click.echo(textwrap.fill(f"Derived tables: {sizes}", 119))


def realtimeqa() -> None:
    """Print rows per config, one question with its pool, and a table of scores."""
    click.echo("Rows of the embedded sample (three invented weeks):")
    for config in get_dataset_config_names("realtimeqa"):
        splits = load_dataset("realtimeqa", config, data_dir="sample", streaming=True)
        click.echo(f"  {config:<16}" + ", ".join(f"{sum(1 for _ in rows)} {split}" for split, rows in splits.items()))

    row = next(iter(load_dataset("realtimeqa", "nota", data_dir="sample", split="test", streaming=True)))
    click.echo(f"\nA question in the NOTA setting, week of {row['week']}, {row['source']}:\n  {row['question']}")
    for place, choice in enumerate(row["choices"]):
        click.echo(f"  {place}. {choice}" + ("   <- right" if place in row["answer"] else ""))
    document = row["documents"][0]
    click.echo(f"  best document: {document['title']} ({document['publish_date']})")
    click.echo(textwrap.indent(textwrap.fill(document["text"], 100), "    "))

    click.echo("\nPublished predictions, scored (invented ones, as all of the sample):")
    runs = joined("sample")
    for setting in SETTINGS:
        for system in (system for system, of in runs if of == setting):
            click.echo(f"  {system:<18}{setting:<16}{score(setting, runs[system, setting])}")


def score(setting: str, pairs: Pairs) -> str:
    """The main scores of one system in one setting."""
    if setting == "generation":
        found = scores(setting, pairs)
        return f"exact match {found['em'][0]:.2f}  F1 {found['f1'][0]:.2f}  (n = {found['em'][1]})"
    choice = accuracy(pairs)
    return f"accuracy {choice['accuracy']:.2f}  (chance {choice['chance']:.2f}, n = {choice['n']})"


if __name__ == "__main__":
    main()
