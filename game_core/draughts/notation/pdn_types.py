"""The ``GameType`` tag of PDN 3.0: the game, and its square names.

A value is a number, ``20``, or complete, ``20,W,10,10,N2,0``: the number, the side that begins, width and height, the
notation, whether the left corner is used (0) or not (1). A notation is N for numbers or A for letters, and the corner
of the first square from the view of the side that begins: 0 and 1 at the bottom left and right, 2 and 3 at the top.
"""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from game_core.color import Color


class GameType(NamedTuple):
    """A game that has a number."""

    number: int
    first: Color
    size: int
    notation: str
    """Our notation: ``N2``."""
    inverted: bool = False
    everywhere: bool = False
    """All squares are used."""
    two_points: bool = False
    """A win is written 2-0 and a draw 1-1."""
    takes: str = "x"

    @property
    def tag(self) -> str:
        """The complete value."""
        size = self.size
        return f"{self.number},{self.first.upper()},{size},{size},{self.notation},{int(self.inverted)}"


GAME_TYPES: Mapping[str, GameType] = {
    "international": GameType(20, "w", 10, "N2", two_points=True),
    "english": GameType(21, "b", 8, "N1"),
    "italian": GameType(22, "w", 8, "N2", inverted=True),
    "russian": GameType(25, "w", 8, "A0", takes=":"),
    "brazilian": GameType(26, "w", 8, "A0"),
    "turkish": GameType(30, "w", 8, "A0", everywhere=True),
    "frisian": GameType(40, "w", 10, "N2", two_points=True),
}
"""By variant. ``classic`` has no number: in the most similar games, 24 and 28, White begins. Losing variants have
none."""

_NOT_HERE = {
    0: "chess, which is written as PGN",
    1: "Chinese chess",
    23: "pool checkers",
    24: "Spanish draughts",
    27: "Canadian draughts",
    28: "Portuguese draughts",
    29: "Czech draughts",
    31: "Thai draughts",
    41: "Spantsiretti draughts",
    50: "Othello",
}

_VALUE = re.compile(r"([0-9]{1,4})(?:,[WB],([0-9]{1,3}),([0-9]{1,3}),[AN][0-3](?:,.*)?)?", re.ASCII)

_TOP = 2
"""First corner number at the top."""

_BY_NUMBER = {game_type.number: variant for variant, game_type in GAME_TYPES.items()}


def parse_game_type(value: str) -> str:
    """Return the variant of ``value``. Its size must be right; the side that begins and the corner are ignored, because
    the rules define them and large sites write them wrong.

    Raises ``ValueError`` if it is malformed or a game that is not supported; the message says which.
    """
    found = _VALUE.fullmatch(value.replace(" ", ""))
    if found is None:
        raise ValueError(f"{value[:80]!r} is not a GameType; expected a number or all as in '20,W,10,10,N2,0'")
    number = int(found[1])
    if number not in _BY_NUMBER:
        name = f" ({_NOT_HERE[number]})" if number in _NOT_HERE else ""
        raise ValueError(f"GameType {number}{name} is not played here; known are {', '.join(map(str, _BY_NUMBER))}")
    variant = _BY_NUMBER[number]
    size = GAME_TYPES[variant].size
    if found[2] is not None and (int(found[2]), int(found[3])) != (size, size):
        raise ValueError(f"GameType {number} on {found[2]} by {found[3]} squares; expected {size} by {size}")
    return variant


def square_names(game_type: GameType, kind: str | None = None) -> dict[tuple[int, int], str]:
    """Return the names of the squares by row and column from White's top left.

    Args:
        kind: ``A`` for letters or ``N`` for numbers, if not as in the type. Letters are then those of chess, and
            numbers run from Black's side to White's, as in most programs.
    """
    size, notation, first = game_type.size, game_type.notation, game_type.first
    if kind not in (None, notation[0]):
        notation, first = ("A0" if kind == "A" else "N2"), "w"
    corner = int(notation[1])
    names: dict[tuple[int, int], str] = {}
    for up, along in product(range(size), range(size)):  # from the corner of the first square
        row = up if corner >= _TOP else size - 1 - up
        column = size - 1 - along if corner % 2 else along
        if game_type.everywhere or (row + column + size - 1) % 2 == game_type.inverted:
            place = (row, column) if first == "w" else (size - 1 - row, size - 1 - column)
            names[place] = f"{'abcdefghij'[along]}{up + 1}" if notation[0] == "A" else str(len(names) + 1)
    return names
