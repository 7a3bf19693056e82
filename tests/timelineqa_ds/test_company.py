"""People drawn by date: only who is about, all different, evenly."""

from __future__ import annotations

import numpy as np

from timelineqa_ds.world.company import Company, Membership, different, nobody, size
from timelineqa_ds.world.streams import Words32


def words(count: int, seed: int = 1) -> Words32:
    return np.random.default_rng(seed).integers(0, 2**32, count, dtype=np.uint32)


COMPANY = Company(
    [
        Membership(0, "family", 10, 19),
        Membership(1, "family", 15, 10**6),
        Membership(2, "friends", -(10**6), 10**6),
        Membership(3, "friends", -(10**6), 10**6),
    ]
)


def test_presence_by_day() -> None:
    days = np.array([9, 10, 14, 15, 19, 20, 500])
    assert COMPANY.present("family", days).tolist() == [0, 1, 1, 2, 2, 1, 1]
    assert COMPANY.present("friends", days).tolist() == [2] * 7
    assert COMPANY.present("nobody", days).tolist() == [0] * 7
    assert COMPANY.present("friends", np.array([-(10**6) - 1, 10**6 + 1])).tolist() == [0, 0]


def test_presence_where_one_comes_on_the_last_day_of_another() -> None:
    company = Company([Membership(0, "family", 10, 19), Membership(1, "family", 19, 30)])
    assert company.present("family", np.array([18, 19, 20])).tolist() == [1, 2, 1]


def test_an_empty_group_gives_way_to_the_others() -> None:
    days = np.array([0, 12] * 2000)
    groups = COMPANY.groups_for({"family": 3, "friends": 1}, days, words(4000))
    assert (groups[days == 0] == 1).all()
    assert 0.7 < (groups[days == 12] == 0).mean() < 0.8
    assert (COMPANY.groups_for({"family": 1}, np.array([0, 3]), words(2)) == -1).all()


def test_members_are_those_of_the_day() -> None:
    days = np.arange(0, 40).repeat(50)
    weights = {"family": 1, "friends": 1}
    group = COMPANY.groups_for(weights, days, words(len(days), 2))
    people = COMPANY.members(weights, group, days, words(len(days), 3), 3)
    assert people.shape == (len(days), 3)
    for day, chosen, row in zip(days, group, people, strict=True):
        named = [int(person) for person in row if person >= 0]
        about = {2, 3} if chosen == 1 else {p for p, low, high in ((0, 10, 19), (1, 15, 99)) if low <= day <= high}
        assert named and set(named) <= about and len(set(named)) == len(named)
        assert row.tolist() == named + [-1] * (3 - len(named))


def test_each_of_many_members_comes() -> None:
    company = Company([Membership(person, "family", 0, 9) for person in range(5)])
    people = company.members({"family": 1}, np.zeros(500, dtype=np.int64), np.full(500, 4), words(500), 3)
    ranks = different(words(500), 5, 3)
    assert people.tolist() == ranks.tolist() and set(people.ravel().tolist()) == {-1, 0, 1, 2, 3, 4}


def test_nobody_where_no_group() -> None:
    people = COMPANY.members({"family": 1}, np.array([-1, -1]), np.array([0, 1]), words(2), 2)
    assert people.tolist() == [[-1, -1], [-1, -1]]
    assert size(people).tolist() == [0, 0] and nobody(2).shape == (2, 1)


def test_different_is_even_and_without_repeats() -> None:
    ranks = different(words(60_000), 5, 3)
    counts = size(ranks)
    assert np.abs(np.bincount(counts, minlength=4)[1:] / 60_000 - 1 / 3).max() < 0.01
    assert np.abs(np.bincount(ranks[:, 0], minlength=5) / 60_000 - 0.2).max() < 0.01
    full = ranks[counts == 3]
    assert (np.diff(np.sort(full, axis=1), axis=1) > 0).all() and full.max() == 4
    triples = np.unique(full, axis=0, return_counts=True)[1]
    assert len(triples) == 60 and triples.max() / triples.min() < 1.5


def test_different_with_fewer_than_wanted() -> None:
    ranks = different(words(1000), np.array([1, 2] * 500), 4)
    assert size(ranks[::2]).tolist() == [1] * 500
    assert size(ranks[1::2]).max() == 2


def test_different_is_what_a_fraction_says() -> None:
    """At each word where one choice ends and the next begins, and beside it."""
    edges = [-(-number * 2**32 // 180) for number in range(180)]  # 3 numbers of people, 5 * 4 * 3 orders
    near = [word for edge in edges for word in (edge - 1, edge, edge + 1) if word >= 0]
    found = different(np.array(near, dtype=np.uint32), 5, 3)
    assert found.tolist() == [_plainly(word, 5, 3) for word in near]


def _plainly(word: int, count: int, most: int) -> list[int]:
    left, ranks = list(range(count)), []
    wanted, rest = divmod(word * most, 2**32)
    for _ in range(min(wanted + 1, count)):
        place, rest = divmod(rest * len(left), 2**32)
        ranks.append(left.pop(place))
    return ranks + [-1] * (most - len(ranks))
