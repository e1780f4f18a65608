"""Bounds on captures with very many paths."""

from __future__ import annotations

import pytest

from game_core.draughts.paths import MAX_RETRACED, can_land
from game_core.errors import IllegalMove
from tests.game_core.draughts.boards import PLAIN

RINGS = "W:WKb1:BKc8,Kf2,Kf4,Ka4,Kg6,Kd4,Kb6,Kc2,Kb3,Ke1,Kf8,Ke5,Kg1,Kh3,Kf7,Kh7"
"""Turkish: 62 captures of fifteen pieces, each in hundreds of ways."""

ROUND = "W:WK26:B6,9,13,16,20,21,22,23,31,34,35,40,43,44"
"""International: one capture of seven, round a ring and back to where it began."""


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        ("W:WKa8,Kb8,Kh8,Kh7,Kh6,Kh5,Kh4,Kh3,Kh2,Ka1:Be8,d7,c6,e6,b5,d5,f5,a4,c4,e4,g4,b3,d3,c2,f2,Ke1", 535),
        ("W:WKa8,Kh8,Ka7,Kh7,Ka6,Kh6,Kh5,Kh4,Kh3,Kh2,Kh1:Be8,d7,c6,g6,b5,f5,c4,e4,g4,b3,d3,a2,c2,f2,Kb1,Ke1", 585),
        ("W:WKh8,Kh7,Kh6,Kh5,Kh4,Kh3,Kf2,Ka1,Kh1:Bc8,f8,e7,b6,d6,g6,a5,f5,e4,c3,f3,b2,d2,g2,Kc1,Kf1", 416),
        ("W:WKa8,Kh8,Kh7,Kh6,Ka1,Kh1:Bd8,b7,f7,c6,e6,a5,d5,g5,c4,e4,b3,f3,h3,d2,g2,Kd1", 346),
        ("W:WKa8,Kg8,Kh8,Ka2,Ka1,Kh1:Bc8,e7,c6,f6,a5,b5,d5,e5,g5,h5,c4,f4,d3,g3,f2,Ke1", 340),
    ],
)
def test_longest_turkish_captures_take_all_pieces(fen: str, moves: int) -> None:
    """The positions that ``bench.worst_draughts`` found to take longest."""
    position = PLAIN["turkish"].start(fen)
    found = position.legal.values()
    assert len(found) == moves
    assert {(one.taken, len(one.path)) for one in found} == {(position.men.black, 16)}
    assert all(can_land(position.board, position.men, one, one.path[:-1]) for one in found)


def test_long_capture_has_one_listed_path() -> None:
    rules = PLAIN["turkish"]
    position = rules.start(RINGS)
    for move in rules.legal_moves(position):
        (way,) = rules.leaps(position, move)
        assert len(way.path) == len(way.taken) > MAX_RETRACED
        assert rules.play(position, move).leaps == way


@pytest.mark.parametrize("variant", ["international", "turkish"])
def test_paths_are_cached_for_a_position(variant: str) -> None:
    rules = PLAIN[variant]
    position = rules.start(RINGS if variant == "turkish" else "W:W31,K46:B14,23,27,28,40")
    for move in rules.legal_moves(position):
        assert rules.leaps(position, move)
        assert rules.leaps(position, move) is rules.leaps(position, move)


def test_long_capture_is_read_by_its_listed_or_any_full_path() -> None:
    rules = PLAIN["international"]
    position = rules.start(ROUND)
    (move,) = rules.legal_moves(position)
    (told,) = rules.leaps(position, move)
    start, end = move.split("x")
    assert len(told.taken) > MAX_RETRACED
    assert rules.play(position, "x".join((start, told.path[2], end))).move == move
    other = (*told.path[-2::-1], end)
    assert other != told.path
    assert rules.play(position, "x".join((start, *other))).move == move
    # A part of another way; off the lines, over nothing, over several, too short, too long.
    for wrong in (("39", "14"), ("27",), ("21",), ("3",), other[:-3], (*other[:-1], "17", "28")):
        with pytest.raises(IllegalMove):
            rules.play(position, "x".join((start, *wrong, end)))
