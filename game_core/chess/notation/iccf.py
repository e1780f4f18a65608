"""The numeric notation of the International Correspondence Chess Federation: no letters, so no languages.

Two digits a square, file then rank; a fifth digit for promotion: 1 queen, 2 rook, 3 bishop, 4 knight, and 5 king, which
antichess knows and the federation does not. Castling is the king's move, ``5171``; in Chess960, where that may be an
ordinary move as well, it is king takes rook as on the wire.
"""

from __future__ import annotations

import re

_TO_DIGITS = str.maketrans("abcdefgh", "12345678")

_PROMOTIONS = {"": "", "q": "1", "r": "2", "b": "3", "n": "4", "k": "5"}

_PIECES = {digit: piece for piece, digit in _PROMOTIONS.items()}

_NUMERIC = re.compile(r"([1-8])([1-8])([1-8])([1-8])([1-5]?)", re.ASCII)


def format_iccf(wire: str) -> str:
    """``5254`` for ``e2e4``, ``67682`` for ``f7f8r``."""
    return wire[:4].translate(_TO_DIGITS) + _PROMOTIONS[wire[4:]]


def parse_iccf(text: str) -> str | None:
    """The two squares and the promotion as on the wire, or None if ``text`` is not of this notation."""
    match = _NUMERIC.fullmatch(text)
    if match is None:
        return None
    from_file, from_rank, to_file, to_rank, promotion = match.groups()
    files = "abcdefgh"
    return f"{files[int(from_file) - 1]}{from_rank}{files[int(to_file) - 1]}{to_rank}{_PIECES[promotion]}"
