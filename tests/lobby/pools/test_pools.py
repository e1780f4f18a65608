"""Pool wave: pairs and colours."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_core.registry import registered
from lobby.accounts.user import User
from lobby.pools.pools import NEIGHBOURS, WIDENS_PER_S, WIDEST, WINDOW, Pairing, PoolKey, Waiter, named_pool, wave
from lobby.proposals import UNRATED

NOW = 1_700_000_000_000
BLITZ = PoolKey("3+2", rated=True)


def waiter(name: str, rating: int | None = 1500, waited_s: int = 0, **fields: Any) -> Waiter:
    user = User(name, name.upper(), "member")
    return Waiter(user=user, since_ms=NOW - waited_s * 1000, rating=rating, **{"place": BLITZ, **fields})


def names(pairings: list[Pairing]) -> set[frozenset[str]]:
    """Who plays whom, whatever the colours."""
    return {frozenset((pairing.white.user.id, pairing.black.user.id)) for pairing in pairings}


def paired(*waiters: Waiter, excluded: set[frozenset[str]] | None = None) -> set[frozenset[str]]:
    return names(wave(waiters, NOW, excluded or set(), lambda _: 0))


def test_equal_ratings_are_paired_at_once() -> None:
    assert paired(waiter("a"), waiter("b")) == {frozenset("ab")}


def test_single_player_waits() -> None:
    assert paired(waiter("a")) == set()


def test_two_alone_in_a_casual_pool_are_paired_whatever_their_ratings() -> None:
    casual = PoolKey("3+2", rated=False)
    weak, strong, third = (
        waiter(name, rating, place=casual) for name, rating in (("a", 800), ("b", 2900), ("c", 2000))
    )
    assert paired(weak, strong) == {frozenset("ab")}
    assert paired(weak, strong, excluded={frozenset("ab")}) == set()
    assert paired(weak, strong, third) == set()


@pytest.mark.parametrize(
    ("gap", "waited_s", "fits"),
    [
        (WINDOW, 0, True),
        (WINDOW + 1, 0, False),
        (WINDOW + 10 * WIDENS_PER_S, 10, True),
        (WINDOW + 10 * WIDENS_PER_S + 1, 10, False),
        (WIDEST, 3600, True),
        (WIDEST + 1, 3600, False),
    ],
)
def test_rating_window_widens_while_both_wait(gap: int, waited_s: int, *, fits: bool) -> None:
    two = waiter("a", 1200, waited_s), waiter("b", 1200 + gap, waited_s)
    assert bool(paired(*two)) is fits


def test_rating_window_is_the_mean_of_both_players() -> None:
    gap = WINDOW + 10 * WIDENS_PER_S // 2
    assert paired(waiter("a", 1200, 10), waiter("b", 1200 + gap))
    assert not paired(waiter("a", 1200, 10), waiter("b", 1200 + gap + 2))


def test_nearest_ratings_are_paired_first() -> None:
    four = [waiter("a", 1500), waiter("b", 1560), waiter("c", 1570), waiter("d", 1640)]
    assert paired(*four) == {frozenset("bc")}


def test_waiting_time_outranks_rating_distance() -> None:
    assert paired(waiter("a", 1500, 20), waiter("b", 1560), waiter("c", 1570)) == {frozenset("ab")}


def test_missing_rating_counts_as_the_initial_rating() -> None:
    assert paired(waiter("a", None), waiter("b", UNRATED + WINDOW))
    assert not paired(waiter("a", None), waiter("b", UNRATED + WINDOW + 1))


def test_blocked_players_get_other_opponents() -> None:
    four = [waiter("a", 1500), waiter("b", 1501), waiter("c", 1510), waiter("d", 1511)]
    assert paired(*four) == {frozenset("ab"), frozenset("cd")}
    excluded = {frozenset("ab")}
    assert paired(*four, excluded=excluded) == {frozenset("cd")}
    assert paired(*four, excluded=excluded | {frozenset("cd")}) == {frozenset("bc"), frozenset("ad")}
    assert paired(*four[:2], excluded=excluded) == set()


def test_pairing_looks_beyond_a_crowd_of_excluded_opponents() -> None:
    others = [waiter(f"x{number}", 1500) for number in range(3 * NEIGHBOURS)]
    excluded = {frozenset((one.user.id, other.user.id)) for one in others for other in others}
    excluded |= {frozenset(("a", other.user.id)) for other in others}
    assert paired(waiter("a", 1500), *others, waiter("z", 1550), excluded=excluded) != set()


@pytest.mark.parametrize(
    ("one", "other", "die", "white"),
    [
        ({"balance": -1}, {"balance": 0}, 1, "a"),
        ({"balance": 2, "last": "b"}, {"balance": 1, "last": "w"}, 0, "b"),
        ({"last": "b"}, {"last": "w"}, 1, "a"),
        ({"last": "w"}, {}, 0, "b"),
        ({"last": "b"}, {}, 1, "a"),
        ({}, {}, 0, "a"),
        ({}, {}, 1, "b"),
        ({"balance": 1, "last": "w"}, {"balance": 1, "last": "w"}, 0, "a"),
    ],
)
def test_white_goes_to_the_player_with_fewer_whites(
    one: dict[str, Any], other: dict[str, Any], die: int, white: str
) -> None:
    (pairing,) = wave([waiter("a", 1500, **one), waiter("b", 1510, **other)], NOW, set(), lambda _: die)
    assert pairing.white.user.id == white


crowds = st.lists(
    st.tuples(
        st.one_of(st.none(), st.integers(600, 2800)),
        st.integers(0, 300),
        st.integers(-10, 10),
        st.sampled_from(["w", "b", None]),
    ),
    max_size=60,
).map(
    lambda rows: [
        waiter(f"p{number}", rating, waited_s, balance=balance, last=last)
        for number, (rating, waited_s, balance, last) in enumerate(rows)
    ]
)


@given(crowds, st.sets(st.frozensets(st.integers(0, 59).map(lambda n: f"p{n}"), min_size=2, max_size=2)), st.randoms())
def test_every_player_is_paired_at_most_once(crowd: list[Waiter], excluded: set[frozenset[str]], die: Any) -> None:
    pairings = wave(crowd, NOW, excluded, die.randrange)
    seated = [seat.user.id for pairing in pairings for seat in (pairing.white, pairing.black)]
    assert len(seated) == len(set(seated))
    assert set(seated) <= {one.user.id for one in crowd}
    assert not names(pairings) & excluded
    for pairing in pairings:
        white, black = pairing.white, pairing.black
        assert 2 * abs(white.strength - black.strength) <= white.window(NOW) + black.window(NOW)
        assert white.balance <= black.balance
        assert not (white.balance == black.balance and (white.last, black.last) == ("w", "b"))


@given(crowds, st.randoms())
def test_no_two_matching_neighbours_are_left_waiting(crowd: list[Waiter], die: Any) -> None:
    pairings = wave(crowd, NOW, set(), die.randrange)
    seated = {seat.user.id for pairing in pairings for seat in (pairing.white, pairing.black)}
    left = sorted((one for one in crowd if one.user.id not in seated), key=lambda one: one.strength)
    for one, other in pairwise(left):
        assert 2 * (other.strength - one.strength) > one.window(NOW) + other.window(NOW) - 2


@given(crowds, st.randoms(), st.randoms())
def test_pairing_does_not_depend_on_list_order(crowd: list[Waiter], one: Any, other: Any) -> None:
    shuffled = list(crowd)
    other.shuffle(shuffled)
    assert names(wave(crowd, NOW, set(), one.randrange)) == names(wave(shuffled, NOW, set(), one.randrange))


@pytest.mark.parametrize(("game", "variant"), registered())
def test_a_pool_is_found_by_its_name(game: str, variant: str) -> None:
    key = PoolKey("10+5", rated=True, game=game, variant=variant)
    assert named_pool(key.name, rated=True) == key
    assert key.terms.variant == variant


@pytest.mark.parametrize("name", ["", "7+0", "standard", "nothing 5+0", "5+0 russian"])
def test_other_names_are_no_pools(name: str) -> None:
    with pytest.raises(KeyError):
        named_pool(name, rated=False)
