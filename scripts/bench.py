"""Speed and memory, each figure beside what it is compared with, measured in one run.

Machines are noisy: passes of the two sides alternate, medians are printed, and the ratio is what counts.
"""

from __future__ import annotations

import json
import re
import resource
import statistics
import subprocess
import sys
from pathlib import Path

import click
import datasets
from bench_growth import growth
from bench_metrics import metrics
from bench_passes import alternate, number_of, print_passes
from bench_paths import paths
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
    """Streaming with and without pools, beside the json loader on the same files; peak memory by number of weeks."""
    root = Path(data_dir)
    pools = [str(p) for p in sorted(root.glob("past/202[23]/*_gcs.jsonl")) if re.fullmatch(r"\d{8}_gcs", p.stem)]
    pools = [p for p in pools if "20220617" <= Path(p).name[:8] <= "20230602"]
    options = {"data_dir": data_dir, "weeks": PAPER_YEAR, "split": "test"}

    def to_arrow(*arguments: str, **options: object) -> int:
        stream = load_dataset(*arguments, streaming=True, **options).with_format("arrow")
        return sum(len(table) for table in stream.iter(1000))

    sides = {
        f"json loader on the same {len(pools)} _gcs.jsonl files, to Arrow": lambda: to_arrow(
            "json", data_files=pools, split="train"
        ),
        "realtimeqa with pools, normalised, to Arrow": lambda: to_arrow("realtimeqa", **options),
        "realtimeqa without pools, to Python rows": lambda: sum(
            1 for _ in load_dataset("realtimeqa", documents="none", streaming=True, **options)
        ),
    }
    # First, since a child process starts with the peak of its parent.
    memory = {n: number_of(__file__, "stream", "--data-dir", data_dir, "--count", str(n)) for n in (5, 20, 51)}
    rows = alternate(sides, rounds)
    if form == "json":
        click.echo(json.dumps({"passes": rows, "peak_memory_mb": memory}, indent=1))
        return
    print_passes(rows, "s")
    for n, megabytes in memory.items():
        click.echo(f"  peak memory of a process that streams {n} weeks with pools: {megabytes:.0f} MB")


@main.command(epilog="Example: bash scripts/bench imports")
@click.option("--rounds", default=5, show_default=True)
def imports(rounds: int) -> None:
    """What importing the packages costs beyond `datasets` itself, `evaluate` included; the contract is 150 ms."""
    code = "t = time.process_time(); import realtimeqa_ds, timelineqa_ds; print(time.process_time() - t)"
    taken = [number_of("-c", f"import time, datasets; {code}") for _ in range(rounds)]
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
    seen: set[object] = set()
    for row in rows:
        seen.add(row["week"])
        if len(seen) > count:
            break
    # ru_maxrss counts kilobytes on Linux and bytes on macOS.
    unit = 1e6 if sys.platform == "darwin" else 1e3
    click.echo(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit)


main.add_command(growth)
main.add_command(metrics)
main.add_command(paths)

if __name__ == "__main__":
    main()
