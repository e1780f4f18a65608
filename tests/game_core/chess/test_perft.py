"""Move generation and playing through the rules' own interface, against published perft counts.

``ZEITNOT_PERFT_LEAVES`` sets how many leaves a position may cost; the default keeps this within seconds.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

import chess
import pytest

from game_core.chess.position import Position
from tests.game_core.chess.library import CHESS960, DATA

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_LEAVES = int(os.environ.get("ZEITNOT_PERFT_LEAVES", "0"))


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


@pytest.mark.parametrize(
    "count", list(counts("tricky.perft", MAX_LEAVES or 100_000)), ids=lambda count: str(count.name)
)
def test_tricky_positions(count: Count) -> None:
    assert perft(start(count.fen), count.depth) == count.leaves


def test_random_positions() -> None:
    tried = 0
    for count in counts("random.perft", MAX_LEAVES or 10_000):
        assert perft(start(count.fen), count.depth) == count.leaves, count
        tried += 1
    assert tried == 300
