"""Players who come to the board of a game by the Laws: whoever has not come by the default time loses (Article 6.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.color import COLORS, of
from game_core.commands import TakeSeat
from realtime.games.pending_command import PendingCommand

if TYPE_CHECKING:
    from realtime.games.ports import LiveTable


def take_seats(table: LiveTable, now_ms: int) -> None:
    """Note the players who are subscribed to ``table`` and have not been seen at the board yet."""
    laws = table.game.laws
    if laws is None or table.epoch is None or table.game.status == "over":
        return
    for color in COLORS:
        if not of(laws.seated, color) and table.seats[color].is_here:
            table.submit(PendingCommand(command=TakeSeat(by=color), received_ms=now_ms))
