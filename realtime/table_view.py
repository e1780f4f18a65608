"""What people are shown of a table: the snapshot, ticks, who is there, legal moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobby.identity import user_wire
from realtime.topics import Message
from realtime.wire_game import clock_body, snapshot_body

if TYPE_CHECKING:
    from collections.abc import Iterable

    from game_core.color import Color
    from realtime.connection import Connection
    from realtime.loop_time import ServerTime
    from realtime.table import Table
    from realtime.wire_types import CrowdWire, GameSnapshotWire, HoldWire, LegalWire, PlayerChangeWire, TickWire


def snapshot_of(table: Table, time: ServerTime, user: str | None = None, *, legal: bool = False) -> GameSnapshotWire:
    """The snapshot as ``user`` may see it, with his legal moves if he asked for them and it is his turn."""
    now_ms = time.now_ms()
    body = snapshot_body(table.game, table.seats.body(), now_ms, time.wall_ms(now_ms))
    body["watchers"] = len(table.topic.watchers)
    body["match"] = table.seats.match_body()
    you = table.seats.color_of(user)
    body["you"] = you
    if legal and you is not None and (table.seats.is_self or you == table.game.turn):
        body["legal"] = table.game.legal_moves()
    return body


def tick_body(table: Table, now_ms: int, at_wall_ms: int) -> TickWire | None:
    """The clock tick, or None when no clock runs."""
    clock = table.game.clock
    if clock is None or clock.run is None or clock.held is not None:
        return None
    body = clock_body(table.game.setup, clock.reading(now_ms), at_wall_ms)
    return None if body is None else {"t": "tick", "g": table.id, "clock": body}


def crowd_body(table: Table, now_ms: int) -> CrowdWire:
    """How many watch, which players are here, and when one who is not may be claimed against."""
    return {
        "t": "crowd",
        "topic": table.topic.name,
        "watchers": len(table.topic.watchers),
        "online": table.seats.online(),
        "left": table.seats.claimable_in_ms(table.game, now_ms),
    }


def tell_crowd(table: Table, now_ms: int, connections: Iterable[Connection]) -> None:
    """Tell some sockets who is here, before the pulse tells all."""
    message = Message(crowd_body(table, now_ms))
    for connection in tuple(connections):
        connection.write_droppable(message.frame(connection.codec))


def tell_player(table: Table, color: Color) -> None:
    """Tell everybody who holds a side, after something about him has changed: no event of the game says so."""
    body: PlayerChangeWire = {"t": "player", "g": table.id, "color": color, "user": user_wire(table.seats[color].user)}
    table.topic.send(Message(body))


def tell_legal(table: Table, only: Connection | None = None) -> None:
    """Tell the player to move his legal moves: on all his sockets that asked for them, or on one of them."""
    seat = table.seats[table.game.turn]
    listening = [
        connection
        for connection, how in table.topic.players.items()
        if how.legal and connection in seat.connections and only in (None, connection)
    ]
    if listening:
        body: LegalWire = {"t": "legal", "g": table.id, "ply": table.game.ply, "legal": table.game.legal_moves()}
        message = Message(body)
        for connection in listening:
            connection.write_droppable(message.frame(connection.codec))


def tell_hold(table: Table, connection: Connection) -> None:
    """Tell a socket that goes on from what it has seen that the clocks stand: no event says so."""
    clock = table.game.clock
    if table.is_held and clock is not None and clock.held is not None:
        body: HoldWire = {"t": "hold", "g": table.id, "why": clock.held}
        connection.write_droppable(Message(body).frame(connection.codec))
