"""What decides rows is made anew when it changes, and nothing else is: recipes of configs, followed both ways."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import timelineqa_ds
from timeline_realtime_qa.hub import building, shards
from timeline_realtime_qa.hub.content import files_hash
from timelineqa_ds.configs import configs

from .toy import build, jobs, plan, state


PACKAGE = Path(timelineqa_ds.__file__).parent
SPARSE = {name: config for name, config in configs().items() if config.density in (None, "sparse")}
QUESTIONS = {"sparse", "sparse_extended", "sparse_atomic"}
LIFELOGS = SPARSE.keys() - {"personas"}
TABLES = LIFELOGS - QUESTIONS - {"sparse_episodes"}


@pytest.mark.parametrize(
    ("name", "differs"),
    [("more.py", True), ("data/words.json", True), ("data/card.md", False), ("__pycache__/one.pyc", False)],
)
def test_what_a_hash_of_files_follows(name: str, differs: bool, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "__pycache__").mkdir()
    before = files_hash(tmp_path)
    (tmp_path / name).write_text("{}")
    files_hash.cache_clear()
    assert (files_hash(tmp_path) != before) == differs


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="words.json is not there"):
        files_hash(tmp_path, ("words.json",))


def with_recipe_of_b(out: Path, recipe: str) -> list[shards.Job]:
    return [dataclasses.replace(job, recipes={**job.recipes, "b": recipe}) for job in jobs(out)]


def test_only_the_config_whose_recipe_changed_is_made_again(tmp_path: Path) -> None:
    build(tmp_path)
    whole = state(tmp_path)
    changed = [shards.run(job) for job in with_recipe_of_b(tmp_path, "another")]
    assert all(done.written == (done.job.files[1],) and done.job.files[1].startswith("b/") for done in changed)
    assert state(tmp_path) == {"a": whole["a"]}  # that the old recipe would have made
    assert not any(shards.run(job).written for job in with_recipe_of_b(tmp_path, "another"))


def test_files_of_another_recipe_that_are_not_made_now_are_told(tmp_path: Path) -> None:
    build(tmp_path)
    alone = [
        dataclasses.replace(job, name=job.name, files=job.files[:1]) for job in with_recipe_of_b(tmp_path, "another")
    ]
    with pytest.raises(FileExistsError, match="8 files of another build.*remove b/train-"):
        building.build(dataclasses.replace(plan(tmp_path), jobs=alone), 1)


def changed(copy: Path, name: str) -> set[str]:
    """The configs of which a file of a copied package changes the recipe."""
    files_hash.cache_clear()
    before = {config: files_hash(copy, one.kind.reads) for config, one in SPARSE.items()}
    with (copy / name).open("a") as file:
        file.write("\n")
    files_hash.cache_clear()
    return {config for config, one in SPARSE.items() if files_hash(copy, one.kind.reads) != before[config]}


@pytest.mark.parametrize(
    ("name", "configs"),
    [
        ("figures/plot.py", set()),
        ("card.py", set()),
        ("data/card.md", set()),
        ("data/columns.json", set()),
        ("commands/build.py", set()),
        ("checks/lifelogs.py", set()),
        ("original/source.py", set()),
        ("builder.py", set()),
        ("spec.py", set()),
        ("world/life.py", SPARSE.keys()),
        ("episodes/trips.py", LIFELOGS),
        ("questions/multihop/table.py", {"sparse", "sparse_extended"}),
        ("questions/atomic/table.py", {"sparse_atomic"}),
        ("data/events.json", LIFELOGS),
        ("data/templates.json", {"sparse_episodes", "sparse_atomic"}),
        ("data/tables.json", LIFELOGS - {"sparse_episodes"}),
        ("data/questions/multihop.json", {"sparse"}),
        ("data/questions/extended_days.json", {"sparse_extended"}),
        ("data/questions/atomic_care.json", {"sparse_atomic"}),
        ("data/vocabulary/names.json", SPARSE.keys()),
        ("data/vocabulary/groceries.json", LIFELOGS - TABLES | {"sparse_weekly_grocery"}),
        ("data/vocabulary/home.json", LIFELOGS - TABLES | {"sparse_weekly_bakeorcook"}),
        (
            "data/vocabulary/destinations.json",
            LIFELOGS - TABLES | {"sparse_travel", "sparse_travel_places_visited", "sparse_travel_dining"},
        ),
        (
            "data/vocabulary/food.json",
            LIFELOGS - TABLES | {"sparse_weekly_bakeorcook", "sparse_daily_meal", "sparse_travel_dining"},
        ),
    ],
)
def test_a_file_changes_the_recipes_of_what_it_decides(name: str, configs: set[str], tmp_path: Path) -> None:
    copy = Path(shutil.copytree(PACKAGE, tmp_path / "timelineqa_ds", ignore=shutil.ignore_patterns("__pycache__")))
    assert changed(copy, name) == set(configs)


HASHES = """
import json
from timeline_realtime_qa.hub.content import content_hash
from timelineqa_ds.configs import configs
sparse = [config for config in configs().values() if config.density in (None, "sparse")]
found = {}
for config in sparse:
    group = "lifelog_id" if config.density else "persona"
    hashes = [content_hash(config.rows(index, duration=6), group) for index in (3, 12)]
    found[config.name] = [config.recipe, *hashes]
print(json.dumps(found))
"""


def hashes(folder: Path) -> dict[str, list[str]]:
    """Recipe and content of every config, made by the package in a folder."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run([sys.executable, "-c", HASHES], env=environment, capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


def of_words(value: Any) -> Any:
    """A vocabulary whose lists begin at their ends, so that each number drawn stands for another word."""
    if isinstance(value, dict):
        return {key: of_words(item) for key, item in value.items()}
    if isinstance(value, list):
        return [item if isinstance(item, list) else of_words(item) for item in reversed(value)]  # a list is a pair
    return value


def of_sentences(value: Any) -> Any:
    return {
        event: {name: [f"{text} Indeed." for text in texts] for name, texts in told.items()}
        for event, told in value.items()
    }


def of_questions(text: str) -> str:
    return text.replace('?"', ', then?"')


@pytest.mark.slow
def test_no_row_changes_whose_recipe_does_not(tmp_path: Path) -> None:
    """Every data file is changed, one after the other; and the words of each decide rows of something."""
    package = tmp_path / "timelineqa_ds"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    before = hashes(tmp_path)
    ways: dict[str, Callable[[str], str]] = {
        "vocabulary/*.json": lambda text: json.dumps(of_words(json.loads(text))),
        "templates.json": lambda text: json.dumps(of_sentences(json.loads(text))),
        "questions/*.json": of_questions,
    }
    for pattern, change in ways.items():
        for path in sorted((package / "data").glob(pattern)):
            kept = path.read_text(encoding="utf-8")
            path.write_text(change(kept), encoding="utf-8")
            after = hashes(tmp_path)
            path.write_text(kept, encoding="utf-8")
            rows = {name for name in before if after[name][1:] != before[name][1:]}
            recipes = {name for name in before if after[name][0] != before[name][0]}
            assert rows and rows <= recipes, f"{path.name}: {sorted(rows - recipes)}"
