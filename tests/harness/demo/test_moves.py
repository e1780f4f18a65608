"""Moves of scripted players."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game_core.registry import registered, rules_for
from harness.demo.moves import choose_move


@pytest.mark.parametrize(("game", "variant"), registered())
@settings(max_examples=30)
@given(seed=st.integers())
def test_every_move_is_legal_to_the_end(game: str, variant: str, seed: int) -> None:
    rules, chance = rules_for(game, variant), Random(seed)
    position = rules.start(rules.draw_start(seed % rules.starts))
    for _ in range(40):
        move = choose_move(game, variant, rules.fen(position), chance)
        if move is None:
            assert rules.outcome(position) is not None
            return
        assert move in rules.legal_moves(position)
        position = rules.play(position, move).position


def test_scripted_players_find_a_mate() -> None:
    mate = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"
    assert any(choose_move("chess", "standard", mate, Random(seed)) == "d8h4" for seed in range(10))
