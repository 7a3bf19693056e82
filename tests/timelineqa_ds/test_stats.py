"""The paper's figures beside ours, within the tolerances that are promised."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from timelineqa_ds import spec
from timelineqa_ds.declared.events import event_names
from timelineqa_ds.episodes import make_log
from timelineqa_ds.figures import stats

from .made import Made


FREQUENT = (
    "chat watch_tv read breakfast lunch dinner exercise social_media grocery dating hobbies dining pet_care "
    "places_visited travel bake cook personal_medical_care parent_medical_care child_medical_care"
).split()


ASCII = st.text(st.sampled_from("ab cZ'9.@[`{-"), max_size=8)


@given(st.lists(st.one_of(ASCII, ASCII.map(lambda text: text + "é")), max_size=6), st.integers(0, 3))
def test_tokens_follow_the_rule_of_the_paper(texts: list[str], skipped: int) -> None:
    expected = [len(re.findall(r"[^\W\d_]{2,}", text)) for text in texts]
    whole = pa.array(texts, pa.string())
    assert stats.token_counts(whole).to_pylist() == expected
    assert stats.token_counts(whole.slice(skipped)).to_pylist() == expected[skipped:]
    chunked = pa.chunked_array([whole.slice(0, 2), whole.slice(2)])
    assert stats.token_counts(chunked).to_pylist() == expected


def test_a_tally_counts(made: Made) -> None:
    table = made("sparse", 5).episodes
    tally = stats.EpisodeTally("sparse", lifelogs=1)
    tally.add(table)
    events, text = table["event"].to_pylist(), table["text"].to_pylist()
    assert tally.entries == dict(Counter(events))
    chats = [len(re.findall(r"[^\W\d_]{2,}", t)) for e, t in zip(events, text, strict=True) if e == "chat"]
    assert tally.mean_tokens("chat") == pytest.approx(sum(chats) / len(chats))
    assert tally.mean_entries() == table.num_rows
    assert stats.EpisodeTally("sparse").mean_tokens() == stats.EpisodeTally("sparse").mean_entries() == 0


def test_only_episodes_are_counted() -> None:
    with pytest.raises(ValueError, match="an episodes config"):
        stats.of_config("dense_daily_chat", [1], seed=1, year=2022, duration=None)


@pytest.fixture(scope="module", params=spec.DENSITIES)
def lines(request: pytest.FixtureRequest) -> dict[str, dict[str, Any]]:
    """57 personas, which have every age once."""
    tally = stats.of_config(f"{request.param}_episodes", range(57), seed=spec.SEED, year=spec.YEAR, duration=None)
    return {line.event: line.as_dict() for line in stats.lines([tally])}


@pytest.mark.xdist_group("stats")
@pytest.mark.slow
def test_a_cycle_of_ages_is_faithful(lines: dict[str, dict[str, Any]]) -> None:
    faithful(lines)


def faithful(lines: dict[str, dict[str, Any]]) -> None:
    assert abs(lines["all"]["entries_difference"]) < 0.04
    assert abs(lines["all"]["tokens_difference"]) < 0.08
    for event in event_names():
        if lines[event]["paper_tokens"]:
            assert abs(lines[event]["tokens_difference"]) < 0.15, event
    for event in FREQUENT:
        assert abs(lines[event]["entries_difference"]) < 0.10, event
    assert lines["marriage"]["entries"] > 0.5 and lines["job_move"]["entries"] > 0.8


@pytest.mark.slow
@pytest.mark.parametrize("density", spec.DENSITIES)
def test_counts_are_those_of_the_paper(density: str) -> None:
    """228 personas, which have every age four times; counts only, which need no text."""
    found: Counter[str] = Counter()
    personas = range(4 * 57)
    for index in personas:
        log = make_log(density, index, spec.SEED, spec.YEAR)
        found.update({event: len(rows) for event, rows in log.rows.items()})
    whole = stats.paper()["table2"][density]
    assert sum(found.values()) / len(personas) == pytest.approx(whole["entries"] / whole["logs"], rel=0.04)
    for event in FREQUENT:
        assert found[event] / len(personas) == pytest.approx(
            stats.paper()["table9"][event]["per_log"][density], rel=0.10
        ), event
    assert found["marriage"] > 0.5 * len(personas) and found["job_move"] > 0.8 * len(personas)


@pytest.mark.parametrize("density", ["sparse", "medium"])
def test_a_few_lifelogs_are_near_the_paper(made: Made, density: str) -> None:
    tally = stats.of_config(f"{density}_episodes", range(10, 16), seed=spec.SEED, year=spec.YEAR, duration=None)
    (whole, *events) = stats.lines([tally])
    assert abs(whole.as_dict()["tokens_difference"]) < 0.08
    assert {line.event for line in events} == set(event_names())
    assert "paper" in stats.as_text([tally])
