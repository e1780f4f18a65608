"""What is so in every game but chess: one start, no check, no claim, and no position that is dead unseen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from game_core.events import EndReason
    from game_core.remembering import Remembering
    from game_core.rules import Outcome, Played


class PlainRules:
    """The rules of such a game, but for how its pieces move and who wins."""

    notation: Literal["san", "pdn"] = "pdn"
    starts = 1
    recall = None
    """A text has not all that counts."""

    def draw_start(self, number: int) -> str | None:
        """None: there is one start position only."""
        del number
        return None

    def fen(self, position: Remembering) -> str:
        """The position as text."""
        return position.fen

    def is_check(self, position: Remembering) -> bool:
        """Never."""
        del position
        return False

    def play(self, position: Remembering, move: str) -> Played:
        """Play ``move``, however it is written. Raises ``IllegalMove``, saying what is wrong with it."""
        return position.play(move)

    def outcome(self, position: Remembering) -> Outcome | None:
        """How the game is over on the board by itself."""
        return position.outcome

    def claimable(self, position: Remembering) -> EndReason | None:
        """None: every draw comes by itself."""
        del position
        return None

    def may_be_dead(self, position: Remembering) -> bool:
        """Never: what nobody can win any more is drawn by a limit soon."""
        del position
        return False

    def identity(self, position: Remembering) -> str:
        """The FEN, which has no counters."""
        return position.fen
