"""Paths of captures."""

from __future__ import annotations

from itertools import islice

import pytest

from game_core.draughts.moves import find_moves
from game_core.draughts.paths import find_paths
from game_core.draughts.position import Position
from game_core.errors import IllegalMove
from tests.game_core.draughts.boards import PLAIN, crowded, drawn


@pytest.mark.parametrize("variant", PLAIN)
@pytest.mark.parametrize("seed", range(40))
def test_every_path_leads_to_its_move(variant: str, seed: int) -> None:
    rules = PLAIN[variant]
    position = Position.first(PLAIN[variant].board, crowded(PLAIN[variant].board, seed))
    for text, move in position.legal.items():
        ways = rules.leaps(position, text)
        assert bool(ways) == bool(move.taken)
        assert len(ways) <= 8
        assert len(set(ways)) == len(ways)
        for way in ways:
            spelt = "x".join([text.split("x")[0], *way.path])
            assert rules.play(position, spelt).move == text
            assert len(way.path) == len(way.taken) == move.taken.bit_count()
            assert sum(rules.board.field.named[name] for name in way.taken) == move.taken


@pytest.mark.parametrize("variant", PLAIN)
@pytest.mark.parametrize("seed", range(40))
def test_chosen_path_is_one_of_the_paths_of_the_move(variant: str, seed: int) -> None:
    position = Position.first(PLAIN[variant].board, crowded(PLAIN[variant].board, seed))
    named = position.board.field.named
    for move in position.legal.values():
        played = position.play(move.text).leaps
        if played is not None:
            path = tuple(named[name] for name in played.path)
            assert move.path == path
            assert list(islice(find_paths(position.board, position.men, move, path[:-1]), 2)) == [path]


@pytest.mark.exhaustive
@pytest.mark.parametrize("variant", PLAIN)
def test_path_through_an_unreachable_square_is_not_found(variant: str) -> None:
    board = PLAIN[variant].board
    nowhere = (board.field.bits[0] | board.field.bits[1],)
    for seed in range(60):
        men = crowded(board, seed)
        for move in find_moves(board, men).values():
            assert not move.taken or not list(find_paths(board, men, move, nowhere))


ROUND_AND_ON = """
    _ . _ . _ . _ .
    . _ b _ b _ . _
    _ . _ . _ . _ .
    . _ b _ b _ . _
    _ . _ w _ . _ .
    . _ . _ b _ . _
    _ . _ . _ . _ .
    . _ . _ . _ . _
"""
"""It comes over d4 again, where it started, and passes the last row as a man."""


ONE_WAY_ROUND = """
    _ . _ . _ b _ .
    . _ . _ b _ b _
    _ b _ . _ . _ .
    . _ . _ . _ W _
    _ . _ . _ b _ .
    . _ b _ . _ . _
    _ . _ . _ . _ .
    . _ . _ . _ . _
"""
"""Round by d2 and a5 to d8 it can land on f6, behind e7, and has to: g7 is to be taken from there."""


def test_incomplete_path_of_a_longer_capture_is_refused() -> None:
    rules = PLAIN["russian"]
    position = drawn(rules, ONE_WAY_ROUND)
    assert sorted(rules.legal_moves(position)) == ["g5xa7", "g5xg5", "g5xh6", "g5xh8"]
    ways = rules.leaps(position, "g5xg5")
    assert [way.path for way in ways] == [("d8", "a5", "d2", "g5")]
    with pytest.raises(IllegalMove):
        rules.play(position, "g5xd2xa5xd8xg5")


def test_ring_can_be_captured_in_both_directions() -> None:
    rules = PLAIN["brazilian"]
    position = drawn(rules, ROUND_AND_ON)
    assert rules.legal_moves(position) == ["d4xf2"]
    ways = rules.leaps(position, "d4xf2")
    assert {(way.path, way.taken) for way in ways} == {
        (("b6", "d8", "f6", "d4", "f2"), ("c5", "c7", "e7", "e5", "e3")),
        (("f6", "d8", "b6", "d4", "f2"), ("e5", "e7", "c7", "c5", "e3")),
    }
    assert rules.play(position, "d4xf6xf2").move == "d4xf2"
    with pytest.raises(IllegalMove, match="you must capture, d4xf2"):
        rules.play(position, "d4xh4xf2")


KING_FIRST = """
    . _ . _ . _ . _
    _ . _ b _ b _ .
    . _ . _ . _ . _
    _ . _ B _ b _ .
    . _ . _ W _ . _
    _ . _ . _ . _ .
    . _ . _ . _ . _
    _ . _ . _ . _ .
"""


def test_italian_ring_is_captured_in_the_direction_of_the_king() -> None:
    rules = PLAIN["italian"]
    position = drawn(rules, KING_FIRST)
    assert rules.legal_moves(position) == ["19x19"]
    (way,) = rules.leaps(position, "19x19")
    assert (way.path, way.taken) == (("10", "3", "12", "19"), ("14", "6", "7", "15"))
    with pytest.raises(IllegalMove, match="you must capture"):
        rules.play(position, "19x12x3x10x19")
