"""A position of draughts as a value: men, and which positions it may still be a repetition of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.color import other
from game_core.draughts.fen import format_fen
from game_core.draughts.moves import find_moves, has_move
from game_core.draughts.spelling import find_move
from game_core.draughts.ways import leaps_of
from game_core.rules import Outcome, Played

if TYPE_CHECKING:
    from collections.abc import Mapping

    from game_core.draughts.board import Board, Men, Move


class Position:
    """Where a game stands. Nobody changes it once it is made; its private slots remember what was asked already.

    Attributes:
        board: of the variant.
        men: where everybody stands.
    """

    __slots__ = ("_fen", "_legal", "_outcome", "_played", "board", "men")

    def __init__(self, board: Board, men: Men) -> None:
        self.board = board
        self.men = men
        self._fen: str | None = None
        self._legal: Mapping[str, Move] | None = None
        self._outcome: tuple[Outcome | None] | None = None
        self._played: tuple[str, Played] | None = None

    @property
    def fen(self) -> str:
        """As ``fen`` writes it."""
        if self._fen is None:
            self._fen = format_fen(self.board, self.men)
        return self._fen

    @property
    def legal(self) -> Mapping[str, Move]:
        """The legal moves by their texts, also if a draw has ended the game."""
        if self._legal is None:
            self._legal = find_moves(self.board, self.men)
        return self._legal

    @property
    def outcome(self) -> Outcome | None:
        """How the game is over on the board by itself."""
        if self._outcome is None:
            self._outcome = (self._find_outcome(),)
        return self._outcome[0]

    def play(self, text: str) -> Played:
        """Play the move that ``text`` means. Raises ``IllegalMove``.

        A move is played twice, when it is decided and when what was decided comes to pass: the second time gets what
        the first made. It is forgotten then, or a kept position would keep all those that were played from it.
        """
        if self._played is not None and self._played[0] == text:
            played = self._played[1]
            self._played = None
            return played
        move = find_move(self.board, self.men, self.legal, text)
        played = Played(
            position=Position(self.board, self.board.after(self.men, move)),
            move=move.text,
            notation=move.text,
            check=False,
            leaps=leaps_of(self.board, move, move.path) if move.taken else None,
        )
        self._played = (text, played)
        return played

    def _find_outcome(self) -> Outcome | None:
        men = self.men
        winner = men.turn if self.board.laws.losing else other(men.turn)
        if not men.sides[0]:
            return Outcome(winner=winner, reason="all_captured")
        if not has_move(self.board, men):
            return Outcome(winner=winner, reason="no_moves")
        return None

    def __eq__(self, other: object) -> bool:
        """Whether the game stands the same, counters and earlier positions included."""
        if not isinstance(other, Position):
            return NotImplemented
        return self.men == other.men and self.board.laws == other.board.laws

    def __hash__(self) -> int:
        return hash(self.men)

    def __repr__(self) -> str:
        return f"Position({self.fen!r})"
