"""A chess position as a value: a board, and which positions it may still be a repetition of."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import chess

    from game_core.rules import Outcome, Played


class Position:
    """Where a game stands. Nobody changes it once it is made; two slots remember what was computed from it.

    Attributes:
        board: the library's board, with an empty move stack (a full one holds 44 KB after 80 moves).
        fen: the whole FEN; its en passant square is given only if a capture there is legal.
        keys: the positions since the last capture, pawn move or loss of castling rights, this one last. A key is the
            FEN without its counters, which are equal exactly for positions that are the same by Article 9.2.
        check: whether the side to move is in check.
    """

    __slots__ = ("_outcome", "_played", "board", "check", "fen", "keys")

    def __init__(self, board: chess.Board, keys: tuple[str, ...] = ()) -> None:
        self.board = board
        self.fen = board.fen()
        self.keys = (*keys, self.fen.rsplit(" ", 2)[0])
        self.check = board.is_check()
        self._outcome: tuple[Outcome | None] | None = None
        self._played: tuple[str, Played] | None = None

    def __repr__(self) -> str:
        return f"Position({self.fen!r})"

    @property
    def repeats(self) -> int:
        """How often this position has been on the board, this time included."""
        return self.keys.count(self.keys[-1])
