"""Built folders load without our package on every `datasets` from 4.0 on: `bash scripts/test -m matrix`."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pyarrow as pa
import pytest

from timeline_realtime_qa.building import Plan, build
from timelineqa_ds import card as timelineqa_card
from timelineqa_ds import spec as timelineqa
from timelineqa_ds.build import plan

from .environments import make_environment


ALONE = Path(__file__).with_name("alone.py")
MEMBERS = {"train": [0], "validation": [80], "test": [120]}
VERSIONS = ["datasets==4.0.0", "datasets==4.8.5", "datasets==5.0.0", "datasets"]
CONFIGS = ["sparse", "sparse_extended", "sparse_episodes", "sparse_atomic", "sparse_travel", "personas"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("matrix") / "timelineqa"
    jobs = plan(out, CONFIGS, MEMBERS, duration=2)
    build(Plan(out, jobs, "lifelogs", CONFIGS, [split.name for split in timelineqa.SPLITS], timelineqa_card.files), 1)
    return out


@pytest.mark.matrix
@pytest.mark.network
@pytest.mark.xdist_group("environments")
@pytest.mark.parametrize("version", VERSIONS)
def test_matrix(folder: Path, version: str, tmp_path: Path) -> None:
    python = make_environment(tmp_path / "env", version)
    settings = {**os.environ, "HF_HOME": str(tmp_path / "home"), "HF_HUB_OFFLINE": "1"}
    command = [python, str(ALONE), folder.name, str(tmp_path / "out")]
    loaded = subprocess.run(command, cwd=folder.parent, env=settings, capture_output=True, text=True)
    assert loaded.returncode == 0, loaded.stderr
    for name, config in json.loads((folder / "manifest.json").read_bytes())["configs"].items():
        for split, one in config["splits"].items():
            if one["rows"]:
                found = pa.ipc.open_file(tmp_path / "out" / name / f"{split}.arrow").read_all()
                assert found.num_rows == one["rows"], (name, split)
