"""Positions as text: ``b/bb/bbb/bbbb/13/12/11/10/9/10/11/12/13/wwww/www/ww/w w``.

Rows from Black's tip down to White's, each from the left: ``w`` and ``b`` are pieces, a number counts empty holes.
After a blank comes the side to move. Repetitions and move numbers are not included.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING, cast

from game_core.chinese_checkers.board import HOLES, ROWS
from game_core.errors import BadPosition

if TYPE_CHECKING:
    from game_core.color import Color, Pair

_FORM = re.compile(r"\s*([wb/0-9]{33,160})\s+([wb])\s*", re.ASCII)

_EMPTY = "."

_PIECES = str.maketrans("012", f"{_EMPTY}wb")

_ROWS = tuple(slice(end - length, end) for end, length in zip(accumulate(ROWS), ROWS, strict=True))[::-1]
"""Where each row is in ``HOLES``, Black's tip first."""

_PART = re.compile(r"([wb])|([1-9][0-9]?)")


def format_fen(white: int, black: int, turn: Color) -> str:
    """The text of a position with pieces on the sets ``white`` and ``black``."""
    # One decimal digit a hole: six times as fast as a loop, and every move needs it.
    digits = str(int(f"{white:b}") + 2 * int(f"{black:b}")).zfill(len(HOLES))
    holes = digits[::-1].translate(_PIECES)
    text = "/".join([holes[row] for row in _ROWS])
    for length in range(max(ROWS), 0, -1):
        text = text.replace(_EMPTY * length, str(length))
    return f"{text} {turn}"


def parse_fen(fen: str) -> tuple[Pair[int], Color]:
    """Parse a position: the pieces of White and of Black as sets, and the side to move. Raises ``BadPosition``."""
    form = _FORM.fullmatch(fen)
    if form is None:
        raise BadPosition(
            f"not a position of the star, which is {len(ROWS)} rows of w, b and numbers with '/' between them, "
            f"a blank, and w or b: {fen[:80]!r}"
        )
    rows = form[1].split("/")
    if len(rows) != len(ROWS):
        raise BadPosition(f"{len(rows)} rows where the star has {len(ROWS)}: {fen!r}")
    white = black = first = 0
    for row, length in zip(reversed(rows), ROWS, strict=True):
        place = 0
        at = 0
        while (part := _PART.match(row, at)) is not None:
            if part[1] == "w":
                white |= 1 << first + place
            elif part[1] == "b":
                black |= 1 << first + place
            place += int(part[2] or 1)
            at = part.end()
        if at < len(row) or place != length:
            raise BadPosition(f"row {row!r} does not fill {length} holes: {fen!r}")
        first += length
    return (white, black), cast("Color", form[2])
