"""Chess960 (Appendix F): 960 start positions, and castling written as king takes rook."""

from __future__ import annotations

from itertools import combinations

from game_core.chess.standard import Standard

_KNIGHTS = tuple(combinations(range(5), 2))
"""The knights' squares among the five squares left for them, by R. Scharnagl's number."""


def _first_row(number: int) -> str:
    """Return White's first row from a to h in start position ``number``, by R. Scharnagl's method."""
    number, light_bishop = divmod(number, 4)
    number, dark_bishop = divmod(number, 4)
    knights, queen = divmod(number, 6)
    row = {2 * light_bishop + 1: "B", 2 * dark_bishop: "B"}
    free = [file for file in range(8) if file not in row]
    row[free.pop(queen)] = "Q"
    for place in reversed(_KNIGHTS[knights]):
        row[free.pop(place)] = "N"
    row |= zip(free, "RKR", strict=True)
    return "".join(row[file] for file in range(8))


_STARTS = tuple(f"{row.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{row} w KQkq - 0 1" for row in map(_first_row, range(960)))


class Chess960(Standard):
    """The rules of ``chess`` / ``chess960``. Castling is written king takes rook: ``e1h1``."""

    variant = "chess960"
    starts = len(_STARTS)
    pgn_tag = "Chess960"
    pgn_names = frozenset(
        {"chess960", "960", "frc", "fischerandom", "fischerrandom", "fischerrandomchess", "freestyle", "freestylechess"}
    )
    chess960 = True

    def draw_start(self, number: int) -> str | None:
        """Return the FEN of start position ``number`` in Scharnagl's numbering; 518 is that of standard chess."""
        return _STARTS[number % len(_STARTS)]
