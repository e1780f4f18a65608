"""Scores of real games under ``tests/data``, as requests that play them again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import chess.pgn

if TYPE_CHECKING:
    from collections.abc import Iterator

DATA = Path(__file__).parent.parent / "data"
SCORES = {"kasparov-deep-blue-1997": 6, "cutechess-fischerrandom": 4}
"""Files, and the number of games in each."""

TC = {"base_s": 10_800, "inc_s": 30}
"""More time than any replay takes."""


class Score:
    """A game of a PGN file to be played again.

    Attributes:
        game: as ``chess.pgn`` reads it.
        moves: in the notation of the wire.
        result: ``1-0``, ``0-1`` or ``1/2-1/2``.
        mates: the last move ends the game.
    """

    def __init__(self, game: chess.pgn.Game) -> None:
        self.game = game
        board = game.board()
        self.fen = board.fen() if board.chess960 else None
        self.moves: list[str] = []
        for move in game.mainline_moves():
            self.moves.append(board.uci(move))
            board.push(move)
        self.result = game.headers["Result"]
        self.mates = board.is_checkmate()

    @property
    def terms(self) -> dict[str, Any]:
        """Return the fields of White's challenge."""
        chess960 = {} if self.fen is None else {"variant": "chess960", "fen": self.fen}
        return {"tc": TC, "color": "w", **chess960}

    @property
    def reason(self) -> str:
        """Return the reason with which it has to end."""
        if self.mates:
            return "checkmate"
        return "agreement" if self.result == "1/2-1/2" else "resignation"


def scores(name: str) -> Iterator[Score]:
    with (DATA / f"{name}.pgn").open() as file:
        while (game := chess.pgn.read_game(file)) is not None:
            yield Score(game)


ALL = [score for name in SCORES for score in scores(name)]
