"""What hands can do on a chess board, legal or not."""

from __future__ import annotations

import pytest

from game_core.chess.chess960 import Chess960
from game_core.chess.standard import Standard
from game_core.errors import IllegalMove
from tests.game_core.over_the_board import hand_of

HAND = hand_of(Standard())
FISCHER = hand_of(Chess960())

# Columns: start position, illegal move, how it is written, the pieces as they lie.
BY_HAND: dict[str, tuple[str, str, str, str]] = {
    "a pawn too far": ("4k3/8/8/8/8/8/4P3/4K3 w - - 5 9", "e2e5", "e5", "4k3/8/8/4P3/8/8/8/4K3 b - - 0 9"),
    "a king into check": ("4k3/8/8/8/8/8/3r4/4K3 w - - 0 1", "e1d1", "Kd1", "4k3/8/8/8/8/8/3r4/3K4 b - - 0 1"),
    "a capture": ("4k3/8/8/8/8/8/3r4/3QK3 w - - 0 1", "d1d8", "Qd8", "3Qk3/8/8/8/8/8/3r4/4K3 b - - 0 1"),
    "a capture by a pawn": ("4k3/8/8/2n5/8/8/3P4/4K3 w - - 0 1", "d2c5", "dxc5", "4k3/8/8/2P5/8/8/8/4K3 b - - 0 1"),
    "by Black": ("4k3/8/8/8/8/8/8/4K2R b K - 0 1", "e8h1", "Kxh1", "8/8/8/8/8/8/8/4K2k w - - 0 2"),
    "a pinned pawn becomes a queen": (
        *("1n5k/r1P4K/8/8/8/8/8/8 w - - 0 1", "c7b8q", "cxb8=Q"),
        "1Q5k/r6K/8/8/8/8/8/8 b - - 0 1",
    ),
    "a pawn becomes a knight where it cannot go": (
        *("4k3/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7d8n", "d8=N"),
        "3Nk3/8/8/8/8/8/8/4K3 b - - 0 1",
    ),
    "castling through check": ("4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O", "4kr2/8/8/8/8/8/8/5RK1 b - - 0 1"),
    "castling, king on rook": ("3rk3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1a1", "O-O-O", "3rk3/8/8/8/8/8/8/2KR4 b - - 0 1"),
    "castling over a piece is the king's move alone": (
        *("4k3/8/8/8/8/8/8/4KB1R w K - 0 1", "e1g1", "Kg1"),
        "4k3/8/8/8/8/8/8/5BKR b - - 0 1",
    ),
    "castling without a rook": ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1g1", "Kg1", "4k3/8/8/8/8/8/8/6K1 b - - 0 1"),
    "a rook keeps the other's right": (
        *("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "a1b3", "Rb3"),
        "4k3/8/8/8/8/1R6/8/4K2R b K - 0 1",
    ),
    "the king itself is taken": ("4k3/4R3/8/8/8/8/8/K7 w - - 0 1", "e7e8", "Rxe8", "4R3/8/8/8/8/8/8/K7 b - - 0 1"),
}


@pytest.mark.parametrize(("fen", "move", "san", "after"), BY_HAND.values(), ids=BY_HAND)
def test_illegal_move_lies_as_hands_put_it(fen: str, move: str, san: str, after: str) -> None:
    """7.4a: an illegal move, "including [...] capturing the opponent's king", can be made."""
    played, irregular = HAND.play(HAND.lie(fen), move)
    assert irregular
    assert (played.notation, played.position.fen) == (san, after)
    assert HAND.lie(after) == played.position


def test_castling_of_chess960_by_hand_goes_to_the_usual_squares() -> None:
    """F: king and rook stand on g and f after it, legal or not."""
    played, irregular = FISCHER.play(FISCHER.lie("1r3k2/8/8/8/8/8/8/1K4R1 w G - 0 1"), "b1g1")
    assert irregular
    assert (played.notation, played.position.fen) == ("O-O", "1r3k2/8/8/8/8/8/8/5RK1 b - - 0 1")


def test_rook_of_another_rank_does_not_castle() -> None:
    with pytest.raises(IllegalMove, match="your own piece stands on e2"):
        HAND.play(HAND.lie("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"), "e1e2")


def test_legal_moves_are_regular() -> None:
    played, irregular = HAND.play(HAND.lie("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), "e1g1")
    assert not irregular
    assert played.notation == "O-O"


# Columns: position, square, whose piece it is.
OWNERS = {
    "White's": ("e1", "w"),
    "Black's": ("e8", "b"),
    "an empty square": ("e4", None),
    "no square": ("k9", None),
}


@pytest.mark.parametrize(("square", "owner"), OWNERS.values(), ids=OWNERS)
def test_owner_of_a_square(square: str, owner: str | None) -> None:
    assert HAND.owner(HAND.lie("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), square) == owner


# Columns: position, move, squares.
TOUCHES = {
    "a step": ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4", ("e2",)),
    "a capture": ("4k3/8/8/8/8/8/3r4/4K3 w - - 0 1", "e1d2", ("e1", "d2")),
    "en passant": ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", ("e5", "d5")),
    "a piece that goes past": ("4k3/8/3B4/3pP3/8/8/8/4K3 b - - 0 1", "e8e7", ("e8",)),
    "another piece on that square": ("4k3/8/8/1B1pP3/8/8/8/4K3 w - d6 0 1", "b5d6", ("b5",)),
    "castling": ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", ("e1",)),
}


@pytest.mark.parametrize(("fen", "move", "squares"), TOUCHES.values(), ids=TOUCHES)
def test_pieces_that_a_move_touches(fen: str, move: str, squares: tuple[str, ...]) -> None:
    assert tuple(HAND.touches(HAND.lie(fen), move)) == squares


# Columns: position, whether the arbiter has to intervene.
ARBITER = {
    "a usual position": ("4k3/8/8/8/8/8/8/4K2R b - - 0 1", False),
    "one king in check": ("4k3/8/8/8/8/8/8/4KR2 b - - 0 1", False),
    "the king that could be taken": ("4k3/8/8/8/8/8/4r3/K6R b - - 0 1", False),
    "both kings in check": ("4k2R/8/8/8/8/8/8/4K2r b - - 0 1", True),
    "a pawn on the last rank": ("4P3/8/8/3k4/8/8/8/4K3 b - - 0 1", True),
    "Black's king is gone": ("4R3/8/8/8/8/8/8/4K3 b - - 0 1", True),
    "White's king is gone": ("4k3/8/8/8/8/8/8/4r3 w - - 0 1", True),
}


@pytest.mark.parametrize(("fen", "intervenes"), ARBITER.values(), ids=ARBITER)
def test_arbiter_intervenes(fen: str, intervenes: bool) -> None:
    """A4c: "if both kings are in check or the promotion of a pawn is not completed, the arbiter shall intervene"."""
    assert HAND.needs_arbiter(HAND.lie(fen)) == intervenes


# Columns: position, whether White wins on time.
ON_TIME = {
    "a lone king": ("4k3/7p/8/8/8/8/8/4K3 w - - 0 1", False),
    "king and knight": ("4k3/7p/8/8/8/8/8/4K1N1 w - - 0 1", False),
    "king and bishop": ("4k3/7p/8/8/8/8/8/4KB2 w - - 0 1", False),
    "two knights without pawns": ("4k3/7r/8/8/8/8/8/4KNN1 w - - 0 1", False),
    "two knights against a pawn": ("4k3/7p/8/8/8/8/8/4KNN1 w - - 0 1", True),
    "bishop and knight": ("4k3/7r/8/8/8/8/8/4KBN1 w - - 0 1", True),
    "three knights": ("4k3/7r/8/8/8/8/8/N3KNN1 w - - 0 1", True),
    "a pawn": ("4k3/7r/8/8/8/8/P7/4K3 w - - 0 1", True),
    "a rook and a knight": ("4k3/8/8/8/8/8/8/4K1NR w - - 0 1", True),
}


@pytest.mark.parametrize(("fen", "wins"), ON_TIME.values(), ids=ON_TIME)
def test_pieces_that_win_on_time_in_us_chess(fen: str, wins: bool) -> None:
    """14E: lone king, king and bishop or knight, two knights if the opponent has no pawns."""
    assert HAND.may_win_on_time(HAND.lie(fen), "w") == wins


CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
ONE_SIDE = "4k3/8/8/8/8/8/7P/4K2R w K - 0 1"
BLOCKED = "4k3/8/8/8/8/7p/7P/4K2R w K - 0 1"
"""Castling is possible. The pawn cannot move."""
NO_SHORT = "r3k1r1/8/8/8/8/8/8/R3K2R w KQq - 0 1"
NO_CASTLING = "3rkr2/8/8/8/8/8/8/R3K2R w KQ - 0 1"
SHUT_IN = "3rkr2/8/8/8/8/8/4P3/R3K2R w KQ - 0 1"
TRADE = "4k3/8/8/3p1n2/4P3/8/7r/K6B w - - 0 1"
PINNED = "4k3/4r3/8/8/8/8/4N2p/4K3 w - - 0 1"
KINGS_MOVES = ["e1d1", "e1d2", "e1e2", "e1f1", "e1f2"]

# Columns: position, squares touched, whether the rook may come first, the moves that are left, sorted; None: any.
BOUND: dict[str, tuple[str, str, bool, list[str] | None]] = {
    "4.3a a piece that can move": (TRADE, "e4", False, ["e4d5", "e4e5", "e4f5"]),
    "4.3a the first of two that can": (TRADE, "a1 e4", False, ["a1b1"]),
    "4.3a the first cannot move": (PINNED, "e2 e1", False, ["e1d1", "e1d2", "e1f1", "e1f2"]),
    "4.3b an opponent's piece": (TRADE, "d5", False, ["e4d5"]),
    "4.3b the first that can be taken": (TRADE, "e8 h2", False, None),
    "4.3b the second, as the first cannot": (TRADE, "e8 f5", False, ["e4f5"]),
    "4.3c own piece, then the opponent's": (TRADE, "e4 f5", False, ["e4f5"]),
    "4.3c the opponent's, then one's own": (TRADE, "f5 e4", False, ["e4f5"]),
    "4.3c the own one cannot take it: it moves, as it was first": (TRADE, "a1 f5", False, ["a1b1"]),
    "4.3c it is taken, as it was first": (TRADE, "f5 a1", False, ["e4f5"]),
    "4.5 none can be moved or captured": (PINNED, "e2 e7", False, None),
    "4.3b a pawn taken in passing": ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "d5", False, ["e5d6"]),
    "4.4a king and rook": (CASTLING, "e1 h1", False, ["e1g1"]),
    "4.4a on the other side": (CASTLING, "e1 a1", False, ["e1c1"]),
    "4.4a a piece between": (ONE_SIDE, "e1 h2 h1", False, ["e1g1"]),
    "4.4a after a piece that cannot move": (BLOCKED, "h2 e1 h1", False, ["e1g1"]),
    "4.3a before 4.4a: a piece that can move": (ONE_SIDE, "h2 e1 h1", False, ["h2h3", "h2h4"]),
    "the king alone": (ONE_SIDE, "e1", False, [*KINGS_MOVES, "e1g1"]),
    "4.4b rook, then king: the rook moves": (ONE_SIDE, "h1 e1", False, ["h1f1", "h1g1"]),
    "4.4b after a piece that cannot move": (BLOCKED, "h2 h1 e1", False, ["h1f1", "h1g1"]),
    "4.4b the rook cannot move either": (
        *("4k3/8/8/8/8/8/P7/RN2K2R w KQ - 0 1", "a1 e1 h1", False),
        ["e1g1"],
    ),
    "the rook alone": (ONE_SIDE, "h1", False, ["h1f1", "h1g1"]),
    "US: the rook first": (ONE_SIDE, "h1 e1", True, ["e1g1", "h1f1", "h1g1"]),
    "US: the rook alone": (ONE_SIDE, "h1", True, ["e1g1", "h1f1", "h1g1"]),
    "US: another piece before the rook": (ONE_SIDE, "h2 h1 e1", True, ["h2h3", "h2h4"]),
    "US: an opponent's piece before the rook": ("4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1", "h8 h1", True, ["h1h8"]),
    "US: the first of two rooks": ("4k3/8/8/8/8/8/P6P/R3K2R w KQ - 0 1", "h1 a1 e1", True, ["e1g1", "h1f1", "h1g1"]),
    "US: the rook first, with a right that is lost": (
        *("4k3/8/8/8/8/8/7P/4K2R w - - 0 1", "h1 e1", True),
        ["h1f1", "h1g1"],
    ),
    "4.4c castling is illegal there, and possible on the other side": (
        *(NO_SHORT, "e1 h1", False),
        ["e1c1", *KINGS_MOVES],
    ),
    "4.4c castling is illegal": (NO_CASTLING, "e1 h1", False, ["e1e2"]),
    "4.4c the king has no legal move": (SHUT_IN, "e1 h1", False, None),
    "the king may not be taken, so it does not bind": ("4k3/4R3/8/8/8/8/8/K7 w - - 0 1", "e8", False, None),
}


@pytest.mark.parametrize(("fen", "touched", "rook_first", "left"), BOUND.values(), ids=BOUND)
def test_touched_pieces_bind(fen: str, touched: str, rook_first: bool, left: list[str] | None) -> None:
    """Articles 4.3 to 4.5."""
    found = HAND.bound(HAND.lie(fen), touched.split(), rook_first=rook_first)
    assert (None if found is None else sorted(found)) == left


def test_touched_pieces_bind_in_chess960() -> None:
    """4.4 with castling as in Appendix F."""
    position = FISCHER.lie("1k6/8/8/8/8/8/8/1R3KR1 w BG - 0 1")
    assert FISCHER.bound(position, ["f1", "g1"], rook_first=False) == ["f1g1"]
    assert "f1b1" in (FISCHER.bound(position, ["b1", "f1"], rook_first=True) or ())
    shut_in = FISCHER.lie("1k6/8/8/8/8/8/6P1/5KRN w G - 0 1")
    assert "f1g1" in (FISCHER.bound(shut_in, ["f1"], rook_first=False) or ())
    assert "f1g1" not in (FISCHER.bound(shut_in, ["g1", "f1"], rook_first=False) or ())


def test_promotion_without_a_piece_is_unfinished() -> None:
    """3.7e: a pawn on the last rank has to be replaced."""
    position = HAND.lie("8/4P2k/8/8/8/8/8/4K3 w - - 0 1")
    assert HAND.is_unfinished(position, "e7e8")
    assert not HAND.is_unfinished(position, "e7e8q")
    assert not HAND.is_unfinished(position, "e1e2")
    assert not HAND.is_unfinished(position, "e7d8")
