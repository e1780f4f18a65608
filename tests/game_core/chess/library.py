"""python-chess as the reference for games and positions."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import chess.pgn
from chess.variant import AntichessBoard

from game_core.chess import legality
from game_core.chess.antichess import Antichess
from game_core.chess.chess960 import Chess960
from game_core.chess.notation import move_text
from game_core.chess.position import Position
from game_core.chess.standard import Standard

if TYPE_CHECKING:
    from collections.abc import Iterator

    from game_core.chess.legality import Step
    from game_core.chess.notation.move_text import MoveText

DATA = Path(__file__).parents[2] / "data"


STANDARD = Standard()
CHESS960 = Chess960()
ANTICHESS = Antichess()


def laws_of(board: chess.Board) -> Standard:
    """Return the rules of the variant of ``board``."""
    if isinstance(board, AntichessBoard):
        return ANTICHESS
    return CHESS960 if board.chess960 else STANDARD


def find_step(board: chess.Board, wire: str, *, check: bool) -> Step:
    return legality.find_step(board, wire, laws_of(board), check=check)


def parse_move(board: chess.Board, text: str, language: str = "en", *, any_case: bool = False) -> MoveText:
    return move_text.parse_move(board, text, laws_of(board), language, any_case=any_case)


def first_position(board: chess.Board) -> Position:
    return Position.first(laws_of(board), board)


class RealGame(NamedTuple):
    """A game of the data files."""

    start: chess.Board
    moves: list[chess.Move]
    result: str

    @property
    def rules(self) -> Standard:
        return laws_of(self.start)


def real_games() -> list[RealGame]:
    """Return all games of both PGN files."""
    games = []
    for name in ("kasparov-deep-blue-1997.pgn", "cutechess-fischerrandom.pgn"):
        with (DATA / name).open() as file:
            while (game := chess.pgn.read_game(file)) is not None:
                assert not game.errors
                games.append(RealGame(game.board(), list(game.mainline_moves()), game.headers["Result"]))
    return games


def random_game(rules: Standard, seed: int, plies: int) -> Iterator[tuple[chess.Board, chess.Move]]:
    """Yield each position, with its stack, and its move, of a random game from a random start position."""
    choice = random.Random(seed)
    board = rules.board(rules.draw_start(seed) or rules.initial)
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            return
        move = choice.choice(moves)
        yield board.copy(), move
        board.push(move)
