"""Lifelogs that several tests look at, made once per process."""

from __future__ import annotations

import functools

import pytest

from timelineqa_ds.generator import Lifelog, lifelog

from .made import Made


@functools.cache
def _cached(density: str, index: int) -> Lifelog:
    return lifelog(density, index)


@pytest.fixture(scope="session")
def made() -> Made:
    """`made(density, index)`: a lifelog of the default world."""
    return _cached
