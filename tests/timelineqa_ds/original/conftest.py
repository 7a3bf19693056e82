"""A small invented log, written in the file formats of the original program, and the sample of its own output."""

from __future__ import annotations

import csv
import json
import shutil
import tarfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from .invented_log import NEWEST_FIRST, PERSONA, TABLES, Writer, episodes
from .invented_questions import FAULTS, Asked, queries


ROOT = Path(__file__).parents[3]
SAMPLE = ROOT.parent / "shared" / "timelineqa" / "original_sparse.tar.xz"


def write_csv(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def write_log(root: Path, name: str) -> None:
    """The files of the invented log NAME in root/benchmark and root/QA."""
    log = Writer()
    episodes(log)
    folder = root / "benchmark" / name
    folder.mkdir(parents=True)
    (folder / f"{name}.json").write_text(json.dumps(log.days))
    (folder / "persona.json").write_text(json.dumps(PERSONA))
    for table, columns in TABLES.items():
        header = columns.split(",")
        rows = [[row.get(column, "") for column in header] for row in log.tables[table]]
        order = header.index(next(column for column in header if "date" in column))
        rows.sort(key=lambda row: row[order], reverse=table in NEWEST_FIRST)
        write_csv(folder / f"{table}-log.csv", header, rows)
    asked = queries(log)
    for number in range(1, 43):
        (folder / f"q{number}-result.csv").write_text('""\n')
    header = ["q_id", "query", "params", "question", "datafiles", "answer_column"]
    rows = [[q, f"select {q}", json.dumps(params), text, "x", column] for q, params, text, column, *_ in asked]
    write_csv(folder / "queries.csv", header, rows)
    for q, _, _, _, cells, results, _ in asked:
        numbered = [[number, *row] for number, row in enumerate(results)]
        write_csv(folder / f"{q}-result.csv", ["", *cells.split(",")], numbered)
    (root / "QA").mkdir(exist_ok=True)
    (root / "QA" / f"db-{name}.json").write_text(json.dumps(qa_file(log, folder, asked), indent=True))


def qa_file(log: Writer, folder: Path, asked: list[Asked]) -> dict[str, Any]:
    """As the original makes it: rows split at every comma, evidence of a day once for each of its rows."""
    places = {
        episode["eid"]: [day, key, episode["eid"], episode["text_template_based"]]
        for day, inside in log.days.items()
        for key, episode in inside.items()
    }
    atomic = [
        {"question": question, "answer": [[answer]], "evidence_list": [places[episode["eid"]]]}
        for inside in log.days.values()
        for episode in inside.values()
        for question, answer in episode["atomic_qa_pairs"]
    ]
    multihop = []
    for q, _, text, column, _, _, ids in asked:
        if ids is None:
            continue
        lines = (folder / f"{q}-result.csv").read_text(encoding="utf-8").splitlines()[1:]
        answers = [line.split(",")[1 : 3 if column == "1,2" else 2] for line in lines]
        days = [places[eid][0] for eid in ids]
        evidence = [places[eid] for day in days for eid in ids if places[eid][0] == day]
        multihop.append({"question": text, "answer": answers, "evidence_list": evidence})
    return {
        "name": folder.name,
        "text": sorted(places.values()),
        "atomic-questions": atomic[:5],
        "multihop-questions": multihop,
    }


@pytest.fixture(scope="session")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the invented log sparse-7 in `benchmark` and its questions in `QA`; not to be changed."""
    root = tmp_path_factory.mktemp("original")
    write_log(root, "sparse-7")
    return root


@pytest.fixture
def invented(pristine: Path, tmp_path: Path) -> Path:
    """A copy of the invented log's folder, to be changed."""
    return Path(shutil.copytree(pristine, tmp_path / "copy"))


@pytest.fixture
def write() -> Callable[[Path, str], None]:
    """`write(root, name)`: the invented log under another name."""
    return write_log


@pytest.fixture(scope="session")
def faults() -> dict[str, str]:
    """The faults of the invented log's questions, by template."""
    return FAULTS


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with a sparse log of the original and its QA file, or a skip."""
    if not SAMPLE.is_file():
        pytest.skip(f"needs a log of the original program: {SAMPLE.name} beside the checkout, in shared/timelineqa")
    root = tmp_path_factory.mktemp("sample")
    with tarfile.open(SAMPLE) as packed:
        packed.extractall(root, filter="data")
    return root
