"""Long algebraic notation: both squares of every move (Article C.8 and the note to C.10)."""

from __future__ import annotations

from game_core.chess.notation.letters import format_local
from game_core.chess.notation.san_parts import parse_san


def format_long(wire: str, san: str, language: str = "en") -> str:
    """Return ``Ng1-f3``, ``e4xd5``, ``e7-e8=Q+`` or ``O-O`` for the move ``wire`` with the name ``san``.

    Raises ``ValueError`` if ``san`` is not a move and ``KeyError`` for an unknown language.
    """
    parts = parse_san(san)
    if parts.castling:
        return san
    piece = "" if parts.piece == "P" else parts.piece
    promotion = f"={parts.promotion}" if parts.promotion else ""
    return format_local(f"{piece}{wire[:2]}{'x' if parts.takes else '-'}{wire[2:4]}{promotion}{parts.mark}", language)
