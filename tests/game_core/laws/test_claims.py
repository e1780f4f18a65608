"""Draw claims: Articles 9.2 to 9.5, each paragraph with its cases."""

from __future__ import annotations

import pytest

from game_core import commands as c
from tests.game_core.scene import Scene

KNIGHTS = "g1f3 g8f6 f3g1 f6g8 "
"""Four half-moves that lead back to where they began."""

ROOKS = "a1b1 h8g8 b1a1 g8h8 "
KINGS = "e8d8 e1d1 d8e8 d1e1 "
ONE_RIGHT_EACH = "4k2r/7p/8/8/8/8/7P/R3K3 w Qk - 0 1"
EXCHANGE = "c1c2 h8g8 e1c1 g8h8 c2e2 h8g8 e2e1 g8h8 "
"""The two rooks of ``TWO_ROOKS`` change places."""
TWO_ROOKS = "7k/7p/8/8/8/8/7P/K1R1R3 w - - 0 1"
KING_AND_PAWN = "4k3/7p/8/8/8/8/7P/4K3 w - - 0 1"
PASSING = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"
PINNED = "3k4/7p/8/8/3p4/8/4P2P/3R2K1 w - - 0 1"
LONG = "7k/7p/8/8/8/8/R6P/K7 w - - {} 90"
"""The counter of half-moves without capture and pawn move is left open."""

# The side to move claims. Columns: start position, moves, the intended move or None, the reason of the draw.
RIGHT: dict[str, tuple[str | None, str, str | None, str]] = {
    "9.2b the position stands for the third time": (None, KNIGHTS * 2, None, "threefold"),
    "9.2a it would, after the move that they name": (None, KNIGHTS + "g1f3 g8f6 f3g1", "f6g8", "threefold"),
    "9.2b whatever move they name then": (None, KNIGHTS * 2, "e2e4", "threefold"),
    "9.2 not in succession, and by other ways": (
        *(None, "g1f3 g8f6 b1c3 b8c6 f3g1 f6g8 c3b1 c6b8 g1f3 g8f6 f3g1 f6g8"),
        *(None, "threefold"),
    ),
    "9.2 the first position counts": (KING_AND_PAWN, "e1d1 e8d8 d1e1 d8e8 " * 2, None, "threefold"),
    "9.2 men of one kind may have changed places": (TWO_ROOKS, EXCHANGE * 2, None, "threefold"),
    "9.2 with the same rights to castle": (ONE_RIGHT_EACH, ROOKS * 3, None, "threefold"),
    "9.2 again without the capture in passing": (PASSING, "e2e4 " + KINGS * 3, None, "threefold"),
    "9.2 a capture in passing that is not legal is none": (
        *(PINNED, "e2e4 " + "d8e8 g1f1 e8d8 f1g1 " * 2),
        *(None, "threefold"),
    ),
    "9.2 the fourth time too": (None, KNIGHTS * 3, None, "threefold"),
    "9.3b fifty moves each without capture and pawn move": (LONG.format(100), "", None, "fifty_moves"),
    "9.3a with the move that they name": (LONG.format(99), "", "a2b2", "fifty_moves"),
    "9.3b more than fifty": (LONG.format(120), "", None, "fifty_moves"),
    "9.3b by Black": (LONG.format(99), "a2b2", None, "fifty_moves"),
    "9.2, 9.3 both": (KING_AND_PAWN.replace(" 0 1", " 92 60"), "e1d1 e8d8 d1e1 d8e8 " * 2, None, "threefold"),
}


@pytest.mark.parametrize(("fen", "moves", "move", "reason"), RIGHT.values(), ids=RIGHT)
def test_valid_claim_draws_without_playing_a_move(fen: str | None, moves: str, move: str | None, reason: str) -> None:
    scene = Scene(fen=fen, moves=moves)
    plies = scene.game.ply
    scene.do(c.Draw(by=scene.game.turn, do="claim", move=move))
    assert scene.end == ("1/2-1/2", reason)
    assert scene.game.ply == plies


WRONG: dict[str, tuple[str | None, str, str | None]] = {
    "9.2 it stands for the second time": (None, KNIGHTS, None),
    "9.2a it would, but after another move": (None, KNIGHTS + "g1f3 g8f6 f3g1", "b8c6"),
    "9.2 the other side was to move before": (KING_AND_PAWN, "e1d1 e8d8 d1e1 d8e8 e1d1 e8e7 d1d2 e7e8 d2e1", None),
    "9.2 one could still castle the first time": (ONE_RIGHT_EACH, ROOKS * 2, None),
    "9.2 one could capture in passing the first time": (PASSING, "e2e4 " + KINGS * 2, None),
    "9.4 they have moved, and claim a move too late": (None, KNIGHTS * 2 + "g1f3 g8f6 b1c3", None),
    "9.3 forty-nine and a half": (LONG.format(99), "", None),
    "9.3 a pawn has moved": (LONG.format(99), "h2h3", None),
    "9.3a the move that they name is a pawn's": (LONG.format(99), "", "h2h3"),
    "9.3a the move that they name captures": (LONG.format(99).replace("7p/8", "7p/r7", 1), "", "a2a6"),
}


@pytest.mark.parametrize(("fen", "moves", "move"), WRONG.values(), ids=WRONG)
def test_wrong_claim_is_refused_and_its_move_is_played(fen: str | None, moves: str, move: str | None) -> None:
    scene = Scene(fen=fen, moves=moves)
    plies = list(scene.game.moves)
    refusal = scene.refused(c.Draw(by=scene.game.turn, do="claim", move=move), "conflict")
    position = scene.game.position
    repeats = f"this position has occurred {position.repeats} of 3 times"
    moves = f"{position.board.halfmove_clock} of 100 half-moves have been made without a capture or pawn move"
    assert str(refusal).endswith(f": {repeats}, and {moves}")
    assert list(scene.game.moves) == plies + ([] if move is None else [move])
    assert scene.end == ("*", None)


def test_9_2_9_3_only_the_side_to_move_claims() -> None:
    scene = Scene(moves=KNIGHTS * 2)
    scene.refused(c.Draw(by="b", do="claim"), "not_your_turn")
    scene.refused(c.Draw(by="b", do="claim", move="g8f6"), "not_your_turn")


def test_9_4_unused_right_to_claim_returns_with_the_position() -> None:
    scene = Scene(moves=KNIGHTS * 2 + "g1f3")
    scene.do(c.Draw(by="b", do="claim"))
    assert scene.end == ("1/2-1/2", "threefold")
