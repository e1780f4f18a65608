"""Invariants of every game of draughts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game_core.draughts.moves import find_moves, has_move
from tests.game_core.draughts.boards import ALL, PLAIN, standings

CHOICES = st.lists(st.integers(0, 1000), max_size=120)


@pytest.mark.parametrize("variant", ALL)
@settings(max_examples=15)
@given(CHOICES)
def test_games_have_legal_moves_until_they_end(variant: str, choices: list[int]) -> None:
    rules = ALL[variant]
    position: Any = rules.start(None)
    played = []
    for choice in choices:
        outcome = rules.outcome(position)
        moves = rules.legal_moves(position)
        if outcome is not None:
            break
        assert moves
        assert len(set(moves)) == len(moves)
        left = rules.draw_in(position)
        assert left is None or left > 0
        owner = rules.turn(position)
        move = moves[choice % len(moves)]
        after = rules.play(position, move)
        assert (after.move, after.notation, after.check) == (move, move, False)
        assert (after.leaps is None) == ("x" not in move)
        assert rules.turn(after.position) != owner
        played.append(move)
        position = after.position
    replayed: Any = rules.start(None)
    for move in played:
        replayed = rules.play(replayed, move).position
    assert replayed == position
    assert rules.outcome(replayed) == rules.outcome(position)
    assert rules.draw_in(replayed) == rules.draw_in(position)
    assert rules.fen(replayed) == rules.fen(position)


@given(st.sampled_from(list(PLAIN)).flatmap(lambda variant: st.tuples(st.just(variant), standings(PLAIN[variant]))))
def test_has_move_agrees_with_find_moves(case: tuple[str, Any]) -> None:
    variant, men = case
    board = PLAIN[variant].board
    assert has_move(board, men) == bool(find_moves(board, men))
