"""What an exhibition refuses, as one tree; each error carries its wire code. Whatever is refused changes nothing.

SimulError
├── BadSetup         ``bad_message``: a field of the announcement is wrong; the text names it
├── NotFound         ``not_found``: no such exhibition, board or person
├── Forbidden        ``forbidden``: somebody else may do this, the one who asks may not
├── GameOver         ``game_over``: the game at the board has ended
├── StalePly         ``stale_ply``: the move is for another position than the one on the board
├── NotYourTurn      ``not_your_turn``: at the board the other side is to move
└── Conflict         ``conflict``: it does not fit the moment
"""

from __future__ import annotations

from typing import ClassVar, Literal

SimulCode = Literal["bad_message", "not_found", "forbidden", "game_over", "stale_ply", "not_your_turn", "conflict"]
"""The error codes of the protocol that exhibitions give."""


class SimulError(Exception):
    """Base of everything this package raises on purpose.

    Attributes:
        code: the error code of the protocol.
        message: what was wrong and what would be right.
    """

    code: ClassVar[SimulCode]

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class BadSetup(SimulError):
    """An invalid announcement. The message begins with the name of the field."""

    code = "bad_message"


class NotFound(SimulError):
    """No such board or person in the simul."""

    code = "not_found"


class Forbidden(SimulError):
    """The requester lacks the right to do this."""

    code = "forbidden"


class GameOver(SimulError):
    """The board's game has ended."""

    code = "game_over"


class StalePly(SimulError):
    """A move for a position that is not on the board any more."""

    code = "stale_ply"


class NotYourTurn(SimulError):
    """The other side is to move."""

    code = "not_your_turn"


class Conflict(SimulError):
    """Too early, too late, too many, or done already."""

    code = "conflict"
