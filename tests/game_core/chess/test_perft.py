"""Move generation and playing through the rules' own interface, against published perft counts and the library's own.

``ZEITNOT_PERFT_LEAVES`` sets how many leaves a position may cost; by default each file has a bound of its own, which
keeps this within seconds. ``ZEITNOT_PERFT_FILES`` names more files to count, separated by blanks. ``make perft`` sets
both.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.game_core.chess.library import ANTICHESS, CHESS960, DATA, STANDARD, first_position, random_game

if TYPE_CHECKING:
    import chess

    from game_core.chess.standard import Standard

pytestmark = pytest.mark.exhaustive

LEAVES = {"tricky.perft": 100_000, "random.perft": 5_000, "chess960.perft": 1_000, "antichess.perft": 40_000}
"""Most leaves of a position, by file."""

FILES: dict[Path, Standard] = {
    # Some of the tricky ones castle as in Chess960, and all the others come to the same there.
    DATA / "tricky.perft": CHESS960,
    DATA / "random.perft": STANDARD,
    DATA / "chess960.perft": CHESS960,
    DATA / "antichess.perft": ANTICHESS,
    **dict.fromkeys(map(Path, os.environ.get("ZEITNOT_PERFT_FILES", "").split()), CHESS960),
}
"""What is counted, and by which rules."""

START = {
    STANDARD: (20, 400, 8902, 197_281, 4_865_609),
    CHESS960: (20, 400, 8902, 197_281, 4_865_609),
    ANTICHESS: (20, 400, 8067, 153_299, 2_732_672),
}
"""Leaves from the initial position at depth 1, 2 and so on."""


class Count(NamedTuple):
    name: str
    fen: str
    depth: int
    leaves: int

    def __str__(self) -> str:
        return f"{self.name} to depth {self.depth}"


def most_leaves(file: str) -> int:
    return int(os.environ.get("ZEITNOT_PERFT_LEAVES") or LEAVES.get(file, 100_000))


def counts(path: Path) -> list[Count]:
    """The deepest count of every position of the file at ``path`` that costs no more leaves than it may."""
    bound = most_leaves(path.name)
    deepest: dict[str, Count] = {}
    name = fen = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        word, _, rest = line.partition(" ")
        if word == "id":
            name = rest
        elif word == "epd":
            fen = f"{rest.strip()} 0 1"
        elif word == "perft":
            depth, leaves = map(int, rest.split())
            if leaves <= bound:
                deepest[name] = Count(name, fen, depth, leaves)
    return list(deepest.values())


def perft(rules: Standard, position: Any, depth: int) -> int:
    moves = rules.legal_moves(position)
    if depth == 1:
        return len(moves)
    return sum(perft(rules, rules.play(position, move).position, depth - 1) for move in moves)


def library_perft(board: chess.Board, depth: int) -> int:
    if depth == 1:
        return board.legal_moves.count()
    leaves = 0
    for move in board.legal_moves:
        board.push(move)
        leaves += library_perft(board, depth - 1)
        board.pop()
    return leaves


@pytest.mark.parametrize(
    ("rules", "count"),
    [pytest.param(rules, count, id=f"{path.stem}: {count}") for path, rules in FILES.items() for count in counts(path)],
)
def test_perft_equals_published_counts(rules: Standard, count: Count) -> None:
    # Not ``rules.start``: some of these are over, or have a check that no last move explains.
    position = first_position(rules.board(count.fen))
    assert perft(rules, position, count.depth) == count.leaves


@pytest.mark.parametrize("rules", START, ids=lambda rules: str(rules.variant))
def test_perft_of_the_initial_position(rules: Standard) -> None:
    for depth, leaves in enumerate(START[rules], start=1):
        if leaves <= most_leaves("start"):
            assert perft(rules, rules.start(None), depth) == leaves


@pytest.mark.parametrize("file", LEAVES)
def test_every_position_of_a_perft_file_is_tested(file: str) -> None:
    lines = (DATA / file).read_text(encoding="utf-8").splitlines()
    assert len(counts(DATA / file)) == sum(line.startswith("epd ") for line in lines)


@pytest.mark.parametrize("rules", START, ids=lambda rules: str(rules.variant))
@pytest.mark.parametrize("seed", range(100, 105))
def test_perft_of_random_positions_equals_the_library(rules: Standard, seed: int) -> None:
    for board, _ in list(random_game(rules, seed, 120))[::8]:
        position = first_position(board.copy(stack=False))
        assert perft(rules, position, 2) == library_perft(board, 2), board.fen()
