"""Every multi-hop template against plain Python on the same tables, from the parameters that its wording names."""

from __future__ import annotations

from collections import Counter
from datetime import date
from fractions import Fraction

import pytest

from timelineqa_ds.questions.multihop import ask
from timelineqa_ds.questions.multihop_templates import templates


MONTHS = "January February March April May June July August September October November December".split()


def average(total, periods):
    cents = int(Fraction(100 * total, periods) + Fraction(1, 2))  # half up
    return [f"{cents // 100}.{cents % 100:02d}"]


def most(values):
    counted = Counter(values)
    best = max(counted.values())
    return [value for value, count in counted.items() if count == best]


def top(values, count):
    ranked = Counter(values).most_common()
    assert len(ranked) == count or ranked[count - 1][1] > ranked[count][1], "a tie at the cut"
    return [value for value, _ in ranked[:count]]


def each(rows, column):
    for row in rows:
        assert len(set(row[column])) == len(row[column])
        yield from row[column]


def in_month(day, p):
    return (day.year, MONTHS[day.month - 1]) == (p["year"], p["month"])


def in_years(day, p):
    return p["from_year"] <= day.year <= p["to_year"]


def in_period(day, p):
    """The period of an average, which must be as long as the question says."""
    words = p["period"].split()
    first, last = (int(words[1]), int(words[-1]))
    whole = date(last, 12, 31) - date(first, 1, 1)
    assert p["periods"] == (last - first + 1 if p["unit"] == "year" else whole.days + 1)
    assert p["unit"] == "year" or first == last
    return first <= day.year <= last


def care(kind, when):
    return lambda r, p: (r["for_whom"], r["type_of_care"]) == ("child", kind) and when(r["date"], p)


def in_year(day, p):
    return day.year == p["year"]


def every(r, p):
    return True


def number(rows, p):
    return [len(rows)]


def talked(rows, p):
    spent = Counter()
    for row in rows:
        for friend in row["friends"]:
            spent[friend] += row["howlong"] if p["unit"] == "minutes" else 1
    return [friend for friend in spent if spent[friend] == max(spent.values())]


def days_in(p):
    month = MONTHS.index(p["month"]) + 1
    return (date(p["year"] + month // 12, month % 12 + 1, 1) - date(p["year"], month, 1)).days


# The rows that a question is about, and what it asks of them.
ORACLES = {
    "q01": (care("eye exam", in_years), lambda rows, p: average(len(rows), p["to_year"] - p["from_year"] + 1)),
    "q02": (care("eye exam", in_year), number),
    "q03": (care("dental cleaning", in_year), number),
    "q04": (lambda r, p: in_month(r["date"], p), talked),
    "q05": (
        lambda r, p: in_period(r["date"], p),
        lambda rows, p: average(sum(r["howlong"] for r in rows), p["periods"]),
    ),
    "q06": (lambda r, p: p["friend"] in r["friends"] and in_month(r["date"], p), number),
    "q07": (lambda r, p: in_month(r["date"], p), lambda rows, p: most(r["exercise"] for r in rows)),
    "q08": (lambda r, p: r["exercise"] == p["kind"] and in_month(r["date"], p), number),
    "q09": (lambda r, p: r["exercise"] == p["kind"], lambda rows, p: most(MONTHS[r["date"].month - 1] for r in rows)),
    "q10": (
        lambda r, p: p["person"] in r["people"] and r["mealtype"] == p["meal"] and in_month(r["date"], p),
        lambda rows, p: {r["foodtype"] for r in rows},
    ),
    "q11": (
        lambda r, p: (r["mealtype"], r["foodtype"]) == (p["meal"], p["food"]) and in_month(r["date"], p),
        number,
    ),
    "q12": (
        lambda r, p: r["readtype"] == p["kind"] and in_period(r["date"], p),
        lambda rows, p: average(sum(r["howlong"] for r in rows), p["periods"]),
    ),
    "q13": (lambda r, p: r["readtype"] == p["kind"] and in_year(r["date"], p), number),
    "q14": (lambda r, p: r["watchtype"] == p["kind"] and r["date"].year >= p["year"], number),
    "q15": (lambda r, p: r["watchtype"] == p["kind"], lambda rows, p: most(r["date"].year for r in rows)),
    "q16": (lambda r, p: p["dish"] in r["cuisine"] and r["date"].year > p["year"], number),
    "q17": (every, lambda rows, p: most(each(rows, "cuisine"))),
    "q18": (
        lambda r, p: in_month(r["date"], p),
        lambda rows, p: average(len(list(each(rows, "cuisine"))), days_in(p)),
    ),
    "q19": (lambda r, p: not r["online"] and in_year(r["date"], p), number),
    "q20": (lambda r, p: p["item"] in r["toiletries"], lambda rows, p: most(r["date"].year for r in rows)),
    "q21": (every, lambda rows, p: most(each(rows, "fruits"))),
    "q22": (
        lambda r, p: p["person"] in r["people"] and not r["online"],
        lambda rows, p: [max(r["date"] for r in rows)],
    ),
    "q23": (lambda r, p: r["hobby"] == p["hobby"] and p["person"] in r["people"], number),
    "q24": (lambda r, p: r["hobby"] == p["hobby"] and r["people"], lambda rows, p: most(each(rows, "people"))),
    "q25": (lambda r, p: in_year(r["date"], p), lambda rows, p: most(r["hobby"] for r in rows)),
    "q26": (
        lambda r, p: r["city"] == p["city"] and in_years(r["dining_date"], p),
        lambda rows, p: {r["food_type"] for r in rows},
    ),
    "q27": (every, lambda rows, p: top((r["food_type"] for r in rows), p["top"])),
    "q28": (lambda r, p: r["city"] == p["city"], lambda rows, p: most(r["food_type"] for r in rows)),
    "q30": (lambda r, p: (r["city"], r["place"]) == (p["city"], p["place"]), number),
    "q31": (lambda r, p: r["city"] == p["city"] and in_years(r["place_visit_date"], p), number),
    "q32": (
        lambda r, p: r["city"] == p["city"] and p["person"] in r["people"],
        lambda rows, p: {r["place"] for r in rows},
    ),
    "q33": (every, number),
    "q34": (every, lambda rows, p: [min(r["married_date"] for r in rows)]),
    "q35": (every, lambda rows, p: [max(r["married_date"] for r in rows)]),
    "q36": (every, number),
    "q37": (every, lambda rows, p: [max(r["date"] for r in rows)]),
    "q38": (lambda r, p: r["type_of_move"] == "job", number),
    "q39": (lambda r, p: r["city"] == p["city"], number),
    "q40": (lambda r, p: r["city"] == p["city"], lambda rows, p: [min(r["start_date"] for r in rows)]),
    "q41": (lambda r, p: r["city"] == p["city"] and in_years(r["start_date"], p), number),
    "q42": (every, lambda rows, p: top((r["city"] for r in rows), p["top"])),
}  # fmt: skip


def dining_on_the_day_of_a_visit(rows, p):
    visits = [
        r for r in rows["travel_places_visited"] if r["place"] == p["place"] and in_year(r["place_visit_date"], p)
    ]
    (visit,) = visits  # the question speaks of one day
    meals = [r for r in rows["travel_dining"] if r["dining_date"] == visit["place_visit_date"]]
    return {r["food_type"] for r in meals}, [r["episode_id"] for r in visits + meals]


def oracle(rows, name, table, p):
    """Answers as a sorted list of text, and episode ids."""
    if name == "q29":
        answers, ids = dining_on_the_day_of_a_visit(rows, p)
    else:
        about, asked = ORACLES[name]
        chosen = [row for row in rows[table] if about(row, p)]
        answers, ids = asked(chosen, p), [row["episode_id"] for row in chosen]
    return sorted(str(answer) for answer in answers), sorted(ids)


def differences(lifelog):
    """Questions whose answers or evidence the oracle does not give."""
    rows = {name: table.to_pylist() for name, table in lifelog.tables.items()}
    wrong = []
    for question in ask(lifelog):
        name, table = question.template.name, question.template.table
        answers, ids = oracle(rows, name, table, question.parameters)
        if (sorted(question.answers), question.evidence.tolist()) != (answers, ids):
            wrong.append((lifelog.lifelog_id, question.text, question.answers, answers))
    return wrong


def test_there_is_an_oracle_for_every_template():
    assert {*ORACLES, "q29"} == set(templates())


@pytest.mark.parametrize("index", range(8))
def test_sparse(made, index):
    assert differences(made("sparse", index)) == []


@pytest.mark.parametrize("index", [2, 8, 11])
def test_medium(made, index):
    assert differences(made("medium", index)) == []


def test_dense(made):
    assert differences(made("dense", 17)) == []
