"""Moves of random positions, compared with third-party libraries (``make_vectors``)."""

from __future__ import annotations

import lzma
from typing import NamedTuple

import pytest

from game_core.registry import rules_for
from tests.game_core.chess.library import DATA

pytestmark = pytest.mark.exhaustive

VARIANTS = ("international", "brazilian", "russian", "english", "italian")


class Board(NamedTuple):
    """A position as sets of squares, by their names."""

    white: frozenset[str]
    black: frozenset[str]
    kings: frozenset[str]
    turn: str


def board_of(fen: str) -> Board:
    """The position of ``fen``, whose numbers may be in ranges."""
    turn, *texts = fen.split(":")
    sides: dict[str, frozenset[str]] = {}
    kings: set[str] = set()
    for text in texts:
        squares: set[str] = set()
        for word in text[1:].split(","):
            first, dash, last = word.removeprefix("K").partition("-")
            found = {str(number) for number in range(int(first), int(last) + 1)} if dash else {first} - {""}
            squares |= found
            if word.startswith("K"):
                kings |= found
        sides[text[0]] = frozenset(squares)
    return Board(sides["W"], sides["B"], frozenset(kings), turn)


def after(board: Board, move: str) -> Board:
    """The position after a move as the vectors have it: ``28x17:22+``."""
    crowned = move.endswith("+")
    ends, _, taken_text = move.removesuffix("+").partition(":")
    start, end = ends.replace("x", "-").split("-")
    taken = {*taken_text.split(",")} - {""}
    own, foes = (board.white, board.black) if board.turn == "W" else (board.black, board.white)
    assert start in own
    assert taken <= foes
    own, foes, kings = own - {start} | {end}, foes - taken, board.kings - taken - {start}
    if crowned or start in board.kings:
        kings |= {end}
    return Board(own, foes, kings, "B") if board.turn == "W" else Board(foes, own, kings, "W")


@pytest.mark.parametrize("variant", VARIANTS)
def test_moves_of_random_positions_equal_third_party_libraries(variant: str) -> None:
    rules = rules_for("draughts", variant)
    lines = lzma.decompress((DATA / "draughts" / f"{variant}.txt.xz").read_bytes()).decode().splitlines()
    assert len(lines) == 3000
    for line in lines:
        fen, *moves = line.split()
        board = board_of(fen)
        position = rules.start(fen)
        legal = rules.legal_moves(position)
        ours = {board_of(rules.fen(rules.play(position, move).position)) for move in legal}
        assert ours == {after(board, move) for move in moves}, fen
        assert len(legal) == len(moves), fen
