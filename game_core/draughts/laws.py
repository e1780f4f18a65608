"""How a game of draughts differs from the others: one value a variant."""

from __future__ import annotations

from typing import Literal

import msgspec

from game_core.color import Color
from game_core.draughts.field import Naming
from game_core.draughts.limits import Limit

Choice = Literal["any", "most", "most_kings", "italian", "value"]

Promotion = Literal["at_end", "ends_move", "goes_on"]


class Laws(msgspec.Struct, frozen=True, kw_only=True):
    """What the engine must know of a variant."""

    name: str
    size: int = 8
    """Squares a side."""
    men_rows: int = 3
    """Rows of men each side begins with."""
    rows_behind: int = 0
    """Empty rows behind them."""
    mirrored: bool = False
    """The light corner is at each player's left."""
    orthogonal: bool = False
    """All squares are played on, and all ways are straight: forward, sideways, for kings backward."""
    naming: Naming = "numbers"
    flying: bool = True
    """Kings go over any distance, and take from any and land on any square behind."""
    men_take_back: bool = False
    men_take_kings: bool = True
    takes_straight: bool = False
    """On a diagonal board pieces also take along rows and columns, where the next square is two away. Men that take
    forward only do not."""
    king_moves: int | None = None
    """Moves in a row that one king may make without a capture while its side has men; None: any number."""
    choice: Choice = "any"
    """Which captures are legal where there are several: any; those that take most; of these those that take most kings;
    those that the four rules of the Italian federation leave; those that take the highest value, of these those by a
    king (``captures.MAN_WORTH``)."""
    promotion: Promotion = "at_end"
    """Of a man that comes to the last row while it takes: only if its move ends there; its move ends there; it goes on
    as a king."""
    at_once: bool = False
    """What is taken leaves the board before the next leap, not after the whole move; and a king does not turn about
    between two leaps."""
    first: Color = "w"
    quiet_moves: int
    """Moves of each side by kings only and without a capture that make a draw."""
    threefold: bool = True
    """The third repetition of a position is a draw."""
    limits: tuple[Limit, ...] = ()
    """On endings of few pieces."""
    profiles: tuple[tuple[str, tuple[Limit, ...]], ...] = ()
    """Rule profiles beside the usual one, with the limits that they have instead."""
    kings_draw: bool = False
    """One king against one is a draw at once."""
    lone_man_loses: bool = False
    """Against one king a single man has lost at once."""
    losing: bool = False
    """Who has no move left, or no piece, wins."""


def backwards(laws: Laws) -> Laws:
    """The losing form: the same moves, won by who has nothing left to move.

    What follows from a king being stronger than a man, and a few kings than one, does not hold there: endings have no
    limits of their own.
    """
    return msgspec.structs.replace(
        laws,
        name=f"losing-{laws.name}",
        losing=True,
        limits=(),
        profiles=(),
        kings_draw=False,
        lone_man_loses=False,
    )
