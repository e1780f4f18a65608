"""The draw of a move among those that a search found."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_core.registry import games
from robots.levels import HIGHEST, LEVELS, MOST_PLIES, WIN, Candidate, Level, draw_move, level_of

WARM = Level(nodes=100, depth=2, breadth=4, temperature=50.0)

COLD = Level(nodes=100, depth=2, breadth=4, temperature=0.0)


def candidates(*scores: int) -> list[Candidate]:
    return [Candidate(f"m{number}", score) for number, score in enumerate(scores)]


def test_every_family_has_eight_levels_of_rising_strength() -> None:
    assert set(LEVELS) == set(games())
    for levels in LEVELS.values():
        assert len(levels) == HIGHEST
        for lower, higher in pairwise(levels):
            assert lower.nodes <= higher.nodes
            assert lower.depth <= higher.depth
            assert lower.temperature >= higher.temperature


@pytest.mark.parametrize("number", [0, 9, -1])
def test_other_levels_are_refused(number: int) -> None:
    with pytest.raises(ValueError, match="1 to 8"):
        level_of("chess", number)


@given(
    st.lists(st.integers(-2 * WIN // 2, WIN + MOST_PLIES), min_size=1, max_size=12),
    st.integers(1, HIGHEST),
    st.text(max_size=12),
    st.integers(0, 500),
)
def test_same_game_and_ply_draw_the_same_move(scores: list[int], number: int, game_id: str, ply: int) -> None:
    moves = candidates(*sorted(scores, reverse=True))
    level = level_of("draughts", number)
    drawn = draw_move(moves, number, level, game_id=game_id, ply=ply)
    assert drawn in moves[: level.breadth]
    assert draw_move(moves, number, level, game_id=game_id, ply=ply) == drawn


def test_draws_follow_the_softmax_of_scores() -> None:
    drawn = Counter(draw_move(candidates(50, 0, 0, -300), 1, WARM, game_id="g", ply=ply).move for ply in range(4000))
    # exp(0), exp(-1), exp(-1), exp(-7)
    total = 1 + 2 * 0.3679 + 0.0009
    assert drawn["m0"] / 4000 == pytest.approx(1 / total, abs=0.03)
    assert drawn["m1"] / 4000 == pytest.approx(0.3679 / total, abs=0.03)
    assert drawn["m3"] < 40


def test_without_temperature_the_best_is_played() -> None:
    assert {draw_move(candidates(3, 2, 2), 8, COLD, game_id="g", ply=ply).move for ply in range(50)} == {"m0"}


def test_only_the_best_few_are_drawn() -> None:
    drawn = {draw_move(candidates(*[0] * 9), 1, WARM, game_id="g", ply=ply).move for ply in range(400)}
    assert drawn == {"m0", "m1", "m2", "m3"}


@pytest.mark.parametrize("number", range(1, HIGHEST + 1))
def test_a_win_in_one_move_is_never_missed_from_level_4(number: int) -> None:
    level = Level(nodes=1, depth=1, breadth=8, temperature=5000.0)
    moves = candidates(WIN + MOST_PLIES - 1, 100, 90, 80)
    drawn = {draw_move(moves, number, level, game_id="g", ply=ply).move for ply in range(200)}
    assert (drawn == {"m0"}) == (number >= 4)


@pytest.mark.parametrize("number", [4, 5, 8])
def test_the_shortest_win_is_played_from_level_5(number: int) -> None:
    moves = candidates(WIN + MOST_PLIES - 3, WIN + MOST_PLIES - 5, WIN + MOST_PLIES - 7)
    drawn = {draw_move(moves, number, WARM, game_id="g", ply=ply).move for ply in range(200)}
    assert (drawn == {"m0"}) == (number >= 5)


def test_a_win_far_away_attracts_a_low_level_no_more_than_a_large_lead() -> None:
    far = candidates(WIN + 900, 1500, 0)
    drawn = Counter(draw_move(far, 1, WARM, game_id="g", ply=ply).move for ply in range(1000))
    assert 400 < drawn["m0"] < 600


@pytest.mark.parametrize(
    ("score", "ends_in"),
    [(0, None), (WIN - 1, None), (WIN + MOST_PLIES - 1, 1), (WIN + MOST_PLIES - 5, 5), (-WIN - MOST_PLIES + 2, -2)],
)
def test_certain_ends_count_half_moves(score: int, ends_in: int | None) -> None:
    assert Candidate("m", score).ends_in == ends_in
