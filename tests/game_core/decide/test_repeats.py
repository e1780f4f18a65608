"""Repeats: "sending a move that stands on the board at that `ply` again is answered the same way"."""

from __future__ import annotations

import pytest

from game_core import commands as c
from game_core.decide import decide, find_repeat
from game_core.events import Moved
from tests.game_core.scene import BLACK_BEGINS, BLITZ, Scene

CASTLED = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6"
START_960 = "rnbqkbrn/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBRN w GAga - 0 1"
LONG = "r3k2r/8/8/8/8/8/4P3/4K3 b kq - 0 1"

# Columns: variant, start position, moves played; the command that comes again; then the `seq` it is answered with, or
# None where it is no repeat.
CASES: dict[str, tuple[str, str | None, str, c.PlayMove, int | None]] = {
    "the last move": ("standard", None, "e2e4 e7e5", c.PlayMove(by="b", move="e7e5", ply=1), 2),
    "a move the opponent has answered": ("standard", None, "e2e4 e7e5", c.PlayMove(by="w", move="e2e4", ply=0), 1),
    "with another lag, draw and `seen`": (
        "standard",
        None,
        "e2e4 e7e5",
        c.PlayMove(by="w", move="e2e4", ply=0, draw=True, seen=0, claimed_lag_ms=9),
        1,
    ),
    "another move at that ply": ("standard", None, "e2e4 e7e5", c.PlayMove(by="w", move="d2d4", ply=0), None),
    "from the same square": ("standard", None, "e2e4 e7e5", c.PlayMove(by="w", move="e2e3", ply=0), None),
    "to nowhere from the same square": ("standard", None, "e2e4 e7e5", c.PlayMove(by="w", move="e2", ply=0), None),
    "nothing at all": ("standard", None, "e2e4 e7e5", c.PlayMove(by="w", move="", ply=0), None),
    "the other side's": ("standard", None, "e2e4 e7e5", c.PlayMove(by="b", move="e2e4", ply=0), None),
    "the next move": ("standard", None, "e2e4 e7e5", c.PlayMove(by="w", move="e2e4", ply=2), None),
    "a ply below nought": ("standard", None, "e2e4 e7e5", c.PlayMove(by="b", move="e7e5", ply=-1), None),
    "castling, the king's way": ("standard", None, CASTLED, c.PlayMove(by="w", move="e1g1", ply=6), 7),
    "castling, king takes rook": ("standard", None, CASTLED, c.PlayMove(by="w", move="e1h1", ply=6), 7),
    "castled, but it was to the other side": ("standard", None, CASTLED, c.PlayMove(by="w", move="e1a1", ply=6), None),
    "asked king takes rook, repeated the king's way": (
        "standard",
        None,
        CASTLED.replace("e1g1", "e1h1"),
        c.PlayMove(by="w", move="e1g1", ply=6),
        7,
    ),
    "king takes rook both times": (
        "standard",
        None,
        CASTLED.replace("e1g1", "e1h1"),
        c.PlayMove(by="w", move="e1h1", ply=6),
        7,
    ),
    "the long way, king takes rook": ("standard", LONG, "e8c8 e2e3", c.PlayMove(by="b", move="e8a8", ply=0), 1),
    "the long way, but it was to the other side": (
        "standard",
        LONG,
        "e8c8 e2e3",
        c.PlayMove(by="b", move="e8h8", ply=0),
        None,
    ),
    "Chess960, castled": ("chess960", LONG, "e8a8 e2e3", c.PlayMove(by="b", move="e8a8", ply=0), 1),
    "Chess960, castled: no other spelling": (
        "chess960",
        LONG,
        "e8a8 e2e3",
        c.PlayMove(by="b", move="e8c8", ply=0),
        None,
    ),
    "e1h1 that is a rook's move": (
        "standard",
        "3k4/8/8/8/8/8/6K1/4R3 w - - 0 1",
        "e1h1 d8d7",
        c.PlayMove(by="w", move="e1g1", ply=0),
        None,
    ),
    "Chess960": ("chess960", START_960, "e2e4 e7e5", c.PlayMove(by="w", move="e2e4", ply=0), 1),
    "Chess960, Black begins": (
        "chess960",
        "4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 30",
        "e7e5 e2e4",
        c.PlayMove(by="b", move="e7e5", ply=0),
        1,
    ),
    "Black begins": ("standard", BLACK_BEGINS, "e7e5 e2e4", c.PlayMove(by="w", move="e2e4", ply=1), 2),
    "Black begins: White did not": ("standard", BLACK_BEGINS, "e7e5", c.PlayMove(by="w", move="e7e5", ply=0), None),
}


@pytest.mark.parametrize(("variant", "fen", "moves", "again", "seq"), CASES.values(), ids=CASES)
def test_repeat_is_the_same_move_at_the_same_ply_by_the_same_side(
    variant: str, fen: str | None, moves: str, again: c.PlayMove, seq: int | None
) -> None:
    scene = Scene(BLITZ, variant=variant, fen=fen, moves=moves)
    assert find_repeat(scene.game, again) == seq


def test_repeat_is_acknowledged_after_other_events_and_the_end() -> None:
    scene = Scene(moves="e2e4")
    scene.do(c.Draw(by="b", do="offer"))
    scene.play("e7e5")
    again = c.PlayMove(by="b", move="e7e5", ply=1)
    assert find_repeat(scene.game, again) == 3
    scene.do(c.Resign(by="b"))
    assert find_repeat(scene.game, again) == 3


# "A `move` is a repeat only of a move now on the board; after a takeback the same move is a new one."
def test_same_move_after_a_takeback_is_no_repeat() -> None:
    scene = Scene(moves="e2e4 e7e5 g1f3")
    again = scene.move("b8c6")
    scene.play("b8c6")
    scene.do(c.Takeback(by="b", do="offer"))
    scene.do(c.Takeback(by="w", do="accept"))
    assert find_repeat(scene.game, again) is None
    (event,) = decide(scene.game, again, scene.now_ms)
    assert isinstance(event, Moved)
    scene.play("b8c6")
    assert find_repeat(scene.game, again) == 8
    assert find_repeat(scene.game, c.PlayMove(by="w", move="g1f3", ply=2)) == 3


# "a `seen` older than a takeback is `stale_ply`": a move that was on its way when the board went back.
def test_late_move_after_a_takeback_is_stale() -> None:
    scene = Scene(moves="e2e4 e7e5 g1f3")
    sent = c.PlayMove(by="b", move="b8c6", ply=3, seen=scene.game.seq)
    scene.do(c.Takeback(by="w", do="offer"))
    scene.do(c.Takeback(by="b", do="accept"))
    scene.play("f1c4")
    assert find_repeat(scene.game, sent) is None
    scene.refused(sent, "stale_ply")
    scene.do(c.PlayMove(by="b", move="b8c6", ply=3, seen=scene.game.takeback_seq))


def test_move_of_a_wrong_claim_can_be_repeated() -> None:
    scene = Scene(moves="e2e4 e7e5")
    scene.refused(c.Draw(by="w", do="claim", move="g1f3"), "conflict")
    assert find_repeat(scene.game, c.PlayMove(by="w", move="g1f3", ply=2)) == 3


# "Captures that differ only in path are one move": which of those with the same ends a text means, its position tells.
def test_capture_with_another_path_is_a_repeat() -> None:
    ring = "W:We7,Kh6,Ka5:Bd6,g5,d4,Kb6,Kb4,Kf2"
    scene = Scene(BLITZ, game="draughts", variant="russian", fen=ring)
    sent = scene.move("a5xe1xg3xc7xa5")
    (event,) = scene.do(sent)
    assert isinstance(event, Moved)
    assert event.move == "a5xc7xg3xe1xa5"
    for text, seq in (
        (sent.move, 1),
        ("a5-c7-g3-e1-a5", 1),
        ("a5-g3-c7-a5", 1),
        ("a5xc7xf4xa5", None),
        ("a5xa5", None),
    ):
        again = c.PlayMove(by="w", move=text, ply=0)
        assert find_repeat(scene.game, again) == seq
        scene.refused(again, "stale_ply")
    scene.do(c.Takeback(by="w", do="offer"))
    scene.do(c.Takeback(by="b", do="accept"))
    assert find_repeat(scene.game, sent) is None
    assert scene.game.befores == ()
