"""Chess960 (Appendix F): 960 start positions, and castling told by the rook."""

from __future__ import annotations

import chess

from game_core.chess.standard import Standard

class Chess960(Standard):
    """The rules of ``chess`` / ``chess960``. Castling is written king takes rook: ``e1h1``."""

    variant = "chess960"
    starts = 960
    chess960 = True

    def draw_start(self, number: int) -> str | None:
        """The FEN of start position ``number`` in Scharnagl's numbering, modulo 960; 518 is that of standard chess."""
        return chess.Board.from_chess960_pos(number % self.starts).fen()
