"""What the dataset is: its version, densities and splits, and how to cite it.

Code, cards and docs all read these declarations.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


NAME = "timelineqa"
# Patch: the same records. Minor: columns added. Major: records changed. CHANGELOG says what changed.
VERSION = "1.0.0"
# In the name of every stream of random numbers. Another value draws other people; a new version alone does not.
DRAWN = "1.0.0"
HOMEPAGE = "https://arxiv.org/abs/2306.01069"
LICENSE = "Apache-2.0"
DESCRIPTION = (
    "Lifelogs of imaginary people in three densities, with the tables derived from them: the benchmark of Tan et al. "
    "(2023), generated anew with consistent people and days."
)
CITATION = (Path(__file__).parent / "data" / "citation.bib").read_text(encoding="utf-8")

SEED = 12345
YEAR = 2022
WORLD = 1000  # personas that "all" stands for
DENSITIES = ("sparse", "medium", "dense")
DEFAULT_CONFIG = "dense"
LISTING = "`timelineqa columns --names`"  # what lists all configs
MONTHS = tuple("January February March April May June July August September October November December".split())


@dataclass(frozen=True)
class Split:
    """The personas `start` .. `stop` - 1, the same in every density; `stop` None: every later one."""

    name: str
    start: int
    stop: int | None


SPLITS = (Split("train", 0, 80), Split("validation", 80, 120), Split("test", 120, 160), Split("extra", 160, None))
DEFAULT_LIFELOGS = 160  # without `extra`
