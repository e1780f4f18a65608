"""Our search in Chinese checkers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game_core.chinese_checkers.board import INDEX
from game_core.registry import rules_for, variants_of
from robots.engines.search.deepening import INFINITY
from robots.engines.search.solving import solve
from robots.engines.search.star_score import BLACK_WORTH, WHITE_WORTH
from robots.engines.search.star_tree import StarTree, find_steps
from robots.jobs import Job
from robots.levels import HIGHEST, Level, level_of

FAST = Level(nodes=60, depth=3, breadth=6, temperature=10.0)

NEARLY_WON = "w/ww/www/www1/7w5/12/11/10/bbbbbbbbb/b9/11/12/13/4/3/2/1 w"
"""White's last piece stands before the last hole of its goal."""


@pytest.mark.parametrize("variant", variants_of("chinese-checkers"))
@settings(max_examples=8)
@given(choices=st.lists(st.integers(0, 999), max_size=60), level=st.integers(1, HIGHEST))
def test_every_candidate_is_legal_and_the_same_again(variant: str, choices: list[int], level: int) -> None:
    rules = rules_for("chinese-checkers", variant)
    position, moves = rules.start(None), []
    for choice in choices:
        legal = rules.legal_moves(position)
        played = rules.play(position, legal[choice % len(legal)])
        if rules.outcome(played.position) is not None:
            break
        position = played.position
        moves.append(played.move)
    job = Job(game_id="g", game="chinese-checkers", variant=variant, moves=tuple(moves), level=level, deadline=0)
    limited = level_of("chinese-checkers", level).with_nodes(40)
    found = solve(job, limited)
    assert {one.move for one in found.candidates} <= set(rules.legal_moves(position))
    assert solve(job, limited) == found


@settings(max_examples=15)
@given(choices=st.lists(st.integers(0, 999), max_size=40))
def test_all_steps_are_the_legal_moves(choices: list[int]) -> None:
    rules = rules_for("chinese-checkers", "ten")
    position = rules.start(None)
    for choice in choices:
        legal = rules.legal_moves(position)
        position = rules.play(position, legal[choice % len(legal)]).position
    if position.outcome is not None:
        return
    steps = find_steps(position.own, position.white | position.black, WHITE_WORTH, -INFINITY)
    changes = {
        1 << INDEX[start] | 1 << INDEX[end] for start, end in (move.split("-") for move in rules.legal_moves(position))
    }
    assert {change for _, change in steps} == changes
    assert [gain for gain, _ in steps] == sorted((gain for gain, _ in steps), reverse=True)


def test_both_sides_value_their_way_alike() -> None:
    assert list(WHITE_WORTH) == list(reversed(BLACK_WORTH))
    assert WHITE_WORTH[-1] > WHITE_WORTH[0]


@pytest.mark.parametrize("level", range(4, HIGHEST + 1))
def test_sees_a_win_in_one_move_from_level_4(level: int) -> None:
    job = Job(game_id="g", game="chinese-checkers", variant="ten", fen=NEARLY_WON, deadline=0)
    found = solve(job, level_of("chinese-checkers", level))
    assert found.candidates[0].ends_in == 1


def test_a_whole_game_comes_to_its_goal() -> None:
    rules = rules_for("chinese-checkers", "ten")
    position, moves = rules.start(None), list[str]()
    while (outcome := rules.outcome(position)) is None:
        job = Job(game_id="g", game="chinese-checkers", variant="ten", moves=tuple(moves), deadline=0)
        played = rules.play(position, solve(job, FAST).candidates[0].move)
        position = played.position
        moves.append(played.move)
    assert outcome.reason == "goal"


def test_positions_of_the_game_count_as_draws() -> None:
    rules = rules_for("chinese-checkers", "ten")
    positions = [rules.start(None)]
    for move in ("d1-e5", "n1-m5", "e5-d1"):
        positions.append(rules.play(positions[-1], move).position)
    *earlier, position = positions
    assert StarTree(position, earlier).score("m5-n1", 1, -INFINITY, INFINITY) == 0
    assert StarTree(position).score("m5-n1", 1, -INFINITY, INFINITY) != 0
