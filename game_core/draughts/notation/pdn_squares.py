"""Conversion of a file's square names to ours: letters to numbers, or numbers to letters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from game_core.draughts.notation.pdn_types import square_names

if TYPE_CHECKING:
    from game_core.draughts.notation.pdn_types import GameType

_SQUARE = re.compile(r"([a-j]|(?<![0-9]))0?([1-9][0-9]?)(?![0-9])", re.ASCII)

_CLOSE = re.compile(r"(?:[a-j][1-8]){2,}|[0-9]{4}", re.ASCII)
"""A move without a sign between its squares."""

_PIECES = re.compile(r"(K?)([a-j]?[0-9]{1,2})(?:-([0-9]{1,2}))?", re.ASCII)


class Squares:
    """The square names of one game, by letters and by numbers."""

    def __init__(self, game_type: GameType) -> None:
        ours = square_names(game_type)
        self._ours = {name: ours[place] for kind in "NA" for place, name in square_names(game_type, kind).items()}

    def move(self, text: str) -> str:
        """Return ``text`` with our names. Anything that is not a square is kept."""
        return _SQUARE.sub(lambda square: self._named(square[1] + square[2]), spread(text))

    def fen(self, text: str) -> str:
        """Return a position with our names; ranges are expanded."""
        turn, *sides = text.removesuffix(".").split(":")
        return ":".join([turn, *(side[:1] + ",".join(map(self._pieces, side[1:].split(","))) for side in sides)])

    def _named(self, name: str) -> str:
        return self._ours.get(name, name)

    def _pieces(self, text: str) -> str:
        found = _PIECES.fullmatch(text)
        if found is None:
            return text
        king, first, last = found.groups()
        if last is None or not first.isdigit():
            return king + self.move(text.removeprefix("K"))
        return ",".join(king + self._named(str(number)) for number in range(int(first), int(last) + 1))


def spread(text: str) -> str:
    """Return ``text`` in lower case, with a sign between squares and without blanks: ``c3:e5``, ``32-28``."""
    text = text.lower().replace(" ", "")
    if _CLOSE.fullmatch(text):
        return "-".join(text[at : at + 2] for at in range(0, len(text), 2))
    return text


def plain(text: str) -> str:
    """Return ``spread`` without leading zeros: the form that the rules read."""
    return _SQUARE.sub(r"\1\2", spread(text))
