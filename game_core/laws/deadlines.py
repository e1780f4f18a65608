"""When the server has to look at a game by the Laws by itself: default time, and flags."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core import lag
from game_core.color import of, other

if TYPE_CHECKING:
    from game_core.game import Game
    from game_core.laws.state import LawsState


UNCLAIMED_MS = 600_000
"""How long a fallen flag of the side to move may stay unclaimed. Otherwise a game that both players have left would
never end."""


def next_deadline_ms(game: Game, laws: LawsState, ceiling_ms: int) -> int | None:
    """Return when the next of them is due, in a game that is not over and whose clocks are not held; None: never."""
    due = [due_ms for due_ms in (default_ms(laws), flag_ms(game, laws, ceiling_ms)) if due_ms is not None]
    return min(due, default=None)


def default_ms(laws: LawsState) -> int | None:
    """Return when a player who is not there loses (6.6); None: both have come."""
    return None if all(laws.seated) else laws.since_ms + laws.terms.default_s * 1000


def flag_ms(game: Game, laws: LawsState, ceiling_ms: int) -> int | None:
    """Return when the server ends the game by time. Where players claim flags, that is when both are down (6.11), or
    when one has been down for too long."""
    clock = game.clock
    flag_at_ms = None if clock is None else clock.flag_at_ms()
    if clock is None or flag_at_ms is None:
        return None
    if laws.articles.flag == "claim" and of(clock.left, other(game.turn)):
        flag_at_ms += UNCLAIMED_MS
    return flag_at_ms + lag.allowance_ms(of(game.quota, game.turn), ceiling_ms)
