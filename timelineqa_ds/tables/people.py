"""Personas as an Arrow table, one row each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pyarrow as pa

from ..world.persona import Persona


TEXT, DATE = pa.string(), pa.date32()
# By column, the attribute of a record of the persona that it shows, and its type.
_PERSON = {"name": ("name", TEXT), "gender": ("gender", TEXT)}
_BORN = {**_PERSON, "birth_date": ("since", DATE)}
_MARRIAGE = {"partner": ("name", TEXT), "married_date": ("since", DATE), "divorce_date": ("until", DATE)}
_LOVE = {"name": ("name", TEXT), "start_date": ("since", DATE), "end_date": ("until", DATE)}
_PLACE = {"city": ("city", TEXT), "country": ("country", TEXT)}
_SCHOOL = {
    "name": ("name", TEXT),
    "major": ("major", TEXT),
    **_PLACE,
    "move_date": ("moved", DATE),
    "graduation_date": ("graduated", DATE),
}
_JOB = {
    "title": ("title", TEXT),
    "employer": ("employer", TEXT),
    **_PLACE,
    "start_date": ("start", DATE),
    "end_date": ("end", DATE),
}
_PET = {"name": ("name", TEXT), "kind": ("kind", TEXT)}
Parts = Mapping[str, tuple[str, pa.DataType]]
_RELATIONS = {
    "siblings": ("sibling", _BORN),
    "friends": ("friend", _PERSON),
    "marriages": ("partner", _MARRIAGE),
    "children": ("child", _BORN),
    "sweethearts": ("sweetheart", _LOVE),
}


def _struct(parts: Parts) -> pa.DataType:
    return pa.struct({column: kind for column, (_, kind) in parts.items()})


SCHEMA = pa.schema(
    {
        "persona": pa.int32(),
        **dict.fromkeys(("name", "gender"), TEXT),
        "birth_date": DATE,
        **dict.fromkeys(("birth_city", "birth_country", "mother", "father"), TEXT),
        **{column: pa.list_(_struct(parts)) for column, (_, parts) in _RELATIONS.items()},
        "college": _struct(_SCHOOL),
        "graduate_school": _struct(_SCHOOL),
        "jobs": pa.list_(_struct(_JOB)),
        "hobbies": pa.list_(TEXT),
        "exercises": pa.list_(TEXT),
        "pets": pa.list_(_struct(_PET)),
        "trips_a_year": pa.int32(),
        **dict.fromkeys(("personality", "eye_color", "blood_type"), TEXT),
    }
)


def people_table(personas: Iterable[Persona], columns: Sequence[str] | None = None) -> pa.Table:
    """The personas, one row each; only `columns` if given."""
    names = SCHEMA.names if columns is None else list(columns)
    rows = [_row(persona) for persona in personas]
    return pa.Table.from_pylist(rows, pa.schema([SCHEMA.field(name) for name in names]))


def _row(persona: Persona) -> dict[str, object]:
    """The columns that differ from the persona's own attributes, and those."""
    schools = {which: getattr(persona, which) for which in ("college", "graduate_school")}
    return {
        **vars(persona),
        "persona": persona.index,
        "birth_date": persona.born,
        **{parent: persona.related(parent)[0].name for parent in ("mother", "father")},
        **{
            column: [_shown(person, parts) for person in persona.related(relation)]
            for column, (relation, parts) in _RELATIONS.items()
        },
        **{which: _shown(school, _SCHOOL) if school else None for which, school in schools.items()},
        "jobs": [_shown(job, _JOB) for job in persona.jobs],
        "pets": [_shown(pet, _PET) for pet in persona.pets],
    }


def _shown(record: object, parts: Parts) -> dict[str, object]:
    return {column: getattr(record, attribute) for column, (attribute, _) in parts.items()}
