"""What `scripts/publish` pushed to a Hub on loopback, loaded from there in processes that have not our package."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from timeline_realtime_qa.hub.content import content_hash
from timeline_realtime_qa.names.registered import METRICS
from timelineqa_ds import options
from timelineqa_ds.commands import main
from timelineqa_ds.configs import configs

from .conftest import SCRIPT
from .loopback_hub import Hub


NAME = "org/timelineqa"
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
def ask(hub: Hub, tmp_path: Path) -> Callable[..., str]:
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


def test_metrics_load_from_their_spaces_without_our_package(hub: Hub, ask: Callable[..., str]) -> None:
    assert set(PAIRS) == set(METRICS)
    ask(str(SCRIPT), "metrics", "org")
    assert {name for kind, name in hub.repos if kind == "spaces"} == {f"org/{name}" for name in METRICS}
    for name in METRICS:
        repo = hub.repos["spaces", f"org/{name}"]
        shared = {"README.md", "app.py", "requirements.txt", "page.py", "rows.py", "columns.py", "results.py"}
        assert shared | {f"{name}.py"} <= set(repo.files)
        assert set(repo.tags) == {f"v{importlib.import_module(METRICS[name]).VERSION}"}
    found = ask("-c", f"{WITHOUT_OURS}{METRICS_OF}", "org/", json.dumps(PAIRS))
    assert found == ask("-c", f"import timelineqa_ds{METRICS_OF}", "", json.dumps(PAIRS))
    assert not [asked for asked in hub.asked if asked.startswith("unknown")]


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


@pytest.mark.slow
def test_every_config_loads_and_streams_from_the_hub(hub: Hub, ask: Callable[..., str], tmp_path: Path) -> None:
    built = tmp_path / "timelineqa"
    names = [config.name for config in configs().values() if config.density in (None, "sparse")]
    options_of_build = [f"--config={name}" for name in names] + ["--duration", "1", "--lifelogs", "0,120"]
    done = CliRunner().invoke(main, ["build", "--out", str(built), *options_of_build])
    assert done.exit_code == 0, done.output
    ask(str(SCRIPT), "dataset", str(built), NAME)
    repo = hub.repos["datasets", NAME]
    assert {"README.md", "LICENSE", "manifest.json", "sparse/train-00000-of-00001.parquet"} <= set(repo.files)
    assert set(repo.tags) == {"v1.0.0"} and not [path for path in repo.files if path.startswith(".")]
    (tmp_path / "out").mkdir()
    streamed = json.loads(ask("-c", f"{WITHOUT_OURS}{LOAD}", NAME, str(tmp_path / "out")))
    assert streamed and all(row == {"howlong": row["howlong"]} and row["howlong"] >= 50 for row in streamed)
    manifest = json.loads((built / "manifest.json").read_bytes())["configs"]
    assert len(manifest) > 15
    for config, one in manifest.items():
        for split, about in one["splits"].items():
            if about["rows"]:
                found = pq.read_table(tmp_path / "out" / f"{config}-{split}.parquet")
                made = [configs()[config].rows(index, duration=1) for index in options.split_members([0, 120])[split]]
                expected = content_hash(pa.concat_tables(made), one["group"])
                assert content_hash(found.cast(made[0].schema), one["group"]) == expected == about["content"], config
