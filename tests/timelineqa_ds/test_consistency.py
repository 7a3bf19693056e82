"""No lifelog breaks a rule, and the checks notice it when one does."""

from __future__ import annotations

import copy
import datetime
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pytest

from timelineqa_ds.checks.lifelogs import CHECKS, violations
from timelineqa_ds.generator import lifelog

from .made import Made


@pytest.mark.parametrize(
    ("density", "indices"), [("sparse", range(12)), ("medium", range(20, 26)), ("dense", (3, 999))]
)
def test_a_few_lifelogs_are_sound(made: Made, density: str, indices: Sequence[int]) -> None:
    for index in indices:
        assert violations(made(density, index), 2022) == dict.fromkeys(CHECKS, 0), index


@pytest.mark.parametrize(("seed", "year", "duration"), [(1, 2022, None), (2, 1950, 5), (3, 2100, 1)])
def test_other_worlds_are_sound(seed: int, year: int, duration: int | None) -> None:
    for index in (3, 40):
        one = lifelog("sparse", index, seed=seed, year=year, duration=duration)
        assert violations(one, year) == dict.fromkeys(CHECKS, 0)


def test_the_checks_notice(made: Made) -> None:
    one = made("sparse", 5)
    rows, persona = one.episodes.to_pylist(), one.persona.to_pylist()[0]

    def counted(**changes: Any) -> set[str]:
        changed = copy.copy(one)
        changed.episodes = pa.Table.from_pylist(changes.get("rows", rows), one.episodes.schema)
        changed.persona = pa.Table.from_pylist([changes.get("persona", persona)], one.persona.schema)
        return {name for name, count in violations(changed, changes.get("year", 2022)).items() if count}

    def with_row(event: str, **values: Any) -> list[dict[str, Any]]:
        number = next(n for n, row in enumerate(rows) if row["event"] == event)
        return [{**row, **values} if n == number else row for n, row in enumerate(rows)]

    trip = next(row for row in rows if row["event"] == "travel")
    day = datetime.timedelta(days=1)
    assert counted() == set()
    assert "excluded on a trip day" in counted(rows=with_row("exercise", start=trip["end"], end=trip["end"]))
    assert "excluded on a trip day" in counted(
        rows=with_row("hobbies", start=trip["start"] + day, end=trip["start"] + day)
    )
    assert "person outside their dates" in counted(rows=with_row("chat", people=["Stranger"], text="Stranger."))
    mother = persona["mother"]
    assert counted(rows=with_row("chat", people=[mother] * 2, text=mother)) == {"name given twice"}
    assert "name given twice" in counted(persona={**persona, "name": mother})
    late = trip["end"] + day
    assert "sub-episode outside its trip" in counted(rows=with_row("dining", start=late, end=late))
    assert "sub-episode outside its trip" in counted(rows=with_row("dining", parent_id=None))
    assert "after the final year" in counted(year=2021)
    early = datetime.date(persona["birth_date"].year + 17, 5, 5)
    assert "before age 18" in counted(rows=with_row("read", start=early, end=early))
    assert counted(rows=with_row("read", text="I read {kind} for 5 minutes.")) == {"empty field in a text"}
    assert counted(rows=with_row("read", text="I read  for 5 minutes.")) == {"empty field in a text"}
    assert counted(rows=with_row("chat", text="Nobody spoke.")) == {"person not in the text"}
    assert counted(rows=with_row("dining", text=trip["text"])) >= {"place not in the text"}
    assert "trips that overlap" in counted(rows=with_row("travel", end=trip["end"] + 800 * day))
    assert "episode_id out of order" in counted(rows=rows[::-1])
