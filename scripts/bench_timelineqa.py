"""What TimelineQA costs on this machine: CPU time per entry, memory, time to the first row. One process does all.

bash scripts/bench timelineqa                           a sample of dense lifelogs
bash scripts/bench timelineqa --scaling                 10 to 1,000 dense lifelogs, by one and by two processes
bash scripts/bench timelineqa --all --out DIR           the whole world: 3,000 lifelogs, 128 million entries
bash scripts/bench timelineqa --everything --out DIR    the same with every config, as a Hub repository
"""

from __future__ import annotations

import json
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click
import pyarrow as pa
import pyarrow.parquet as pq
from bench_passes import number_of

from timeline_realtime_qa.display.progress import progress
from timeline_realtime_qa.hub import building
from timeline_realtime_qa.hub.shards import Done, Job
from timelineqa_ds import build, card, options, spec
from timelineqa_ds.configs import configs


FIRST_ROW = """
import time
import timelineqa_ds.builder as module
start = time.perf_counter()
next(iter(module.TimelineQA(config_name="dense_episodes").as_streaming_dataset(split="test")))
print(time.perf_counter() - start)
"""
T = TypeVar("T")


def sample(out: Path, count: int) -> dict[str, Any]:
    """Cost of the first `count` dense lifelogs, from nothing to Parquet, and of writing the same tables again."""
    made = run(_plan(out / "made", "dense", count), 1)
    memory, rows, whole = _memory(), made["entries"].total(), made["cpu_seconds"]
    tables = [configs()["dense_episodes"].rows(index, encoded=True) for index in range(count)]
    _, _, plain = timed(_write, out / "again.parquet", tables)
    return {
        "most_memory_mb": memory,  # the comparison holds all tables at once
        "first_row_seconds": number_of("-c", FIRST_ROW),
        "lifelogs": count,
        "entries": rows,
        "cpu_seconds": whole,
        "entries_per_cpu_second": rows / whole,
        "cpu_seconds_to_write_the_finished_tables": plain,
        "times_the_cost_of_writing": whole / plain,
        "bytes_per_entry": made["bytes"] / rows,
    }


def world(out: Path, workers: int) -> dict[str, Any]:
    """Build every lifelog of every density."""
    made = run([job for density in spec.DENSITIES for job in _plan(out, density, spec.WORLD)], workers)
    total = made["entries"].total()
    counts = {"entries": made["entries"], "all_entries": total, "workers": workers}
    return {**counts, **made, "entries_per_cpu_second": total / made["cpu_seconds"]}


def everything(out: Path, workers: int, count: int) -> dict[str, Any]:
    """Build every config of the first lifelogs of every density, with the files around them."""
    splits, members = [split.name for split in spec.SPLITS], options.split_members(range(count))
    found: dict[str, Any] = {"lifelogs_per_density": count, "workers": workers}
    walls, cpus, size = 0.0, 0.0, 0
    for density in (None, *spec.DENSITIES):
        jobs = build.plan(out, [name for name, config in configs().items() if config.density == density], members)
        plan = building.Plan(out, jobs, "lifelogs", splits, card.files)
        folder, wall, cpu = timed(building.build, plan, workers)
        found[density or "personas"] = {
            "wall_seconds": wall,
            "cpu_seconds_per_lifelog": cpu / count,
            "bytes_per_lifelog": (folder.bytes - size) / count,
        }
        walls, cpus, size = walls + wall, cpus + cpu, folder.bytes
    files = sum(len(split.files) for splits in folder.configs.values() for split in splits.values())
    totals = {"files": files, "rows": folder.rows, "bytes": size, "wall_seconds": walls, "cpu_seconds": cpus}
    return {**found, **totals}


def scaling(out: Path) -> dict[str, Any]:
    """Cost of a dense lifelog by how many are made, and how much faster two processes are."""
    found = {}
    for workers in (1, 2):
        for count in (10, 100, 1000):
            made = run(_plan(out / f"{workers}-{count}", "dense", count), workers)
            found[f"{workers} processes, {count} lifelogs"] = {
                "wall_seconds": made["wall_seconds"],
                "cpu_seconds_per_lifelog": made["cpu_seconds"] / count,
                "cpu_seconds_per_million_entries": 1e6 * made["cpu_seconds"] / made["entries"].total(),
            }
    return found


def run(jobs: Sequence[Job], workers: int) -> dict[str, Any]:
    """What some jobs write, entries by density, and what that costs."""
    finished: list[Done]
    made = progress(building.run_all(jobs, workers), "jobs", "build", total=len(jobs))
    finished, wall, cpu = timed(list, made)
    entries: Counter[str] = Counter()
    for done in finished:
        entries[done.job.name.partition("/")[0]] += sum(file.rows for file in done.files)
    size = sum(file.bytes for done in finished for file in done.files)
    return {"entries": entries, "wall_seconds": wall, "cpu_seconds": cpu, "bytes": size}


def timed(call: Callable[..., T], *arguments: object) -> tuple[T, float, float]:
    """What a call gives, and its wall and CPU seconds, those of finished children among them."""
    wall, cpu = time.perf_counter(), _cpu()
    return call(*arguments), time.perf_counter() - wall, _cpu() - cpu


def _plan(out: Path, density: str, lifelogs: int) -> list[Job]:
    return build.plan(out, [f"{density}_episodes"], {"all": range(lifelogs)})


def _write(path: Path, tables: Sequence[pa.Table]) -> None:
    with pq.ParquetWriter(path, tables[0].schema, **build.writer_options(tables[0].schema)) as writer:
        for table in tables:
            writer.write_table(table)


def _cpu() -> float:
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in usage)


def _memory() -> float:
    """Most resident memory of this process or a child so far, in MB."""
    most = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return most / 1024


@click.command(help="\b\n" + str(__doc__))
@click.option("--lifelogs", type=int, help="Of the sample (default 40), or of each density (default 1000).")
@click.option("--all", "episodes", is_flag=True, help="Build the episodes of all 3,000 lifelogs instead.")
@click.option("--everything", "all_configs", is_flag=True, help="Build every config of all 3,000 lifelogs instead.")
@click.option("--scaling", "numbers", is_flag=True, help="Measure 10, 100 and 1,000 lifelogs instead.")
@click.option("--out", "kept", type=click.Path(path_type=Path), help="Keep what is built in this folder.")
@click.option("--workers", type=int, default=1)
def main(
    lifelogs: int | None, episodes: bool, all_configs: bool, numbers: bool, kept: Path | None, workers: int
) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        out = kept or Path(scratch)
        if all_configs:
            found = everything(out, workers, lifelogs or spec.WORLD)
        elif numbers:
            found = scaling(out)
        elif episodes:
            found = world(out, workers)
        else:
            found = sample(out, lifelogs or 40)
        click.echo(json.dumps({"most_memory_mb": _memory(), **found}, indent=2))


if __name__ == "__main__":
    main()
