"""Whatever happens to a file: a clear error that names it, or counted skips, and never a wrong row."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from realtimeqa_ds import spec
from realtimeqa_ds.files import layout, manifest
from realtimeqa_ds.files.source import SAMPLE, LocalSource
from realtimeqa_ds.parsing.errors import DataError
from realtimeqa_ds.parsing.report import Report
from realtimeqa_ds.weeks.reading import Reading


FILES = sorted(path for path in LocalSource(SAMPLE).paths() if "20190607" in path)
READS = {
    config: Reading(LocalSource(SAMPLE), config, "gcs+dpr" if config != "predictions" else "gcs")
    for config in spec.COLUMNS
}
KEYS = {"documents": ("question_id", "rank"), "predictions": ("system", "setting", "question_id")}


class Damaged:
    """The sample with the bytes of one file replaced, in memory."""

    def __init__(self, path: str, data: bytes, pinned: Path | None = None) -> None:
        self.source = LocalSource(SAMPLE)
        self.damage = {path: data}
        self.entries = manifest.read(pinned) if pinned else {}

    def read(self, path: str) -> bytes:
        data = self.damage.get(path, (SAMPLE / path).read_bytes())
        if path in self.entries:
            self.entries[path].check(path, data)
        return data

    def prefetch(self, paths: Any, quiet: bool) -> None:
        pass

    def knows(self, path: str) -> bool:
        return False


def rows(source: Any, config: str) -> dict[tuple[Any, ...], dict[str, Any]]:
    reading = Reading(source, config, READS[config].documents)
    week = next(w for w in layout.weeks(LocalSource(SAMPLE).paths(), Report()) if w.stamp == "20190607")
    found = reading.table(week)[0].to_pylist()
    keys = KEYS.get(config, ("question_id",))
    return {tuple(row[key] for key in keys): row for row in found}


WHOLE = {config: rows(LocalSource(SAMPLE), config) for config in spec.COLUMNS}


def reads(path: str, config: str) -> bool:
    week = next(w for w in layout.weeks(LocalSource(SAMPLE).paths(), Report()) if w.stamp == "20190607")
    return path in READS[config].needs(week)


PAIRS = st.sampled_from([(path, config) for path in FILES for config in spec.COLUMNS if reads(path, config)])


@settings(max_examples=150, deadline=None)
@given(data=st.data(), pair=PAIRS)
def test_any_changed_byte_of_a_pinned_file_is_an_error(
    sample_manifest: Path, data: st.DataObject, pair: tuple[str, str]
) -> None:
    path, config = pair
    whole = bytearray((SAMPLE / path).read_bytes())
    place = data.draw(st.integers(0, len(whole) - 1))
    whole[place] ^= data.draw(st.integers(1, 255))
    with pytest.raises(DataError) as caught:
        rows(Damaged(path, bytes(whole), sample_manifest), config)
    assert caught.value.path == path


@settings(max_examples=300, deadline=None)
@given(data=st.data(), pair=PAIRS)
def test_a_file_that_is_cut_anywhere(data: st.DataObject, pair: tuple[str, str]) -> None:
    """Not pinned: the cut file gives an error that names it, or (cut to nothing, or only its last newline gone)
    rows that are those of the whole file or fewer, the missing pool null."""
    path, config = pair
    whole = (SAMPLE / path).read_bytes()
    size = data.draw(st.integers(0, len(whole) - 1))
    try:
        found = rows(Damaged(path, whole[:size]), config)
    except DataError as error:
        assert error.path in (path, *FILES)
        return
    assert not whole[:size].strip() or size == len(whole) - 1
    check_rows(found, config, pool_may_lack=not size)


def check_rows(found: dict[tuple[Any, ...], dict[str, Any]], config: str, pool_may_lack: bool) -> None:
    if pool_may_lack and config == "documents":
        return  # an empty gcs file is a pool that is absent, which the fall-back fills with passages
    for key, row in found.items():
        expected = dict(WHOLE[config][key])
        if pool_may_lack and config != "predictions":
            expected["documents"] = row["documents"]
        assert row == expected


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(values=st.lists(JSON, min_size=1, max_size=5), pair=PAIRS)
def test_random_json(values: list[Any], pair: tuple[str, str]) -> None:
    path, config = pair
    text = "".join(json.dumps(value) + "\n" for value in values)
    with pytest.raises(DataError) as caught:
        rows(Damaged(path, text.encode("utf-8", "surrogatepass")), config)
    assert caught.value.path.startswith(("past/", "baseline_results/"))


@settings(max_examples=400, deadline=None)
@given(data=st.data(), pair=PAIRS, value=JSON)
def test_random_values_in_real_rows(data: st.DataObject, pair: tuple[str, str], value: Any) -> None:
    """One field of one row replaced: an error with file and line, or every other row as it was."""
    path, config = pair
    lines = [json.loads(line) for line in (SAMPLE / path).read_text(encoding="utf-8").splitlines()]
    place = data.draw(st.integers(0, len(lines) - 1))
    field = data.draw(st.sampled_from(sorted(lines[place])))
    lines[place][field] = value
    text = "".join(json.dumps(line) + "\n" for line in lines)
    try:
        found = rows(Damaged(path, text.encode("utf-8", "surrogatepass")), config)
    except DataError as error:
        assert error.path.startswith(("past/", "baseline_results/"))
        return
    for key, row in found.items():
        if not any(f"20190607_{place}" in str(part) for part in key):
            assert row == WHOLE[config][key]
