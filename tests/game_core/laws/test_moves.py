"""Moves of the pieces: Article 3 of the Laws.

Each case names its article and what it says. Columns: the position; moves played in it first; a square; where the piece
on it may go then, and nowhere else. Castling is written ``e1g1``.
"""

from __future__ import annotations

import chess
import pytest

from game_core.errors import IllegalMove
from tests.game_core.chess.library import STANDARD

Case = tuple[str, str, str, str]

PIECES: dict[str, Case] = {
    "3.1 not to a square where one's own piece stands": (
        *("4k3/8/8/8/8/3P4/8/3RK3 w - - 0 1", "", "d1"),
        "d2 a1 b1 c1",
    ),
    "3.1 an opponent's piece there is captured": ("4k3/8/8/8/8/3p4/8/3RK3 w - - 0 1", "", "d1", "d2 d3 a1 b1 c1"),
    "3.2 bishop: along the diagonals": (
        *("4k3/8/8/8/3B4/8/7P/4K3 w - - 0 1", "", "d4"),
        "a1 b2 c3 e5 f6 g7 h8 a7 b6 c5 e3 f2 g1",
    ),
    "3.3 rook: along file and rank": (
        *("4k3/8/8/8/3R4/8/8/4K3 w - - 0 1", "", "d4"),
        "d1 d2 d3 d5 d6 d7 d8 a4 b4 c4 e4 f4 g4 h4",
    ),
    "3.4 queen: along file, rank and diagonals": (
        *("4k3/8/8/8/3Q4/8/8/4K3 w - - 0 1", "", "d4"),
        "d1 d2 d3 d5 d6 d7 d8 a4 b4 c4 e4 f4 g4 h4 a1 b2 c3 e5 f6 g7 h8 a7 b6 c5 e3 f2 g1",
    ),
    "3.5 these three leap over nothing": (
        *("4k3/8/8/3p4/2PQ4/2P5/8/4K3 w - - 0 1", "", "d4"),
        "d5 d3 d2 d1 e4 f4 g4 h4 e5 f6 g7 h8 c5 b6 a7 e3 f2 g1",
    ),
    "3.6 knight: the nearest squares not on its lines, over whatever stands between": (
        *("4k3/8/2ppp3/2pNp3/2ppp3/8/8/4K3 w - - 0 1", "", "d5"),
        "b4 b6 c3 c7 e3 e7 f4 f6",
    ),
    "3.7a pawn: one square forward, if it is empty": ("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "", "e3", "e4"),
    "3.7a not if it is not": ("4k3/8/8/8/4p3/4P3/8/4K3 w - - 0 1", "", "e3", ""),
    "3.7b on its first move two squares": ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "", "e2", "e3 e4"),
    "3.7b Black's the other way": ("4k3/4p3/8/8/8/8/8/4K3 b - - 0 1", "", "e7", "e6 e5"),
    "3.7b not two if the second is occupied": ("4k3/8/8/8/4p3/8/4P3/4K3 w - - 0 1", "", "e2", "e3"),
    "3.7b not two if the first is occupied": ("4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1", "", "e2", ""),
    "3.7c captures diagonally forward": ("4k3/8/8/8/8/3p1p2/4P3/4K3 w - - 0 1", "", "e2", "e3 e4 d3 f3"),
    "3.7c but not its own": ("4k3/8/8/8/8/3N1p2/4P3/4K3 w - - 0 1", "", "e2", "e3 e4 f3"),
    "3.7c not straight, not backwards": ("4k3/8/8/4p3/4P3/3p1p2/8/4K3 w - - 0 1", "", "e4", ""),
    "3.7d a pawn beside it that came two squares is captured in passing": (
        *("4k3/4p3/8/3P4/8/8/8/4K3 b - - 0 1", "e7e5", "d5"),
        "d6 e6",
    ),
    "3.7d by Black too": ("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4", "d4", "d3 e3"),
    "3.7d on the very next move only": (
        *("4k3/4p3/8/3P4/8/8/8/4K3 b - - 0 1", "e7e5 e1d1 e8d8", "d5"),
        "d6",
    ),
    "3.7d not one that came one square": ("4k3/8/4p3/3P4/8/8/8/4K3 b - - 0 1", "e6e5", "d5", "d6"),
    "3.7d not by a piece": (
        "4k3/4p3/8/3B4/8/8/8/4K3 b - - 0 1",
        "e7e5",
        "d5",
        "a2 b3 c4 e6 f7 g8 a8 b7 c6 e4 f3 g2 h1",
    ),
    "3.7d, 3.9 not if that exposes the king": ("4k3/4p3/8/K2P3r/8/8/8/8 b - - 0 1", "e7e5", "d5", "d6"),
    "3.7e on the last rank a new queen, rook, bishop or knight": (
        *("7k/4P3/8/8/8/8/8/4K3 w - - 0 1", "", "e7"),
        "e8q e8r e8b e8n",
    ),
    "3.7e also with a capture": ("3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "", "e7", "e8q e8r e8b e8n d8q d8r d8b d8n"),
    "3.7e whatever has been captured: a third queen": (
        *("7k/4P3/8/8/8/8/Q7/1Q2K3 w - - 0 1", "", "e7"),
        "e8q e8r e8b e8n",
    ),
    "3.7e Black's on the first rank": ("4k3/8/8/8/8/8/4p3/K7 b - - 0 1", "", "e2", "e1q e1r e1b e1n"),
}

CASTLING: dict[str, Case] = {
    "3.8a king: one square in any direction": (
        *("7k/7p/8/8/3K4/8/8/8 w - - 0 1", "", "d4"),
        "c3 c4 c5 d3 d5 e3 e4 e5",
    ),
    "3.8a not to a square attacked by the opponent": (
        *("3rk3/8/8/8/2K5/8/8/8 w - - 0 1", "", "c4"),
        "b3 b4 b5 c3 c5",
    ),
    "3.8b castling, to either side": (
        *("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "", "e1"),
        "d1 d2 e2 f1 f2 g1 c1",
    ),
    "3.8b by Black too": ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "", "e8", "d8 d7 e7 f8 f7 g8 c8"),
    "3.8b(1)a no more when the king has moved": (
        *("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1e2 e8e7 e2e1 e7e8", "e1"),
        "d1 d2 e2 f1 f2",
    ),
    "3.8b(1)b not with a rook that has moved": (
        *("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "h1h2 e8e7 h2h1 e7e8", "e1"),
        "d1 d2 e2 f1 f2 c1",
    ),
    "3.8b(1)b not with one that was captured": (
        *("4k3/8/8/8/8/6n1/8/R3K2R b KQ - 0 1", "g3h1", "e1"),
        "d1 d2 e2 f1 c1",
    ),
    "3.8b(1)b nor with another that stands there then": (
        *("4k3/8/8/8/8/5Rn1/8/R3K2R b KQ - 0 1", "g3h1 f3h3 e8d8 h3h1 d8e8", "e1"),
        "d1 d2 e2 f1 f2 c1",
    ),
    "3.8b(2)a not now: the king is attacked": (
        *("4k3/4r3/8/8/8/8/8/R3K2R w KQ - 0 1", "", "e1"),
        "d1 d2 f1 f2",
    ),
    "3.8b(2)a not now: the square that it crosses is": (
        *("4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "", "e1"),
        "d1 d2 e2 c1",
    ),
    "3.8b(2)a not now: the square that it goes to is": (
        *("4k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "", "e1"),
        "d1 d2 e2 f1 f2 c1",
    ),
    "3.8b(2)a the rook may be attacked, and what it crosses": (
        *("1r2k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1", "", "e1"),
        "d1 d2 e2 f1 f2 g1 c1",
    ),
    "3.8b(2)a again when it is not attacked any more": (
        *("4k3/5r2/8/8/8/8/8/R3K2R b KQ - 0 1", "f7b7", "e1"),
        "d1 d2 e2 f1 f2 g1 c1",
    ),
    "3.8b(2)b not now: a piece stands between": (
        *("4k3/8/8/8/8/8/8/RN2K1nR w KQ - 0 1", "", "e1"),
        "d1 d2 f1 f2",
    ),
    "3.8b never with a rook of promotion on the king's file": (
        *("8/k3P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8r a7a6", "e1"),
        "d1 d2 e2 f1 f2",
    ),
}

CHECK: dict[str, Case] = {
    "3.9 a piece attacks though it is pinned itself": (
        *("4k3/4b3/8/8/8/1K2R3/8/8 w - - 0 1", "", "b3"),
        "a2 a4 b2 c2 c3 c4",
    ),
    "3.9 nobody exposes their king: a pinned piece stays": ("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "", "e2", ""),
    "3.9 it may go along the line": ("4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1", "", "e2", "e3 e4 e5 e6 e7 e8"),
    "3.9 nobody leaves it in check: a piece comes between": ("4r1k1/8/8/8/7B/8/8/4K2R w - - 0 1", "", "h4", "e7"),
    "3.9 one that cannot stays": ("4r1k1/8/8/8/7B/8/8/4K2R w - - 0 1", "", "h1", ""),
    "3.9 or the checking piece is captured": ("4r1k1/8/8/8/B7/8/8/4K3 w - - 0 1", "", "a4", "e8"),
    "3.9 a double check leaves the king's moves only": ("4r1k1/8/8/8/1b6/8/8/R3K3 w - - 0 1", "", "a1", ""),
    "3.9 and these out of both": ("4r1k1/8/8/8/1b6/8/8/R3K3 w - - 0 1", "", "e1", "d1 f1 f2"),
}


@pytest.mark.parametrize(
    ("fen", "moves", "square", "goes_to"),
    [pytest.param(*case, id=name) for table in (PIECES, CASTLING, CHECK) for name, case in table.items()],
)
def test_piece_moves_to_exactly_the_legal_squares(fen: str, moves: str, square: str, goes_to: str) -> None:
    position = STANDARD.start(fen)
    for move in moves.split():
        position = STANDARD.play(position, move).position
    lawful = {f"{square}{place}" for place in goes_to.split()}
    assert {move for move in STANDARD.legal_moves(position) if move.startswith(square)} == lawful
    for name in chess.SQUARE_NAMES:
        for promotion in ("", "q", "r", "b", "n", "k", "p"):
            move = f"{square}{name}{promotion}"
            if move in lawful:
                assert STANDARD.play(position, move).move == move
            elif not _is_castling(move, lawful):
                with pytest.raises(IllegalMove):
                    STANDARD.play(position, move)


def _is_castling(move: str, lawful: set[str]) -> bool:
    """Whether ``move`` is the other spelling, king takes rook, of a castling that is lawful."""
    return {"e1h1": "e1g1", "e1a1": "e1c1", "e8h8": "e8g8", "e8a8": "e8c8"}.get(move) in lawful


# Castling moves the rook too (3.8b), a capture in passing takes the pawn off (3.7d), a new piece acts at once (3.7e).
# Columns: the position, a move, its notation, where everything stands then.
BOARDS: dict[str, tuple[str, str, str, str]] = {
    "3.8b the rook goes over the king, on the h side": (
        *("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"),
        "r3k2r/8/8/8/8/8/8/R4RK1",
    ),
    "3.8b on the a side": (
        *("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O"),
        "2kr3r/8/8/8/8/8/8/R3K2R",
    ),
    "3.7d the pawn that passed comes off": (
        *("4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1", "d5e6", "dxe6"),
        "4k3/8/4P3/8/8/8/8/4K3",
    ),
    "3.7e the new piece gives check at once": (
        "4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
        "a7a8q",
        "a8=Q+",
        "Q3k3/8/8/8/8/8/8/4K3",
    ),
    "3.7e and mate": ("7k/P5pp/8/8/8/8/8/4K3 w - - 0 1", "a7a8r", "a8=R#", "R6k/6pp/8/8/8/8/8/4K3"),
}


@pytest.mark.parametrize(("fen", "move", "notation", "placement"), BOARDS.values(), ids=BOARDS)
def test_board_after_a_move(fen: str, move: str, notation: str, placement: str) -> None:
    played = STANDARD.play(STANDARD.start(fen), move)
    assert (played.notation, STANDARD.fen(played.position).split()[0]) == (notation, placement)


def test_2_3_initial_position() -> None:
    assert STANDARD.fen(STANDARD.start(None)) == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def test_1_1_white_moves_first_and_the_players_alternate() -> None:
    position = STANDARD.start(None)
    turns = [STANDARD.turn(position)]
    for move in ("e2e4", "e7e5", "g1f3"):
        position = STANDARD.play(position, move).position
        turns.append(STANDARD.turn(position))
    assert turns == ["w", "b", "w", "b"]
