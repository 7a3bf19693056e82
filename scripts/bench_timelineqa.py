"""What TimelineQA costs on this machine: CPU time per entry, memory, time to the first row. One process does all.

bash scripts/bench timelineqa                           a sample of dense lifelogs
bash scripts/bench timelineqa --scaling                 10 to 1,000 dense lifelogs, by one and by two processes
bash scripts/bench timelineqa --all --out DIR           the whole world: 3,000 lifelogs, 128 million entries
bash scripts/bench timelineqa --everything --out DIR    the same with every config, as a Hub repository
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click
import pyarrow as pa
import pyarrow.parquet as pq
from datasets.utils import tqdm

from timeline_realtime_qa.hub import building
from timeline_realtime_qa.hub.building import run_all
from timeline_realtime_qa.hub.shards import Job, markers
from timelineqa_ds import build, card, options, spec
from timelineqa_ds.configs import configs


FIRST_ROW = """
import time
import timelineqa_ds.builder as module
from timelineqa_ds.configs import configs
start = time.perf_counter()
next(iter(module.TimelineQA(config_name="dense_episodes").as_streaming_dataset(split="test")))
print(time.perf_counter() - start)
"""


def sample(out: Path, count: int) -> dict[str, object]:
    """Cost of the first `count` dense lifelogs, from nothing to Parquet, and of writing the same tables again."""
    plan = _plan(out / "made", "dense_episodes", list(range(count)))
    start = time.process_time()
    written = [file for done in run_all(plan) for file in done.files]
    whole, memory = time.process_time() - start, _memory()
    rows = sum(file.rows for file in written)
    plain = _write(out / "again.parquet", _tables(list(range(count))))
    return {
        "most_memory_mb": memory,  # the comparison holds all tables at once
        "first_row_seconds": first_row(),
        "lifelogs": count,
        "entries": rows,
        "cpu_seconds": whole,
        "entries_per_cpu_second": rows / whole,
        "cpu_seconds_to_write_the_finished_tables": plain,
        "times_the_cost_of_writing": whole / plain,
        "bytes_per_entry": sum(file.bytes for file in written) / rows,
    }


def first_row() -> float:
    """Seconds from an imported builder to the first row of a streamed dense lifelog, in a fresh process."""
    done = subprocess.run([sys.executable, "-c", FIRST_ROW], capture_output=True, text=True, check=True)
    return float(done.stdout)


def world(out: Path, workers: int) -> dict[str, object]:
    """Build every lifelog of every density."""
    jobs = [job for density in spec.DENSITIES for job in _plan(out, f"{density}_episodes", list(range(spec.WORLD)))]
    cpu, wall, rows, size = _cpu(), time.perf_counter(), dict.fromkeys(spec.DENSITIES, 0), 0
    with tqdm(total=sum(job.size for job in jobs), unit=" lifelogs") as bar:
        for done in run_all(jobs, workers):
            rows[done.job.name.partition("/")[0]] += sum(file.rows for file in done.files)
            size += sum(file.bytes for file in done.files)
            bar.update(done.job.size)
    wall, cpu = time.perf_counter() - wall, _cpu() - cpu
    total = sum(rows.values())
    return {
        "entries": rows,
        "all_entries": total,
        "workers": workers,
        "wall_seconds": wall,
        "cpu_seconds": cpu,
        "entries_per_cpu_second": total / cpu,
        "bytes": size,
    }


def everything(out: Path, workers: int, count: int) -> dict[str, object]:
    """Build every config of the first lifelogs of every density, with the files around them."""
    names, splits = list(configs()), [split.name for split in spec.SPLITS]
    members = options.split_members(range(count))
    found: dict[str, object] = {"lifelogs_per_density": count, "workers": workers}
    cpu, wall, size = _cpu(), time.perf_counter(), 0
    for density in (None, *spec.DENSITIES):
        of_density = [name for name in names if configs()[name].density == density]
        jobs = build.plan(out, of_density, members)
        before = _cpu(), time.perf_counter()
        folder = building.build(building.Plan(out, jobs, "lifelogs", splits, card.files), workers)
        found[density or "personas"] = {
            "wall_seconds": time.perf_counter() - before[1],
            "cpu_seconds_per_lifelog": (_cpu() - before[0]) / count,
            "bytes_per_lifelog": (folder.bytes - size) / count,
        }
        size = folder.bytes
    return {
        **found,
        "files": sum(len(split.files) for splits in folder.configs.values() for split in splits.values()),
        "rows": folder.rows,
        "bytes": folder.bytes,
        "wall_seconds": time.perf_counter() - wall,
        "cpu_seconds": _cpu() - cpu,
    }


def by_number(out: Path) -> dict[str, object]:
    """Cost of a dense lifelog by how many are made, and how much faster two processes are."""
    found: dict[str, object] = {}
    for workers in (1, 2):
        for count in (10, 100, 1000):
            jobs = _plan(out / f"{workers}-{count}", "dense_episodes", list(range(count)))
            cpu, wall = _cpu(), time.perf_counter()
            for _ in run_all(jobs, workers):
                pass
            wall, cpu = time.perf_counter() - wall, _cpu() - cpu
            entries = sum(file.rows for marker in markers(jobs[0].out) for file in marker.files)
            found[f"{workers} processes, {count} lifelogs"] = {
                "wall_seconds": wall,
                "cpu_seconds_per_lifelog": cpu / count,
                "cpu_seconds_per_million_entries": 1e6 * cpu / entries,
            }
    return found


def _plan(out: Path, config: str, lifelogs: list[int]) -> list[Job]:
    return build.plan(out, [config], {"all": lifelogs})


def _tables(lifelogs: list[int]) -> list[pa.Table]:
    config = configs()["dense_episodes"]
    return [config.rows(index, encoded=True) for index in lifelogs]


def _write(path: Path, tables: list[pa.Table]) -> float:
    start = time.process_time()
    with pq.ParquetWriter(path, tables[0].schema, **build.writer_options(tables[0].schema)) as writer:
        for table in tables:
            writer.write_table(table)
    return time.process_time() - start


def _cpu() -> float:
    """CPU seconds of this process and its finished children."""
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in usage)


def _memory() -> float:
    """Most resident memory of this process or a child so far, in MB."""
    most = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return most / 1024


@click.command(help="\b\n" + str(__doc__))
@click.option("--lifelogs", type=int, help="Of the sample (default 40), or of each density (default 1000).")
@click.option("--all", "episodes", is_flag=True, help="Build the episodes of all 3,000 lifelogs instead.")
@click.option("--everything", "configs", is_flag=True, help="Build every config of all 3,000 lifelogs instead.")
@click.option("--scaling", is_flag=True, help="Measure 10, 100 and 1,000 lifelogs instead.")
@click.option("--out", "kept", type=click.Path(path_type=Path), help="Keep what is built in this folder.")
@click.option("--workers", type=int, default=1)
def main(lifelogs: int | None, episodes: bool, configs: bool, scaling: bool, kept: Path | None, workers: int) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        out = kept or Path(scratch)
        if configs:
            found = everything(out, workers, lifelogs or spec.WORLD)
        elif scaling:
            found = by_number(out)
        elif episodes:
            found = world(out, workers)
        else:
            found = sample(out, lifelogs or 40)
        click.echo(json.dumps({"most_memory_mb": _memory(), **found}, indent=2))


if __name__ == "__main__":
    main()
