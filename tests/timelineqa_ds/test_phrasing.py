"""Sentences: what the templates say, put together right, for any mix of events."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from timelineqa_ds.declared.templates import SentenceTemplate, templates
from timelineqa_ds.tables.derived import derived_tables
from timelineqa_ds.tables.phrasing import PiecePool, _joined
from timelineqa_ds.world.columns import Items, Words

from .made import Made


def listed(values: list[str], goes_on: bool) -> str:
    """ "A, B and C", or "A, B, C" before "and I"."""
    if goes_on or len(values) < 2:
        return ", ".join(values)
    return ", ".join(values[:-1]) + " and " + values[-1]


@pytest.mark.parametrize(("density", "index"), [("sparse", 2), ("dense", 999)])
def test_every_sentence_is_a_template_filled_with_the_fields_of_its_record(
    made: Made, density: str, index: int
) -> None:
    """Python's own formatting as an oracle, over whole derived tables."""
    lifelog = made(density, index)
    text = lifelog.episodes["text"].to_pylist()
    fields = {
        "daily_chat": {"people": "friends", "minutes": "howlong", "time_of_day": "timeofday"},
        "weekly_grocery": {name: name for name in ("people", "fruits", "drinks", "toiletries")},
        "weekly_bakeorcook": {name: name for name in ("people", "cuisine", "location")},
        "daily_exercise": {name: name for name in ("exercise", "minutes", "heart_rate")},
        "travel_places_visited": {name: name for name in ("people", "city", "place", "action", "emotion")},
        "travel": {name: name for name in ("people", "city", "home", "days")},
        "daily_meal": {"people": "people", "food": "foodtype"},
    }
    for table, columns in fields.items():
        sentences = [
            t for event in derived_tables()[table].events for group in templates()[event].values() for t in group
        ]
        for row in lifelog.tables[table].to_pylist():
            values = {field: row[column] for field, column in columns.items()}
            told = {_filled(template, values) for template in sentences}
            assert text[row["episode_id"]] in told, row


def _filled(template: SentenceTemplate, values: dict[str, Any]) -> str:
    said = template.lead
    for slot in template.slots:
        value = values[slot.field]
        value = listed(value, slot.goes_on) if isinstance(value, list) else str(value)
        said += (value[:1].upper() + value[1:] if slot.capital else value) + slot.after
    return said


def test_sentences_begin_with_a_capital_or_number_and_end_with_a_stop(made: Made) -> None:
    text = made("sparse", 5).episodes["text"].to_pylist()
    assert [one for one in text if not re.match(r"[\dA-Z].*[^.]\.$", one)] == []


def test_pools_share_words_and_keep_their_own() -> None:
    shared = PiecePool()
    fruits = Words("fruits", ("apple", "fig"))
    base = shared.words(fruits, 0, " pie")
    own = PiecePool(shared)
    assert own.words(fruits, 0, " pie") == base
    assert own.words(Words("people", ("Ann",)), 2) == len(shared)
    assert shared.strings == ["", "apple pie", "fig pie"] and own.strings == ["Ann, "]
    assert own.literal("Hello") == own.literal("Hello") == len(shared) + 1
    assert shared.words(fruits, 3) == 3 and shared.strings[3:] == ["Apple", "Fig"]


def test_joined_cuts_the_same_bytes_at_other_places() -> None:
    pieces = pa.array(["a", "", "bc", "é", "d"])
    assert _joined(pieces, np.array([0, 2, 2, 4, 5])).to_pylist() == ["a", "", "bcé", "d"]


def test_items_as_arrow() -> None:
    items = Items(Words("w", ("x", "y")), np.array([[0, 1], [1, -1], [-1, -1]], dtype=np.int16))
    assert items.arrow(np.array([0, 1, 2])).to_pylist() == [["x", "y"], ["y"], []]
