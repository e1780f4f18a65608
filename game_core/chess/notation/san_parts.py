"""The parts of a move in standard algebraic notation: what other notations need besides the move itself."""

from __future__ import annotations

import re
from typing import NamedTuple

_SAN = re.compile(
    r"(?:(?P<castling>O-O(?:-O)?)"
    r"|(?P<piece>[KQRBN]?)(?P<origin>[a-h]?[1-8]?)(?P<takes>x?)[a-h][1-8](?:=(?P<promotion>[KQRBN]))?)(?P<mark>[+#]?)"
)


class SanParts(NamedTuple):
    """The parts of a move in standard algebraic notation."""

    castling: str
    """``O-O``, ``O-O-O`` or empty."""
    piece: str
    """The English letter; ``P`` for a pawn, the king's for castling."""
    origin: str
    """Disambiguation: empty, file, rank or both. A pawn that captures has its file."""
    takes: bool
    promotion: str
    """The English letter, or empty."""
    mark: str
    """``+``, ``#`` or empty."""


def parse_san(san: str) -> SanParts:
    """Parse ``san`` in the form of ``Played.notation``. Raises ``ValueError`` for anything else."""
    match = _SAN.fullmatch(san)
    if match is None:
        raise ValueError(f"not a move in standard algebraic notation: {san!r}")
    castling = match["castling"] or ""
    return SanParts(
        castling=castling,
        piece="K" if castling else match["piece"] or "P",
        origin=match["origin"] or "",
        takes=bool(match["takes"]),
        promotion=match["promotion"] or "",
        mark=match["mark"],
    )
