"""The men on a board of draughts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from game_core.color import Color


class Men(NamedTuple):
    """Where everybody stands and who is to move: what makes two positions the same."""

    white: int
    black: int
    kings: int
    """Of both sides."""
    turn: Color

    @property
    def sides(self) -> tuple[int, int]:
        """The pieces of the side to move, and of the other."""
        return (self.white, self.black) if self.turn == "w" else (self.black, self.white)
