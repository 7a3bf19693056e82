"""Speed and memory, each figure beside what it is compared with, measured in one run.

Machines are noisy: passes of the two sides alternate, medians are printed, and the ratio is what counts.
"""

from __future__ import annotations

import json
import random
import re
import resource
import statistics
import string
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click
import datasets
import evaluate
from datasets import load_dataset

import realtimeqa_ds  # noqa: F401  registers the names


PAPER_YEAR = "2022-06-17:2023-06-02"


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 119})
def main() -> None:
    """Measure speed and memory."""
    datasets.disable_progress_bars()


@main.command(epilog="Example: bash scripts/bench realtimeqa --data-dir realtimeqa_public")
@click.option("--data-dir", required=True, help="Root of a clone of the public repository.")
@click.option("--rounds", default=5, show_default=True)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def realtimeqa(data_dir: str, rounds: int, form: str) -> None:
    """Streaming with and without pools, beside the json loader on the same files; peak memory by number of weeks.

    The first pass, which does not count, hashes every file; later passes of a process trust files that did not change.
    """
    root = Path(data_dir)
    pools = [str(p) for p in sorted(root.glob("past/202[23]/*_gcs.jsonl")) if re.fullmatch(r"\d{8}_gcs", p.stem)]
    pools = [p for p in pools if "20220617" <= Path(p).name[:8] <= "20230602"]
    options = {"data_dir": data_dir, "weeks": PAPER_YEAR, "split": "test", "streaming": True}

    def as_json() -> int:
        stream = load_dataset("json", data_files=pools, split="train", streaming=True).with_format("arrow")
        return sum(len(table) for table in stream.iter(1000))

    def with_pools() -> int:
        stream = load_dataset("realtimeqa", **options).with_format("arrow")
        return sum(len(table) for table in stream.iter(1000))

    def without_pools() -> int:
        return sum(1 for _ in load_dataset("realtimeqa", documents="none", **options))

    sides = {
        f"json loader on the same {len(pools)} _gcs.jsonl files, to Arrow": as_json,
        "realtimeqa with pools, normalised, to Arrow": with_pools,
        "realtimeqa without pools, to Python rows": without_pools,
    }
    # First, since a child process starts with the peak of its parent.
    memory = {n: peak_memory(data_dir, n) for n in (5, 20, 51)}
    rows = alternate(sides, rounds)
    if form == "json":
        click.echo(json.dumps({"passes": rows, "peak_memory_mb": memory}, indent=1))
        return
    print_passes(rows, "s")
    for n, megabytes in memory.items():
        click.echo(f"  peak memory of a process that streams {n} weeks with pools: {megabytes:.0f} MB")


def alternate(sides: Mapping[str, Callable[[], int]], rounds: int) -> list[dict[str, Any]]:
    """Median wall and CPU seconds of each side over alternating passes, after one pass that does not count."""
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in sides}
    count = {}
    for turn in range(rounds + 1):
        for name, run in sides.items():
            wall, cpu = time.perf_counter(), time.process_time()
            count[name] = run()
            if turn:
                times[name].append((time.perf_counter() - wall, time.process_time() - cpu))
    first = next(iter(sides))
    medians = {name: [statistics.median(side) for side in zip(*of, strict=True)] for name, of in times.items()}
    return [
        {"what": name, "n": count[name], "wall": wall, "cpu": cpu, "wall_ratio": wall / medians[first][0]}
        for name, (wall, cpu) in medians.items()
    ]


def print_passes(rows: list[dict[str, Any]], unit: str) -> None:
    """One line per side."""
    click.echo(f"  {'':<66}{'n':>10}{'wall ' + unit:>9}{'CPU ' + unit:>9}{'wall ratio':>12}")
    for row in rows:
        click.echo(
            f"  {row['what']:<66}{row['n']:>10,}{row['wall']:>9.2f}{row['cpu']:>9.2f}{row['wall_ratio']:>12.2f}"
        )


def peak_memory(data_dir: str, weeks: int) -> float:
    """Peak resident megabytes of a fresh process that streams the first `weeks` weeks with pools."""
    command = [sys.executable, __file__, "stream", "--data-dir", data_dir, "--count", str(weeks)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@main.command(epilog="Example: bash scripts/bench imports")
@click.option("--rounds", default=5, show_default=True)
def imports(rounds: int) -> None:
    """What importing the packages costs beyond `datasets` itself, `evaluate` included; the contract is 150 ms."""
    code = (
        "import datasets; t = time.process_time(); import realtimeqa_ds, timelineqa_ds; print(time.process_time() - t)"
    )
    command = [sys.executable, "-c", f"import time; {code}"]
    taken = [float(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(rounds)]
    click.echo(f"  CPU time beyond datasets: median {1000 * statistics.median(taken):.0f} ms of {rounds} runs")


@main.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def timelineqa(arguments: tuple[str, ...]) -> None:
    """Generating lifelogs: cost per entry, memory, time to the first row (`timelineqa --help` for its options)."""
    script = Path(__file__).with_name("bench_timelineqa.py")
    sys.exit(subprocess.run([sys.executable, script, *arguments]).returncode)


@main.command(hidden=True)
@click.option("--data-dir", required=True)
@click.option("--count", type=int, required=True)
def stream(data_dir: str, count: int) -> None:
    """Stream some weeks and print the peak resident megabytes of this process."""
    rows = load_dataset("realtimeqa", data_dir=data_dir, weeks=PAPER_YEAR, split="test", streaming=True)
    seen: set[Any] = set()
    for row in rows:
        seen.add(row["week"])
        if len(seen) > count:
            break
    # ru_maxrss counts kilobytes on Linux and bytes on macOS.
    unit = 1e6 if sys.platform == "darwin" else 1e3
    click.echo(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit)


@main.command(epilog="Example: bash scripts/bench metrics --pairs 1000000")
@click.option("--pairs", default=1_000_000, show_default=True)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def metrics(pairs: int, form: str) -> None:
    """Our metrics on many pairs, beside evaluate's squad metric on the same pairs.

    The squad metric is loaded from the Hub or its cache where that is possible, and otherwise computed by the same
    definition in the same way: an Arrow file of the pairs, then plain Python per pair.
    """
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

    def keep(name: str, result: Any) -> int:
        results[name] = result
        return pairs

    sides: dict[str, Callable[[], int]] = {
        "evaluate's squad": lambda: keep("squad", squad.compute(predictions=squad_said, references=squad_gold)),
        "qa_em_f1, squad": lambda: keep("ours", ours["squad"].compute(predictions=said, references=gold)),
        "qa_em_f1, realtimeqa": lambda: keep("rt", ours["realtimeqa"].compute(predictions=said, references=gold)),
        "nota_accuracy": lambda: keep("nota", nota.compute(predictions=chosen, references=right, choices=choices)),
    }
    rows = alternate(sides, 1)
    same = abs(results["squad"]["exact_match"] / 100 - results["ours"]["exact_match"]) < 1e-9
    same = same and abs(results["squad"]["f1"] / 100 - results["ours"]["f1"]) < 1e-9
    if form == "json":
        click.echo(json.dumps({"passes": rows, "equal_scores": same}, indent=1))
        return
    print_passes(rows, "s")
    click.echo(f"  the two squad scorers agree: {same}")


def made_pairs(pairs: int) -> tuple[list[str], list[str]]:
    """Short answers of one to five words, half of them right up to case, articles and punctuation."""
    draw = random.Random(12345)
    words = ["".join(draw.choices(string.ascii_lowercase, k=draw.randint(2, 9))) for _ in range(5000)]
    gold = [" ".join(draw.choices(words, k=draw.randint(1, 5))) for _ in range(pairs)]
    forms = [str, str.title, lambda t: f"the {t}.", lambda t: f"{t} {t.split()[0]}", lambda t: draw.choice(words)]
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


if __name__ == "__main__":
    main()
