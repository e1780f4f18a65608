"""Evaluation of draughts positions: a weighted sum of material, advancement, centre and back row, by variant.

The terms are those of A. L. Samuel, "Some Studies in Machine Learning Using the Game of Checkers", *IBM Journal* 3
(1959). Values of squares are stored as bit planes: plane ``k`` has the squares whose value has bit ``k`` set, so that
the sum over all men takes one count of bits a plane.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from game_core.color import Color
    from game_core.draughts.board import Board
    from game_core.draughts.laws import Laws
    from game_core.draughts.men import Men

MAN = 100
"""Worth of a man, which defines the unit."""

PLANES = 5
"""Bits of a square's value: 0 to 31."""

TRADES = 400
"""Each piece on the board makes a lead worth less by one part in so many, so that the side ahead exchanges pieces."""


class DraughtsWeights(msgspec.Struct, frozen=True, kw_only=True):
    """Hundredths of a man."""

    king: int
    """Worth of a king."""
    advance: int
    """Of a man for each row from its own side."""
    back: int
    """Of a man on its own first row, which keeps the opponent from promoting."""
    centre: int
    """Of a man in the middle of its row, falling to 0 at the edge."""
    drawish: int = 1
    """The score of an ending that has a limit on its length is divided by this."""


FLYING = DraughtsWeights(king=300, advance=2, back=6, centre=6, drawish=8)

SHORT = DraughtsWeights(king=145, advance=2, back=9, centre=6)

ORTHOGONAL = DraughtsWeights(king=420, advance=4, back=4, centre=3)

LOSING = DraughtsWeights(king=130, advance=0, back=0, centre=4)
"""Used with the opposite sign: who has more has more to lose."""


def weights_of(laws: Laws) -> DraughtsWeights:
    """Return the weights for a variant."""
    if laws.losing:
        return LOSING
    if laws.orthogonal:
        return ORTHOGONAL
    return FLYING if laws.flying else SHORT


class DraughtsScore:
    """The evaluation of one variant."""

    def __init__(self, board: Board, weights: DraughtsWeights | None = None) -> None:
        self._weights = weights or weights_of(board.laws)
        self._sign = -1 if board.laws.losing else 1
        self._limits = [forces for limit in board.laws.limits if (forces := limit.against_king)]
        values = _values(board, self._weights)
        self._planes: Mapping[Color, tuple[int, ...]] = {
            color: tuple(sum(bit for bit, value in of.items() if value >> plane & 1) for plane in range(PLANES))
            for color, of in values.items()
        }
        self.score: Callable[[Men], int] = self._score

    def _score(self, men: Men) -> int:
        """Return the score for the side to move."""
        white, black, kings, turn, _ = men
        white_kings, black_kings = (white & kings).bit_count(), (black & kings).bit_count()
        white_men, black_men = white & ~kings, black & ~kings
        whites, blacks = white_men.bit_count(), black_men.bit_count()
        lead = MAN * (whites - blacks) + self._weights.king * (white_kings - black_kings)
        if lead:
            lead += lead * (40 - whites - blacks - white_kings - black_kings) // TRADES
        one, two, four, eight, sixteen = self._planes["w"]
        score = lead + (
            (white_men & one).bit_count()
            + 2 * (white_men & two).bit_count()
            + 4 * (white_men & four).bit_count()
            + 8 * (white_men & eight).bit_count()
            + 16 * (white_men & sixteen).bit_count()
        )
        one, two, four, eight, sixteen = self._planes["b"]
        score -= (
            (black_men & one).bit_count()
            + 2 * (black_men & two).bit_count()
            + 4 * (black_men & four).bit_count()
            + 8 * (black_men & eight).bit_count()
            + 16 * (black_men & sixteen).bit_count()
        )
        if self._limits and (
            (black_kings == 1 and not blacks and self._is_limited(white_kings, whites))
            or (white_kings == 1 and not whites and self._is_limited(black_kings, blacks))
        ):
            score //= self._weights.drawish
        return self._sign * (score if turn == "w" else -score)

    def _is_limited(self, kings: int, men: int) -> bool:
        """Return whether an ending of so many pieces against a king has a limit."""
        return any((kings, men) in forces for forces in self._limits)


def _values(board: Board, weights: DraughtsWeights) -> dict[Color, dict[int, int]]:
    """Return the value of a man by side and square."""
    found: dict[Color, dict[int, int]] = {"w": {}, "b": {}}
    rows = board.field.rows
    for at, row in enumerate(rows):
        squares = [bit for bit in board.field.bits if bit & row]
        for place, bit in enumerate(squares):
            middle = min(place, len(squares) - 1 - place) / max(1, (len(squares) - 1) // 2)
            centre = round(weights.centre * min(1.0, middle))
            for color, advanced in (("w", len(rows) - 1 - at), ("b", at)):
                value = centre + weights.advance * advanced + (weights.back if advanced == 0 else 0)
                found["w" if color == "w" else "b"][bit] = min(value, 2**PLANES - 1)
    return found
