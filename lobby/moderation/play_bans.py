"""When somebody's conduct brings a ban, and how long a one. Pure.

Of the last ``WINDOW`` games those since the last ban count. Who now and then has to leave never collects the points of
a ban; who goes on after one needs fewer for the next, and each is longer than the one before, until ``WINDOW`` games
have passed without one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from lobby.wire.moderation import Deed

if TYPE_CHECKING:
    from collections.abc import Sequence

WINDOW = 30
"""Games that are looked at."""

POINTS: dict[Deed, int] = {"ok": 0, "aborted": 1, "no_show": 2, "let_run": 2, "left": 2}
"""An abort costs the other seconds; whoever does not come, or sits out his clock, costs him minutes."""

FIRST_BAN, NEXT_BAN = 5, 3
"""Points for a ban: the first in the window, and another one."""

MINUTES = (5, 15, 45, 120, 360, 1440, 4320, 10_080)
"""Of the first ban in the window, the second, ...; the last is as long as any gets."""


class Game(msgspec.Struct, frozen=True):
    """One game of somebody's record.

    Attributes:
        level: of the ban it brought, 1 for the first; 0 if none.
    """

    deed: Deed
    level: int = 0


class Sentence(msgspec.Struct, frozen=True):
    """A ban that is due."""

    level: int
    minutes: int


def judge(record: Sequence[Game]) -> Sentence | None:
    """The ban that the newest game of ``record`` brings; None: none.

    Args:
        record: somebody's games, the newest first; what is beyond ``WINDOW`` does not count.
    """
    games = record[:WINDOW]
    if not games or not POINTS[games[0].deed]:
        return None
    last_ban = next((place for place, game in enumerate(games) if game.level), None)
    points = sum(POINTS[game.deed] for game in games[:last_ban])
    if points < (FIRST_BAN if last_ban is None else NEXT_BAN):
        return None
    level = 1 + max(game.level for game in games)
    return Sentence(level=level, minutes=MINUTES[min(level, len(MINUTES)) - 1])
