"""Counts of whatever would be wrong in a lifelog, from its Arrow tables alone: all are 0 in a sound one.

Nothing here shares code with what draws a lifelog, so that a fault of the generator does not hide itself.
"""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..declared.vocabulary import read_json
from ..generator import Lifelog
from ..world.streams import Bools, Ints


CHECKS = (
    "excluded on a trip day",
    "excluded on another day",
    "person outside their dates",
    "name given twice",
    "sub-episode outside its trip",
    "after the final year",
    "before age 18",
    "empty field in a text",
    "person not in the text",
    "place not in the text",
    "trips that overlap",
    "episode_id out of order",
)
ALWAYS = 10**8  # days
# What an empty field leaves behind: blanks at an end or together, a blank before a stop, braces, a null word.
EMPTY = r"^$|^\s|\s$|\s\s|\s[,.;:]|,,|[{}]|\b(None|nan|null)\b"


def violations(lifelog: Lifelog, year: int) -> Counter[str]:
    """How often each of `CHECKS` fails in a lifelog whose final year is `year`.

    The exclusions are those declared in ``data/events.json``; age is counted by calendar year.
    """
    persona = lifelog.persona.to_pylist()[0]
    episodes = _EpisodeArrays(lifelog.episodes)
    failures: Counter[str] = Counter(dict.fromkeys(CHECKS, 0))
    _check_exclusions(failures, episodes)
    _check_dates(failures, episodes, persona, year)
    _check_trips(failures, episodes)
    _check_people(failures, episodes, persona)
    _check_texts(failures, episodes)
    return failures


class _EpisodeArrays:
    """The columns of a lifelog's episodes as arrays; days are counted from 1970-01-01."""

    def __init__(self, table: pa.Table) -> None:
        table = table.combine_chunks()
        self.size = table.num_rows
        self.ids = table["episode_id"].to_numpy()
        self.start: Ints = table["start"].cast(pa.int32()).to_numpy().astype(np.int64)
        self.end: Ints = table["end"].cast(pa.int32()).to_numpy().astype(np.int64)
        self.event = np.array(table["event"].to_pylist())
        self.lifetime: Bools = np.array(table["time_scale"].to_pylist()) == "lifetime"
        self.parent: Ints = table["parent_id"].fill_null(-1).to_numpy().astype(np.int64)
        self.text = table["text"]
        self.place = table["place"]
        people = table["people"].chunk(0)
        self.names = np.array(people.flatten().to_pylist())
        lengths = people.value_lengths().to_numpy().astype(np.int64)
        self.named: Ints = np.repeat(np.arange(self.size), lengths)
        self.people = people


def _check_exclusions(failures: Counter[str], episodes: _EpisodeArrays) -> None:
    """Episodes on a day (for trips: on any day from start to end) that a declared rule excludes."""
    first = int(episodes.start.min())
    for rule in read_json("events.json")["exclusions"]:
        for event in rule["events"]:
            rows = np.flatnonzero(episodes.event == event)
            taken = np.zeros(int(episodes.end.max()) - first + 2, dtype=np.int64)
            for start, end in zip(episodes.start[rows], episodes.end[rows], strict=True):
                taken[start - first + 1 : end - first + 2] = 1
            before = np.cumsum(taken)
            others = np.isin(episodes.event, rule["exclude"])
            met = before[episodes.end[others] - first + 1] > before[episodes.start[others] - first]
            kind = "excluded on a trip day" if event == "travel" else "excluded on another day"
            failures[kind] += int(met.sum())


def _check_dates(failures: Counter[str], episodes: _EpisodeArrays, persona: dict[str, Any], year: int) -> None:
    adult = _day(date(persona["birth_date"].year + 18, 1, 1))
    failures["after the final year"] += int((episodes.end > _day(date(year, 12, 31))).sum())
    failures["before age 18"] += int((~episodes.lifetime & (episodes.start < adult)).sum())
    failures["episode_id out of order"] += int((episodes.ids != np.arange(episodes.size)).sum())
    failures["episode_id out of order"] += int((np.diff(episodes.start) < 0).sum())


def _check_trips(failures: Counter[str], episodes: _EpisodeArrays) -> None:
    on_trip = np.isin(episodes.event, ["places_visited", "dining"])
    failures["sub-episode outside its trip"] += int((on_trip != (episodes.parent >= 0)).sum())
    rows = np.flatnonzero(on_trip & (episodes.parent >= 0))
    trip = episodes.parent[rows]
    inside = (episodes.event[trip] == "travel") & (episodes.start[trip] <= episodes.start[rows])
    inside &= episodes.end[rows] <= episodes.end[trip]
    along = episodes.people.take(pa.array(rows)).to_pylist()
    same = [
        ours == theirs for ours, theirs in zip(along, episodes.people.take(pa.array(trip)).to_pylist(), strict=True)
    ]
    failures["sub-episode outside its trip"] += int((~(inside & np.array(same, dtype=np.bool_))).sum())
    trips = np.flatnonzero(episodes.event == "travel")
    failures["trips that overlap"] += int((episodes.end[trips[:-1]] >= episodes.start[trips[1:]]).sum())


def _check_people(failures: Counter[str], episodes: _EpisodeArrays, persona: dict[str, Any]) -> None:
    spans = _acquainted(persona)
    names = [persona["name"], *(name for name, _, _ in spans)]
    failures["name given twice"] += len(names) - len(set(names))
    known = {name: (since, until) for name, since, until in spans}
    for name in np.unique(episodes.names):
        since, until = known.get(str(name), (ALWAYS, -ALWAYS))
        rows = episodes.named[episodes.names == name]
        outside = (episodes.start[rows] < since) | (episodes.end[rows] > until)
        failures["person outside their dates"] += int(outside.sum())
        failures["name given twice"] += len(rows) - len(np.unique(rows))
        said = pc.match_substring(episodes.text.take(pa.array(rows)), str(name))
        failures["person not in the text"] += len(rows) - int(pc.sum(said).as_py() or 0)


def _acquainted(persona: dict[str, Any]) -> list[tuple[str, int, int]]:
    """Everybody the persona knows, with the first and last day they may appear."""
    spans = [(persona[parent], -ALWAYS, ALWAYS) for parent in ("mother", "father")]
    spans += [(friend["name"], -ALWAYS, ALWAYS) for friend in persona["friends"]]
    spans += [(p["name"], _day(p["birth_date"]), ALWAYS) for p in persona["siblings"] + persona["children"]]
    spans += [
        (m["partner"], _day(m["married_date"]), _day(m["divorce_date"]) if m["divorce_date"] else ALWAYS)
        for m in persona["marriages"]
    ]
    spans += [(love["name"], _day(love["start_date"]), _day(love["end_date"])) for love in persona["sweethearts"]]
    return spans


def _check_texts(failures: Counter[str], episodes: _EpisodeArrays) -> None:
    failures["empty field in a text"] += int(pc.sum(pc.match_substring_regex(episodes.text, EMPTY)).as_py() or 0)
    for place in pc.unique(episodes.place).drop_null().to_pylist():
        text = episodes.text.filter(pc.equal(episodes.place, place))
        said = pc.match_substring(text, place, ignore_case=True)
        failures["place not in the text"] += len(text) - int(pc.sum(said).as_py() or 0)


def _day(when: date) -> int:
    return when.toordinal() - date(1970, 1, 1).toordinal()
