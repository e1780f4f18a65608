"""Glicko-2 against its author's example, to the printed digits, and invariants of any rating period."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lobby.ratings.glicko import (
    CENTRE,
    SCALE,
    TAU,
    Strength,
    evidence,
    expected,
    idle,
    new_volatility,
    rate,
    weight,
)

PLAYER = Strength(1500, 200, 0.06)
OPPONENTS = [(Strength(1400, 30, 0.06), 1.0), (Strength(1550, 100, 0.06), 0.0), (Strength(1700, 300, 0.06), 0.0)]
"""The example of "Example of the Glicko-2 system", with tau 0.5."""

SCALED = [((other.rating - CENTRE) / SCALE, other.deviation / SCALE, score) for other, score in OPPONENTS]


def test_published_example_on_the_glicko_2_scale() -> None:
    assert [round(mu, 4) for mu, _, _ in SCALED] == [-0.5756, 0.2878, 1.1513]
    assert [round(phi, 4) for _, phi, _ in SCALED] == [0.1727, 0.5756, 1.7269]
    assert [round(weight(phi), 4) for _, phi, _ in SCALED] == [0.9955, 0.9531, 0.7242]
    assert [round(expected(0, mu, phi), 3) for mu, phi, _ in SCALED] == [0.639, 0.432, 0.303]
    v, surprise = evidence(0, SCALED)
    # The example goes on with rounded numbers: 1.7785 and -0.4834 are the next digit's rounding away from these.
    assert v == pytest.approx(1.7785, abs=5e-4)
    assert surprise == pytest.approx(-0.272, abs=5e-4)
    assert v * surprise == pytest.approx(-0.4834, abs=6e-4)
    assert round(new_volatility(0.06, 200 / SCALE, v, v * surprise), 5) == pytest.approx(0.06, abs=1e-5)


def test_published_example_matches_to_the_printed_digits() -> None:
    after = rate(PLAYER, OPPONENTS, tau=0.5)
    mu, phi = (after.rating - CENTRE) / SCALE, after.deviation / SCALE
    assert (round(mu, 4), round(phi, 4)) == (-0.2069, 0.8722)
    # The printed values on the rating scale are made of these rounded ones.
    assert round(CENTRE + SCALE * round(mu, 4), 2) == 1464.06
    assert round(after.deviation, 2) == 151.52
    assert math.floor(after.volatility * 1e5) / 1e5 == 0.05999
    # To more digits, as other implementations have them.
    assert after.rating == pytest.approx(1464.0507, abs=1e-4)
    assert after.deviation == pytest.approx(151.5165, abs=1e-4)
    assert after.volatility == pytest.approx(0.0599960, abs=1e-7)


def test_period_without_games_only_raises_the_deviation() -> None:
    """Step 6 for a player who does not compete: "the player's rating and volatility parameters remain the same"."""
    after = idle(PLAYER, 1)
    assert (after.rating, after.volatility) == (1500, 0.06)
    assert after.deviation == pytest.approx(SCALE * math.hypot(200 / SCALE, 0.06))
    assert idle(PLAYER, 0).deviation == pytest.approx(200)


ratings = st.floats(100, 4000)
deviations = st.floats(30, 350)
volatilities = st.floats(0.01, 0.15)
players = st.builds(Strength, ratings, deviations, volatilities)
results = st.lists(st.tuples(players, st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=5)


@given(players, st.floats(0, 1000), st.floats(0, 1000))
def test_idle_periods_add_up(player: Strength, first: float, then: float) -> None:
    at_once, in_parts = idle(player, first + then), idle(idle(player, first), then)
    assert in_parts.deviation == pytest.approx(at_once.deviation)


@given(players, results)
def test_every_period_gives_finite_values(player: Strength, played: list[tuple[Strength, float]]) -> None:
    after = rate(player, played)
    assert all(map(math.isfinite, (after.rating, after.deviation, after.volatility)))
    assert after.volatility > 0
    assert 0 < after.deviation <= idle(Strength(player.rating, player.deviation, after.volatility), 1).deviation


@given(players, players)
def test_higher_score_gives_a_higher_rating(player: Strength, other: Strength) -> None:
    lost, drawn, won = (rate(player, [(other, score)]) for score in (0.0, 0.5, 1.0))
    assert lost.rating < drawn.rating < won.rating
    assert lost.rating < player.rating < won.rating


@given(players, players, st.sampled_from([0.0, 0.5, 1.0]))
def test_volatility_solves_the_equation_of_step_5(player: Strength, other: Strength, score: float) -> None:
    """Its f has a root there: the sign changes within the tolerance of the iteration."""
    mu, phi = (player.rating - CENTRE) / SCALE, player.deviation / SCALE
    v, surprise = evidence(mu, [((other.rating - CENTRE) / SCALE, other.deviation / SCALE, score)])
    delta, a = v * surprise, math.log(player.volatility**2)
    root = 2 * math.log(new_volatility(player.volatility, phi, v, delta))

    def f(x: float) -> float:
        ex = math.exp(x)
        return ex * (delta**2 - phi**2 - v - ex) / (2 * (phi**2 + v + ex) ** 2) - (x - a) / TAU**2

    assert f(root - 1e-5) > 0 > f(root + 1e-5)
