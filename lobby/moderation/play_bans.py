"""Automatic play bans: which conduct brings one, and how long it lasts. Pure.

Of the last ``WINDOW`` games those since the last ban count. An occasional fault never adds up to a ban. After a ban the
next one needs fewer points and lasts longer, until ``WINDOW`` games have passed without one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from lobby.wire.moderation import Deed

if TYPE_CHECKING:
    from collections.abc import Sequence

WINDOW = 30
"""Games considered."""

POINTS: dict[Deed, int] = {"ok": 0, "aborted": 1, "no_show": 2, "let_run": 2, "left": 2}
"""Points by conduct. An abort costs the opponent seconds; a no-show or an unattended clock costs them minutes."""

FIRST_BAN, NEXT_BAN = 5, 3
"""Points that bring the first ban in the window, and each further one."""

MINUTES = (5, 15, 45, 120, 360, 1440, 4320, 10_080)
"""Duration of a ban by its level, from 1 on: one more than the highest level in the window. The last is the longest."""


class RecordedGame(msgspec.Struct, frozen=True):
    """One game of a person's record.

    Attributes:
        level: level of the ban it brought, 1 for the first; 0 if none.
    """

    deed: Deed
    level: int = 0


class DueBan(msgspec.Struct, frozen=True):
    """A ban that is due."""

    level: int
    minutes: int


def due_ban(record: Sequence[RecordedGame]) -> DueBan | None:
    """Return the ban that the newest game of ``record`` brings, or None.

    Args:
        record: the person's games, newest first; those beyond ``WINDOW`` are ignored.
    """
    games = record[:WINDOW]
    if not games or not POINTS[games[0].deed]:
        return None
    last_ban = next((place for place, game in enumerate(games) if game.level), None)
    points = sum(POINTS[game.deed] for game in games[:last_ban])
    if points < (FIRST_BAN if last_ban is None else NEXT_BAN):
        return None
    level = 1 + max(game.level for game in games)
    return DueBan(level=level, minutes=MINUTES[min(level, len(MINUTES)) - 1])
