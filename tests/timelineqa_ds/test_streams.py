"""Streams: committed vectors, and the laws of what is made of raw integers."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from timelineqa_ds.world import streams as streams_module
from timelineqa_ds.world.streams import Streams, pick, scaled


VECTORS = json.loads((Path(__file__).parent / "streams.json").read_text())


def streams(**name: Any) -> Streams:
    return Streams(**{"version": "1.0.0", "seed": 12345, "lifelog": "dense-7", **name})


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector['lifelog']}/{vector['purpose']}")
def test_vectors(vector: dict[str, Any]) -> None:
    made = Streams(vector["version"], vector["seed"], vector["lifelog"])
    purpose = vector["purpose"]
    assert made.raw(purpose, 4).tolist() == vector["raw"]
    assert made.words(purpose, 5).tolist() == vector["words"]
    assert made.integers(purpose, 6, -3, 20).tolist() == vector["integers"]
    assert made.chances(purpose, 8, 0.3).tolist() == vector["chances"]
    assert made.choices(purpose, 8, [1, 0, 3]).tolist() == vector["choices"]
    assert made.shuffles(purpose, 2, 5).tolist() == vector["shuffles"]


def test_the_key_is_the_digest_of_the_name_and_the_generator_is_philox() -> None:
    digest = hashlib.blake2b(b"timelineqa\x001.0.0\x0012345\x00dense-7\x00chat/when", digest_size=16).digest()
    key = [int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:], "little")]
    expected = np.random.Philox(key=np.array(key, dtype=np.uint64)).random_raw(10)
    assert streams().raw("chat/when", 10).tolist() == expected.tolist()


def test_a_stream_does_not_depend_on_what_was_drawn_before_or_on_how_much() -> None:
    alone = streams().words("b", 3)
    made = streams()
    made.words("a", 7)
    assert made.words("b", 11)[:3].tolist() == alone.tolist()
    assert made.one("b", 5, 50) == streams().integers("b", 1, 5, 50)[0]


@pytest.mark.parametrize("other", [{"version": "1.0.1"}, {"seed": 12346}, {"lifelog": "dense-8"}])
def test_every_part_of_the_name_counts(other: dict[str, Any]) -> None:
    assert streams(**other).raw("a", 2).tolist() != streams().raw("a", 2).tolist()
    assert streams().raw("a", 2).tolist() != streams().raw("b", 2).tolist()


def test_bounds_may_be_arrays_and_are_kept() -> None:
    low, high = np.array([0, 5, -9]), np.array([1, 7, -8])
    drawn = streams().integers("x", 3, low, high)
    assert ((drawn >= low) & (drawn < high)).all()
    extremes = np.array([0, 2**32 - 1], dtype=np.uint32)
    assert scaled(extremes, 10).tolist() == [0, 9]
    assert pick(extremes, [0, 2, 0, 1, 0]).tolist() == [1, 3]


def test_laws() -> None:
    made = streams()
    assert abs(made.chances("c", 20_000, 0.2).mean() - 0.2) < 0.01
    assert made.chances("c", 100, 1.0).all() and not made.chances("c", 100, 0.0).any()
    counts = np.bincount(made.choices("w", 20_000, [1, 2, 1]))
    assert np.abs(counts / 20_000 - [0.25, 0.5, 0.25]).max() < 0.015
    orders = made.shuffles("s", 6_000, 3)
    assert (np.sort(orders, axis=1) == np.arange(3)).all()
    assert np.abs(np.unique(orders, axis=0, return_counts=True)[1] - 1000).max() < 130


def test_nothing_else_in_the_package_draws_random_numbers() -> None:
    package = Path(streams_module.__file__).parents[1]
    drawing = re.compile(r"np\.random|import random|from random|numpy\.random|secrets|uuid|default_rng")
    found = {path.name for path in package.rglob("*.py") if drawing.search(path.read_text())}
    assert found == {"streams.py"}
