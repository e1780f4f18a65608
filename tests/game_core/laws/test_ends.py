"""Ends of a game: Articles 5, 6.9 and 9.6, each paragraph with its cases."""

from __future__ import annotations

import pytest

from game_core import commands as c
from game_core.decide import next_deadline_ms
from tests.game_core.scene import BLITZ, BULLET, Scene

DRAW = "1/2-1/2"
ON = "*"
"""The game goes on."""

KNIGHTS = "g1f3 g8f6 f3g1 f6g8 "
"""Four half-moves that lead back to where they began."""

# Columns: start position, moves, how the game stands after the last of them. It goes on until then.
AT_ONCE: dict[str, tuple[str | None, str, str, str | None]] = {
    "1.2, 5.1a checkmate wins": (None, "f2f3 e7e5 g2g4 d8h4", "0-1", "checkmate"),
    "5.1a with few men": ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6g7", "1-0", "checkmate"),
    "5.1a by castling": ("4rkr1/4p1p1/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "1-0", "checkmate"),
    "5.1a by a pawn's new piece": ("7k/P5pp/8/8/8/8/8/4K3 w - - 0 1", "a7a8r", "1-0", "checkmate"),
    "5.1a not while the pawn can be captured in passing": (
        *("8/8/4ppp1/4pkp1/5pp1/8/4P1B1/K7 w - - 0 1", "e2e4"),
        *(ON, None),
    ),
    "5.2a stalemate draws": ("7k/8/6Q1/8/8/8/8/K7 w - - 0 1", "g6f7", DRAW, "stalemate"),
    "5.2a with men that are blocked": ("7k/5K2/7p/7P/6Q1/8/8/8 w - - 0 1", "g4g6", DRAW, "stalemate"),
    "5.2a with one that is pinned": ("kb6/7R/1K6/8/8/8/8/8 w - - 0 1", "h7h8", DRAW, "stalemate"),
    "5.2b king against king is dead": ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "e1e2", DRAW, "dead_position"),
    "5.2b and bishop": ("4k3/8/8/8/8/8/4n3/4KB2 w - - 0 1", "f1e2", DRAW, "dead_position"),
    "5.2b and knight": ("4k3/8/8/8/8/8/4b3/4K1N1 w - - 0 1", "g1e2", DRAW, "dead_position"),
    "5.2b and bishops of one colour of squares": (
        *("2b1k3/8/8/8/8/8/4r3/4KB2 w - - 0 1", "f1e2"),
        *(DRAW, "dead_position"),
    ),
    "5.2b but not of both": ("4kb2/8/8/8/8/8/4r3/4KB2 w - - 0 1", "f1e2", ON, None),
    "5.2b nor knight against knight": ("4k1n1/8/8/8/8/8/4r3/4K1N1 w - - 0 1", "g1e2", ON, None),
    "5.2b nor two knights against a king": ("4k3/8/8/8/8/8/4r3/3NK1N1 w - - 0 1", "g1e2", ON, None),
    "5.2b a wall of pawns is dead": (
        *("2b1k3/7p/8/1p1p1p2/1P1P1P1P/8/8/2B1K3 b - - 0 1", "h7h5"),
        *(DRAW, "dead_position"),
    ),
    "5.2b not one with a gap": ("2b1k3/7p/8/1p1p1p2/1P1P1P1P/8/8/2B1K3 b - - 0 1", "h7h6", ON, None),
    "5.2b dead too where the last piece must be taken": (
        *("1k6/8/2K5/8/8/8/8/R7 w - - 0 1", "a1a8"),
        *(DRAW, "dead_position"),
    ),
    "5.2b dead too where the king cannot go back into a check": (
        *("8/1p1k2p1/bPp2pPb/n1P2P1n/N1p2p1N/BpP1KPpB/1P4P1/8 w - - 0 1", "e3e2"),
        *(DRAW, "dead_position"),
    ),
    "later editions: a position that stands for the fifth time": (None, KNIGHTS * 4, DRAW, "fivefold"),
    "later editions: seventy-five moves without capture or pawn move": (
        *("7k/8/8/8/8/8/R7/K7 w - - 149 100", "a2b2"),
        *(DRAW, "seventyfive_moves"),
    ),
    "later editions: not if the last of them captures": ("7k/8/8/8/8/r7/R7/K7 w - - 149 100", "a2a3", ON, None),
    "later editions: nor if it moves a pawn": ("7k/8/8/8/8/8/P7/K7 w - - 149 100", "a2a3", ON, None),
    "later editions: checkmate goes first": ("7k/8/5KQ1/8/8/8/8/8 w - - 149 100", "g6g7", "1-0", "checkmate"),
}


@pytest.mark.parametrize(("fen", "moves", "result", "reason"), AT_ONCE.values(), ids=AT_ONCE)
def test_game_ends_on_the_board(fen: str | None, moves: str, result: str, reason: str | None) -> None:
    scene = Scene(fen=fen)
    for move in moves.split():
        assert scene.end == (ON, None)
        scene.play(move)
    assert scene.end == (result, reason)


# Columns: start position, moves, what the players do then, how it ends.
BY_PLAYERS: dict[str, tuple[str | None, str, tuple[c.Command, ...], str, str]] = {
    "5.1b who resigns loses": (None, "e2e4 e7e5", (c.Resign(by="w"),), "0-1", "resignation"),
    "5.1b on the opponent's move too": (None, "e2e4 e7e5", (c.Resign(by="b"),), "1-0", "resignation"),
    "5.2c, 9.1 a draw by agreement": (
        *(None, "e2e4 e7e5", (c.Draw(by="w", do="offer"), c.Draw(by="b", do="accept"))),
        *(DRAW, "agreement"),
    ),
}


@pytest.mark.parametrize(("fen", "moves", "acts", "result", "reason"), BY_PLAYERS.values(), ids=BY_PLAYERS)
def test_game_ends_by_the_players(
    fen: str | None, moves: str, acts: tuple[c.Command, ...], result: str, reason: str
) -> None:
    scene = Scene(fen=fen, moves=moves)
    for act in acts:
        assert scene.end == (ON, None)
        scene.do(act)
    assert scene.end == (result, reason)


# White's flag falls. Columns: start position, the first two half-moves, how it ends.
FLAGS: dict[str, tuple[str | None, str, str, str]] = {
    "6.9 the flag loses": (None, "e2e4 e7e5", "0-1", "timeout"),
    "6.9 a pawn can mate: it promotes": ("8/8/8/4kp2/8/8/8/Q3K3 b - - 0 1", "e5e6 e1d1 e6e7", "0-1", "timeout"),
    "6.9 a draw if the opponent has their king only": (
        *("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", "e1d1 e5d5"),
        *(DRAW, "timeout_draw"),
    ),
    "6.9 a bishop mates no queen and king": (
        *("8/8/8/4k3/4b3/Q7/8/4K3 w - - 0 1", "e1d1 e5e6"),
        *(DRAW, "timeout_draw"),
    ),
    "6.9 a knight mates a king that its own rook shuts in": (
        *("8/8/8/4k3/4n3/8/8/R3K3 w - - 0 1", "e1d1 e5d5"),
        *("0-1", "timeout"),
    ),
    "6.9 two knights mate with the king's help": ("8/8/8/4k3/3nn3/8/8/R3K3 w - - 0 1", "e1d1 e5d5", "0-1", "timeout"),
}


@pytest.mark.parametrize(("fen", "moves", "result", "reason"), FLAGS.values(), ids=FLAGS)
def test_6_9_flag_fall_loses_unless_mate_is_impossible(fen: str | None, moves: str, result: str, reason: str) -> None:
    scene = Scene(BULLET, fen=fen, moves=moves)
    assert scene.game.turn == "w"
    due_ms = next_deadline_ms(scene.game, 0)
    assert due_ms is not None
    scene.do(c.Expire(), after_ms=due_ms - scene.now_ms)
    assert scene.end == (result, reason)


def test_6_3_mate_before_the_flag_fall_wins() -> None:
    scene = Scene(BLITZ, moves="f2f3 e7e5 g2g4")
    scene.play("d8h4", each_ms=scene.flag_in_ms - 1)
    assert scene.end == ("0-1", "checkmate")
