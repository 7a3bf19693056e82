"""What happens in a lifelog: order, exclusions, company, and a denser log of the same life."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from timelineqa_ds.declared.events import declarations
from timelineqa_ds.episodes import Log, make_log
from timelineqa_ds.episodes.trips import trip_days, trip_on
from timelineqa_ds.world.columns import Items


INDICES = (2, 3, 5, 7, 42, 999)


@pytest.fixture(scope="module")
def logs() -> dict[int, Log]:
    return {index: make_log("medium", index, 12345, 2022) for index in INDICES}


def test_episode_ids_are_chronological_and_stable_by_declaration(logs: dict[int, Log]) -> None:
    for log in logs.values():
        ids = np.concatenate(list(log.order.values()))
        assert sorted(ids) == list(range(log.size))
        start = np.empty(log.size, dtype=int)
        order = np.empty(log.size, dtype=int)
        for name, rows in log.rows.items():
            start[log.order[name]] = rows.when.start
            order[log.order[name]] = rows.event.order
        assert (np.diff(start) >= 0).all()
        same_day = np.diff(start) == 0
        assert (np.diff(order)[same_day] >= 0).all()


def test_a_log_begins_with_the_birth(logs: dict[int, Log]) -> None:
    assert all(log.order["birth_info"].tolist() == [0] for log in logs.values())


def test_logs_run_from_the_year_of_age_18_to_the_final_year(logs: dict[int, Log]) -> None:
    for log in logs.values():
        calendar = log.world.calendar
        assert calendar.first_year == log.world.persona.born.year + 18 and calendar.last_year == 2022
        for rows in log.rows.values():
            assert (rows.end < calendar.days).all()
            if rows.event.scale != "lifetime":
                assert (rows.when.start >= 0).all()


def test_habits_of_the_last_years_follow_the_final_year() -> None:
    for year in (2022, 1980):
        log = make_log("dense", 2, 12345, year)
        first = log.world.calendar.first_year + int(
            np.searchsorted(log.world.calendar.years, log.rows["lunch"].when.start[0], side="right") - 1
        )
        assert first == max(year - 17, log.world.calendar.first_year)


def test_nothing_at_home_on_any_day_of_a_trip(logs: dict[int, Log]) -> None:
    for log in logs.values():
        away = set(trip_days(log.rows["travel"].when).tolist())
        for name, rows in log.rows.items():
            if "travel" in rows.event.excluded_by:
                assert not away & set(rows.when.start.tolist()), name


def test_trips(logs: dict[int, Log]) -> None:
    for log in logs.values():
        trips = log.rows["travel"]
        length = trips.end - trips.when.start + 1
        assert (length >= 3).all() and (length <= 15).all()
        assert (trips.when.start[1:] > trips.end[:-1]).all()
        years = log.world.calendar.year_of(trips.when.start)
        assert (years == log.world.calendar.year_of(trips.end)).all()
        cities = trips.field("city").arrow(log.kept("travel")).to_pylist()
        homes = trips.field("home").arrow(log.kept("travel")).to_pylist()
        assert all(city != home for city, home in zip(cities, homes, strict=True))
        assert max(Counter(zip(years.tolist(), cities, strict=True)).values()) == 1
        assert set(Counter(years.tolist()).values()) <= set(range(1, log.world.persona.trips_a_year + 1))
        assert trips.field("days").arrow(np.arange(len(trips))).to_pylist() == length.tolist()


def test_places_are_a_few_of_the_city_each_once_a_trip(logs: dict[int, Log]) -> None:
    partial = 0
    for log in logs.values():
        visits = log.rows["places_visited"]
        places, of = visits.field("place").arrow(np.arange(len(visits))).to_pylist(), visits.when.trip
        assert of is not None and max(Counter(zip(of.tolist(), places, strict=True)).values()) == 1
        counts: Counter[int] = Counter(of.tolist())
        assert set(counts) == set(range(len(log.rows["travel"]))) and max(counts.values()) <= 7
        partial += len(set(counts.values()))
    assert partial > len(INDICES), "not the same number on every trip"


def test_meals_on_a_trip_are_with_the_people_of_the_trip(logs: dict[int, Log]) -> None:
    met = 0
    for log in logs.values():
        trips = log.rows["travel"]
        for meal in ("breakfast", "lunch", "dinner"):
            rows = log.rows[meal]
            trip = trip_on(trips.when, rows.when.start)
            for row in np.flatnonzero((trip >= 0) & (rows.people[:, 0] >= 0)):
                assert set(rows.people[row]) - {-1} == set(trips.people[trip[row]]) - {-1}
                met += 1
    assert met > 50


def test_different_kinds_of_care_fall_on_different_days(logs: dict[int, Log]) -> None:
    care = [name for name in declarations().events if name.endswith("medical_care")]
    for log in logs.values():
        days = np.concatenate([log.rows[name].when.start for name in care])
        assert len(days) == len(set(days.tolist()))


def test_weekly_events_stay_in_their_week_and_come_at_most_as_often_as_declared(logs: dict[int, Log]) -> None:
    for log in logs.values():
        for name in ("grocery", "hobbies", "cook", "dating"):
            weeks = Counter((log.rows[name].when.start // 7).tolist())
            assert max(weeks.values(), default=0) <= 2


def test_densities_tell_the_same_life() -> None:
    logs = [make_log(density, 3, 12345, 2022) for density in ("sparse", "medium", "dense")]
    for name, event in declarations().events.items():
        starts = [log.rows[name].when.start.tolist() for log in logs]
        if event.shared:
            assert starts[0] == starts[1] == starts[2], name
            assert (logs[0].rows[name].people == logs[2].rows[name].people).all(), name
        elif name != "bake":
            assert len(starts[0]) < len(starts[1]) < len(starts[2]), name


def test_duration_keeps_the_last_years_of_the_same_life() -> None:
    whole = make_log("sparse", 3, 12345, 2022)
    cut = make_log("sparse", 3, 12345, 2022, 4)
    first = cut.world.calendar.years[-5]
    expected = sum(int((rows.when.start >= first).sum()) for rows in whole.rows.values()) + 1
    assert cut.size == expected
    assert cut.order["birth_info"].tolist() == [0]
    kept = cut.kept("chat")
    assert kept.tolist() == np.flatnonzero(whole.rows["chat"].when.start >= first).tolist()
    assert make_log("sparse", 3, 12345, 2022, 57).size == whole.size
    assert make_log("sparse", 3, 12345, 2022, 500).size == whole.size


def test_values_do_not_depend_on_what_was_asked_before() -> None:
    one, other = (make_log("sparse", 5, 12345, 2022) for _ in range(2))
    other.rows["grocery"].field("drinks")
    other.rows["chat"].people  # noqa: B018
    fruits, same = one.rows["grocery"].field("fruits"), other.rows["grocery"].field("fruits")
    assert isinstance(fruits, Items) and isinstance(same, Items) and (fruits.codes == same.codes).all()
    assert (one.rows["chat"].people == other.rows["chat"].people).all()


def test_marriages_and_job_moves_exist() -> None:
    found: Counter[str] = Counter()
    for index in range(60):
        log = make_log("sparse", index, 12345, 2022)
        found.update({name: len(log.rows[name]) for name in log.rows})
    assert found["marriage"] > 25 and found["divorce"] > 10
    assert found["job_move"] > 40 and found["job_end"] > 30
    assert found["college_move"] > 15 and found["graduate_school_move"] > 2
