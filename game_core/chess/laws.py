"""What a variant of chess decides for itself. Positions, legality, notation and scores ask it, and assume nothing."""

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
"""What a pawn becomes in chess, by the fifth letter of a move."""


class Laws(Protocol):
    """The hooks of one variant. ``check`` is always whether the side to move is in check."""

    @property
    def variant(self) -> str:
        """The variant's name on the wire."""

    @property
    def initial(self) -> str:
        """The FEN of its usual start position."""

    @property
    def starts(self) -> int:
        """How many start positions there are. A score of a variant with several tells in which it began."""

    @property
    def pgn_tag(self) -> str | None:
        """Its name in the ``Variant`` tag of PGN; None where that is left out."""

    @property
    def pgn_names(self) -> frozenset[str]:
        """What other programs write there, as letters and digits in lower case."""

    @property
    def chess960(self) -> bool:
        """Whether boards take castling as Chess960 does."""

    @property
    def promotions(self) -> Mapping[str, chess.PieceType | None]:
        """What a pawn may become, by the fifth letter of a move; None under the empty text."""

    def board(self, fen: str) -> chess.Board:
        """The library's board of this variant. Raises ``ValueError`` if ``fen`` is malformed."""

    def is_valid(
        self,
        board: chess.Board,
        from_square: chess.Square,
        to_square: chess.Square,
        taken: chess.Square | None,
        *,
        check: bool,
    ) -> bool:
        """Whether a move that the piece can make, and that is no castling, may be made: king safety and the like.

        Args:
            taken: where the captured piece stands, if there is one.
        """

    def refusal(self, wire: str, *, check: bool) -> str:
        """Why ``is_valid`` refuses the move ``wire``, for the player to read."""

    def has_move(self, board: chess.Board, *, check: bool) -> bool:
        """Whether there is any legal move."""

    def ending(self, board: chess.Board, *, check: bool, mobile: bool) -> Outcome | None:
        """How the game is over by the men on the board, draws by dead position excepted.

        Args:
            mobile: whether there is a legal move.
        """

    def is_dead(self, board: chess.Board, *, is_new_ground: bool) -> bool:
        """Whether neither side can win any more, as far as that shows at once: it is asked after every move.

        Args:
            is_new_ground: whether the last move cannot be undone.
        """
