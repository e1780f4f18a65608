"""Which move a text means."""

from __future__ import annotations

import pytest

from game_core.errors import AmbiguousMove, IllegalMove, InvalidMove
from tests.game_core.draughts.boards import PLAIN

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
def test_reads(variant: str, fen: str | None, text: str, move: str) -> None:
    rules = PLAIN[variant]
    played = rules.play(rules.start(fen), text)
    assert (played.move, played.notation, played.check) == (move, move, False)
    assert text == move or rules.is_same_move(move, move, text) or move.count("x") > 1


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
        ("international", None, "32-27-22", IllegalMove, "the man on 32 cannot go by 32-27-22"),
        ("international", None, "32-22", IllegalMove, "the man on 32 cannot go"),
        ("international", None, "22-27", IllegalMove, "no piece to move on 22"),
        ("international", None, "20-25", IllegalMove, "no piece to move on 20"),
        ("international", "W:WK50:B1", "50-49", IllegalMove, "the king on 50 cannot go"),
        ("international", "W:W32:B27,28,18", "32x21", IllegalMove, "one must take, 32x12"),
        ("international", "W:W32:B27,28,18", "32x22x12", IllegalMove, "one must take, 32x12"),
        ("english", DIAMOND, "26x10", AmbiguousMove, "26x10 may be any of 26x17x10, 26x19x10"),
    ],
)
def test_refuses(variant: str, fen: str | None, text: str, error: type[IllegalMove], message: str) -> None:
    rules = PLAIN[variant]
    with pytest.raises(error, match=message) as caught:
        rules.play(rules.start(fen), text)
    assert type(caught.value) is error
    assert caught.value.code == "illegal_move"


@pytest.mark.parametrize(
    ("variant", "move", "text", "same"),
    [
        ("international", "32-28", "32x28", True),
        ("international", "32x12", "32x23x12", True),
        ("international", "32x12", "32x23x14", False),
        ("international", "32x12", "nonsense", False),
        ("international", "32-28", "33-28", False),
        ("english", "26x17x10", "26x10", False),
        ("english", "26x17x10", "26x19x10", False),
        ("english", "26x17x10", "26-17:10", True),
        ("russian", "c3xe5", "C3:E5", True),
        ("russian", "c3xe5", "22x15", False),
    ],
)
def test_knows_a_move_again(variant: str, move: str, text: str, same: bool) -> None:
    assert PLAIN[variant].is_same_move(move, move, text) == same


def test_shows_the_ways_of_a_capture() -> None:
    rules = PLAIN["english"]
    position = rules.start(DIAMOND)
    played = rules.play(position, "26-17-10")
    assert played.leaps is not None
    assert (played.leaps.path, played.leaps.taken) == (("17", "10"), ("22", "14"))
    assert list(rules.leaps(position, "26x17x10")) == [played.leaps]
    assert rules.leaps(rules.start(None), "11-15") == ()
    assert rules.play(rules.start(None), "11-15").leaps is None
