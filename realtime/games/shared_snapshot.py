"""The snapshot of a game for all who look on: encoded once between two events, however many come.

A clock in it says what is left at the instant ``at``, so that it stays true until something happens. How many watch may
be a little out of date where they are many: ``crowd`` follows within a second.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from realtime.fanout.message import Message, SharedSnapshot
from realtime.games.table_view import snapshot_of

if TYPE_CHECKING:
    from realtime.clock.loop_time import ServerTime
    from realtime.games.ports import LiveTable, ShownGame

COUNTED = 100
"""So many who watch are counted exactly by every snapshot: nobody need encode one more often than this."""


def shared_snapshot(table: LiveTable, shown: ShownGame, time: ServerTime, user: str | None) -> Message:
    """The snapshot for ``user``, who holds no seat and may see what is ``shown`` of ``table``."""
    topic, game = shown.topic, shown.game
    white, black = table.seats.white, table.seats.black
    watching = min(table.topic.watching, COUNTED)
    around = (white.user, black.user, white.is_here, black.is_here, watching)
    shared = topic.snapshot
    if shared is None or shared.game is not game or shared.around != around:
        shared = topic.snapshot = SharedSnapshot(Message(snapshot_of(table, time, user)), game, around)
    return shared.message
