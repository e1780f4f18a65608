"""Hooks of a variant of chess. Positions, legality, notation and scores ask them instead of assuming standard rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import chess

if TYPE_CHECKING:
    from collections.abc import Mapping

    from game_core.rules import Outcome

PROMOTIONS: Mapping[str, chess.PieceType | None] = {
    "": None,
    "q": chess.QUEEN,
    "r": chess.ROOK,
    "b": chess.BISHOP,
    "n": chess.KNIGHT,
}
"""Promotion pieces of standard chess, by the fifth letter of a move."""


class Laws(Protocol):
    """The hooks of one variant. ``check`` is always whether the side to move is in check."""

    @property
    def variant(self) -> str:
        """The variant's name on the wire."""

    @property
    def initial(self) -> str:
        """The FEN of the usual start position."""

    @property
    def starts(self) -> int:
        """Number of start positions. A score of a variant with several states its start position."""

    @property
    def pgn_tag(self) -> str | None:
        """The value of the ``Variant`` tag in PGN; None if the tag is left out."""

    @property
    def pgn_names(self) -> frozenset[str]:
        """Values of that tag in other programs, as letters and digits in lower case."""

    @property
    def chess960(self) -> bool:
        """Whether castling follows Chess960."""

    @property
    def promotions(self) -> Mapping[str, chess.PieceType | None]:
        """Promotion pieces by the fifth letter of a move; None under the empty text."""

    def board(self, fen: str) -> chess.Board:
        """Return the library's board of this variant. Raises ``ValueError`` if ``fen`` is malformed."""

    def is_valid(
        self,
        board: chess.Board,
        from_square: chess.Square,
        to_square: chess.Square,
        taken: chess.Square | None,
        *,
        check: bool,
    ) -> bool:
        """Return whether a move that the piece can make, other than castling, is legal: king safety and the like.

        Args:
            taken: square of the captured piece, if there is one.
        """

    def refusal(self, wire: str, *, check: bool) -> str:
        """Return a message for the player that says why ``is_valid`` refuses the move ``wire``."""

    def has_move(self, board: chess.Board, *, check: bool) -> bool:
        """Return whether there is a legal move."""

    def ending(self, board: chess.Board, *, check: bool, mobile: bool) -> Outcome | None:
        """Return how the game is over by the position on the board, dead positions excepted.

        Args:
            mobile: whether there is a legal move.
        """

    def is_dead(self, board: chess.Board, *, is_irreversible: bool) -> bool:
        """Return whether neither side can win any more, as far as a quick check shows. Called after every move.

        Args:
            is_new_ground: whether the last move cannot be undone.
        """
