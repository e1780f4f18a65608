"""What hands can do on a draughts board, regular or not."""

from __future__ import annotations

import pytest

from game_core.errors import AmbiguousMove, IllegalMove, InvalidMove
from game_core.registry import rules_for
from tests.game_core.over_the_board import hand_of

RULES = rules_for("draughts", "international", "official")
HAND = hand_of(RULES)
ENGLISH = hand_of(rules_for("draughts", "english"))

# Columns: position, irregular move, how it is written, the pieces as they lie.
BY_HAND: dict[str, tuple[str, str, str, str]] = {
    "a step where a capture is compulsory": ("W:W28,37:B22,10", "37-31", "37-31", "B:W28,31:B10,22"),
    "a man backward": ("W:W28:B10", "28-33", "28-33", "B:W33:B10"),
    "a capture of too few pieces": ("W:W28:B23,14,5", "28x19", "28x19", "B:W19:B5,14"),
    "a man over its own piece": ("W:W28,22:B5", "28x17", "28x17", "B:W17,22:B5"),
    "a capture that leaves the lines": ("W:W28:B23,10", "28:20", "28x20", "B:W20:B10,23"),
    "a king": ("W:WK46:B14,5", "46-45", "46-45", "B:WK45:B5,14"),
    "a man that becomes a king": ("W:W28:B14", "28-1", "28-1", "B:WK1:B14"),
}


@pytest.mark.parametrize(("fen", "move", "pdn", "after"), BY_HAND.values(), ids=BY_HAND)
def test_irregular_move_lies_as_hands_put_it(fen: str, move: str, pdn: str, after: str) -> None:
    played, irregular = HAND.play(HAND.lie(fen), move)
    assert irregular
    assert (played.move, played.notation, played.position.fen) == (pdn, pdn, after)
    assert HAND.lie(after) == played.position


def test_capture_by_hand_tells_its_path() -> None:
    played, _ = HAND.play(HAND.lie("W:W28:B23,14,5"), "28x19")
    assert played.leaps is not None
    assert (played.leaps.path, played.leaps.taken) == (("19",), ("23",))


def test_regular_move_is_one() -> None:
    played, irregular = HAND.play(HAND.lie("W:W28:B22,10"), "28x17")
    assert not irregular
    assert played.move == "28x17"


@pytest.mark.parametrize(
    ("move", "error"),
    [("hello", InvalidMove), ("29-24", IllegalMove), ("28-37", IllegalMove), ("28-22", IllegalMove)],
    ids=["no move", "no piece", "onto one's own piece", "onto the opponent's"],
)
def test_what_hands_cannot_do_is_refused(move: str, error: type[IllegalMove]) -> None:
    with pytest.raises(error):
        HAND.play(HAND.lie("W:W28,37:B22,10"), move)


def test_last_piece_is_not_taken_irregularly() -> None:
    with pytest.raises(IllegalMove, match="last piece"):
        HAND.play(HAND.lie("W:W28:B22"), "28x11")


def test_ambiguous_capture_is_refused() -> None:
    with pytest.raises(AmbiguousMove):
        ENGLISH.play(ENGLISH.lie("W:W26:B14,15,22,23"), "26x10")


@pytest.mark.parametrize(("square", "owner"), [("28", "w"), ("22", "b"), ("1", None), ("51", None)])
def test_owner_of_a_square(square: str, owner: str | None) -> None:
    assert HAND.owner(HAND.lie("W:W28,37:B22,10"), square) == owner


@pytest.mark.parametrize(
    ("touched", "left"),
    [("37", None), ("28", ["28x17"]), ("37 28", ["28x17"]), ("22", None)],
    ids=["a man that may not move", "one that must", "the first that can", "the opponent's"],
)
def test_touched_pieces_bind(touched: str, left: list[str] | None) -> None:
    position = HAND.lie("W:W28,37:B22,10")
    assert HAND.bound(position, touched.split(), rook_first=False) == left
    assert HAND.touches(position, "28x17") == ("28",)


def test_articles_of_chess_do_not_apply() -> None:
    position = HAND.lie("W:W28,37:B22,10")
    assert not HAND.is_unfinished(position, "28-22")
    assert not HAND.needs_arbiter(position)
    assert HAND.may_win_on_time(position, "w")
