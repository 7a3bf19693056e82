"""Days of a log: periods, taken days, and slots that move to free days."""

from __future__ import annotations

import numpy as np
import pytest

from timelineqa_ds.world.calendar import Calendar, day_number, spread
from timelineqa_ds.world.streams import Words32


def words(count: int, seed: int = 1) -> Words32:
    return np.random.default_rng(seed).integers(0, 2**32, count, dtype=np.uint32)


def test_periods() -> None:
    calendar = Calendar(2019, 2021)
    assert calendar.days == 365 + 366 + 365
    assert calendar.years.tolist() == [0, 365, 731, 1096]
    assert len(calendar.months) == 37 and calendar.months[-1] == calendar.days
    assert calendar.weeks.tolist() == [*range(0, 1096, 7), 1096]
    assert (
        calendar.first == day_number(2019) == (np.datetime64("2019-01-01") - np.datetime64("1970-01-01")).astype(int)
    )
    assert calendar.year_of(np.array([-1, 0, 364, 365, 1095])).tolist() == [2018, 2019, 2019, 2020, 2021]


def test_a_log_ends_after_it_starts() -> None:
    with pytest.raises(ValueError, match="cannot start in 2022, after its final year 2021"):
        Calendar(2022, 2021)


def test_marks_exclude() -> None:
    calendar = Calendar(2021, 2021)
    assert len(calendar.free_days(["travel"])) == 365
    calendar.mark("travel", np.array([-3, 4, 5, 400]))
    calendar.mark("marriage", np.array([7]))
    assert calendar.taken_days(["travel"]).tolist() == [4, 5]
    assert calendar.taken_days(["travel", "marriage", "unknown"]).tolist() == [4, 5, 7]
    calendar.mark("travel", np.array([6]))
    assert calendar.taken_days(["travel"]).tolist() == [4, 5, 6]
    for day, taken in ((-1, []), (0, [0]), (364, [364]), (365, [])):
        calendar.mark(str(day), np.array([day]))
        assert calendar.taken_days([str(day)]).tolist() == taken


def test_spread_uses_free_days_of_the_period_once() -> None:
    free = np.array([0, 1, 2, 5, 6, 9, 20, 21])
    periods = np.array([0, 7, 14, 28])
    for seed in range(50):
        days, possible = spread(free, periods, 2, words(6, seed))
        assert possible.tolist() == [[True, True], [False, True], [True, True]]
        kept = days[possible]
        assert set(kept) <= set(free) and len(set(kept)) == len(kept)
        assert (days[0] < 7).all() and days[1, 1] == 9 and sorted(days[2]) == [20, 21]


def test_spread_without_any_free_day() -> None:
    days, possible = spread(np.array([], dtype=np.int64), np.array([0, 7]), 3, words(3))
    assert days.shape == possible.shape == (1, 3) and not possible.any()
    days, possible = spread(np.array([2]), np.array([0, 7, 14]), 1, words(2))
    assert days[0, 0] == 2 and possible.tolist() == [[True], [False]]


def test_spread_reaches_every_free_day() -> None:
    free = np.arange(10)
    drawn = np.concatenate([spread(free, np.array([0, 10]), 3, words(3, seed))[0][0] for seed in range(300)])
    assert set(drawn) == set(range(10))
