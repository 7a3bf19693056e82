"""Personas as an Arrow table, one row each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pyarrow as pa

from ..world.life import Employment, School
from ..world.persona import Person, Persona


_PERSON = pa.struct({"name": pa.string(), "gender": pa.string()})
_BORN = pa.struct({"name": pa.string(), "gender": pa.string(), "birth_date": pa.date32()})
_SCHOOL = pa.struct(
    {
        "name": pa.string(),
        "major": pa.string(),
        "city": pa.string(),
        "country": pa.string(),
        "move_date": pa.date32(),
        "graduation_date": pa.date32(),
    }
)
_MARRIAGE = pa.struct({"partner": pa.string(), "married_date": pa.date32(), "divorce_date": pa.date32()})
_LOVE = pa.struct({"name": pa.string(), "start_date": pa.date32(), "end_date": pa.date32()})
_JOB = pa.struct(
    {
        "title": pa.string(),
        "employer": pa.string(),
        "city": pa.string(),
        "country": pa.string(),
        "start_date": pa.date32(),
        "end_date": pa.date32(),
    }
)
SCHEMA = pa.schema(
    {
        "persona": pa.int32(),
        "name": pa.string(),
        "gender": pa.string(),
        "birth_date": pa.date32(),
        "birth_city": pa.string(),
        "birth_country": pa.string(),
        "mother": pa.string(),
        "father": pa.string(),
        "siblings": pa.list_(_BORN),
        "friends": pa.list_(_PERSON),
        "marriages": pa.list_(_MARRIAGE),
        "children": pa.list_(_BORN),
        "sweethearts": pa.list_(_LOVE),
        "college": _SCHOOL,
        "graduate_school": _SCHOOL,
        "jobs": pa.list_(_JOB),
        "hobbies": pa.list_(pa.string()),
        "exercises": pa.list_(pa.string()),
        "pets": pa.list_(pa.struct({"name": pa.string(), "kind": pa.string()})),
        "trips_a_year": pa.int32(),
        "personality": pa.string(),
        "eye_color": pa.string(),
        "blood_type": pa.string(),
    }
)


def people_table(personas: Iterable[Persona], columns: Sequence[str] | None = None) -> pa.Table:
    """The personas, one row each; only `columns` if given."""
    names = SCHEMA.names if columns is None else list(columns)
    rows = [_row(persona) for persona in personas]
    return pa.Table.from_pylist(rows, pa.schema([SCHEMA.field(name) for name in names]))


def _row(persona: Persona) -> dict[str, object]:
    return {
        "persona": persona.index,
        "name": persona.name,
        "gender": persona.gender,
        "birth_date": persona.born,
        "birth_city": persona.birth_city,
        "birth_country": persona.birth_country,
        "mother": persona.related("mother")[0].name,
        "father": persona.related("father")[0].name,
        "siblings": [_born(person) for person in persona.related("sibling")],
        "friends": [{"name": person.name, "gender": person.gender} for person in persona.related("friend")],
        "marriages": [
            {"partner": person.name, "married_date": person.since, "divorce_date": person.until}
            for person in persona.related("partner")
        ],
        "children": [_born(person) for person in persona.related("child")],
        "sweethearts": [
            {"name": person.name, "start_date": person.since, "end_date": person.until}
            for person in persona.related("sweetheart")
        ],
        "college": _school(persona.college),
        "graduate_school": _school(persona.graduate_school),
        "jobs": [_job(job) for job in persona.jobs],
        "hobbies": persona.hobbies,
        "exercises": persona.exercises,
        "pets": [{"name": pet.name, "kind": pet.kind} for pet in persona.pets],
        "trips_a_year": persona.trips_a_year,
        "personality": persona.personality,
        "eye_color": persona.eye_color,
        "blood_type": persona.blood_type,
    }


def _born(person: Person) -> dict[str, object]:
    return {"name": person.name, "gender": person.gender, "birth_date": person.since}


def _school(school: School | None) -> dict[str, object] | None:
    if school is None:
        return None
    return {
        "name": school.name,
        "major": school.major,
        "city": school.city,
        "country": school.country,
        "move_date": school.moved,
        "graduation_date": school.graduated,
    }


def _job(job: Employment) -> dict[str, object]:
    return {
        "title": job.title,
        "employer": job.employer,
        "city": job.city,
        "country": job.country,
        "start_date": job.start,
        "end_date": job.end,
    }
