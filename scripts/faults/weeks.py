"""Faults in RealTime QA files and manifests: the rows are those that a small reading of the damaged folder has."""

from __future__ import annotations

import functools
import gzip
import os
import random
import shutil
from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from realtimeqa_ds.files import layout, manifest
from realtimeqa_ds.files.source import SAMPLE, LocalSource, Source
from realtimeqa_ds.parsing.report import Report
from realtimeqa_ds.weeks.reading import Reading

from . import damage
from .trial import CLEAR, CORRECT, COUNTED, Outcome, Trial, Unfit, Wrong, judged, worst
from .weeks_reference import OPTIONAL, Reference


Row = dict[str, Any]
# What is read with each fault: all configs, with each kind of pool in one of them.
CONFIGS = {
    "multiple_choice": "gcs+dpr",
    "nota": "none",
    "generation": "gold",
    "documents": "dpr",
    "predictions": "gcs",
}
COUNTS = ("off_grammar", "no_question_file", "empty_file", "doubled_row", "no_answer", "invalid_choice")
OF_OTHER_ROWS = ("documents", "flags")
FILES = sorted(path.relative_to(SAMPLE).as_posix() for path in SAMPLE.rglob("*.jsonl"))


def read(source: Source, config: str) -> tuple[list[Row], Counter[str]]:
    """The rows of all weeks, as the package reads them, and the counts of its report."""
    reading, report = Reading(source, config, CONFIGS[config]), Report()
    rows = []
    for week in reading.serving(layout.weeks(source.paths(layout.folders(config)), report)):
        table, of_week = reading.table(week)
        report.update(of_week)
        rows += table.to_pylist()
    return rows, report.counts


@functools.cache
def whole(config: str) -> Mapping[tuple[str, ...], tuple[Row, Row]]:
    """The undamaged rows by key: as published, and as they are read."""
    expected = Reference(SAMPLE, config, CONFIGS[config]).rows
    return {key(row): (row, found) for row, found in zip(expected, read(LocalSource(SAMPLE), config)[0], strict=True)}


def key(row: Row) -> tuple[str, ...]:
    return tuple(str(row[name]) for name in ("system", "setting", "question_id", "retriever", "rank") if name in row)


def files(trial: Trial) -> Outcome:
    """One or two faults in a copy of the sample, and all configs read."""
    root = Path(shutil.copytree(SAMPLE, trial.folder / "tree"))
    must_be_read = _damage(trial, root)
    closed = trial.chance.random() < 0.04 and os.geteuid() == 0
    if closed:
        target = root / trial.chance.choice((*FILES, "past", "latest"))
        if target.exists() and not target.is_symlink():
            trial.is_(f"no permission for {target.name}")
            os.chmod(target, 0)
            return as_nobody(lambda: worst([_config(root, config, closed, False) for config in CONFIGS]))
    damaged = [name for name in FILES if _bytes(root / name) != _bytes(SAMPLE / name)]
    configs = _reading(damaged[0]) if len(damaged) == 1 and trial.kind.count(" in ") == 1 else CONFIGS
    return worst([_config(root, config, False, must_be_read) for config in configs])


def _bytes(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


def _reading(file: str) -> Collection[str]:
    """The configs that read a file, in their order; what else is there is as ever."""
    if file.startswith("baseline_results"):
        return ["predictions"]
    kinds = {"nota": ["nota"], "gcs": ["multiple_choice"], "dpr": ["multiple_choice", "documents"]}
    kinds["gold"] = ["generation"]
    return next((configs for kind, configs in kinds.items() if f"_{kind}" in file), CONFIGS)


def as_nobody(read: Any) -> Outcome:
    os.seteuid(65534)
    try:
        outcome: Outcome = read()
        return outcome
    finally:
        os.seteuid(0)


def _damage(trial: Trial, root: Path) -> bool:
    """Damage files or folders; whether what there is must still be read as it was."""
    chance = trial.chance
    path = root / chance.choice(FILES)
    way = chance.random()
    if way < 0.7:
        damage.damage_bytes(trial, path)
        if chance.random() < 0.2:
            damage.damage_bytes(trial, root / chance.choice(FILES))
        return False
    if way < 0.82:
        target = chance.choice((path, path, path.parent, root / "past", root / "baseline_results"))
        return damage.damage_place(trial, target) == "moved behind a link"
    if way < 0.92:
        other = root / chance.choice(FILES)
        trial.is_(f"{path.name} and {other.name} have changed places")
        held = path.read_bytes()
        path.write_bytes(other.read_bytes())
        other.write_bytes(held)
    else:
        _rename(trial, root, path)
    return False


def _rename(trial: Trial, root: Path, path: Path) -> None:
    chance = trial.chance
    stamp = chance.choice(("20190607", "20190614", "20190628", "20190230", "20190531", "2019٠607", "20200103"))
    kinds = ("qa", "qa_nota", "gcs", "dpr", "gold", "qa_public", "qa_sample_guess", "qa_a_b_gen", "pm_qa")
    kind = chance.choice(kinds)
    name = f"{stamp}_{kind}.jsonl" + chance.choice(("", "", "", " ", "~", ".gz"))
    if chance.random() < 0.1:
        name = os.fsdecode(os.fsencode(name) + b"\xff")
    target = chance.choice((path.parent, root / "latest", root / "past" / "2019", root / "baseline_results" / "2019"))
    trial.is_(f"{path.name} is now {os.fsencode(target / name)[len(os.fsencode(root)) :]!r}")
    os.replace(path, target / name)


def _config(root: Path, config: str, closed: bool, must_be_read: bool) -> Outcome:
    names = {path for path in os.fsencode(root).decode("utf-8", "backslashreplace").split() if path}
    for folder, folders, inside in os.walk(root):
        names |= {os.path.relpath(os.path.join(folder, name), root) for name in (*folders, *inside)}
    outcome = judged(lambda: _compared(root, config), {*names, *FILES, f"config {config!r}", "past", str(root)})
    if must_be_read and outcome.name == CLEAR:
        raise Wrong(f"{config}: what lies behind a link is refused: {outcome.detail}")
    return outcome if outcome.name == CORRECT else Outcome(outcome.name, f"{config}: {outcome.detail}")


def _compared(root: Path, config: str) -> Outcome:
    rows, counts = read(LocalSource(root), config)
    try:
        reference = Reference(root, config, CONFIGS[config])
    except Unfit as unfit:
        raise Wrong(f"{len(rows)} rows of a folder that cannot be read: {unfit}") from None
    check_rows(reference.rows, rows, config)
    for rule in COUNTS:
        optional = sum(row.get(OPTIONAL, False) for row in reference.rows)
        if abs(counts[rule] - reference.left_out[rule]) > optional * 4:
            raise Wrong(f"{rule} is counted {counts[rule]} times, and met {reference.left_out[rule]} times")
    skipped = {rule: count for rule, count in reference.left_out.items() if count > _usual(config)[rule]}
    return Outcome(COUNTED, f"{skipped}") if skipped else Outcome(CORRECT)


@functools.cache
def _usual(config: str) -> Counter[str]:
    return Reference(SAMPLE, config, CONFIGS[config]).left_out


def check_rows(expected: list[Row], found: list[Row], config: str) -> None:
    """Raise unless `found` are the rows of the small reading, in order, and undamaged ones are as ever."""
    by_key = {key(row): row for row in found}
    if len(by_key) < len(found):
        raise Wrong(f"{len(found) - len(by_key)} rows stand twice")
    wanted = [row for row in expected if key(row) in by_key or not row.get(OPTIONAL)]
    if [key(row) for row in wanted] != [key(row) for row in found]:
        differ = {key(row) for row in wanted} ^ set(by_key)
        raise Wrong(f"other rows than in the files, or in another order: {sorted(differ)[:5]}")
    for row in wanted:
        _check_row(row, by_key[key(row)], config)


def _check_row(expected: Row, found: Row, config: str) -> None:
    flags = found.get("flags", [])
    for name, value in expected.items():
        if name == "source_url":
            same = found[name] == value or (found[name] is None and "url_unreadable" in flags)
        elif name == "documents":
            same = _same_documents(value, found[name])
        else:
            same = name not in found or found[name] == value
        if not same:
            raise Wrong(f"{key(expected)}: {name}: expected {value!r:.200}, found {found[name]!r:.200}")
    plain = expected.get("question_raw", "<")
    bare = plain.isascii() and plain.isprintable() and not {*"<&>"} & {*plain}
    if bare and found["question"] != " ".join(plain.split()):
        raise Wrong(f"{key(expected)}: question: expected {plain!r:.200}, found {found['question']!r:.200}")
    published, before = whole(config).get(key(expected), ({}, {}))
    parts = ("documents", "place")
    if {n: v for n, v in published.items() if n not in parts} == {n: v for n, v in expected.items() if n not in parts}:
        differ = [name for name in before if name not in OF_OTHER_ROWS and before[name] != found[name]]
        if differ and config not in ("documents",):
            raise Wrong(f"{key(expected)}: {differ[0]}: was {before[differ[0]]!r:.200}, is {found[differ[0]]!r:.200}")


def _same_documents(expected: list[Row] | None, found: list[Row] | None) -> bool:
    if expected is None or found is None:
        return expected is found
    return len(expected) == len(found) and all(
        {name: have[name] for name in want} == want for want, have in zip(expected, found, strict=True)
    )


def manifests(trial: Trial) -> Outcome:
    """A manifest, or a file that it pins, is damaged: the rows are those of the pinned files, or there is an error."""
    root = Path(shutil.copytree(SAMPLE, trial.folder / "tree"))
    chance = trial.chance
    path = trial.folder / chance.choice(("manifest.tsv", "manifest.tsv", "m.tsv.gz"))
    text = manifest.make(root, FILES).encode()
    names: Collection[str] = {path.name}
    if chance.random() < 0.3:
        _save(path, text)
        damage.damage_bytes(trial, root / chance.choice(FILES))
        names = {*FILES}
    elif chance.random() < 0.25:
        _save(path, text)
        _damage_saved(trial, path)
        names = {*FILES, path.name}
    else:
        _save(path, _damaged(trial, text))
        names = {*FILES, path.name}
    source = LocalSource(root, path)
    return worst([judged(lambda config=config: _as_ever(source, config), names) for config in CONFIGS])  # type: ignore[misc]


def _save(path: Path, text: bytes) -> None:
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)


def _damage_saved(trial: Trial, path: Path) -> None:
    """Of the file itself, packed or not."""
    if trial.chance.random() < 0.4:
        damage.damage_place(trial, path)
    elif path.suffix == ".gz" and trial.chance.random() < 0.2:
        trial.is_("a packed file without end")
        path.write_bytes(gzip.compress(b"#" * (1 << 27), 1))
    else:
        damage.damage_bytes(trial, path)


def _damaged(trial: Trial, text: bytes) -> bytes:
    """A manifest with one field of one line replaced, or with other bytes."""
    chance = trial.chance
    if chance.random() < 0.4:
        way = chance.choice(list(damage.BYTES))
        trial.is_(f"{way} in the manifest")
        return damage.BYTES[way](text, chance)
    lines = text.decode().split("\n")
    at = chance.randrange(1, len(lines) - 1)
    fields = lines[at].split("\t")
    fields[chance.randrange(3)] = _field(chance, trial.theirs)
    trial.is_(f"line {at + 1} of the manifest says {fields!r:.120}")
    lines[at] = "\t".join(fields)
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def _field(chance: random.Random, theirs: Path) -> str:
    paths = ("../theirs/key", f"{theirs}/key", "past/./x", "a\\b", "")
    wrong = (*paths, "0", "-1", "9" * 30, "٣", "f" * 64, "F" * 64, "\ud800")
    return chance.choice((*wrong, chance.choice(FILES), "past/2019/20190607_qa.jsonl\r", "x\ty"))


def _as_ever(source: Source, config: str) -> Outcome:
    rows, _ = read(source, config)
    expected = [found for _, found in whole(config).values()]
    if rows != expected:
        raise Wrong(f"{config}: other rows than those that the manifest pins")
    return Outcome(CORRECT)
