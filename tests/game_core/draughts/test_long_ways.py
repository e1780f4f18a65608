"""Captures so long that looking for all their ways would keep a server busy."""

from __future__ import annotations

import pytest

from game_core.draughts.rules import MOST_RETRACED
from tests.game_core.draughts.boards import PLAIN

RINGS = "W:WKb1:BKc8,Kf2,Kf4,Ka4,Kg6,Kd4,Kb6,Kc2,Kb3,Ke1,Kf8,Ke5,Kg1,Kh3,Kf7,Kh7"
"""Turkish: 62 captures of fifteen pieces, each in hundreds of ways."""


def test_of_a_long_capture_one_way_is_told() -> None:
    rules = PLAIN["turkish"]
    position = rules.start(RINGS)
    for move in rules.legal_moves(position):
        (way,) = rules.leaps(position, move)
        assert len(way.path) == len(way.taken) > MOST_RETRACED
        assert rules.play(position, move).leaps == way


@pytest.mark.parametrize("variant", ["international", "turkish"])
def test_ways_are_looked_for_once_a_position(variant: str) -> None:
    rules = PLAIN[variant]
    position = rules.start(RINGS if variant == "turkish" else "W:W31,K46:B14,23,27,28,40")
    for move in rules.legal_moves(position):
        assert rules.leaps(position, move)
        assert rules.leaps(position, move) is rules.leaps(position, move)
