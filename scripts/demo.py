"""The main jobs without a network: score the baselines of the RealTime QA sample, generate a TimelineQA lifelog."""

from __future__ import annotations

import textwrap

import click
import evaluate
from datasets import get_dataset_config_names, load_dataset

import realtimeqa_ds  # noqa: F401  registers the names
import timelineqa_ds


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
    predictions = load_dataset("realtimeqa", "predictions", data_dir="sample", split="test", streaming=True)
    for setting, metric in (
        ("multiple_choice", "nota_accuracy"),
        ("nota", "nota_accuracy"),
        ("generation", "qa_em_f1"),
    ):
        gold = {
            row["question_id"]: row
            for row in load_dataset("realtimeqa", setting, data_dir="sample", split="test", streaming=True)
        }
        said: dict[str, list[dict]] = {}
        for row in predictions:
            if row["setting"] == setting and not gold[row["question_id"]].get("excluded"):
                said.setdefault(row["system"], []).append(row)
        for system, rows in said.items():
            click.echo(f"  {system:<18}{setting:<16}{score(metric, rows, gold)}")


def score(metric: str, rows: list[dict], gold: dict[str, dict]) -> str:
    """The main scores of one system in one setting."""
    golds = [gold[row["question_id"]] for row in rows]
    if metric == "qa_em_f1":
        found = evaluate.load(metric, "realtimeqa").compute(
            predictions=[row["prediction"] for row in rows], references=[row["answers"] for row in golds]
        )
        return f"exact match {found['exact_match']:.2f}  F1 {found['f1']:.2f}  (n = {found['n']})"
    found = evaluate.load(metric).compute(
        predictions=[row["choice"] for row in rows],
        references=[row["answer"] for row in golds],
        choices=[row["choices"] for row in golds],
        missing="wrong",
    )
    return f"accuracy {found['accuracy']:.2f}  (chance {found['chance']:.2f}, n = {found['n']})"


if __name__ == "__main__":
    main()
