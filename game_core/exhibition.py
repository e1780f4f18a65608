"""What a game knows of the simultaneous exhibition that it is a board of."""

from __future__ import annotations

from typing import Literal

import msgspec

from game_core.color import Color, other

Mode = Literal["clock", "round"]

COUNTDOWN_MS = 10_000
"""How long a participant who is not ready is waited for before his time runs, where the host says nothing else."""


class Exhibition(msgspec.Struct, frozen=True):
    """One board's place in an exhibition; it never changes.

    ``clock``: both clocks run from the opening of the game, the first moves are charged too. ``round``: the host goes
    from board to board, and nothing runs where he is not (commands ``Arrive``, ``StartClock``, ``Depart``).
    """

    id: str
    """The exhibition's."""
    board: int
    """From 1."""
    host: Color
    """The side that the simul giver has."""
    mode: Mode = "clock"
    draw_from: int | None = 0
    """How many moves of his own the host must have made before a draw is offered or agreed; None: never."""
    host_timed: bool = True
    """Whether the host has a clock; ``round`` alone can do without."""
    countdown_ms: int = COUNTDOWN_MS
    """``round``: how long after ``Arrive`` the caller asks for ``StartClock``; the game itself does not count it."""
    delay_s: int = 0
    """So much later the game is shown to all who neither give the exhibition nor play in it; the game itself does not
    know of it."""

    @property
    def player(self) -> Color:
        """The participant's side."""
        return other(self.host)
