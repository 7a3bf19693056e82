"""A built folder: it loads without our package, its SQL runs, its files suit the Hub, and a killed build goes on."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from timeline_realtime_qa.hub import building, cards, shards
from timeline_realtime_qa.hub.content import content_hash
from timeline_realtime_qa.hub.folder import Folder, read_folder
from timelineqa_ds import build, card, options, spec
from timelineqa_ds.builder import TimelineQA
from timelineqa_ds.commands import main
from timelineqa_ds.configs import configs
from timelineqa_ds.questions.multihop.queries import as_text
from timelineqa_ds.tables.derived import derived_tables

from .. import alone


ROOT = Path(__file__).parents[2]
SPLITS = [split.name for split in spec.SPLITS]
SPARSE = [config.name for config in configs().values() if config.density in (None, "sparse")]


def built(
    out: Path, configs: list[str] = SPARSE, lifelogs: Sequence[str] = ("0:2", "80"), workers: int = 1, **options_: Any
) -> Folder:
    members = options.split_members(options.lifelog_indices(list(lifelogs)))
    jobs = build.plan(out, configs, members, **options_)
    return building.build(building.Plan(out, jobs, "lifelogs", SPLITS, card.files), workers)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """All sparse configs of three lifelogs."""
    return built(tmp_path_factory.mktemp("sparse") / "timelineqa")


def equal_to_the_builder(folder: Folder, tmp_path: Path, **arguments: Any) -> None:
    alone.equal_to_the_builder(folder, tmp_path / "loaded", lambda name: TimelineQA(config_name=name, **arguments))
    assert (tmp_path / "loaded" / "default").read_text() == cards.default_config(card.FACTS, folder)


def test_a_folder_loads_without_the_package(tmp_path: Path) -> None:
    some = built(tmp_path / "timelineqa", ["sparse", "sparse_atomic", "sparse_episodes", "personas"], ["0", "80"])
    equal_to_the_builder(some, tmp_path, lifelogs=["0", "80"])


@pytest.mark.slow
@pytest.mark.parametrize("density", spec.DENSITIES)
def test_every_config_loads_without_the_package_and_every_sql_runs(tmp_path: Path, density: str) -> None:
    """Short lifelogs, of two splits."""
    names = [config.name for config in configs().values() if config.density in (None, density)]
    two = built(tmp_path / "timelineqa", names, ("80", "120"), duration=1)
    equal_to_the_builder(two, tmp_path, lifelogs="80,120", duration=1)
    assert sql_runs(two.out, density) > 100


def sql_runs(out: Path, density: str) -> int:
    """Run the `sql` of every question as it is, over the files; how many there are."""
    asked = 0
    with duckdb.connect(config={"threads": 1}) as connection:
        for table in derived_tables():
            connection.execute(f"CREATE VIEW {table} AS FROM '{out}/{density}_{table}/*.parquet'")
        connection.execute(f"CREATE VIEW personas AS FROM '{out}/personas/*.parquet'")
        for config in (
            name for name, one in configs().items() if one.density == density and "sql" in one.kind.columns
        ):
            for path in (out / config).glob("*.parquet"):
                for row in pq.read_table(path, columns=["id", "sql", "answers"]).to_pylist():
                    found = connection.execute(row["sql"]).fetchall()
                    answers = [as_text(first) for first, *_ in found if first is not None]
                    assert answers == row["answers"], row["id"]
                    asked += 1
    return asked


def test_the_sql_of_every_question_runs_on_the_files(folder: Folder) -> None:
    assert sql_runs(folder.out, "sparse") > 100


def test_the_sql_block_of_the_card_runs(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder.out)
    text = Path("README.md").read_text()
    statements = text.split("```sql\n")[1].split("```")[0].split(";\n")
    with duckdb.connect() as connection:
        for statement in statements:
            connection.execute(statement)


def test_the_sql_of_the_readme_runs(folder: Folder) -> None:
    """On the files of a folder, and where the splits of a config are tables."""
    blocks = re.findall(r"```sql(?: no-run)?\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    with duckdb.connect() as connection:
        connection.execute(f"CREATE VIEW train AS FROM '{folder.out}/sparse_travel/train-*.parquet'")
        answers = [connection.execute(one.replace("data/timelineqa", str(folder.out))).fetchall() for one in blocks]
    assert answers == [[(3,)], [(3,)]]


def test_the_files_suit_the_hub(folder: Folder) -> None:
    for name, splits in folder.configs.items():
        declared = configs()[name].schema()
        for split, one in splits.items():
            for number, file in enumerate(one.files):
                assert file.path == f"{name}/{split}-{number:05d}-of-{len(one.files):05d}.parquet"
                found = pq.ParquetFile(folder.out / file.path)
                assert found.schema_arrow.names == declared.names
                assert not any(pa.types.is_dictionary(field.type) for field in found.schema_arrow)
                assert found.metadata.num_rows == file.rows
                groups = [found.metadata.row_group(number) for number in range(found.metadata.num_row_groups)]
                assert all(group.total_byte_size < 100_000_000 for group in groups)
                assert all(group.column(0).has_offset_index for group in groups)


def test_row_groups_can_be_skipped(folder: Folder) -> None:
    """Lifelogs follow each other, and a row group never holds a part of one."""
    file = pq.ParquetFile(folder.out / "sparse_episodes" / "train-00000-of-00001.parquet")
    column = file.schema_arrow.names.index("lifelog_id")
    bounds = [file.metadata.row_group(group).column(column).statistics for group in range(file.num_row_groups)]
    assert all(one.has_min_max for one in bounds)
    assert all(one.max < other.min for one, other in zip(bounds[:-1], bounds[1:], strict=True))


def test_the_file_says_what_it_was_made_of(tmp_path: Path) -> None:
    one = built(tmp_path / "x", ["sparse_travel"], ["5"], seed=3, duration=2)
    path = one.out / one.configs["sparse_travel"]["train"].files[0].path
    said = json.loads(pq.read_metadata(path).metadata[b"timelineqa"])
    assert (said["seed"], said["year"], said["duration"], said["lifelogs"]) == (3, 2022, 2, [5])
    assert said["version"] == spec.VERSION
    assert "notes down from 2021 to 2022, from the year of age 18 on:" in (one.out / "README.md").read_text()


@pytest.mark.slow
def test_two_workers_and_other_shards_make_the_same(tmp_path: Path) -> None:
    small = ["sparse_travel", "personas"]
    one = built(tmp_path / "1", small, ["0:5"], duration=2)
    two = built(tmp_path / "2", small, ["0:5"], duration=2, workers=2, lifelogs_a_shard=2)
    assert len(two.configs["sparse_travel"]["train"].files) == 3
    assert {name: splits["train"].content for name, splits in one.configs.items()} == {
        name: splits["train"].content for name, splits in two.configs.items()
    }


def test_columns(tmp_path: Path) -> None:
    one = built(tmp_path / "x", ["sparse_episodes"], ["5"], columns=["lifelog_id", "people"])
    path = one.out / one.configs["sparse_episodes"]["train"].files[0].path
    assert pq.read_schema(path).names == ["lifelog_id", "people"]
    assert "| `people` |" in (one.out / "README.md").read_text()


def test_rebuilt_in_place_is_loaded_anew(tmp_path: Path) -> None:
    """No stale copy of `datasets` is served for a folder whose rows have changed."""
    hashes = []
    for seed in (1, 2):
        one = built(tmp_path / "timelineqa", ["sparse_travel"], ["5"], seed=seed)
        table = alone.load(one.out, tmp_path / f"loaded{seed}")["sparse_travel"]["train"]
        assert content_hash(table, "lifelog_id") == one.configs["sparse_travel"]["train"].content
        hashes.append(one.configs["sparse_travel"]["train"].content)
    assert hashes[0] != hashes[1]


def run(*args: object, code: int = 0) -> Result:
    result = CliRunner().invoke(main, ["build", *(str(arg) for arg in args)])
    assert result.exit_code == code, result.output
    return result


def test_configs_are_added_to_a_folder_and_other_builds_are_not(tmp_path: Path) -> None:
    run("--config", "sparse_travel", "--lifelogs", "1,81", "--out", tmp_path)
    run("--config", "personas", "--config", "sparse_jobs", "--lifelogs", "1,81", "--out", tmp_path)
    listed = json.loads((tmp_path / "manifest.json").read_text())["configs"]
    assert list(listed) == ["personas", "sparse_jobs", "sparse_travel"]
    found = run("--config", "sparse_moves", "--lifelogs", "1,81", "--out", tmp_path, "--seed", "3", code=1)
    assert "files of another build" in found.output and "Traceback" not in found.output
    assert not (tmp_path / "sparse_moves").exists()


def test_a_folder_without_a_row_is_told(tmp_path: Path) -> None:
    command = ("--config", "sparse_marriages", "--lifelogs", "0", "--duration", "1", "--out", tmp_path)
    assert "none of them has a row: choose more to build" in run(*command, code=1).output


CONFIGS = ["dense_episodes", "dense_travel"]
CLI = ["build", "--config", CONFIGS[0], "--config", CONFIGS[1], "--lifelogs", "0:28", "--lifelogs-a-shard", "2"]


def start(out: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "timelineqa_ds", *CLI, "--workers", "2", "--out", str(out)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finished(out: Path) -> int:
    return len(list((out / shards.STATE).glob("markers/*/*.json")))


def until(process: subprocess.Popen[str], out: Path, count: int) -> None:
    """Wait for so many finished jobs, or the end."""
    end = time.monotonic() + 120
    while finished(out) < count and process.poll() is None:
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def told(process: subprocess.Popen[str]) -> str:
    """What a process that ends in an error says."""
    _, said = process.communicate()
    assert process.returncode == 1, said
    return said


def contents(out: Path) -> dict[str, str]:
    world = next(shards.markers(out)).world
    folder = read_folder(out, world, build.recipes(), SPLITS)
    return {name: splits["train"].content for name, splits in folder.configs.items()}


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kills by a signal")
def test_a_build_of_two_workers_is_killed_and_goes_on(tmp_path: Path) -> None:
    """Each of the two kills costs at most the shards that the two workers were at."""
    out, draw, begun = tmp_path / "timelineqa", random.Random(3), 0
    for _ in range(2):
        process, before = start(out), finished(out)
        until(process, out, before + 3)
        time.sleep(draw.uniform(0, 0.3))
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
        time.sleep(1)  # its workers notice
        assert len(list((out / CONFIGS[0]).iterdir())) <= finished(out) + 2
        begun += finished(out) - before
    process = start(out)
    _, said = process.communicate()
    assert process.returncode == 0, said
    assert begun < finished(out) == 14
    assert contents(out) == contents(built(tmp_path / "clean", CONFIGS, ["0:28"]).out)
    assert list((out / shards.STATE).rglob("*.part")) == []


@pytest.mark.slow
def test_a_second_build_is_told(tmp_path: Path) -> None:
    with building.alone(tmp_path / "timelineqa"):
        second = start(tmp_path / "timelineqa")
        assert "another build is writing into" in told(second)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="looks for workers in /proc")
def test_a_killed_worker_is_told(tmp_path: Path) -> None:
    process = start(tmp_path)
    until(process, tmp_path, 1)
    children = [int(pid) for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]
    workers = [pid for pid in children if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    os.kill(workers[0], signal.SIGKILL)
    assert "a worker process was killed" in told(process)
    assert 0 < finished(tmp_path) < 14
    run(*CLI[1:], "--out", tmp_path)
    assert finished(tmp_path) == 14
