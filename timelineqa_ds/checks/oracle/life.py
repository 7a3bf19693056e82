"""The extended templates about marriages, jobs and care."""

from __future__ import annotations

from datetime import date

from .parts import Found, Program, Row, Rows, Tables, Values, age, during, in_years, only, yes


def _wedding(tables: Tables, p: Values) -> Row:
    return only(r for r in tables["marriages"] if r["partner_name"] == p["partner"])


def _work(tables: Tables, p: Values) -> Row:
    return only(r for r in tables["jobs"] if (r["title"], r["employer"]) == (p["title"], p["employer"]))


def _weeks_after(rows: Rows, day: date, p: Values) -> Rows:
    return [r for r in rows if 0 < (r["date"] - day).days <= 7 * p["weeks"]]


def _dates_after_a_wedding(tables: Tables, p: Values) -> Found:
    wedding = _wedding(tables, p)
    dates = _weeks_after(tables["weekly_dating"], wedding["married_date"], p)
    return [len(dates)], [wedding, *dates]


def _hobby_after_a_new_job(tables: Tables, p: Values) -> Found:
    job = _work(tables, p)
    done = [r for r in _weeks_after(tables["weekly_hobby"], job["start_date"], p) if r["hobby"] == p["hobby"]]
    return [len(done)], [job, *done]


def _between_jobs(tables: Tables, p: Values) -> Found:
    job = _work(tables, p)
    later = min((r for r in tables["jobs"] if r["start_date"] > job["start_date"]), key=lambda r: r["start_date"])
    only([later] if later["employer"] == p["other"] else [])
    return [(later["start_date"] - job["end_date"]).days], [job, later]


def _age_at_first_care(tables: Tables, p: Values) -> Found:
    visits = [r for r in tables["annual_medical_care"] if (r["person"], r["type_of_care"]) == (p["child"], p["care"])]
    return age(p["birthday"], min(r["date"] for r in visits)), visits


def _last_care(tables: Tables, p: Values) -> Found:
    visits = [
        r
        for r in tables["annual_medical_care"]
        if (r["person"], r["type_of_care"]) == (p["person"], p["care"]) and in_years(r["date"], p)
    ]
    return [max(r["date"] for r in visits)], visits


def _longest_gap(tables: Tables, p: Values) -> Found:
    visits = [
        r
        for r in tables["annual_medical_care"]
        if (r["for_whom"], r["type_of_care"]) == ("myself", p["care"]) and in_years(r["date"], p)
    ]
    days = sorted(r["date"] for r in visits)
    return [max((later - earlier).days for earlier, later in zip(days, days[1:], strict=False))], visits


def _trips_during_a_job(tables: Tables, p: Values) -> tuple[Row, Rows]:
    job = _work(tables, p)
    return job, during(tables["travel"], job["start_date"], job["end_date"], "start_date")


def _number_of_trips_during_a_job(tables: Tables, p: Values) -> Found:
    job, trips = _trips_during_a_job(tables, p)
    return [len(trips)], [job, *trips]


def _cities_during_a_job(tables: Tables, p: Values) -> Found:
    job, trips = _trips_during_a_job(tables, p)
    return {r["city"] for r in trips}, [job, *trips]


def _married_before_a_job(tables: Tables, p: Values) -> Found:
    wedding, job = _wedding(tables, p), _work(tables, p)
    return yes(wedding["married_date"] < job["start_date"]), [wedding, job]


def _employers(tables: Tables, p: Values) -> Found:
    jobs = sorted(tables["jobs"], key=lambda r: r["start_date"])
    return [r["employer"] for r in jobs], jobs


PROGRAMS: dict[str, Program] = {
    "x41": _dates_after_a_wedding,
    "x42": _hobby_after_a_new_job,
    "x43": _between_jobs,
    "x44": lambda t, p: ([(_wedding(t, p)["divorce_date"] - _wedding(t, p)["married_date"]).days], [_wedding(t, p)]),
    "x45": lambda t, p: (age(p["birthday"], _wedding(t, p)["married_date"]), [_wedding(t, p)]),
    "x46": _age_at_first_care,
    "x47": _last_care,
    "x48": _longest_gap,
    "x49": _married_before_a_job,
    "x50": _employers,
    "x51": _number_of_trips_during_a_job,
    "x52": _cities_during_a_job,
}
