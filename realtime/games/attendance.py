"""Who listens to a game at another node, as nodes tell each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from game_core.color import Color


class SeatThere(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player's sockets at another node.

    Attributes:
        sockets: how many listen to the game.
        ceiling_ms: lag ceiling of the slowest.
        goodbye: of one who is there no more: he closed the page.
    """

    sockets: int = 0
    ceiling_ms: int = 0
    goodbye: bool = False


NOBODY = SeatThere()


class Attendance(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who listens to a game at another node.

    Attributes:
        stops: that node is about to stop: whoever leaves it is on his way to another.
    """

    white: SeatThere = NOBODY
    black: SeatThere = NOBODY
    watchers: int = 0
    stops: bool = False

    def of(self, color: Color) -> SeatThere:
        """Of one side."""
        return self.white if color == "w" else self.black
