"""How the cost of each metric grows with the size of one hostile row: doubled twice, as an exponent."""

from __future__ import annotations

import contextlib
import functools
import json
import math
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import click
import evaluate

import timelineqa_ds  # noqa: F401  registers the names
from timeline_realtime_qa.scoring.answers import read_answer, read_choice


LIMIT = 1.3
CHEAP = 0.03  # seconds; below that noise decides
ROUNDS = 3
SIZE = 16_000  # characters; four times as many are the largest
MARK = "\N{COMBINING ACUTE ACCENT}\N{COMBINING DOT BELOW}"
# Repeated to the size asked.
REPEATED = {
    "brackets": "[",
    "closing brackets": "]",
    "citations": "[a]",
    "numbered citations": "[1]",
    "details": " (a)",
    "parentheses": "(",
    "nines": "9",
    "nines and commas": "9,",
    "thousands": "1,000,",
    "single quotes": "'",
    "double quotes": '"',
    "backslashes": "\\",
    "quoted blanks": "' ",
    "blanks": " ",
    "line breaks": "\n",
    "words": "x ",
    "one word": "a",
    "items": "x, ",
    "items and": "x and ",
    "lines": "- x\n",
    "months": "may ",
    "exponents": "e9",
    "fractions": "1/2 ",
    "units": "5 km, ",
    "times": "5 min, ",
    "dates": "May 3, 2021, ",
    "vulgar fractions": "1½ ",
    "superscripts": "10²",
    "full width": "１，",
    "marks below the limit": "a" + MARK * 400,
    "dashes": "-",
    "footnote marks": "†",
    "articles": "the ",
    "number words": "twenty ",
    "answers": "answer is ",
    "answers and blanks": "answer  ",
    "boxes": "\\boxed{",
    "thoughts": "<think>",
    "fences": "```\n",
    "yes": "yes, ",
}
# Made for a size.
MADE: dict[str, Callable[[int], str]] = {
    "line breaks before an object": lambda n: "[" + "\n" * n + '{"a": 1}]',
    "different numbers": lambda n: ", ".join(f"{at}.5" for at in range(n // 8)),
    "different units": lambda n: ", ".join(f"{at} km" for at in range(n // 9)),
    "different words": lambda n: ", ".join(f"w{at}" for at in range(n // 8)),
    "marks beyond the limit": lambda n: "a" + MARK * (n // 2),
    "a list that never ends": lambda n: "['" + "a', '" * (n // 5),
    "items of many sizes": lambda n: "; ".join(", ".join(["a"] * at) for at in range(1, int((n * 2 / 3) ** 0.5))),
}


def repeated(unit: str, n: int) -> str:
    """About `n` characters of one unit."""
    return unit * (n // len(unit))


KINDS: dict[str, Callable[[int], str]] = {
    **{name: functools.partial(repeated, unit) for name, unit in REPEATED.items()},
    **MADE,
}
CONFIGS = (
    ("denotation_accuracy", "timelineqa"),
    ("denotation_accuracy", "wtq"),
    ("denotation_accuracy", "tapex"),
    ("qa_em_f1", "squad"),
    ("qa_em_f1", "realtimeqa"),
    ("nota_accuracy", None),
    ("evidence_retrieval", None),
)


def rows(metric: str, text: str) -> Iterator[dict[str, Any]]:
    """Rows of one question each that hold a text, as the arguments of `compute`."""
    parts = text.split(", ")
    if metric == "nota_accuracy":
        yield {"predictions": [text], "references": [0], "choices": [[text[:-1], *parts]]}
    elif metric == "evidence_retrieval":
        yield {"predictions": [parts], "references": [parts[::-1]], "k": [1, 5, len(parts)]}
        yield {"predictions": [[text]], "references": [[text[:-1], text]]}
    else:
        yield {"predictions": [text], "references": [["x", "y"]]}
        yield {"predictions": [text], "references": [["7 km", "x"]]}
        yield {"predictions": [f"x{text}"], "references": ["1"]}
        yield {"predictions": [f"1{text}"], "references": [f"1{text}2"]}
        if metric == "denotation_accuracy" or len(parts) < 7:
            yield {"predictions": [text], "references": [[*parts[::-1], "z"]]}
            yield {"predictions": [parts], "references": [[*parts[1:], "z"]]}
        if metric == "qa_em_f1":
            yield {"predictions": [text], "references": [[[part] for part in parts]]}


def runs(metric: str, config: str | None) -> Iterator[tuple[str, Callable[[int], float]]]:
    """Each kind of input with the CPU seconds that a metric takes for it at a size."""
    scorer = evaluate.load(metric, config)
    for name, make in KINDS.items():

        def taken(size: int, make: Callable[[int], str] = make) -> float:
            given = list(rows(metric, make(size)))
            if config == "squad":
                given[-1]["references"] = [[part for (part,) in row] for row in given[-1]["references"]]

            def scored() -> None:
                for row in given:
                    score(scorer, row)

            return timed(scored)

        yield name, taken


def score(scorer: Any, row: dict[str, Any]) -> None:
    """Score one row; a refusal is an answer, too."""
    with warnings.catch_warnings(), contextlib.suppress(ValueError):
        warnings.simplefilter("ignore")
        scorer.compute(**row)


def readings() -> Iterator[tuple[str, Callable[[int], float]]]:
    """The same for the reading of choices and short answers."""
    for name, make in KINDS.items():

        def taken(size: int, make: Callable[[int], str] = make) -> float:
            text = make(size)
            choices = ["Rome", "x", "None of the above"]
            return timed(lambda: [(read_choice(t, choices), read_answer(t)) for t in (text, f"The answer is {text}")])

        yield name, taken


def timed(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def exponent(taken: Callable[[int], float], size: int = SIZE) -> float:
    """The power of the size that the cost grows with, up to four times a size; 0 if it costs next to nothing."""
    largest = min(taken(4 * size) for _ in range(ROUNDS))
    if largest < CHEAP:
        return 0.0
    smallest = min(taken(size) for _ in range(ROUNDS))
    return math.log(largest / smallest, 4)


READERS: dict[str, Callable[[], Iterator[tuple[str, Callable[[int], float]]]]] = {
    **{
        f"{metric}{f', {config}' if config else ''}": functools.partial(runs, metric, config)
        for metric, config in CONFIGS
    },
    "answers": readings,
}


@click.command(epilog="Example: bash scripts/bench growth")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def growth(form: str) -> None:
    """How the cost of each metric grows with one hostile row, as a power of its size; 1 is linear, 2 quadratic.

    Sizes are 16,000 and 64,000 characters, CPU times the least of three. What stays below 0.03 s counts as 0.
    """
    found = [(name, kind, exponent(taken)) for name, reader in READERS.items() for kind, taken in reader()]
    if form == "json":
        click.echo(json.dumps(found, indent=1))
        return
    for reader in dict.fromkeys(reader for reader, _, _ in found):
        kinds = {kind: value for name, kind, value in found if name == reader}
        worst = sorted(kinds, key=lambda kind: -kinds[kind])[:3]
        steepest = ", ".join(f"{kind} {kinds[kind]:.2f}" for kind in worst)
        click.echo(f"  {reader}: {len(kinds)} kinds of input, steepest {steepest}")
    above = sum(value >= LIMIT for _, _, value in found)
    click.echo(f"  {above} of {len(found)} at or above {LIMIT}")
