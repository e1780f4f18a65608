"""The differences between games of draughts: one value a variant."""

from __future__ import annotations

from typing import Literal

import msgspec

from game_core.color import Color
from game_core.draughts.field import Naming
from game_core.draughts.limits import EndgameLimit

Choice = Literal["any", "most", "most_kings", "italian", "value"]

Promotion = Literal["at_end", "ends_move", "goes_on"]


class Laws(msgspec.Struct, frozen=True, kw_only=True):
    """The rules of a variant as parameters of the engine."""

    name: str
    size: int = 8
    """Squares along an edge."""
    men_rows: int = 3
    """Rows of men at the start."""
    rows_behind: int = 0
    """Empty rows behind them."""
    mirrored: bool = False
    """The light corner is at each player's left."""
    orthogonal: bool = False
    """All squares are used and all moves are orthogonal: forward, sideways, for kings backward."""
    naming: Naming = "numbers"
    flying: bool = True
    """Kings move any distance, and capture from any distance to any square behind."""
    men_take_back: bool = False
    men_take_kings: bool = True
    takes_straight: bool = False
    """On a diagonal board pieces also capture along rows and columns, where the next square is two away. Not for men
    that capture forward only."""
    king_moves: int | None = None
    """Most consecutive moves of one king without a capture while its side has men; None: unlimited."""
    choice: Choice = "any"
    """Which of several captures are legal: any; those that capture most; of these those that capture most kings; those
    that satisfy the four rules of the Italian federation; those of the highest value, and of these those by a king
    (``captures.MAN_WORTH``)."""
    promotion: Promotion = "at_end"
    """A man that reaches the last row during a capture becomes a king only if its move ends there; its move ends there;
    or it continues as a king."""
    at_once: bool = False
    """Captured pieces leave the board before the next leap and not after the whole move, and a king does not reverse
    its direction between two leaps."""
    first: Color = "w"
    quiet_moves: int
    """Consecutive moves of each side by kings only and without a capture that draw the game."""
    threefold: bool = True
    """The third repetition of a position is a draw."""
    limits: tuple[EndgameLimit, ...] = ()
    """Limits on endings with few pieces."""
    profiles: tuple[tuple[str, tuple[EndgameLimit, ...]], ...] = ()
    """Rule profiles beside the usual one, with their limits."""
    kings_draw: bool = False
    """One king against one is an immediate draw."""
    lone_man_loses: bool = False
    """A single man against one king has lost at once."""
    losing: bool = False
    """A side without a move or a piece wins."""


def backwards(laws: Laws) -> Laws:
    """Return the losing variant: the same moves, won by the side that has no move left.

    It has no limits on endings, because these follow from a king being stronger than a man and several kings than one.
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
