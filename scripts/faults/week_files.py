"""What the names of RealTime QA files tell, read anew: weeks, kinds of files, and runs of systems."""

from __future__ import annotations

import datetime
import json
import re
from pathlib import Path


SYSTEM = re.compile(r"[a-z0-9-]+_[A-Za-z0-9.-]+")
DECLARED = Path(__file__).parents[2] / "realtimeqa_ds" / "data" / "systems.json"
BASES = {name: of["index_base"] for of in json.loads(DECLARED.read_text(encoding="utf-8")) for name in of["systems"]}


class Week:
    """The files of a week by kind, and its runs as (system, setting, path)."""

    def __init__(self, stamp: str, split: str) -> None:
        self.stamp, self.split = stamp, split
        self.files: dict[str, str] = {}
        self.runs: list[tuple[str, str, str]] = []


def date(stamp: str) -> datetime.date | None:
    try:
        return datetime.datetime.strptime(stamp, "%Y%m%d").date()
    except ValueError:
        return None


def weekly(path: str) -> tuple[str, str] | None:
    """Date and kind of a weekly file."""
    kinds = "qa|qa_nota|gcs|dpr|gold"
    match = re.fullmatch(rf"(?:past|backnumber)/([0-9]{{4}})/(\1[0-9]{{4}})_({kinds})\.jsonl", path)
    latest = re.fullmatch(r"latest/()([0-9]{8})_(qa_public|qa_nota_public|gcs|dpr|gold)\.jsonl", path)
    found = match or latest
    if not found or not date(found[2]):
        return None
    return found[2], {"qa_nota": "nota", "qa_public": "qa", "qa_nota_public": "nota"}.get(found[3], found[3])


def run_of(path: str) -> tuple[str, tuple[str, str, str]] | None:
    """Date of a file of predictions, with system, setting and path."""
    match = re.fullmatch(r"baseline_results/([0-9]{4})/(\1[0-9]{4})_qa_(.+)\.jsonl", path)
    if not match or not date(match[2]):
        return None
    system, setting = match[3], "multiple_choice"
    if system.startswith("nota_"):
        system, setting = system.removeprefix("nota_"), "nota"
    if system.endswith("_gen"):
        if setting == "nota":
            return None
        system, setting = system.removesuffix("_gen"), "generation"
    known = system in BASES or SYSTEM.fullmatch(system.removesuffix("_gcs")) or SYSTEM.fullmatch(system)
    return (match[2], (system, setting, path)) if known else None
