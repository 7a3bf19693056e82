"""What TimelineQA costs on this machine: CPU time per entry, memory, time to the first row. One process does all.

bash scripts/bench timelineqa                           a sample of dense lifelogs
bash scripts/bench timelineqa --scaling                 10 to 1,000 dense lifelogs, by one and by two processes
bash scripts/bench timelineqa --all --out DIR           the whole world: 3,000 lifelogs, 128 million entries
bash scripts/bench timelineqa --everything --out DIR    the same with every config, as a Hub repository
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from datasets.utils import tqdm

from timeline_realtime_qa import building
from timeline_realtime_qa.building import run_all
from timeline_realtime_qa.shards import Job, markers
from timelineqa_ds import build, card, options, spec
from timelineqa_ds.generator import config_table


FIRST_ROW = """
import time
import timelineqa_ds.builder as module
start = time.perf_counter()
next(iter(module.TimelineQA(config_name="dense_episodes").as_streaming_dataset(split="test")))
print(time.perf_counter() - start)
"""


def sample(out: Path, count: int) -> dict[str, float]:
    """Cost of the first `count` dense lifelogs, from nothing to Parquet, and of writing the same tables again."""
    plan = _plan(out / "made", "dense_episodes", list(range(count)))
    start = time.process_time()
    written = [file for done in run_all(plan) for file in done.files]
    whole = time.process_time() - start
    rows = sum(file.rows for file in written)
    tables = _tables(list(range(count)))
    plain = _write(out / "again.parquet", tables)
    return {
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


def everything(out: Path, workers: int) -> dict[str, object]:
    """Build every config of every lifelog, with the files around them."""
    configs = list(spec.configs())
    jobs = build.plan(out, configs, options.split_members(range(spec.WORLD)))
    cpu, wall = _cpu(), time.perf_counter()
    splits = [split.name for split in spec.SPLITS]
    folder = building.build(building.Plan(out, jobs, "lifelogs", configs, splits, card.files), workers)
    return {
        "configs": len(folder.configs),
        "files": sum(len(split.files) for splits in folder.configs.values() for split in splits.values()),
        "rows": folder.rows,
        "bytes": folder.bytes,
        "workers": workers,
        "wall_seconds": time.perf_counter() - wall,
        "cpu_seconds": _cpu() - cpu,
    }


def scaling(out: Path) -> dict[str, object]:
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
    config = spec.configs()["dense_episodes"]
    return [config_table(config, index, encoded=True) for index in lifelogs]


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lifelogs", type=int, default=40, help="how many dense lifelogs the sample has (40)")
    parser.add_argument("--all", action="store_true", help="build the episodes of all 3,000 lifelogs instead")
    parser.add_argument("--everything", action="store_true", help="build every config of all 3,000 lifelogs instead")
    parser.add_argument("--scaling", action="store_true", help="measure 10, 100 and 1,000 lifelogs instead")
    parser.add_argument("--out", type=Path, help="keep what is built in this folder")
    parser.add_argument("--workers", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        out = args.out or Path(scratch)
        if args.all or args.everything or args.scaling:
            measure = everything if args.everything else world
            found: dict[str, object] = scaling(out) if args.scaling else measure(out, args.workers)
            found["most_memory_mb"] = _memory()
        else:
            found = {"first_row_seconds": first_row()}
            list(run_all(_plan(out / "memory", "dense_episodes", list(range(args.lifelogs)))))
            found["most_memory_mb"] = _memory()
            found.update(sample(out, args.lifelogs))
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
