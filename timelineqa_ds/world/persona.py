"""One imaginary person: who they are, whom they know and when, what they learnt and where they worked.

A persona is a function of (seed, index, final year) and the same in every density. The laws are those of the original
program (ages 18 to 74, 0-5 siblings, 7-14 friends, 0-4 marriages, children and jobs, ...), with its faults mended: no
name is given twice, friends are of both genders, a marriage, a job or a school lies within the person's life, and
nothing is dated after the final year. Ages run through every value once per 57 personas, so that any run of personas
has the mean of the law. Ages are counted by calendar year, back from the final year.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from ..declared.vocabulary import Pet, vocabulary
from ..spec import DRAWN
from .life import Job, Marriage, School, births, jobs, marriages, schools
from .streams import Draw, Streams


VOCABULARY = ("cities", "health", "leisure", "names", "people", "work")  # files that a life is drawn from
YOUNGEST, OLDEST = 18, 74
LAST_DATING_AGE = 60
SAME_GENDER_COUPLES = 10  # per cent
DAY = timedelta(days=1)


@dataclass(frozen=True)
class Person:
    """Somebody the persona knows.

    Attributes:
        relation: mother, father, sibling, friend, sweetheart, partner or child.
        gender: female or male.
        since, until: first and last day of the relation; None where the log has no such end.
    """

    name: str
    relation: str
    gender: str
    since: date | None = None
    until: date | None = None


@dataclass(frozen=True)
class Persona:
    """A person and the course of their life up to 31 December of `year`.

    `people` holds everybody once: parents, siblings (since birth), friends, partners (marriage to divorce), children
    (since birth), and sweethearts (between marriages).
    """

    index: int
    year: int
    name: str
    gender: str
    born: date
    birth_city: str
    birth_country: str
    people: tuple[Person, ...]
    college: School | None
    graduate_school: School | None
    marriages: tuple[Marriage, ...]
    jobs: tuple[Job, ...]
    hobbies: tuple[str, ...]
    exercises: tuple[str, ...]
    pets: tuple[Pet, ...]
    trips_a_year: int
    personality: str
    eye_color: str
    blood_type: str

    @property
    def age(self) -> int:
        """Age reached in the final year."""
        return self.year - self.born.year

    @property
    def pet_names(self) -> tuple[str, ...]:
        """Names of the pets."""
        return tuple(pet.name for pet in self.pets)

    def related(self, *relations: str) -> list[Person]:
        """The people of these relations, in the order of `people`."""
        return [person for person in self.people if person.relation in relations]

    def homes(self) -> list[tuple[date, str]]:
        """Where the persona lives, as (from, city), oldest first."""
        moves = [(self.born, self.birth_city)]
        moves += [(school.moved, school.city) for school in (self.college, self.graduate_school) if school]
        moves += [(job.start, job.city) for job in self.jobs]
        return sorted(moves)

    def home_on(self, day: date) -> str:
        """The city the persona lives in on `day`."""
        return [city for since, city in self.homes() if since <= day][-1]


def make_persona(index: int, seed: int, year: int) -> Persona:
    """The persona number `index` of a seed's world, as of 31 December of `year`.

    Raises:
        ValueError: if the index is negative.
    """
    if index < 0:
        raise ValueError(f"personas are numbered from 0, got {index}")
    draw = Draw(Streams(DRAWN, seed, f"persona-{index}"))
    words = vocabulary()
    born_in = year - age_of(index, seed)
    born = draw.day("birthday", born_in)
    gender = draw.one("gender", ("female", "male"))
    birth_place = draw.one("birth place", words.cities)
    names = _Names(draw)
    name = names.next(gender)
    college, graduate = schools(draw, born_in, year, birth_place.name)
    wed = marriages(draw, born_in, year)
    people = [*_family(draw, names, born), *_friends(draw, names)]
    people += _partners(draw, names, gender, wed)
    people += _children(draw, names, births(draw, born_in, year))
    people += _sweethearts(draw, names, gender, wed, born_in, year)
    return Persona(
        index=index,
        year=year,
        name=name,
        gender=gender,
        born=born,
        birth_city=birth_place.name,
        birth_country=birth_place.country,
        people=tuple(people),
        college=college,
        graduate_school=graduate,
        marriages=wed,
        jobs=jobs(draw, born_in, year, birth_place.name, (college, graduate)),
        hobbies=tuple(draw.several("hobbies", words["leisure.hobbies"], draw.integer("how many hobbies", 2, 7))),
        exercises=tuple(draw.several("exercises", words["leisure.exercises"], draw.integer("how many sports", 3, 7))),
        pets=_pets(draw),
        trips_a_year=draw.integer("trips a year", 1, 3),
        personality=draw.one("personality", words["people.personalities"]),
        eye_color=draw.one("eye color", words["people.eye_colors"]),
        blood_type=draw.one("blood type", words["people.blood_types"]),
    )


def age_of(index: int, seed: int) -> int:
    """The age a persona reaches in the final year: each of 18..74 once in every 57 personas."""
    span = OLDEST - YOUNGEST + 1
    block, place = divmod(index, span)
    return YOUNGEST + int(Streams(DRAWN, seed, f"ages-{block}").shuffles("ages", 1, span)[0, place])


class _Names:
    """First names in random order, none given twice."""

    def __init__(self, draw: Draw) -> None:
        words = vocabulary()
        self._left = {
            gender: draw.several(f"{gender} names", words[f"names.{gender}"], len(words[f"names.{gender}"]))
            for gender in ("female", "male")
        }

    def next(self, gender: str) -> str:
        """A name nobody has yet."""
        name = self._left[gender].pop()
        other = self._left["male" if gender == "female" else "female"]
        if name in other:
            other.remove(name)
        return name


def _family(draw: Draw, names: _Names, born: date) -> Iterator[Person]:
    yield Person(names.next("female"), "mother", "female")
    yield Person(names.next("male"), "father", "male")
    for number in range(draw.weighted("siblings", (10, 30, 30, 10, 10, 10))):
        gender = draw.one(f"sibling {number}", ("female", "male"))
        apart = draw.integer(f"sibling {number} apart", 1, 9) * draw.one(f"sibling {number} older", (-1, 1))
        yield Person(names.next(gender), "sibling", gender, draw.day(f"sibling {number} born", born.year + apart))


def _friends(draw: Draw, names: _Names) -> Iterator[Person]:
    for number in range(draw.integer("friends", 7, 14)):
        gender = draw.one(f"friend {number}", ("female", "male"))
        yield Person(names.next(gender), "friend", gender)


def _partners(draw: Draw, names: _Names, gender: str, wed: tuple[Marriage, ...]) -> Iterator[Person]:
    for number, marriage in enumerate(wed):
        theirs = _couple(draw, f"partner {number}", gender)
        yield Person(names.next(theirs), "partner", theirs, marriage.married, marriage.divorced)


def _children(draw: Draw, names: _Names, days: tuple[date, ...]) -> Iterator[Person]:
    for number, day in enumerate(days):
        gender = draw.one(f"child {number} is", ("female", "male"))
        yield Person(names.next(gender), "child", gender, day)


def _sweethearts(
    draw: Draw, names: _Names, gender: str, wed: tuple[Marriage, ...], born: int, year: int
) -> Iterator[Person]:
    """One after the other, each for a half to four years, while the persona is single."""
    last_day = date(min(year, born + LAST_DATING_AGE), 12, 31)
    begins = [date(born + YOUNGEST, 1, 1), *(m.divorced + DAY if m.divorced else last_day + DAY for m in wed)]
    ends = [*(m.married - DAY for m in wed), last_day]
    number = 0
    for begin, end in zip(begins, ends, strict=True):
        day, last = begin, min(end, last_day)
        while day <= last:
            until = min(day + timedelta(draw.integer(f"sweetheart {number} for", 180, 1460)), last)
            theirs = _couple(draw, f"sweetheart {number}", gender)
            yield Person(names.next(theirs), "sweetheart", theirs, day, until)
            day, number = until + DAY, number + 1


def _couple(draw: Draw, purpose: str, gender: str) -> str:
    """Gender of a partner: mostly the other one."""
    other = "male" if gender == "female" else "female"
    return gender if draw.chance(purpose, SAME_GENDER_COUPLES) else other


def _pets(draw: Draw) -> tuple[Pet, ...]:
    names = draw.several("pet names", vocabulary()["health.pet_names"], draw.integer("pets", 0, 2))
    kinds = [draw.one(f"pet {number}", vocabulary().pet_kinds) for number in range(len(names))]
    return tuple(Pet(name, kind) for name, kind in zip(names, kinds, strict=True))
