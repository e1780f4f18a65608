"""Spellings of a move."""

from __future__ import annotations

from itertools import product

import pytest

from game_core.draughts.position import Position
from game_core.errors import AmbiguousMove, IllegalMove, InvalidMove
from tests.game_core.draughts.boards import PLAIN, crowded

SEEDS = 150

RING = "W:We7,Kh6,Ka5:Bd6,g5,d4,Kb6,Kb4,Kf2"
"""Russian: round from a5 to a5, over four pieces either way."""

DIAMOND = "W:W26:B14,15,22,23"
"""English: over 22 and 14 or over 23 and 15 from 26 to 10."""


@pytest.mark.parametrize(
    ("variant", "fen", "text", "move"),
    [
        ("international", None, "32-28", "32-28"),
        ("international", None, "32x28", "32-28"),
        ("turkish", None, "A3-A4", "a3-a4"),
        ("russian", None, "c3:d4", "c3-d4"),
        ("english", DIAMOND, "26x17x10", "26x17x10"),
        ("english", DIAMOND, "26-19-10", "26x19x10"),
        ("international", "W:W32:B27,28,18", "32x12", "32x12"),
        ("international", "W:W32:B27,28,18", "32X23x12", "32x12"),
        ("international", "W:W32:B27,28,18", "32:12", "32x12"),
        ("international", "W:WK50:B33,13", "50x9", "50x9"),
        ("international", "W:WK50:B33,13", "50x22x9", "50x9"),
    ],
)
def test_spellings_of_legal_moves_are_read(variant: str, fen: str | None, text: str, move: str) -> None:
    rules = PLAIN[variant]
    played = rules.play(rules.start(fen), text)
    assert (played.move, played.notation, played.check) == (move, move, False)
    assert rules.is_same_move(move, move, text, played.before)


@pytest.mark.parametrize(
    ("variant", "fen", "text", "error", "message"),
    [
        ("international", None, "", InvalidMove, "'' is not a move; expected squares from 1 to 50 .* '31-26'"),
        ("international", None, "32", InvalidMove, "not a move"),
        ("international", None, "32-51", InvalidMove, "not a move"),
        ("international", None, "032-28", InvalidMove, "not a move"),
        ("international", None, "32--28", InvalidMove, "not a move"),
        ("international", None, "c3-d4", InvalidMove, "not a move"),
        ("russian", None, "c3d4", InvalidMove, "from b8 to g1 "),
        ("international", None, "1-" * 1000 + "1", InvalidMove, "not a move"),
        ("international", None, "32-27-22", IllegalMove, "the man on 32 cannot play 32-27-22"),
        ("international", None, "32-22", IllegalMove, "the man on 32 cannot play"),
        ("international", None, "22-27", IllegalMove, "no piece to move on 22"),
        ("international", None, "20-25", IllegalMove, "no piece to move on 20"),
        ("international", "W:WK50:B1", "50-49", IllegalMove, "the king on 50 cannot play"),
        ("international", "W:W32:B27,28,18", "32x21", IllegalMove, "you must capture, 32x12"),
        ("international", "W:W32:B27,28,18", "32x22x12", IllegalMove, "you must capture, 32x12"),
        ("english", DIAMOND, "26x10", AmbiguousMove, "26x10 could be any of 26x17x10, 26x19x10"),
    ],
)
def test_illegal_and_malformed_moves_are_refused(
    variant: str, fen: str | None, text: str, error: type[IllegalMove], message: str
) -> None:
    rules = PLAIN[variant]
    with pytest.raises(error, match=message) as caught:
        rules.play(rules.start(fen), text)
    assert type(caught.value) is error
    assert caught.value.code == "illegal_move"


@pytest.mark.parametrize(
    ("variant", "before", "move", "text", "same"),
    [
        ("international", None, "32-28", "32x28", True),
        ("international", None, "32x12", "32x23x12", True),
        ("international", None, "32x12", "32x23x14", False),
        ("international", None, "32x12", "nonsense", False),
        ("international", None, "32-28", "33-28", False),
        ("english", DIAMOND, "26x17x10", "26x10", False),
        ("english", DIAMOND, "26x17x10", "26x19x10", False),
        ("english", DIAMOND, "26x17x10", "26-17:10", True),
        ("english", DIAMOND, "26x17x10", "26x18x10", False),
        ("english", DIAMOND, "26x17x10", "25x17x10", False),
        ("russian", RING, "a5xc7xg3xe1xa5", "a5xe1xg3xc7xa5", True),
        ("russian", RING, "a5xc7xg3xe1xa5", "a5-g3-c7-a5", True),
        ("russian", RING, "a5xc7xg3xe1xa5", "a5xc7xf4xa5", False),
        ("russian", None, "c3xe5", "C3:E5", True),
        ("russian", None, "c3xe5", "22x15", False),
    ],
)
def test_spellings_of_the_same_move_are_equal(
    variant: str, before: str | None, move: str, text: str, same: bool
) -> None:
    assert PLAIN[variant].is_same_move(move, move, text, before) == same


@pytest.mark.parametrize("variant", PLAIN)
def test_every_path_of_a_capture_and_no_other_is_the_same_move(variant: str) -> None:
    rules = PLAIN[variant]
    for seed in range(SEEDS):
        men = crowded(rules.board, seed)
        position = Position.first(rules.board, men)
        long = [text for text in position.legal if text.count("x") > 1]
        for move, other in product(long, long):
            for way in rules.leaps(position, move):
                text = "x".join([move.partition("x")[0], *way.path])
                assert rules.play(position, text).move == move
                assert rules.is_same_move(other, other, text, position.fen) == (move == other)


def test_paths_of_a_capture_are_listed() -> None:
    rules = PLAIN["english"]
    position = rules.start(DIAMOND)
    played = rules.play(position, "26-17-10")
    assert played.leaps is not None
    assert (played.leaps.path, played.leaps.taken) == (("17", "10"), ("22", "14"))
    assert list(rules.leaps(position, "26x17x10")) == [played.leaps]
    assert rules.leaps(rules.start(None), "11-15") == ()
    assert rules.play(rules.start(None), "11-15").leaps is None
