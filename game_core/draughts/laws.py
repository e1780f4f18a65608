"""How a game of draughts differs from the others: one value a variant."""

from __future__ import annotations

from typing import Literal

import msgspec

from game_core.color import Color
from game_core.draughts.field import Naming

Choice = Literal["any", "most", "most_kings", "italian"]

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
    choice: Choice = "any"
    """Which captures are legal where there are several: any; those that take most; of these those that take most kings;
    those that the four rules of the Italian federation leave."""
    promotion: Promotion = "at_end"
    """Of a man that comes to the last row while it takes: only if its move ends there; its move ends there; it goes on
    as a king."""
    at_once: bool = False
    """What is taken leaves the board before the next leap, not after the whole move; and a king does not turn about
    between two leaps."""
    first: Color = "w"
    losing: bool = False
    """Who has no move left, or no piece, wins."""
