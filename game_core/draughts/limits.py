"""Draws by count: limits on how long an ending with few pieces may last.

A limit counts half-moves from when it begins to apply; after ``moves`` moves of each side the game is drawn. A
``Balance`` of material determines whether it applies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from game_core.draughts.field import Field
    from game_core.draughts.men import Men

IDLE = -1
"""The count of a limit that does not apply."""

Force = tuple[int, int]
"""Kings and men of a side."""


class Balance(NamedTuple):
    """The material of both sides."""

    more: Force
    """Of the side with more pieces; White's if equal."""
    less: Force
    smaller: int
    """The bits of the side with fewer pieces."""

    @classmethod
    def of(cls, men: Men) -> Balance:
        white, black = _force(men.white, men.kings), _force(men.black, men.kings)
        return cls(black, white, men.white) if sum(black) > sum(white) else cls(white, black, men.black)


def _force(side: int, kings: int) -> Force:
    crowned = (side & kings).bit_count()
    return crowned, side.bit_count() - crowned


class EndgameLimit(msgspec.Struct, frozen=True, kw_only=True):
    """How long one kind of ending may last."""

    moves: int
    """Moves of each side."""
    against_king: frozenset[Force] = frozenset()
    """It applies when one side has one of these and the other one king."""
    still: frozenset[Force] = frozenset()
    """Once it applies, it continues to while the side with more has one of these."""
    pieces: range = range(0)
    """It applies when both sides have a king and the number of pieces is in this range."""
    on_main_road: bool = False
    """Only while the lone king is the only piece on the long diagonal."""
    restarts: bool = False
    """The count restarts whenever the balance changes by a capture or a promotion."""

    def count(self, field: Field, men: Men, balance: Balance, before: Balance | None, counted: int) -> int:
        """Return the half-moves counted by this limit.

        Args:
            men, balance: as they are now.
            before: the balance before the last move; None in a start position.
            counted: half-moves before the last move, or ``IDLE``.
        """
        if not self._runs(field, men, balance, going_on=counted != IDLE):
            return IDLE
        if counted == IDLE or before is None or (self.restarts and balance[:2] != before[:2]):
            return 0
        return counted + 1

    def _runs(self, field: Field, men: Men, balance: Balance, *, going_on: bool) -> bool:
        more, less, smaller = balance
        if sum(more) + sum(less) in self.pieces and more[0] and less[0]:
            return True
        if less != (1, 0) or not (more in self.against_king or (going_on and more in self.still)):
            return False
        return not self.on_main_road or (men.white | men.black) & field.main_road == smaller


def count_limits(
    limits: Sequence[EndgameLimit], field: Field, men: Men, before: Balance | None = None, counted: tuple[int, ...] = ()
) -> tuple[Balance | None, tuple[int, ...]]:
    """Return the balance and the counts of all limits; None and nothing if there are too many pieces.

    Args:
        men: as they are now.
        before, counted: those of the position before the last move.
    """
    pieces = (men.white | men.black).bit_count()
    if not limits or (pieces > _MOST and men.white & (men.white - 1) and men.black & (men.black - 1)):
        return None, ()
    balance = Balance.of(men)
    counted = counted or (IDLE,) * len(limits)
    return balance, tuple(
        limit.count(field, men, balance, before, count) for limit, count in zip(limits, counted, strict=True)
    )


_MOST = 7
"""Most pieces of an ending in which neither side has a single one."""
