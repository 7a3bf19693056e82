"""Scores of published predictions, beside those that the paper printed."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from typing import Any

from ..spec import DATA
from .runs import SETTINGS, Pairs, Runs, grouped


TOLERANCE = 0.05  # of a value in percent with one decimal
TABLES = ("table1", "table2")


@functools.cache
def published() -> dict[str, Any]:
    """The paper's tables."""
    told: dict[str, Any] = json.loads((DATA / "published.json").read_text(encoding="utf-8"))
    return told


@functools.cache
def metric(*name: str) -> Any:
    """A metric of ours by name and configuration."""
    import evaluate  # here, since it takes seconds where transformers is installed

    return evaluate.load(*name)


def cells(runs: Runs) -> list[dict[str, Any]]:
    """All cells of the paper's tables."""
    return [cell for table in TABLES for cell in compare(runs, table)]


def compare(runs: Runs, table: str) -> list[dict[str, Any]]:
    """Ours beside the published value, cell by cell, in percent."""
    told = published()[table]
    first, last = told["weeks"].split(":")
    found = []
    for system, values in told["rows"].items():
        ours: dict[str, Any] = {}
        for setting in SETTINGS:
            pairs = [p for p in runs.get((system, setting), ()) if first <= p[0]["week"].isoformat() <= last]
            ours.update(scores(setting, pairs) if pairs else {})
        for column, value in zip(told["columns"], values, strict=True):
            score, n = ours.get(column, (None, 0))
            difference = None if score is None else 100 * score - value
            found.append(
                {"table": table, "system": system, "column": column, "published": value, "n": n}
                | {"ours": None if score is None else 100 * score, "difference": difference}
            )
    return found


def differing(compared: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The cells that are not there, or differ by more than rounding does."""
    return [cell for cell in compared if cell["difference"] is None or abs(cell["difference"]) > TOLERANCE + 1e-9]


def scores(setting: str, pairs: Pairs) -> dict[str, tuple[float, int]]:
    """The scores of one run as {column: (score, n)}; the official scorer skips excluded questions in generation."""
    if setting == "generation":
        scored = [(said, gold) for said, gold in pairs if not gold["excluded"]]
        found = metric("qa_em_f1", "realtimeqa").compute(
            predictions=[said["prediction"] for said, _ in scored], references=[gold["answers"] for _, gold in scored]
        )
        return {"em": (found["exact_match"], found["n"]), "f1": (found["f1"], found["n"])}
    found = accuracy(pairs)
    return {setting: (found["accuracy"], found["n"])}


def accuracy(pairs: Pairs, level: float | None = None) -> Mapping[str, Any]:
    """`nota_accuracy` of one run; a prediction that names no choice is wrong."""
    said, gold = zip(*pairs, strict=True)
    found: Mapping[str, Any] = metric("nota_accuracy").compute(
        predictions=[row["choice"] for row in said],
        references=[row["answer"] for row in gold],
        choices=[row["choices"] for row in gold],
        missing="wrong",
        confidence_level=level,
    )
    return found


def by_year(runs: Runs) -> list[dict[str, Any]]:
    """Accuracy by system, setting and year with its 95% Wilson interval."""
    kept = ("accuracy", "accuracy_low", "accuracy_high", "n", "n_missing")
    found = []
    for setting in ("multiple_choice", "nota"):
        for system, years in grouped(runs, setting, "%Y").items():
            for year, pairs in years.items():
                score = accuracy(pairs, 0.95)
                found.append({"setting": setting, "system": system, "year": year} | {k: score[k] for k in kept})
    return found
