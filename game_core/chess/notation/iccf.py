"""Numeric notation of the International Correspondence Chess Federation, which is independent of language.

Each square is two digits, file and rank. A fifth digit is the promotion: 1 queen, 2 rook, 3 bishop, 4 knight; 5 is
king, for antichess, which the federation does not define. Castling is the king's move, ``5171``. In Chess960, where
that may also be an ordinary move, it is king takes rook as on the wire.
"""

from __future__ import annotations

import re

_TO_DIGITS = str.maketrans("abcdefgh", "12345678")

_PROMOTIONS = {"": "", "q": "1", "r": "2", "b": "3", "n": "4", "k": "5"}

_PIECES = {digit: piece for piece, digit in _PROMOTIONS.items()}

_NUMERIC = re.compile(r"([1-8])([1-8])([1-8])([1-8])([1-5]?)", re.ASCII)


def format_iccf(wire: str) -> str:
    """Return ``5254`` for ``e2e4``, ``67682`` for ``f7f8r``."""
    return wire[:4].translate(_TO_DIGITS) + _PROMOTIONS[wire[4:]]


def parse_iccf(text: str) -> str | None:
    """Return the two squares and the promotion as on the wire; None if ``text`` is not in this notation."""
    match = _NUMERIC.fullmatch(text)
    if match is None:
        return None
    from_file, from_rank, to_file, to_rank, promotion = match.groups()
    files = "abcdefgh"
    return f"{files[int(from_file) - 1]}{from_rank}{files[int(to_file) - 1]}{to_rank}{_PIECES[promotion]}"
