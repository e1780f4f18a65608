"""Rating model: effect of games and of time, and the perf of a game."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_core.registry import registered
from game_core.time_control import Speed, parse_time_control
from lobby.accounts.user import User
from lobby.ratings.at_start import RatingAtStart
from lobby.ratings.ratings import (
    HIGHEST,
    LEAST_SURE,
    LOWEST,
    NEW,
    SUREST,
    Rating,
    perf_of,
    perfs,
    play,
    rating_at_start,
    rating_wire,
)

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)

ratings = st.builds(
    Rating,
    rating=st.floats(LOWEST, HIGHEST),
    deviation=st.floats(SUREST, LEAST_SURE),
    volatility=st.floats(0.01, 0.15),
    games=st.integers(1, 10_000),
    last_at=st.integers(0, 2 * 10**8).map(lambda seconds: NOON - timedelta(seconds=seconds)),
)


def test_first_game_of_two_new_players() -> None:
    white, black = play(NEW, NEW, 1.0, NOON)
    assert (white.rounded, black.rounded) == (1662, 1338)
    assert white.deviation == black.deviation < LEAST_SURE
    assert (white.games, white.last_at, white.provisional) == (1, NOON, True)
    assert play(NEW, NEW, 0.5, NOON)[0].rating == 1500


def test_active_player_is_provisional_again_after_an_idle_year() -> None:
    regular = Rating(1800, 60, 0.06, 500, NOON)
    assert not regular.at(NOON + timedelta(days=350)).provisional
    assert regular.at(NOON + timedelta(days=366)).provisional
    assert regular.at(NOON + timedelta(days=36_600)).deviation == LEAST_SURE
    assert regular.at(NOON - timedelta(days=1)) == regular


def test_next_game_counts_more_after_idle_time() -> None:
    regular, other = Rating(1800, 60, 0.06, 500, NOON), Rating(1800, 60, 0.06, 500, NOON)
    soon = play(regular, other, 1.0, NOON + timedelta(minutes=5))[0].rating
    late = play(regular, other, 1.0, NOON + timedelta(days=200))[0].rating
    assert 1800 < soon < late


@given(ratings, ratings, st.sampled_from([0.0, 0.5, 1.0]), st.integers(0, 10**9))
def test_ratings_stay_within_their_bounds(white: Rating, black: Rating, score: float, later_s: int) -> None:
    assert white.last_at is not None
    ended = white.last_at + timedelta(seconds=later_s)
    for before, after in zip((white, black), play(white, black, score, ended), strict=True):
        assert LOWEST <= after.rating <= HIGHEST
        assert SUREST <= after.deviation <= LEAST_SURE
        assert 0.01 <= after.volatility <= 0.15
        assert (after.games, after.last_at) == (before.games + 1, ended)


@given(ratings, ratings, st.sampled_from([0.0, 0.5, 1.0]))
def test_colours_do_not_affect_ratings(one: Rating, two: Rating, score: float) -> None:
    first, second = play(one, two, score, NOON)
    assert play(two, one, 1.0 - score, NOON) == (second, first)


@given(ratings)
def test_rating_round_trips_exactly_through_json(rating: Rating) -> None:
    assert msgspec.json.decode(msgspec.json.encode(rating), type=Rating) == rating


@pytest.mark.parametrize(
    ("variant", "tc", "perf"),
    [
        ("standard", {"base_s": 60, "inc_s": 1}, "bullet"),
        ("standard", {"base_s": 120, "inc_s": 1}, "bullet"),
        ("standard", {"base_s": 600, "inc_s": 5}, "rapid"),
        ("standard", {"base_s": 5400, "inc_s": 30}, "classical"),
        ("standard", {"days": 3}, "correspondence"),
        ("standard", None, "correspondence"),
        ("chess960", {"base_s": 180, "inc_s": 2}, "chess960-blitz"),
        ("chess960", {"days": 1}, "chess960-correspondence"),
    ],
)
def test_perf_of_a_game_follows_its_variant_and_speed(variant: str, tc: Any, perf: str) -> None:
    assert perf_of("chess", variant, parse_time_control(tc)) == perf
    assert perf in perfs()


def test_every_variant_and_speed_has_a_perf() -> None:
    assert len(perfs()) == len(set(perfs())) == len(registered()) * (len(get_args(Speed)) - 1)


def test_rating_at_the_start_is_stored_for_members_only() -> None:
    anna, guest = User("anna", "Anna", "member"), User("gast", "Guest-AAAAA", "guest")
    sure = Rating(1712.5, 62, 0.06, 90, NOON)
    assert rating_at_start(anna, {"anna": sure}) == RatingAtStart(1712, provisional=False)
    assert rating_at_start(anna, {}) == RatingAtStart(1500, provisional=True)
    assert rating_at_start(guest, {}) is None
    assert rating_at_start(User("robot3", "Robot-3", "bot"), {}) is None


def test_wire_form_shows_the_current_deviation() -> None:
    body = rating_wire(Rating(1712.4, 60, 0.06, 90, NOON), NOON + timedelta(days=366))
    assert body == {"rating": 1712, "deviation": 112, "provisional": True, "games": 90, "last": 1777636800000}
