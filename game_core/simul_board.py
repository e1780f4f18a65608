"""A game's place in the simul of which it is a board."""

from __future__ import annotations

from typing import Literal

import msgspec

from game_core.color import Color, other

Mode = Literal["clock", "round"]

COUNTDOWN_MS = 10_000
"""How long the host waits for a participant who is not ready before their time runs, by default."""


class SimulBoard(msgspec.Struct, frozen=True):
    """One board's place in a simul. Immutable.

    ``clock``: both clocks run from the start of the game, and the first moves are charged too. ``round``: the host goes
    from board to board, and no time runs where they are not (commands ``Arrive``, ``StartClock``, ``Depart``).
    """

    id: str
    """Id of the simul."""
    board: int
    """From 1."""
    host: Color
    """The host's side."""
    mode: Mode = "clock"
    draw_from: int | None = 0
    """Moves the host must have made before a draw may be offered or agreed; None: never."""
    host_timed: bool = True
    """Whether the host has a clock. Only in ``round`` mode they may have none."""
    countdown_ms: int = COUNTDOWN_MS
    """``round``: time between ``Arrive`` and the caller's ``StartClock``; the game itself does not measure it."""
    delay_s: int = 0
    """Public delay for everybody except the host and the participants. The game itself does not use it."""

    @property
    def player(self) -> Color:
        """The participant's side."""
        return other(self.host)
