"""What the dataset is: its version, configs, columns and splits, and how to cite it.

Code, cards and docs all read these declarations.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


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
CITATION = """\
@inproceedings{tan-etal-2023-timelineqa,
  title = {{TimelineQA}: A Benchmark for Question Answering over Timelines},
  author = {Tan, Wang-Chiew and Dwivedi-Yu, Jane and Li, Yuliang and Mathias, Lambert and Saeidi, Marzieh and
            Yan, Jing Nathan and Halevy, Alon},
  booktitle = {Findings of the Association for Computational Linguistics: ACL 2023},
  year = {2023},
  url = {https://arxiv.org/abs/2306.01069}
}
"""

SEED = 12345
YEAR = 2022
WORLD = 1000  # personas that "all" stands for
DENSITIES = ("sparse", "medium", "dense")
DEFAULT_CONFIG = "dense"


@dataclass(frozen=True)
class Split:
    """The personas `start` .. `stop` - 1, the same in every density; `stop` None: every later one."""

    name: str
    start: int
    stop: int | None

    def __contains__(self, index: int) -> bool:
        return index >= self.start and (self.stop is None or index < self.stop)


SPLITS = (Split("train", 0, 80), Split("validation", 80, 120), Split("test", 120, 160), Split("extra", 160, None))
DEFAULT_LIFELOGS = 160  # without `extra`


@dataclass(frozen=True)
class Config:
    """A config: what a row of it is, and its columns with what they hold.

    Attributes:
        density: None for the config that has none.
        kind: multihop, extended, episodes, atomic, personas, or the name of a derived table.
    """

    name: str
    density: str | None
    kind: str
    about: str
    columns: Mapping[str, str]


EPISODE_COLUMNS = MappingProxyType(
    {
        "lifelog_id": "density and persona, as in dense-0007",
        "episode_id": "0, 1, ... in order of start within the lifelog",
        "start": "first day",
        "end": "last day; the same day for all but trips",
        "event": "event type",
        "time_scale": "lifetime, annual, monthly, weekly or daily; a sub-episode has that of its trip",
        "text": 'the sentence; "YYYY/MM/DD, text" is how it is shown',
        "people": "names of those who take part, in the order of the text; empty for none",
        "place": "where, for events that have a place",
        "parent_id": "episode_id of the trip of a sub-episode (places_visited, dining)",
    }
)
PERSONA_COLUMNS = MappingProxyType(
    {
        "persona": "index of the persona; lifelogs of all densities end in it",
        "name": "first name",
        "gender": "female or male",
        "birth_date": "day of birth",
        "birth_city": "city of birth",
        "birth_country": "country of birth",
        "mother": "name of the mother",
        "father": "name of the father",
        "siblings": "name, gender and birth date of each sibling",
        "friends": "name and gender of each close friend",
        "marriages": "partner, wedding and divorce (null while it lasts) of each marriage",
        "children": "name, gender and birth date of each child",
        "sweethearts": "name and first and last day of each love between marriages",
        "college": "name, major, city, country, move and graduation (null if not by the final year); null if none",
        "graduate_school": "the same of the graduate school",
        "jobs": "title, employer, city, country, first and last day (null while it lasts) of each job",
        "hobbies": "hobbies",
        "exercises": "kinds of exercise",
        "pets": "name and kind of each pet",
        "trips_a_year": "trips in each year",
        "personality": "a word for the character",
        "eye_color": "color of the eyes",
        "blood_type": "blood type",
    }
)

QUESTION_COLUMNS = MappingProxyType(
    {
        "id": "lifelog and template, as in dense-0007-q06",
        "lifelog_id": "density and persona, as in dense-0007",
        "question": "the question, asked by the persona",
        "question_type": "average, count, argmax or list",
        "template": "q01 .. q42, the paper's templates",
        "answers": "all right answers as text; more than one for a list and for an argmax with ties",
        "answer_type": "number, date, text or boolean",
        "evidence": "episode_ids of the episodes that the answer follows from, ascending; empty for some answers 0",
        "table": "the evidence as a table: its name, its header and its rows as text; of several, one below the other",
        "scope_start": "first day of the period that the question is about",
        "scope_end": "last day of that period",
        "sql": "query (DuckDB) on the derived tables that gives the answers",
    }
)
EXTENDED_COLUMNS = MappingProxyType(
    {
        **QUESTION_COLUMNS,
        "id": "lifelog and template, as in dense-0007-x03",
        "question_type": "count, sum, average, boolean, argmax, list, date, duration or order",
        "template": "x01, x02, ...",
        "answers": 'all right answers as text, in order for an order; the one text "none" where there is none',
        "evidence": QUESTION_COLUMNS["evidence"] + ", no and none",
    }
)


@functools.cache
def configs() -> Mapping[str, Config]:
    """All configs by name: D, D_extended, D_episodes, D_atomic and D_TABLE for each density, and personas."""
    from .questions.atomic.table import COLUMNS as ATOMIC_COLUMNS
    from .tables.derived import derived_tables  # which itself needs the densities above, as the questions do

    found = [Config("personas", None, "personas", "a persona", PERSONA_COLUMNS)]
    keys = {name: EPISODE_COLUMNS[name] for name in ("lifelog_id", "episode_id")}
    for density in DENSITIES:
        found.append(Config(density, density, "multihop", "a multi-hop question", QUESTION_COLUMNS))
        extended = f"{density}_extended"
        found.append(Config(extended, density, "extended", "a further multi-hop question", EXTENDED_COLUMNS))
        found.append(Config(f"{density}_episodes", density, "episodes", "an episode", EPISODE_COLUMNS))
        found.append(Config(f"{density}_atomic", density, "atomic", "an atomic question", ATOMIC_COLUMNS))
        found += [
            Config(f"{density}_{table.name}", density, table.name, table.about, {**keys, **table.meanings})
            for table in derived_tables().values()
        ]
    return MappingProxyType({config.name: config for config in found})
