"""Start, goal and winning condition of one side.

A player wins when all their pieces are in their goal. With that rule alone the opponent could prevent it for ever by
leaving a piece at home. So a player also wins when the opponent leaves them nothing to do, that is, if the opponent
never moved again:

- none of the player's pieces outside the goal could get to an empty hole of it, and
- all of them have passed the middle row, except those that could not get past it.

So a goal hole that the opponent occupies or blocks does not prevent a win, nor does a player's piece that the opponent
has shut in. How the position came about does not matter. A single piece that quickly fills the first gap wins nothing,
because the others still lag behind.

A player without any move is in this situation, since none of their pieces can get to any empty hole. So a player who
has not won can move.
"""

from __future__ import annotations

import msgspec

from game_core.chinese_checkers.board import ALL, HOPS, NEIGHBOURS, rows, turned

_UPPER = rows("jklmnopq")
"""The holes beyond the middle row from White's side."""


class Side(msgspec.Struct, frozen=True):
    """Sets of holes as one colour sees them."""

    home: int
    goal: int
    far: int
    """The holes beyond the middle row."""
    upwards: bool
    """Whether the side moves towards the holes with higher numbers."""

    @classmethod
    def white(cls, home: int) -> Side:
        """Return the side that starts on ``home`` at the lower end."""
        return cls(home=home, goal=turned(home), far=_UPPER, upwards=True)

    @classmethod
    def black(cls, home: int) -> Side:
        """Return the opponent of the side that starts on ``home``."""
        return cls(home=turned(home), goal=home, far=turned(_UPPER), upwards=False)

    def has_won(self, own: int, opponent: int) -> bool:
        """Return whether the player with pieces on ``own`` has won against those on ``opponent``."""
        outside = own & ~self.goal
        if not outside:
            return True
        empty = ALL & ~(own | opponent)
        laggards = outside & ~self.far
        if laggards and self._can_come(laggards, empty & self.far, opponent):
            return False
        return not self._can_come(outside, empty & self.goal, opponent)

    def _can_come(self, start: int, end: int, opponent: int) -> bool:
        """Return whether any piece on ``start`` can get to any hole of ``end`` if those on ``opponent`` never move.

        The player's own pieces block nothing: they make room one after the other. So a path uses every hole that the
        opponent leaves free, and hops over the opponent's pieces; it is open for the player as a whole if its end is
        empty.
        """
        if not end:
            return False
        free = ALL & ~opponent
        seen = todo = start
        while todo:
            # Straight ahead first: nearly always there is a path, and this finds it quickly.
            hole = (todo if self.upwards else todo & -todo).bit_length() - 1
            near = NEIGHBOURS[hole] & free
            for pair, over, land in HOPS[hole]:
                if opponent & pair == over:
                    near |= 1 << land
            if near & end:
                return True
            todo = (todo ^ 1 << hole) | near & ~seen
            seen |= near
        return False
