"""Hostile inputs of the metrics: scores that hold by all their own rules, or an error that names row or argument."""

from __future__ import annotations

import collections
import functools
import math
import random
import re
import string
import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any

import evaluate
import numpy as np
import pandas as pd
import pyarrow as pa

import timelineqa_ds  # noqa: F401  registers the names

from .trial import CLEAR, CORRECT, COUNTED, Outcome, Trial, Wrong, judged


Row = Any
CONFIGS = (
    ("denotation_accuracy", "timelineqa"),
    ("denotation_accuracy", "wtq"),
    ("denotation_accuracy", "tapex"),
    ("qa_em_f1", "squad"),
    ("qa_em_f1", "realtimeqa"),
    ("nota_accuracy", None),
    ("evidence_retrieval", None),
)
WORDS = ("Rome", "oslo", "the", "a", "3", "3 days", "5 km", "$5M", "1½", "10²", "May 3, 2021", "2021-05-03", "yes",
         "No.", "none", "None of the above", "", " ", "1,000", "-0", "1e9", "٣", "３", "Ⅷ", "e\u0301", "\u200b", "🦭",
         "ß", "SS", "İ", "a\0b", "\ud800", "- x", "1. Rome", "[1]", "'a', 'b'", "and", ",", ";", "(b)", "twenty",
         "<b>", "9" * 400, "inf", "nan", "1/0", "12 months", "½", "100%", "July 2021", "31 Feb 2021",
         "0001-01-01")  # fmt: skip
ODD: tuple[Any, ...] = (
    *(None, float("nan"), pd.NA, pd.NaT, True, 0, -1, 7, 1.5, 1e400, 1 << 70, b"x", {}, {"a": 1}, {1}, [], [[]], ()),
    *([None], ["x", None], [float("nan")], range(2), np.str_("x"), np.int64(2), np.array(["x"]), np.array([]), object),
    *(collections.UserList(["x"]), bytearray(b"x"), pa.scalar("x"), pa.scalar(None), pd.Timestamp("2021-05-03"), 2j),
)
COLUMNS: dict[str, Callable[[list[Row]], Any]] = {
    "a list": list,
    "a tuple": tuple,
    "a Series": lambda rows: pd.Series(rows, dtype=object),
    "an object array": lambda rows: functools.reduce(_put, enumerate(rows), np.empty(len(rows), dtype=object)),
    "a generator": iter,
    "a UserList": collections.UserList,
}
LEVELS = (0.95, 0.95, 0.5, 0.0, 1.0, -1, 1 - 1e-16, float("nan"), "0.95", None, True)
KINDS = ("number", "date", "text", "boolean", None, "other")
ROOM = 1e-9


def _put(array: Any, item: tuple[int, Row]) -> Any:
    array[item[0]] = item[1]
    return array


@functools.cache
def scorer(name: str, config: str | None) -> Any:
    """A metric, loaded once for each process."""
    return evaluate.load(name, config)


def text(chance: random.Random) -> str:
    """A random text: words that are hostile by themselves, any Unicode, or very long."""
    way = chance.random()
    if way < 0.75:
        joiner = chance.choice((" ", ", ", "\n", "", " and ", "\t", "；"))
        return joiner.join(chance.choices(WORDS, k=chance.choice((1, 1, 2, 4))))
    if way < 0.95:
        codes = (chance.choice((chance.randrange(128), chance.randrange(0xD800))) for _ in range(chance.randrange(12)))
        return "".join(map(chr, codes))
    unit = chance.choice(("[", "(", "9,", "a ", "1/", "'", "e\u0301", "the ", "- x\n", "1 and "))
    return unit * chance.choice((50, 500, 3_000))


def nested(chance: random.Random, depth: int) -> Row:
    row: Row = chance.choice(("x", 1, None))
    for _ in range(depth):
        row = [row]
    return row


def row(chance: random.Random, name: str, gold: bool) -> Row:
    """A row that fits the metric, as a rule."""
    if name == "nota_accuracy":
        index = chance.choice((0, 1, 2, 3, 9)) if not gold else chance.choice((0, 1, 2))
        if gold:
            return chance.choice((index, [index]))
        return chance.choice((index, str(index), [str(index)], None, text(chance)))
    if name == "evidence_retrieval":
        ids = [chance.randrange(6) for _ in range(chance.choice((0, 1, 2, 5)))]
        return ids if gold else chance.choice((ids, ids, None))
    items = [text(chance) for _ in range(chance.choice((1, 1, 2, 3)))]
    return chance.choice((items, items[0])) if gold else chance.choice((items, items[0], items[0], None))


def metric_inputs(trial: Trial) -> Outcome:
    """Rows for one metric, some of them hostile, as some kind of column, with some options."""
    chance = trial.chance
    name, config = chance.choice(CONFIGS)
    size = chance.choice((1, 2, 3, 8))
    rows = [(row(chance, name, False), row(chance, name, True)) for _ in range(size)]
    rows = [(chance.choice(((said, gold), (gold, gold))) if name[0] in "dq" else (said, gold)) for said, gold in rows]
    if chance.random() < 0.35:
        at, side = chance.randrange(size), chance.randrange(2)
        odd = nested(chance, chance.choice((2, 5, 50, 2_000))) if chance.random() < 0.2 else chance.choice(ODD)
        pair = list(rows[at])
        pair[side] = odd
        rows[at] = (pair[0], pair[1])
        trial.is_(f"row {at} of {('predictions', 'references')[side]} is {_shown(odd)}")
    options = _options(chance, name, config, size)
    shape = chance.choice(list(COLUMNS)) if chance.random() < 0.3 else "a list"
    trial.is_(f"{name}, {config}, {size} rows as {shape}, {_shown(options)}")
    scored = functools.partial(_scored, scorer(name, config), shape=shape, options=options)

    def holds() -> Outcome:
        result = scored(rows)
        _check(result, rows, scored, chance, name)
        if name == "qa_em_f1":
            _check_tokens(result, rows, config == "squad")
        elif name == "evidence_retrieval":
            _check_sets(result, rows, options.get("empty"))
        elif name == "nota_accuracy":
            _check_indices(result, rows, options)
        return Outcome(COUNTED, "n_missing") if result["n_missing"] else Outcome(CORRECT)

    outcome = judged(holds, ("row ", "predictions", "references", *options))
    if outcome.name == CLEAR:
        same = judged(lambda: _again(scored, rows), ("row ", "predictions", "references", *options))
        if same != outcome:
            raise Wrong(f"another error at a second time: {outcome.detail} / {same.detail}")
    return outcome


def _again(scored: Callable[[list[tuple[Row, Row]]], Any], rows: list[tuple[Row, Row]]) -> Outcome:
    scored(rows)
    raise Wrong("an error at first, and a score at a second time")


def _shown(value: object) -> str:
    try:
        return f"{type(value).__name__} {value!r:.60}"
    except (RecursionError, TypeError):
        return f"a nested {type(value).__name__}"


def _options(chance: random.Random, name: str, config: str | None, size: int) -> dict[str, Any]:
    options: dict[str, Any] = {"missing": "wrong"} if chance.random() < 0.9 else {}
    if chance.random() < 0.2:
        options["confidence_level"] = chance.choice(LEVELS)
    if name == "evidence_retrieval" and chance.random() < 0.4:
        options["k"] = chance.choice((1, 2, [1, 3], [2, 10], [1, 1], 0, -1, "1", 10**9, 10**30, [], [None], True))
        options["empty"] = chance.choice((None, "score", "skip", "", 1))
    if config == "timelineqa" and chance.random() < 0.3:
        options["tolerance"] = chance.choice((0, 0.1, 1, -1, float("nan"), "0", None, 1e-300))
        options["answer_type"] = [chance.choice(KINDS) for _ in range(size)]
    if name == "nota_accuracy" and chance.random() < 0.5:
        choices = [["Rome", "x", chance.choice(("None of the above", "none", "y"))] for _ in range(size)]
        options["choices"] = chance.choice((choices, choices, choices[1:], [[]] * size, None, 3))
        options["index_base"] = chance.choice((0, 0, 1, "auto", 2, None, True))
    return options


def _scored(metric: Any, rows: list[tuple[Row, Row]], shape: str, options: dict[str, Any]) -> dict[str, Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = COLUMNS[shape]
        said, gold = made([pair[0] for pair in rows]), made([pair[1] for pair in rows])
        result: dict[str, Any] = metric.compute(predictions=said, references=gold, return_per_example=True, **options)
        return result


def _check(result: dict[str, Any], rows: list[tuple[Row, Row]], scored: Any, chance: random.Random, name: str) -> None:
    """All that holds for any metric: a range, the same at a second time and in another order, and mean by row."""
    singles = {key: value for key, value in result.items() if isinstance(value, float)}
    if wrong := [f"{key} {value}" for key, value in singles.items() if not (value != value or 0 <= value <= 1)]:
        raise Wrong(f"not from 0 to 1: {wrong}")
    if result["n"] != len(rows) or not 0 <= result["n_missing"] <= len(rows):
        raise Wrong(f"{result['n']} rows and {result['n_missing']} missing of {len(rows)}")
    if repr(scored(rows)) != repr(result):
        raise Wrong("other scores at a second time")
    for key in (key for key in result if key.endswith("_per_example")):
        counted = [value for value in result[key] if value == value]
        mean = math.fsum(counted) / len(counted) if counted else float("nan")
        if len(result[key]) != len(rows) or abs(mean - singles[key.removesuffix("_per_example")]) > ROOM:
            raise Wrong(f"{key} has the mean {mean}, the whole is {singles[key.removesuffix('_per_example')]}")
    order = chance.sample(range(len(rows)), len(rows))
    if not any(isinstance(value, list) for value in scored.keywords["options"].values()) and name != "nota_accuracy":
        moved = scored([rows[at] for at in order])
        for key in (key for key in result if key.endswith("_per_example")):
            if repr([result[key][at] for at in order]) != repr(moved[key]):
                raise Wrong(f"{key} in another order of rows: {moved[key]}, was {result[key]}")


def _tokens(said: str, squad: bool) -> list[str]:
    """The official normal form, by one regular expression a step."""
    left_out = string.punctuation + ("" if squad else "年歳人년")
    said = "".join(letter for letter in said.lower() if letter not in left_out)
    return (re.sub(r"\b(a|an|the)\b", " ", said) if squad else said).split()


def _check_tokens(result: dict[str, Any], rows: list[tuple[Row, Row]], squad: bool) -> None:
    """Exact match and F1 of texts, as the official scorers count them."""
    for number, (said, gold) in enumerate(rows):
        if type(said) is not str or type(gold) is not str:
            continue
        found, wanted = _tokens(said, squad), _tokens(gold, squad)
        shared = sum((Counter(found) & Counter(wanted)).values())
        f1 = 2 * shared / (len(found) + len(wanted)) if shared else 0.0
        have = result["exact_match_per_example"][number], result["f1_per_example"][number]
        if have[0] != (found == wanted) or abs(have[1] - f1) > ROOM:
            raise Wrong(f"row {number}: exact match and F1 {have}, {float(found == wanted), f1} by a second count")


def _check_sets(result: dict[str, Any], rows: list[tuple[Row, Row]], empty: Any) -> None:
    """Recall of sets of numbers."""
    for number, (said, gold) in enumerate(rows):
        if type(said) is list and type(gold) is list and gold:
            recall = len({*said} & {*gold}) / len({*gold})
            if abs(result["recall_per_example"][number] - recall) > ROOM:
                raise Wrong(f"row {number}: recall {result['recall_per_example'][number]}, {recall} by a second count")


def _check_indices(result: dict[str, Any], rows: list[tuple[Row, Row]], options: dict[str, Any]) -> None:
    """Right answers counted by equal indices, where predictions count from 0 and choices are not given."""
    if options.get("index_base", 0) == 0 and type(options.get("index_base", 0)) is int:
        for number, (said, gold) in enumerate(rows):
            if type(said) is int and type(gold) is int and result["accuracy_per_example"][number] != (said == gold):
                raise Wrong(f"row {number}: {said} and {gold}: {result['accuracy_per_example'][number]}")
