"""What a colour wants of the star: where its pieces start, where they go, and when they are there.

A player has won when all his pieces are in his goal. That alone would let the opponent keep him from it for ever, by
leaving a piece at home. So he has also won when the opponent leaves him nothing to do:

- none of his pieces outside the goal could get to an empty hole of it, and
- all of them have passed the middle row, but for such as could not get past it

if the opponent never moved again. So a hole of the goal that the opponent holds or shuts off does not stop him, nor
does a piece of his that the opponent has shut in. Nothing else counts: how the position came about does not matter,
and nobody is beaten by a single piece that was quick to fill the first gap, for the others still lag behind.

A player without any move is in just that case, for none of his pieces has a way to any empty hole. So whoever has not
won can move.
"""

from __future__ import annotations

import msgspec

from game_core.chinese_checkers.board import ALL, HOPS, NEIGHBOURS, rows, turned

_UPPER = rows("jklmnopq")
"""What White has on the far side of the middle row."""


class Side(msgspec.Struct, frozen=True):
    """Sets of holes as one colour sees them."""

    home: int
    goal: int
    far: int
    """Past the middle row."""
    upwards: bool
    """Whether it goes towards the holes with the higher numbers."""

    @classmethod
    def white(cls, home: int) -> Side:
        """Of the player who starts on ``home``, at the lower end."""
        return cls(home=home, goal=turned(home), far=_UPPER, upwards=True)

    @classmethod
    def black(cls, home: int) -> Side:
        """Of the opponent of the player who starts on ``home``."""
        return cls(home=turned(home), goal=home, far=turned(_UPPER), upwards=False)

    def has_won(self, own: int, opponent: int) -> bool:
        """Whether the player with pieces on ``own`` has nothing left to do against those on ``opponent``."""
        outside = own & ~self.goal
        if not outside:
            return True
        empty = ALL & ~(own | opponent)
        laggards = outside & ~self.far
        if laggards and self._can_come(laggards, empty & self.far, opponent):
            return False
        return not self._can_come(outside, empty & self.goal, opponent)

    def _can_come(self, start: int, end: int, opponent: int) -> bool:
        """Whether any piece on ``start`` can get to any hole of ``end``, if those on ``opponent`` never move.

        The player's own stop nobody: they make room, one after the other. So a way goes through every hole that the
        opponent has left, and over his pieces; and for the player as a whole it can be gone if its end is empty.
        """
        if not end:
            return False
        free = ALL & ~opponent
        seen = todo = start
        while todo:
            # Straight ahead first: nearly always there is a way, and this finds it soon.
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
