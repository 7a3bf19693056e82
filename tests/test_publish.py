"""`scripts/publish` against a Hub on loopback, and what it pushed loaded from there without our package."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from timeline_realtime_qa import METRICS
from timeline_realtime_qa.content import content_hash
from timelineqa_ds import options, spec
from timelineqa_ds.generator import config_table

from .hub_repository import Repo
from .loopback_hub import Hub


SCRIPT = Path(__file__).parents[1] / "scripts" / "publish.py"
METRICS_OF = """
import json, sys
import evaluate
pairs = json.loads(sys.argv[2])
found = [evaluate.load(f"{sys.argv[1]}{name}").compute(predictions=p, references=r) for name, (p, r) in pairs.items()]
print(json.dumps(found))
"""
WITHOUT_OURS = """
import sys
sys.modules.update(dict.fromkeys(("timeline_realtime_qa", "timelineqa_ds", "realtimeqa_ds")))
"""
PAIRS = {
    "denotation_accuracy": [["3 days", "Oslo"], [["3"], ["Rome"]]],
    "evidence_retrieval": [[[1, 2], [2]], [[1, 2], [2, 3]]],
    "nota_accuracy": [[1, 0], [[1], [2]]],
    "qa_em_f1": [["the cat", "a dog"], ["cat", "a mouse"]],
}


@pytest.fixture
def hub() -> Iterator[Hub]:
    with Hub() as running:
        yield running


@pytest.fixture
def ask(hub: Hub, tmp_path: Path) -> Any:
    """Run Python beside the hub, with caches of its own."""
    settings = {
        "HF_ENDPOINT": hub.url,
        "HF_HUB_DISABLE_XET": "1",
        "HF_TOKEN": "hf_test",
        "HF_HOME": str(tmp_path / "home"),
        "HF_HUB_DISABLE_TELEMETRY": "1",
    }

    def run(*arguments: str, code: int = 0, **more: str) -> str:
        environment = {name: value for name, value in os.environ.items() if not name.endswith("_OFFLINE")}
        done = subprocess.run(
            [sys.executable, *arguments],
            capture_output=True,
            text=True,
            timeout=300,
            cwd=tmp_path,
            env={**environment, **settings, **more},
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout if code == 0 else done.stderr

    return run


@pytest.fixture
def publish(ask: Any) -> Any:
    return lambda *arguments, **options: ask(str(SCRIPT), *arguments, **options)


def test_metrics_load_from_their_spaces_without_our_package(hub: Hub, publish: Any, ask: Any) -> None:
    assert set(PAIRS) == set(METRICS)
    publish("metrics", "org")
    assert {name for kind, name in hub.repos if kind == "spaces"} == {f"org/{name}" for name in METRICS}
    for name in METRICS:
        repo = hub.repos["spaces", f"org/{name}"]
        shared = {"README.md", "app.py", "requirements.txt", "page.py", "rows.py", "scoring.py"}
        assert shared | {f"{name}.py"} <= set(repo.files)
        assert set(repo.tags) == {"v1.0.0"}
    found = ask("-c", f"{WITHOUT_OURS}{METRICS_OF}", "org/", json.dumps(PAIRS))
    assert found == ask("-c", f"import timelineqa_ds{METRICS_OF}", "", json.dumps(PAIRS))
    assert not [asked for asked in hub.asked if asked.startswith("unknown")]


def test_a_second_push_has_nothing_to_push(hub: Hub, publish: Any) -> None:
    publish("metrics", "org", "--metric", "qa_em_f1", "--private")
    repo = hub.repos["spaces", "org/qa_em_f1"]
    commits = len(repo.commits)
    assert repo.private and commits == 2
    assert "0 of " in publish("metrics", "org", "--metric", "qa_em_f1") and len(repo.commits) == commits


def test_a_dry_run_says_what_and_pushes_nothing(hub: Hub, publish: Any) -> None:
    said = publish("metrics", "org", "--metric", "qa_em_f1", "--dry-run")
    assert "  + qa_em_f1.py" in said and not hub.repos


def test_an_upload_that_fails_is_tried_again(hub: Hub, publish: Any) -> None:
    hub.failures = 2
    publish("metrics", "org", "--metric", "qa_em_f1")
    assert hub.failures == 0 and "qa_em_f1.py" in hub.repos["spaces", "org/qa_em_f1"].files


def test_a_folder_that_was_not_built_is_refused(publish: Any, tmp_path: Path) -> None:
    assert "expected a folder made by `timelineqa build`" in publish("dataset", str(tmp_path), "org/x", code=1)


LOAD = """
import json, sys
import datasets
datasets.disable_progress_bars()
name, out = sys.argv[1:]
for config in datasets.get_dataset_config_names(name):
    for split, rows in datasets.load_dataset(name, config).items():
        rows.to_parquet(f"{out}/{config}-{split}.parquet")
some = datasets.load_dataset(
    name, "sparse_daily_chat", split="train", streaming=True, columns=["howlong"], filters=[("howlong", ">=", 50)]
)
print(json.dumps([row for row in some]))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Any:
    """Build a small folder with the command; which lifelogs and configs it has is up to the test."""

    def build(lifelogs: str, names: Iterable[str]) -> Path:
        configs = [part for name in names for part in ("--config", name)]
        command = ["build", *configs, "--out", str(tmp_path / "timelineqa"), "--duration", "1", "--lifelogs", lifelogs]
        subprocess.run([sys.executable, "-m", "timelineqa_ds", *command], check=True, capture_output=True)
        return tmp_path / "timelineqa"

    return build


@pytest.mark.slow
def test_every_config_loads_and_streams_from_the_hub(
    hub: Hub, publish: Any, ask: Any, folder: Any, tmp_path: Path
) -> None:
    built = folder("0,120", [config.name for config in spec.configs().values() if config.density in (None, "sparse")])
    publish("dataset", str(built), "org/timelineqa")
    repo = hub.repos["datasets", "org/timelineqa"]
    assert {"README.md", "LICENSE", "manifest.json", "sparse/train-00000-of-00001.parquet"} <= set(repo.files)
    assert set(repo.tags) == {"v1.0.0"} and not [path for path in repo.files if path.startswith(".")]
    (tmp_path / "out").mkdir()
    streamed = json.loads(ask("-c", f"{WITHOUT_OURS}{LOAD}", "org/timelineqa", str(tmp_path / "out")))
    assert streamed and all(row == {"howlong": row["howlong"]} and row["howlong"] >= 50 for row in streamed)
    manifest = json.loads((built / "manifest.json").read_bytes())["configs"]
    assert len(manifest) > 15
    for config, one in manifest.items():
        for split, about in one["splits"].items():
            if about["rows"]:
                found = pq.read_table(tmp_path / "out" / f"{config}-{split}.parquet")
                made = [
                    config_table(spec.configs()[config], index, duration=1)
                    for index in options.split_members([0, 120])[split]
                ]
                expected = content_hash(pa.concat_tables(made), one["group"])
                assert content_hash(found.cast(made[0].schema), one["group"]) == expected == about["content"], config


def test_only_a_changed_shard_is_pushed_and_only_under_a_new_version(
    hub: Hub, publish: Any, folder: Any, tmp_path: Path
) -> None:
    built = folder("0:20,120", ["sparse_travel", "personas"])
    publish("dataset", str(built), "org/timelineqa")
    assert "0 of " in publish("dataset", str(built), "org/timelineqa")
    repo = hub.repos["datasets", "org/timelineqa"]
    before = dict(repo.files)
    shard = built / "sparse_travel" / "train-00001-of-00002.parquet"
    pq.write_table(pq.read_table(shard).slice(1), shard)
    assert "v1.0.0 already" in publish("dataset", str(built), "org/timelineqa", code=1)
    manifest = built / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"version": "1.0.0"', '"version": "1.0.1"'))
    publish("dataset", str(built), "org/timelineqa")
    changed = {path for path, file in repo.files.items() if file != before.get(path)}
    assert changed == {"sparse_travel/train-00001-of-00002.parquet", "manifest.json"}
    assert set(repo.tags) == {"v1.0.0", "v1.0.1"}


def test_third_party_content_stays_private_unless_acknowledged(hub: Hub, publish: Any, tmp_path: Path) -> None:
    built = tmp_path / "realtimeqa"
    command = ["build", "--data-dir", "sample", "--out", str(built)]
    subprocess.run([sys.executable, "-m", "realtimeqa_ds", *command], check=True, capture_output=True)
    assert "without a licence" in publish("dataset", str(built), "org/realtimeqa", code=1) and not hub.repos
    publish("dataset", str(built), "org/realtimeqa", "--private")
    assert hub.repos["datasets", "org/realtimeqa"].private
    hub.repos["datasets", "org/open"] = Repo()
    assert "without a licence" in publish("dataset", str(built), "org/open", "--private", code=1)
    publish("dataset", str(built), "org/open", "--i-may-publish-third-party-content")
    assert "README.md" in hub.repos["datasets", "org/open"].files
