"""Built folders load without our package on every `datasets` from 4.0 on: `bash scripts/test -m matrix`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from realtimeqa_ds import build as realtimeqa_build
from realtimeqa_ds import card as realtimeqa_card
from realtimeqa_ds import options
from realtimeqa_ds.files import layout
from timeline_realtime_qa.hub.building import Plan, build
from timeline_realtime_qa.hub.content import content_hash
from timelineqa_ds import build as timelineqa_build
from timelineqa_ds import card as timelineqa_card

from . import alone
from .environments import make_environment


VERSIONS = ["datasets==4.0.0", "datasets==4.8.5", "datasets==5.0.0", "datasets"]
MEMBERS = {"train": [0], "validation": [80], "test": [120]}
CONFIGS = ["sparse", "sparse_extended", "sparse_episodes", "sparse_atomic", "sparse_travel", "personas"]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A slice of each dataset."""
    parent = tmp_path_factory.mktemp("matrix")
    one, other = parent / "timelineqa", parent / "realtimeqa"
    jobs = timelineqa_build.plan(one, CONFIGS, MEMBERS, duration=2)
    build(Plan(one, jobs, "lifelogs", list(MEMBERS), timelineqa_card.files), 1)
    jobs = realtimeqa_build.plan(other, options.local("sample"), realtimeqa_build.configs("gcs"), "gcs")
    splits = list(layout.SPLITS.values())
    build(Plan(other, jobs, "weeks", splits, realtimeqa_card.files), 1)
    return [one, other]


@pytest.mark.matrix
@pytest.mark.network
@pytest.mark.xdist_group("environments")
@pytest.mark.parametrize("version", VERSIONS)
def test_matrix(folders: list[Path], version: str, tmp_path: Path) -> None:
    python = make_environment(tmp_path / "env", version)
    for folder in folders:
        loaded = alone.load(folder, tmp_path / folder.name, python)
        for name, config in json.loads((folder / "manifest.json").read_bytes())["configs"].items():
            splits = {split: one for split, one in config["splits"].items() if one["rows"]}
            assert set(splits) == set(loaded[name])
            for split, one in splits.items():
                assert content_hash(loaded[name][split], config["group"]) == one["content"], (name, split)
