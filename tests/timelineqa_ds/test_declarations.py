"""The declared events: complete, in order, and refused when wrong."""

from __future__ import annotations

import copy
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from timelineqa_ds.declared import events as module
from timelineqa_ds.declared.events import Declarations, declarations, event_names
from timelineqa_ds.declared.vocabulary import DATA, read_json


NAMES = (
    "birth_info college_move college_graduation graduate_school_move graduate_school_graduation job_move job_end "
    "marriage divorce travel places_visited dining personal_medical_care parent_medical_care child_medical_care "
    "pet_care cook bake dating hobbies grocery exercise breakfast lunch dinner chat read social_media watch_tv"
).split()


@pytest.fixture
def document(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The declarations as a document to change; `declarations` then reads the changed one."""
    changed: dict[str, Any] = copy.deepcopy(read_json("events.json"))
    monkeypatch.setattr(module, "read_json", lambda name: changed)
    return changed


def read() -> Declarations:
    return declarations.__wrapped__()


def test_every_event_of_the_contract_is_declared() -> None:
    assert set(event_names()) == set(NAMES)


def test_what_needs_a_home_is_excluded_on_trips() -> None:
    events = declarations().events
    away = {name for name, event in events.items() if "travel" in event.excluded_by}
    medical = {"personal_medical_care", "parent_medical_care", "child_medical_care"}
    assert away == {"exercise", "cook", "bake", "hobbies", "grocery", "pet_care", "dating"} | medical


NEW_EVENT = """
import sys
from pathlib import Path
import timelineqa_ds.declared.vocabulary
timelineqa_ds.declared.vocabulary.DATA = Path(sys.argv[1])
from timelineqa_ds.generator import lifelog
for row in lifelog("medium", 999).episodes.to_pylist():
    if row["event"] == "choir":
        print(row["time_scale"], row["place"], *row["people"], row["text"], sep="|")
"""


@pytest.mark.parametrize("scale", ["daily", "weekly", "monthly", "annual"])
def test_a_new_event_needs_a_declaration_and_templates_only(tmp_path: Path, scale: str) -> None:
    shutil.copytree(DATA, tmp_path / "data")
    for name, value in (
        (
            "events.json",
            {
                "scale": scale,
                "frequency": [1.0],
                "fields": {
                    "hall": {"kind": "choice", "of": ["home.kitchens"]},
                    "songs": {"kind": "number", "low": 2, "high": 9},
                },
                "people": {"groups": {"friends": 1}, "most": 2},
                "place": "hall",
            },
        ),
        ("templates.json", {"plain": [f"{verb} {{songs}} songs in {{hall}} with {{people}}." for verb in "ABC"]}),
    ):
        document = json.loads((tmp_path / "data" / name).read_text())
        (document["events"] if name == "events.json" else document)["choir"] = value
        (tmp_path / "data" / name).write_text(json.dumps(document))
    command = [sys.executable, "-c", NEW_EVENT, str(tmp_path / "data")]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert {"daily": 365, "weekly": 50, "monthly": 12, "annual": 1}[scale] <= len(lines) <= 365
    for line in lines:
        found, place, *people, text = line.split("|")
        assert found == scale and 1 <= len(people) <= 2
        assert re.fullmatch(rf"[ABC] [2-9] songs in {place} with {' and '.join(people)}\.", text)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d["events"]["chat"].update(colour="red"), "chat: keys: colour unknown"),
        (
            lambda d: d["events"]["chat"].update(scale="hourly"),
            "chat: scale: hourly unknown; expected some of lifetime",
        ),
        (lambda d: d["events"]["chat"].update(place="moon"), "chat: place: moon unknown"),
        (lambda d: d["events"]["chat"]["fields"]["minutes"].update(kind="float"), "minutes: kind: float unknown"),
        (lambda d: d["events"]["chat"]["people"].update(groups={"aliens": 1}), "chat: people: aliens unknown"),
        (lambda d: d["events"]["chat"]["frequency"].update(huge=[1]), "chat: frequency: huge unknown"),
        (lambda d: d["exclusions"][0]["exclude"].append("sleep"), "exclusions: sleep unknown"),
        (lambda d: d["exclusions"].append({"events": ["chat"], "exclude": ["lunch"]}), "must be declared before it"),
    ],
)
def test_a_wrong_declaration_is_refused(
    document: dict[str, Any], change: Callable[[dict[str, Any]], object], message: str
) -> None:
    change(document)
    with pytest.raises(ValueError, match=message):
        read()


def test_a_data_file_that_is_not_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bad.json").write_text('{"a": 1,\n "b": }')
    monkeypatch.setattr("timelineqa_ds.declared.vocabulary.DATA", tmp_path)
    with pytest.raises(ValueError, match=r"bad\.json, line 2, column \d+: not JSON"):
        read_json("bad.json")
