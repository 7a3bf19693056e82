"""Our metrics on many pairs, each beside the scorer that it is compared with, on the same pairs in one run."""

from __future__ import annotations

import functools
import json
import random
import re
import string
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

import click
import datasets
import evaluate
from bench_passes import alternate, print_passes

import timelineqa_ds  # noqa: F401  registers the names


@click.command(epilog="Example: bash scripts/bench metrics --pairs 1000000")
@click.option("--pairs", default=1_000_000, show_default=True)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def metrics(pairs: int, form: str) -> None:
    """Our metrics on many pairs, beside evaluate's squad metric and the loop of TAPEX's evaluation on the same pairs.

    The squad metric is loaded from the Hub or its cache where that is possible, and otherwise computed by the same
    definition in the same way: an Arrow file of the pairs, then plain Python per pair.
    """
    rows, results = answers(pairs)
    same = abs(results["squad"]["exact_match"] / 100 - results["ours"]["exact_match"]) < 1e-9
    same = same and abs(results["squad"]["f1"] / 100 - results["ours"]["f1"]) < 1e-9
    found: dict[str, Any] = {"answers": rows, "equal_scores": same}
    for share in SHARES:
        found[f"denotations, {share:.0%} right"] = denotations(pairs, share)
    if form == "json":
        click.echo(json.dumps(found, indent=1))
        return
    for name, passes in found.items():
        if name == "equal_scores":
            click.echo(f"  the two squad scorers agree: {passes}")
        else:
            click.echo(name)
            print_passes(passes, "s")


def answers(pairs: int) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Passes of the metrics of short answers and choices, and the scores of each."""
    said, gold = made_pairs(pairs)
    squad = squad_metric()
    ids = [str(number) for number in range(pairs)]
    squad_said = [{"id": i, "prediction_text": text} for i, text in zip(ids, said, strict=True)]
    squad_gold = [{"id": i, "answers": {"text": [t], "answer_start": [0]}} for i, t in zip(ids, gold, strict=True)]
    chosen, right = [len(text) % 4 for text in said], [[len(text) % 4] for text in gold]
    choices = [["a", "b", "c", "None of the above"]] * pairs
    ours = {config: evaluate.load("qa_em_f1", config) for config in ("squad", "realtimeqa")}
    nota = evaluate.load("nota_accuracy")
    results: dict[str, Any] = {}

    def keep(name: str, result: object) -> int:
        results[name] = result
        return pairs

    sides: dict[str, Callable[[], int]] = {
        "evaluate's squad": lambda: keep("squad", squad.compute(predictions=squad_said, references=squad_gold)),
        "qa_em_f1, squad": lambda: keep("ours", ours["squad"].compute(predictions=said, references=gold)),
        "qa_em_f1, realtimeqa": lambda: keep("rt", ours["realtimeqa"].compute(predictions=said, references=gold)),
        "nota_accuracy": lambda: keep("nota", nota.compute(predictions=chosen, references=right, choices=choices)),
    }
    return alternate(sides, 1), results


SHARES = (0.5, 0.0)  # of right answers: a middling system, and the hardest case, where every pair has to be read


def denotations(pairs: int, share: float) -> list[dict[str, Any]]:
    """Passes of denotation_accuracy and of the plain loop."""
    said, gold = made_denotations(pairs, share)
    joined = [", ".join(items) for items in gold]
    sides: dict[str, Callable[[], int]] = {"TAPEX's evaluation as a plain loop": lambda: tapex_loop(said, joined)}
    for config in ("tapex", "wtq", "timelineqa"):
        sides[f"denotation_accuracy, {config}"] = functools.partial(denotation, config, said, gold)
    return alternate(sides, 1)


def denotation(config: str, said: list[str], gold: list[list[str]]) -> int:
    evaluate.load("denotation_accuracy", config).compute(predictions=said, references=gold)
    return len(said)


def tapex_loop(said: list[str], gold: list[str]) -> int:
    """The evaluation of TAPEX by its definition: spans between ", ", numbers as floats, as often on both sides."""
    right = 0
    for one, other in zip(said, gold, strict=True):
        right += spans(one) == spans(other)
    return len(said)


def spans(text: str) -> dict[str | float, int]:
    """The spans of an answer with their counts."""
    found: dict[str | float, int] = defaultdict(int)
    for span in text.lower().split(", "):
        try:
            found[float(span)] += 1
        except ValueError:
            found[span.strip()] += 1
    return found


def made_denotations(pairs: int, share: float) -> tuple[list[str], list[list[str]]]:
    """Numbers, dates, names and lists of names; a wrong answer is the right one of another question."""
    draw = random.Random(12345)
    names = ["".join(draw.choices(string.ascii_lowercase, k=draw.randint(3, 9))).title() for _ in range(5000)]
    makers: list[Callable[[], list[str]]] = [
        lambda: [str(draw.randint(0, 3000))],
        lambda: [f"{draw.randint(0, 300)}.{draw.randint(0, 99):02d}"],
        lambda: [f"{draw.randint(1970, 2022)}-{draw.randint(1, 12):02d}-{draw.randint(1, 28):02d}"],
        lambda: [draw.choice(names)],
        lambda: draw.sample(names, draw.randint(2, 6)),
    ]
    gold = [draw.choice(makers)() for _ in range(pairs)]
    said = [", ".join(items if draw.random() < share else draw.choice(gold)) for items in gold]
    return said, gold


def made_pairs(pairs: int) -> tuple[list[str], list[str]]:
    """Short answers of one to five words, half of them right up to case, articles and punctuation."""
    draw = random.Random(12345)
    words = ["".join(draw.choices(string.ascii_lowercase, k=draw.randint(2, 9))) for _ in range(5000)]
    gold = [" ".join(draw.choices(words, k=draw.randint(1, 5))) for _ in range(pairs)]
    forms: list[Callable[[str], str]] = [str, str.title, lambda t: f"the {t}.", lambda t: f"{t} {t.split()[0]}"]
    forms.append(lambda t: draw.choice(words))
    return [draw.choice(forms)(text) for text in gold], gold


def squad_metric() -> Any:
    """The squad metric of evaluate, or a stand-in of the same definition where the Hub cannot be asked."""
    try:
        return evaluate.load("squad")
    except Exception as error:
        click.echo(f"  (evaluate's squad metric is not in the cache, {type(error).__name__}: the stand-in is timed)")
        return SquadStandIn()


class SquadStandIn(evaluate.Metric):
    """SQuAD 1.1 scores as evaluate's metric makes them: rows through Arrow, then texts compared in Python."""

    def _info(self) -> evaluate.MetricInfo:
        said = {"id": datasets.Value("string"), "prediction_text": datasets.Value("string")}
        answers = {"text": datasets.Value("string"), "answer_start": datasets.Value("int32")}
        gold = {"id": datasets.Value("string"), "answers": datasets.Sequence(answers)}
        features = datasets.Features({"predictions": said, "references": gold})
        return evaluate.MetricInfo(description="", citation="", inputs_description="", features=features)

    def _compute(self, predictions: list[Any], references: list[Any]) -> dict[str, float]:
        said = {row["id"]: row["prediction_text"] for row in predictions}
        exact = f1 = 0.0
        for row in references:
            answers = row["answers"]["text"]
            exact += max(normalised(said[row["id"]]) == normalised(answer) for answer in answers)
            f1 += max(overlap(said[row["id"]], answer) for answer in answers)
        return {"exact_match": 100 * exact / len(references), "f1": 100 * f1 / len(references)}


def normalised(text: str) -> str:
    """Lower case without punctuation, articles and doubled blanks."""
    punctuation = set(string.punctuation)
    bare = "".join(c for c in text.lower() if c not in punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split())


def overlap(said: str, gold: str) -> float:
    """Token F1 of two texts."""
    one, other = normalised(said).split(), normalised(gold).split()
    common = sum((Counter(one) & Counter(other)).values())
    return 2 * common / (len(one) + len(other)) if common else 0.0
