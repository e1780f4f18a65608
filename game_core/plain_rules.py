"""Default rule implementations of draughts and Chinese checkers: one start position, no check, no claims."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from game_core.events import EndReason
    from game_core.remembering import Remembering
    from game_core.rules import Hand, Outcome, Played


class PlainRules:
    """Mixin with defaults; subclasses define movement and outcome."""

    notation: Literal["san", "pdn"] = "pdn"
    starts = 1
    recall = None
    """None: a position cannot be restored from its FEN alone."""

    @property
    def hand(self) -> Hand | None:
        """Return None: there are no profiles for play over a board."""
        return None

    def draw_start(self, number: int) -> str | None:
        """Return None: there is only one start position."""
        del number
        return None

    def fen(self, position: Remembering) -> str:
        """Return the position as text."""
        return position.fen

    def is_check(self, position: Remembering) -> bool:
        """Return False: there is no check."""
        del position
        return False

    def play(self, position: Remembering, move: str) -> Played:
        """Play ``move`` in any notation. Raises ``IllegalMove`` with the reason."""
        return position.play(move)

    def outcome(self, position: Remembering) -> Outcome | None:
        """Return how the game is over by the position on the board."""
        return position.outcome

    def claimable(self, position: Remembering) -> EndReason | None:
        """Return None: draws need no claim."""
        del position
        return None

    def may_be_dead(self, position: Remembering) -> bool:
        """Return False: a game that nobody can win is soon drawn by a limit."""
        del position
        return False

    def identity(self, position: Remembering) -> str:
        """Return the FEN, which has no counters."""
        return position.fen
