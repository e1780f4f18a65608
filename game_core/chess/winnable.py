"""Whether a side can still win by any series of legal moves (Articles 1.3, 5.2b, 6.9, 9.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import chess


def can_win(board: chess.Board, color: chess.Color) -> bool:
    """Whether ``color`` may still mate. Never False where a mate can be reached, however badly the opponent plays."""
    return not board.has_insufficient_material(color)
