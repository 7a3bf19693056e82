"""Which file is what: the grammar of the public repository's file names, and the weeks they make up.

Everything off this grammar (ranges, `-time` and `_cnn_` subsets, `pm_` files, `_public` left-overs below `past/`, the
questions without choices in `latest/`) is listed and ignored: such files repeat rows of the weekly files.
"""

from __future__ import annotations

import datetime
import functools
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from ..parsing.report import Report
from ..spec import DATA


FOLDERS = ("past", "backnumber", "latest", "baseline_results")
PREDICTIONS = "baseline_results"
SPLITS = {"backnumber": "train", "past": "test", "latest": "latest"}

_WEEKLY = re.compile(r"(past|backnumber)/(\d{4})/(\2\d{4})_(qa|qa_nota|gcs|dpr|gold)\.jsonl", re.ASCII)
_LATEST = re.compile(r"(latest)/()(\d{8})_(qa_public|qa_nota_public|gcs|dpr|gold)\.jsonl", re.ASCII)
_BASELINE = re.compile(r"baseline_results/(\d{4})/(\1\d{4})_qa(_nota)?_(.+?)(_gen)?\.jsonl", re.ASCII)
# ORG_MODEL or ORG_MODEL_gcs, as the runs since 2026 are named; experiments such as cnn_open_gpt3_gcs do not fit.
_SYSTEM = re.compile(r"[a-z0-9-]+_[A-Za-z0-9.-]+(_gcs)?")


@dataclass(frozen=True, order=True)
class Run:
    """One file of published predictions."""

    system: str
    setting: str
    path: str


@dataclass(frozen=True)
class Week:
    """One week's files, of the date `stamp` (YYYYMMDD).

    `files` maps qa, nota, gcs, dpr and gold to paths; a kind that is not there is absent."""

    stamp: str
    split: str
    files: dict[str, str] = field(hash=False)
    runs: tuple[Run, ...] = ()

    @functools.cached_property
    def date(self) -> datetime.date:
        """The date that `stamp` spells as YYYYMMDD."""
        return _date(self.stamp)

    @property
    def questions(self) -> str:
        """The path of the file that defines this week's rows."""
        return self.files["qa"]


def folders(config: str) -> tuple[str, ...]:
    """The top folders that a config reads from: predictions are most of the files and only one config wants them."""
    return tuple(folder for folder in FOLDERS if folder != PREDICTIONS or config == "predictions")


@functools.cache
def index_bases() -> dict[str, int]:
    """Whether a system's published choices count from 0 or from 1, as declared in `data/systems.json`."""
    text = (DATA / "systems.json").read_text(encoding="utf-8")
    return {system: base["index_base"] for base in json.loads(text) for system in base["systems"]}


def weeks(paths: Iterable[str], report: Report) -> list[Week]:
    """Sort `paths` (relative to the repository's root) into weeks, oldest first; count what is off the grammar.

    A date without a question file is no week (the pilot of 2022-06-13 has none): its files are ignored and counted.
    """
    published: dict[tuple[str, str], dict[str, str]] = {}
    runs: dict[str, list[Run]] = {}
    for path in sorted(paths):
        weekly = _WEEKLY.fullmatch(path) or _LATEST.fullmatch(path)
        baseline = _BASELINE.fullmatch(path)
        if weekly and _is_date(weekly[3]):
            kind = {"qa_public": "qa", "qa_nota": "nota", "qa_nota_public": "nota"}
            published.setdefault((SPLITS[weekly[1]], weekly[3]), {})[kind.get(weekly[4], weekly[4])] = path
        elif baseline and _is_date(baseline[2]) and (run := _run(baseline)):
            runs.setdefault(baseline[2], []).append(run)
        elif path.split("/")[0] in FOLDERS:
            report.count("off_grammar", path)
    result = []
    used: set[str] = set()
    for (split, stamp), files in sorted(published.items(), key=lambda item: item[0][1]):
        if "qa" not in files:
            for path in files.values():
                report.count("no_question_file", path)
            continue
        of_week = () if split == "train" else tuple(sorted(runs.get(stamp, ())))
        used.update(run.path for run in of_week)
        result.append(Week(stamp, split, files, of_week))
    for run in (run for of_week in runs.values() for run in of_week if run.path not in used):
        report.count("no_question_file", run.path)
    return result


def _run(match: re.Match[str]) -> Run | None:
    nota, system, generated = match[3], match[4], match[5]
    if (nota and generated) or not (system in index_bases() or _SYSTEM.fullmatch(system)):
        return None
    return Run(system, "nota" if nota else "generation" if generated else "multiple_choice", match[0])


def _date(stamp: str) -> datetime.date:
    return datetime.date(int(stamp[:4]), int(stamp[4:6]), int(stamp[6:]))


def _is_date(stamp: str) -> bool:
    try:
        _date(stamp)
    except ValueError:
        return False
    return True
