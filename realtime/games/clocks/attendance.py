"""Attendance of a game at another node, as nodes report it to each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from game_core.color import Color


class SeatThere(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player's sockets at another node.

    Attributes:
        sockets: number of sockets subscribed to the game.
        ceiling_ms: lag ceiling of the slowest of them.
        goodbye: the player has left by closing the page.
    """

    sockets: int = 0
    ceiling_ms: int = 0
    goodbye: bool = False


NOBODY = SeatThere()


class Attendance(msgspec.Struct, frozen=True, omit_defaults=True):
    """All subscribers of a game at another node.

    Attributes:
        stops: that node is about to stop. Its clients are reconnecting to other nodes.
    """

    white: SeatThere = NOBODY
    black: SeatThere = NOBODY
    watchers: int = 0
    stops: bool = False

    def of(self, color: Color) -> SeatThere:
        """Return the attendance of one side."""
        return self.white if color == "w" else self.black
