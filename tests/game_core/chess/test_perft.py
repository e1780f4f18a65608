"""Move generation and playing through the rules' own interface, against published perft counts and the library's own.

``ZEITNOT_PERFT_LEAVES`` sets how many leaves a position may cost; the default keeps this within seconds.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

import chess
import pytest

from game_core.chess.position import Position
from tests.game_core.chess.library import CHESS960, DATA, STANDARD, random_game

if TYPE_CHECKING:
    from collections.abc import Iterator

    from game_core.chess.standard import Standard

MAX_LEAVES = int(os.environ.get("ZEITNOT_PERFT_LEAVES", "100000"))

PUBLISHED = {
    chess.STARTING_FEN: (20, 400, 8902, 197_281, 4_865_609),
    # Chess960, from the opening on; the wiki chessprogramming.org has these counts, and more.
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9": (21, 528, 12_189, 326_672, 8_146_062),
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9": (21, 807, 18_002, 667_366),
    "b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9": (20, 479, 10_471, 273_318),
    "qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9": (22, 593, 13_440, 382_958),
}
"""Leaves at depth 1, 2 and so on."""


class Count(NamedTuple):
    name: str
    fen: str
    depth: int
    leaves: int


def counts(file: str, max_leaves: int) -> Iterator[Count]:
    """The deepest count within ``max_leaves`` of every position of ``file``."""
    deepest: dict[str, Count] = {}
    name = fen = ""
    for line in (DATA / file).read_text().splitlines():
        word, _, rest = line.partition(" ")
        if word == "id":
            name = rest
        elif word == "epd":
            fen = f"{rest} 0 1"
        elif word == "perft":
            depth, leaves = map(int, rest.split())
            if leaves <= max_leaves:
                deepest[name] = Count(name, fen, depth, leaves)
    yield from deepest.values()


def perft(position: Any, depth: int) -> int:
    moves = CHESS960.legal_moves(position)
    if depth == 1:
        return len(moves)
    return sum(perft(CHESS960.play(position, move).position, depth - 1) for move in moves)


def start(fen: str) -> Position:
    """Not ``CHESS960.start``: some of these are over, or have a check no last move explains."""
    return Position.first(chess.Board(fen, chess960=True))


def library_perft(board: chess.Board, depth: int) -> int:
    if depth == 1:
        return board.legal_moves.count()
    leaves = 0
    for move in board.legal_moves:
        board.push(move)
        leaves += library_perft(board, depth - 1)
        board.pop()
    return leaves


@pytest.mark.parametrize("count", list(counts("tricky.perft", MAX_LEAVES)), ids=lambda count: str(count.name))
def test_tricky_positions(count: Count) -> None:
    assert perft(start(count.fen), count.depth) == count.leaves


@pytest.mark.parametrize("fen", PUBLISHED)
def test_published_counts(fen: str) -> None:
    for depth, leaves in enumerate(PUBLISHED[fen], start=1):
        if leaves <= MAX_LEAVES:
            assert perft(CHESS960.start(fen), depth) == leaves


@pytest.mark.parametrize("rules", [STANDARD, CHESS960], ids=lambda rules: str(rules.variant))
@pytest.mark.parametrize("seed", range(100, 105))
def test_random_positions_count_as_the_library_does(rules: Standard, seed: int) -> None:
    for board, _ in list(random_game(rules, seed, 120))[::8]:
        position = Position.first(board.copy(stack=False))
        assert perft(position, 2) == library_perft(board, 2), board.fen()
