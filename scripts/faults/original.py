"""Faults in files of the original TimelineQA program: what comes out stands in the damaged files, or is as before."""

from __future__ import annotations

import csv
import functools
import io
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.timelineqa_ds.original.conftest import write_log
from timelineqa_ds.original import OriginalLifelog, lifelog
from timelineqa_ds.original.tables import file_name, known_columns

from . import damage
from .trial import CLEAR, CORRECT, Outcome, Trial, Unfit, Wrong, judged, loads, shared, worst


Row = dict[str, Any]
NAME = "sparse-7"
TABLES = [name for name in known_columns() if name != "jobs"]
OWN = (f"{NAME}.json", "persona.json", *map(file_name, TABLES))
ASKED = ("queries.csv", f"db-{NAME}.json", *(f"q{number}-result.csv" for number in range(1, 43)))
PERSONA = {"mother": "biological_mom_name", "gender": "gender", "hobbies": "hobbies", "trips_a_year": "trips_per_year"}
QUESTION = ("id", "question", "question_type", "scope_start", "scope_end")


@functools.cache
def pristine() -> Path:
    """The invented log of the tests."""
    root = Path(tempfile.mkdtemp(prefix="log-", dir=shared()))
    write_log(root, NAME)
    return root


@functools.cache
def whole() -> Mapping[str, list[Row]]:
    """All parts as they are read undamaged."""
    log = lifelog(pristine() / "benchmark" / NAME)
    return {part: rows(log, part) for part in PARTS}


PARTS = ("persona", "episodes", "atomic", *TABLES, "multihop")


def rows(log: OriginalLifelog, part: str) -> list[Row]:
    """What a part of a log holds, as Python values."""
    own = {
        "persona": lambda: log.persona,
        "episodes": lambda: log.episodes,
        "atomic": lambda: log.atomic_questions,
        "multihop": lambda: log.multihop_questions,
    }
    found: list[Row] = own.get(part, lambda: log.table(part))().to_pylist()
    return found


def original(trial: Trial) -> Outcome:
    """One fault in the invented log, and all that is read from the file and what goes with it."""
    whole()
    root = Path(shutil.copytree(pristine(), trial.folder / "copy"))
    file = trial.chance.choice(trial.chance.choice((OWN[:2], OWN, ASKED[:2], ASKED)))
    (path,) = root.rglob(file)
    must_be_read = False
    if trial.chance.random() < 0.85:
        damage.damage_bytes(trial, path)
    else:
        target = trial.chance.choice((path, path, path.parent))
        must_be_read = damage.damage_place(trial, target) == "moved behind a link" and target == path
    parts = {f"{NAME}.json": ("episodes", "atomic"), "persona.json": ("persona",)}.get(file, ("multihop",))
    if file.endswith("-log.csv"):
        parts = (file.removesuffix("-log.csv"),)
    elif trial.chance.random() < 0.2:
        parts = (*parts, trial.chance.choice(TABLES))
    outcome = worst([_part(root, part, file) for part in parts])
    if must_be_read and outcome.name == CLEAR:
        raise Wrong(f"what lies behind a link is refused: {outcome.detail}")
    return outcome


def _part(root: Path, part: str, file: str) -> Outcome:
    def compared() -> Outcome:
        found = rows(lifelog(root / "benchmark" / NAME), part)
        try:
            _check(root, part, file, found)
        except Unfit as unfit:
            raise Wrong(f"{part}: {len(found)} rows of files that cannot be read: {unfit}") from None
        return Outcome(CORRECT)

    return judged(compared, {*OWN, *ASKED, str(root / "benchmark"), str(root / "QA")})


def _check(root: Path, part: str, file: str, found: list[Row]) -> None:
    folder = root / "benchmark" / NAME
    if part == "persona":
        told = loads(_bytes(folder / "persona.json"))
        _same([{name: told[key] for name, key in PERSONA.items()}], found, part)
    elif part == "episodes":
        _same(sorted(_episodes(folder), key=lambda row: (str(row["start"]), row["episode_id"])), _texts(found), part)
    elif part == "atomic":
        _atomic(folder, found)
    elif part == "multihop":
        _multihop(root, found, file)
    else:
        _table(folder, part, file, found)


def _bytes(path: Path) -> bytes:
    if not os.path.isfile(path):
        raise Unfit(f"{path.name} is no file")
    return path.read_bytes()


def _episodes(folder: Path) -> Iterator[Row]:
    for day, inside in loads(_bytes(folder / f"{NAME}.json")).items():
        for episode in inside.values():
            yield {
                "episode_id": int(episode["eid"].removeprefix("e")),
                "start": re.sub("[^0-9]", "-", day[:10]),
                "text": episode["text_template_based"],
            }


def _texts(found: list[Row]) -> list[Row]:
    return [{**row, "start": str(row["start"])} for row in found]


def _same(expected: list[Row], found: list[Row], part: str) -> None:
    """Raise unless the rows are as many, and have these values in these columns."""
    if len(expected) != len(found):
        raise Wrong(f"{part}: {len(found)} rows, {len(expected)} in the file")
    for want, have in zip(expected, found, strict=True):
        for name, value in want.items():
            if have[name] != value:
                raise Wrong(f"{part}: {name}: expected {value!r:.200}, found {have[name]!r:.200}")


def _atomic(folder: Path, found: list[Row]) -> None:
    """Each question of NAME.json, or of the QA file where that is not there."""
    if os.path.lexists(path := folder / f"{NAME}.json"):
        days = loads(_bytes(path)).values()
        expected = [pair[0] for inside in days for one in inside.values() for pair in one["atomic_qa_pairs"]]
    else:
        told = loads(_bytes(folder.parent.parent / "QA" / f"db-{NAME}.json"))
        expected = [asked["question"] for asked in told["atomic-questions"]]
    if sorted(row["question"].strip() for row in found) != sorted(question.strip() for question in expected):
        raise Wrong("atomic: other questions than in the file")


def _sheet(data: bytes) -> list[dict[str, str]]:
    try:
        reader = csv.reader(io.StringIO(data.decode("utf-8"), newline=""), strict=True)
        header, *lines = list(reader)
    except (ValueError, csv.Error) as error:
        raise Unfit(str(error)) from None
    if any(len(line) != len(header) for line in lines) or len(set(header)) < len(header):
        raise Unfit("rows of another width, or a column twice")
    return [dict(zip(header, line, strict=True)) for line in lines]


def _table(folder: Path, part: str, file: str, found: list[Row]) -> None:
    """The cells of a table by episode, as far as they are texts and whole numbers."""
    sheet = {int(row["eid"].removeprefix("e")): row for row in _sheet(_bytes(folder / file_name(part)))}
    if sorted(sheet) != sorted(row["episode_id"] for row in found):
        raise Wrong(f"{part}: other episodes than in the file")
    for row in found:
        for ours, theirs in known_columns()[part].items():
            cell, value = sheet[row["episode_id"]][theirs].strip(), row[ours]
            if ours in ("for_whom", "type_of_move"):
                continue
            if isinstance(value, list):
                cells = [name.strip() for name in cell.split(",")]
                same = value == list(dict.fromkeys(name for name in cells if name not in ("", "myself")))
            elif hasattr(value, "isoformat"):
                same = value.isoformat() == re.sub("[^0-9]", "-", cell[:10])
            else:
                same = str(value if value is not None else "") == cell or (type(value) is int and value == int(cell))
            if not same:
                raise Wrong(f"{part}: e{row['episode_id']}: {ours}: expected {cell!r:.200}, found {value!r:.200}")


def _multihop(root: Path, found: list[Row], file: str) -> None:
    """The wordings are those of queries.csv, and of each question all else is as before unless its file differs."""
    before = {row["template"]: row for row in whole()["multihop"]}
    if (path := root / "benchmark" / NAME / "queries.csv").exists():
        asked = sorted(row["question"].strip() for row in _sheet(_bytes(path)))
        if asked != sorted(row["question"].strip() for row in found):
            raise Wrong("multihop: other questions than in queries.csv")
    changed = {f"q{int(number):02d}" for number in re.findall(r"^q(\d+)-result", file)}
    if file in ASKED[:2]:
        changed = set(before)
    elif {row["template"] for row in found} != set(before):
        raise Wrong("multihop: other questions, though theirs are undamaged")
    for row in found:
        was = before[row["template"]]
        names: tuple[str, ...] = QUESTION if row["template"] in changed else (*QUESTION, "answers")
        if row["template"] in changed and file == "queries.csv":
            names = QUESTION[:1]
        if differ := [name for name in names if was.get(name) != row.get(name)]:
            values = f"was {was[differ[0]]!r:.200}, is {row[differ[0]]!r:.200}"
            raise Wrong(f"multihop: {row['template']}: {differ[0]}: {values}")
