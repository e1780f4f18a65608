"""Snapshot of a game for spectators, encoded once between two events for all of them.

Its clock is the time left at the instant ``at``, so it stays true until something happens. With many spectators their
number may be slightly out of date: ``crowd`` follows within a second.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from realtime.fanout.message import Message, SharedSnapshot
from realtime.games.table_view import snapshot_of

if TYPE_CHECKING:
    from realtime.clock.loop_time import ServerTime
    from realtime.games.ports import LiveTable, ShownGame

COUNTED = 100
"""Up to this many spectators every snapshot has the exact count: then encoding again costs little."""


def shared_snapshot(table: LiveTable, shown: ShownGame, time: ServerTime, user: str | None) -> Message:
    """Return the snapshot for ``user``, who plays no side and may see what is ``shown`` of ``table``."""
    topic, game = shown.topic, shown.game
    white, black = table.seats.white, table.seats.black
    watching = min(table.topic.watching, COUNTED)
    online = table.seats.shown_online()
    around = (white.user, black.user, online["w"], online["b"], watching)
    shared = topic.snapshot
    if shared is None or shared.game is not game or shared.around != around:
        shared = topic.snapshot = SharedSnapshot(Message(snapshot_of(table, time, user)), game, around)
    return shared.message
