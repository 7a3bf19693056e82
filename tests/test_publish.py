"""`scripts/publish` against a Hub on loopback, and what it pushed loaded from there without our package."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from timeline_realtime_qa import METRICS

from .loopback_hub import Hub


SCRIPT = Path(__file__).parents[1] / "scripts" / "publish.py"
METRIC = """
import json, sys
import evaluate
metric = evaluate.load(sys.argv[1])
predictions, references = json.loads(sys.argv[2])
print(json.dumps(metric.compute(predictions=predictions, references=references)))
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
    publish("metrics", "org")
    assert {name for kind, name in hub.repos if kind == "spaces"} == {f"org/{name}" for name in METRICS}
    for name, pairs in PAIRS.items():
        repo = hub.repos["spaces", f"org/{name}"]
        assert {"README.md", "app.py", "requirements.txt", f"{name}.py", "scoring.py", "rows.py"} <= set(repo.files)
        assert set(repo.tags) == {"v1.0.0"}
        found = json.loads(ask("-c", f"{WITHOUT_OURS}{METRIC}", f"org/{name}", json.dumps(pairs)))
        assert found == json.loads(ask("-c", f"import timelineqa_ds{METRIC}", name, json.dumps(pairs)))
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
