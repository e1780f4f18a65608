"""Evaluation of Chinese checkers: how far each side's pieces have come, and how well they stay together."""

from __future__ import annotations

from game_core.chinese_checkers.board import HOLES, ROWS

ROW = 100
"""Worth of one row, which defines the unit."""

ASIDE = 12
"""What half a step to the side of the middle line costs: chains of hops run along the middle."""

BEHIND = 9
"""What each row behind costs in addition, times the row: the last piece decides when the game is over."""

_LAST = len(ROWS) - 1


def _worth(row: int, aside: int) -> int:
    left = _LAST - row
    return ROW * row - ASIDE * aside - BEHIND * left * left // 4


WHITE_WORTH = tuple(
    _worth(row, abs(2 * place - length + 1)) for row, length in enumerate(ROWS) for place in range(length)
)
"""Worth of a white piece by hole. White moves towards the last row."""

BLACK_WORTH = WHITE_WORTH[::-1]
"""The same for Black, who moves towards the first."""

assert len(WHITE_WORTH) == len(HOLES)


def total(pieces: int, worth: tuple[int, ...]) -> int:
    """Return the worth of a set of pieces."""
    return sum(worth[hole] for hole in range(len(HOLES)) if pieces >> hole & 1)
