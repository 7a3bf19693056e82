"""Templates and word lists: strictly checked, and every one of them used."""

from __future__ import annotations

import copy
from typing import Any

import pyarrow.compute as pc
import pytest

from timelineqa_ds.declared import templates as module
from timelineqa_ds.declared.events import declarations
from timelineqa_ds.declared.templates import LEAST, SentenceTemplate, templates
from timelineqa_ds.declared.vocabulary import Vocabulary, read_json, vocabulary
from timelineqa_ds.episodes import make_log
from timelineqa_ds.tables.phrasing import _phrases
from timelineqa_ds.world.columns import Choice, Items
from timelineqa_ds.world.company import NOBODY
from timelineqa_ds.world.persona import Persona, make_persona


@pytest.fixture
def document(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    changed: dict[str, Any] = copy.deepcopy(read_json("templates.json"))
    monkeypatch.setattr(module, "read_json", lambda name: changed)
    return changed


def test_every_event_has_enough_templates() -> None:
    for name, variants in templates().items():
        texts = [template.text for group in variants.values() for template in group]
        assert len(set(texts)) == len(texts) >= LEAST, name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "I talked with {people} for {minutes} minutes.",
            r"placeholders are \['minutes', 'people'\], expected each of",
        ),
        ("I talked with {people} for {minutes} minutes {time_of_day} in {city}.", "expected each of"),
        ("I talked with {people} for {minutes!r} minutes {time_of_day}.", "bare name"),
        ("I talked with {people} for {minutes:d} minutes {time_of_day}.", "bare name"),
        ("I talked with {people} for {minutes}min {time_of_day}.", "must not touch a letter"),
        ("I talked with {people} for {minutes}{time_of_day}.", "must not touch"),
        ("I talked with {people} for {minutes minutes {time_of_day}.", "templates.json: chat, plain"),
        ("I talked with {} for {minutes} minutes {time_of_day}.", "expected each of"),
    ],
)
def test_a_wrong_template_is_refused(document: dict[str, Any], text: str, message: str) -> None:
    document["chat"]["plain"][0] = text
    with pytest.raises(ValueError, match=message):
        templates.__wrapped__()


def test_missing_events_variants_and_templates_are_refused(document: dict[str, Any]) -> None:
    document["read"]["plain"] = document["read"]["plain"][:2]
    with pytest.raises(ValueError, match="read needs 3 different templates"):
        templates.__wrapped__()
    document["read"] = {"loud": ["x"]}
    with pytest.raises(ValueError, match=r"read has variants \['loud'\], expected \['plain'\]"):
        templates.__wrapped__()
    del document["read"]
    with pytest.raises(ValueError, match=r"events \['read'\] are not in both"):
        templates.__wrapped__()


def test_every_template_is_used() -> None:
    unused = {template.text for variants in templates().values() for group in variants.values() for template in group}
    for index in range(40):
        unused -= {template.text for template in used_templates(index)}
    rare = {
        t.text for name in ("graduate_school_move", "graduate_school_graduation") for t in templates()[name]["plain"]
    }
    assert unused <= rare, unused
    for index in (i for i in range(40, 400) if unused and make_persona(i, 12345, 2022).graduate_school):
        unused -= {template.text for template in used_templates(index)}
    assert not unused


@pytest.mark.slow
def test_every_word_of_every_list_is_used() -> None:
    words = vocabulary()
    unused: dict[str, set[Any]] = {name: set(words[name]) for name in words}
    unused.update({"cities": {p.name for p in words.cities}, "titles": {t for f in words.professions for t in f}})
    unused["pets"] = set(words.pet_kinds)
    unused["places"] = {(d.city, sight) for d in words.destinations for sight in d.places}
    for index in range(60):
        _cross_out_episodes(unused, index)
    for index in range(20_000):
        _cross_out_persona(unused, make_persona(index, 12345, 2022))
        if index % 1000 == 999 and not any(unused.values()):
            break
    assert {name: left for name, left in unused.items() if left} == {}


def used_templates(index: int) -> list[SentenceTemplate]:
    log = make_log("sparse", index, 12345, 2022)
    return [phrase.template for event in declarations().events.values() for phrase in _phrases(log, event)]


def _cross_out_episodes(unused: dict[str, set[Any]], index: int) -> None:
    log = make_log("sparse", index, 12345, 2022)
    for name, rows in log.rows.items():
        for field in declarations().events[name].fields.values():
            if field.of and len(rows):
                column = rows.field(field.name)
                assert isinstance(column, Choice | Items)
                found = {column.words.values[code] for code in set(column.codes.ravel().tolist()) - {NOBODY}}
                for words in field.of:
                    unused[words] -= found
    visits = log.rows["places_visited"]
    cities, places = (visits.field(name).arrow(log.kept("places_visited")).to_pylist() for name in ("city", "place"))
    unused["places"] -= set(zip(cities, places, strict=True))
    unused["food.restaurants"] -= set(
        pc.unique(log.rows["dining"].field("restaurant").arrow(log.kept("dining"))).to_pylist()
    )


def _cross_out_persona(unused: dict[str, set[Any]], persona: Persona) -> None:
    for person in persona.people:
        unused[f"names.{person.gender}"].discard(person.name)
    for school, names in ((persona.college, "work.colleges"), (persona.graduate_school, "work.graduate_schools")):
        if school:
            unused[names].discard(school.name)
            unused["work.majors"].discard(school.major)
            unused["cities"].discard(school.city)
    for job in persona.jobs:
        unused["work.employers"].discard(job.employer)
        unused["titles"].discard(job.title)
        unused["cities"].discard(job.city)
    unused["cities"].discard(persona.birth_city)
    for pet in persona.pets:
        unused["health.pet_names"].discard(pet.name)
        unused["pets"].discard(pet.kind)
    unused["people.personalities"].discard(persona.personality)
    unused["people.eye_colors"].discard(persona.eye_color)
    unused["people.blood_types"].discard(persona.blood_type)


def test_lists_are_at_least_as_long_as_the_original_ones() -> None:
    words = vocabulary()
    least = {
        "food.cook": 50, "food.bake": 26, "food.breakfast": 6, "food.lunch": 6, "food.dinner": 9, "food.dining": 6,
        "groceries.fruits": 18, "groceries.drinks": 12, "groceries.toiletries": 11, "leisure.hobbies": 13,
        "leisure.exercises": 6, "leisure.date_places": 4, "leisure.tv_kinds": 4, "leisure.parts_of_day": 6,
    }  # fmt: skip
    assert {name: len(words[name]) for name in least if len(words[name]) < least[name]} == {}
    assert len(words["names.female"]) + len(words["names.male"]) >= 209
    assert len(words.cities) >= 1178
    assert len(words.destinations) >= 15


def test_no_name_is_the_beginning_of_another() -> None:
    names = sorted(vocabulary()["names.female"] + vocabulary()["names.male"])
    assert [pair for pair in zip(names, names[1:], strict=False) if pair[1].startswith(pair[0])] == []


def test_a_wrong_word_list_is_refused() -> None:
    documents = {name: read_json(f"vocabulary/{name}.json") for name in ("health", "work", "cities", "destinations")}
    assert "health.clinics" in Vocabulary(documents)
    with pytest.raises(ValueError, match="no word list 'health.wards'; expected one of health.physical"):
        Vocabulary(documents)["health.wards"]
    for bad, message in (
        (["bath", "bath"], "'bath' is given twice"),
        (["bath "], "has blanks around it"),
        ([""], "blank"),
    ):
        documents["health"] = {**documents["health"], "pet_care": bad}
        with pytest.raises(ValueError, match=f"word list health.pet_care: .*{message}"):
            Vocabulary(documents)
