"""Personas: the laws of a life, unique names, nothing after the final year."""

from __future__ import annotations

from collections import Counter
from datetime import date

import pytest

from timelineqa_ds.declared.vocabulary import vocabulary
from timelineqa_ds.world.persona import OLDEST, YOUNGEST, Persona, age_of, make_persona


@pytest.fixture(scope="module")
def personas() -> list[Persona]:
    return [make_persona(index, 12345, 2022) for index in range(300)]


def known(day: date | None) -> date:
    assert day is not None
    return day


def test_a_persona_is_a_function_of_seed_and_index_alone(personas: list[Persona]) -> None:
    assert make_persona(17, 12345, 2022) == personas[17]
    assert make_persona(17, 12346, 2022) != personas[17]
    assert make_persona(5000, 12345, 2022).index == 5000


def test_the_final_year_moves_the_birth_year_and_nothing_else_about_age(personas: list[Persona]) -> None:
    earlier = make_persona(17, 12345, 1990)
    assert earlier.age == personas[17].age
    assert earlier.born.year == personas[17].born.year - 32


@pytest.mark.parametrize("seed", [1, 12345])
@pytest.mark.parametrize("block", [0, 3])
def test_every_age_comes_once_in_57_personas(seed: int, block: int) -> None:
    ages = [age_of(index, seed) for index in range(57 * block, 57 * block + 57)]
    assert sorted(ages) == list(range(YOUNGEST, OLDEST + 1))
    assert ages != sorted(ages)


def test_names_are_unique_within_a_persona(personas: list[Persona]) -> None:
    for persona in personas:
        names = [persona.name, *(person.name for person in persona.people)]
        assert len(names) == len(set(names)), persona.index


def test_friends_are_of_both_genders(personas: list[Persona]) -> None:
    genders = Counter(friend.gender for persona in personas for friend in persona.related("friend"))
    assert 0.45 < genders["female"] / sum(genders.values()) < 0.55
    for persona in personas:
        assert 7 <= len(persona.related("friend")) <= 14


def test_names_have_the_gender_they_are_listed_under(personas: list[Persona]) -> None:
    words = vocabulary()
    for persona in personas:
        for person in persona.people:
            assert person.name in words[f"names.{person.gender}"]


def test_children_come_at_a_plausible_age_and_before_the_end(personas: list[Persona]) -> None:
    born = 0
    for persona in personas:
        days = [known(child.since) for child in persona.related("child")]
        assert days == sorted(days)
        for day in days:
            assert day.year <= persona.year
            assert 20 <= day.year - persona.born.year <= 50
        gaps = [(later - sooner).days for sooner, later in zip(days, days[1:], strict=False)]
        assert all(gap >= 270 for gap in gaps)
        born += len(days)
    assert born > 300


def test_marriages_do_not_overlap_and_partners_are_theirs(personas: list[Persona]) -> None:
    married = 0
    for persona in personas:
        partners = persona.related("partner")
        assert [(p.since, p.until) for p in partners] == [(m.married, m.divorced) for m in persona.marriages]
        for before, after in zip(persona.marriages, persona.marriages[1:], strict=False):
            assert before.divorced is not None and before.divorced < after.married
        for marriage in persona.marriages:
            assert marriage.married.year - persona.born.year >= 20
            assert marriage.married.year <= persona.year
            assert marriage.divorced is None or marriage.married < marriage.divorced <= date(persona.year, 12, 31)
            married += 1
    assert married > 150
    assert any(m.divorced is None for persona in personas for m in persona.marriages)


def test_sweethearts_fill_the_time_between_marriages(personas: list[Persona]) -> None:
    for persona in personas:
        loves = persona.related("sweetheart")
        assert loves[0].since == date(persona.born.year + 18, 1, 1)
        for love in loves:
            since, until = known(love.since), known(love.until)
            assert since <= until
            for marriage in persona.marriages:
                assert until < marriage.married or (marriage.divorced and since > marriage.divorced)
        for before, after in zip(loves, loves[1:], strict=False):
            assert known(before.until) < known(after.since)


def test_jobs_follow_one_another_after_the_studies(personas: list[Persona]) -> None:
    worked = 0
    for persona in personas:
        studied = [school.graduated for school in (persona.college, persona.graduate_school) if school]
        for job in persona.jobs:
            assert all(day is not None and day < job.start for day in studied)
            assert job.start.year <= persona.year and (job.end is None or job.end.year <= persona.year)
            assert job.start.year - persona.born.year >= 20
            worked += 1
        for before, after in zip(persona.jobs, persona.jobs[1:], strict=False):
            assert before.end is not None and before.end < after.start
            assert before.title != after.title and before.employer != after.employer
        homes = [city for _, city in persona.homes()]
        assert len(homes) == len(set(homes)), "every move leads to another city"
    assert worked > 300


def test_graduate_school_is_another_one_after_college(personas: list[Persona]) -> None:
    both = [persona for persona in personas if persona.graduate_school]
    assert len(both) > 15
    assert 0.4 < sum(persona.college is not None for persona in personas) / len(personas) < 0.55
    for college, later in ((persona.college, persona.graduate_school) for persona in both):
        assert college and later and known(college.graduated) < later.moved
        assert college.name != later.name


def test_birthdays_use_the_whole_year() -> None:
    days = [make_persona(index, 5, 2022).born for index in range(400)]
    assert {day.month for day in days} == set(range(1, 13))
    assert max(day.day for day in days) >= 29


def test_negative_index() -> None:
    with pytest.raises(ValueError, match="numbered from 0, got -1"):
        make_persona(-1, 1, 2022)


@pytest.mark.slow
def test_no_name_is_given_twice_in_the_whole_world() -> None:
    for index in range(1000):
        persona = make_persona(index, 12345, 2022)
        names = [persona.name, *(person.name for person in persona.people)]
        assert len(names) == len(set(names)), index
