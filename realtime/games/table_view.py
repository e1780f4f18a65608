"""Messages about a table: the snapshot, ticks, presence, legal moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.color import COLORS
from game_core.decide.laws.touching import bound_moves
from lobby.accounts.user import user_wire
from realtime.fanout.message import Message
from realtime.protocol.wire_game import clock_at, clock_body, legal_body, snapshot_body

if TYPE_CHECKING:
    from collections.abc import Iterable

    from game_core.color import Color
    from game_core.game import Game
    from realtime.clock.loop_time import ServerTime
    from realtime.fanout.topics import Topic
    from realtime.games.ports import LiveTable, ShownGame
    from realtime.net.connection import Connection
    from realtime.protocol.wire_types import (
        CrowdWire,
        GameSnapshotWire,
        HintAskedWire,
        HoldWire,
        LegalWire,
        PlayerChangeWire,
        TickWire,
    )

RESTART, STORAGE = "restart", "storage"
"""Reasons why the server holds a clock."""

SERVER_HOLDS = (RESTART, STORAGE)


def snapshot_of(
    table: LiveTable, time: ServerTime, user: str | None = None, *, legal: bool = False
) -> GameSnapshotWire:
    """Return the snapshot that ``user`` may see. It has their legal moves if ``legal`` and it is their turn."""
    now_ms = time.now_ms()
    shown = table.shown_to(user)
    delayed = shown.topic is not table.topic
    you = table.seats.acts_for(user)
    is_player = table.seats.color_of(user) is not None
    online = online_of(table, delayed=delayed, for_players=is_player)
    body = snapshot_at(table, shown.game, now_ms - shown.delay_ms, time.wall_ms(now_ms), online)
    body["you"] = you
    if shown.delay_ms and not shown.game.seq:
        body["match"] = None  # it reveals how the previous game ended, which may still be secret
    to_move = you is not None and (table.seats.is_self or you == table.game.turn)
    if to_move and "laws" in body:
        body["laws"]["bound"] = bound_moves(table.game)
    if legal and to_move:
        body["legal"], ways = legal_body(table.game)
        if ways:
            body["legal_leaps"] = ways
    return body


def snapshot_at(
    table: LiveTable, game: Game, now_ms: int, at_wall_ms: int, online: dict[Color, bool]
) -> GameSnapshotWire:
    """Return the spectators' snapshot of ``game``: the table's game, or an earlier state of it. Its clock at ``now_ms``
    is given as that of ``at_wall_ms``."""
    body = snapshot_body(game, table.seats.body(online), now_ms, at_wall_ms)
    body["watchers"] = table.topic.watching
    body["match"] = table.seats.match_body()
    return body


def tick_body(shown: ShownGame, now_ms: int, at_wall_ms: int) -> TickWire | None:
    """Return the clock tick; None when no clock runs."""
    game = shown.game
    clock = game.clock
    if clock is None or clock.run is None or clock.held is not None:
        return None
    body = clock_body(game.setup, clock.reading(now_ms - shown.delay_ms), at_wall_ms)
    return None if body is None else {"t": "tick", "g": game.setup.id, "clock": body}


def online_of(table: LiveTable, *, delayed: bool = False, for_players: bool = False) -> dict[Color, bool]:
    """Return which players are shown as present.

    Args:
        delayed: in the delayed view. It shows both: an absence could reveal that the game has ended.
        for_players: to the players. They see each other until the game is over, even if they are invisible.
    """
    if delayed:
        return dict.fromkeys(COLORS, True)
    return table.seats.online() if for_players and table.game.status != "over" else table.seats.shown_online()


def crowd_body(table: LiveTable, now_ms: int, *, delayed: bool = False, for_players: bool = False) -> CrowdWire:
    """Return the number of spectators, which players are present (``online_of``), and when an absence can be claimed.

    Claims are sent only to the players: they reveal whose turn it is, and the absence of an invisible person.
    """
    return {
        "t": "crowd",
        "topic": table.topic.name,
        "watchers": table.topic.watching,
        "online": online_of(table, delayed=delayed, for_players=for_players),
        "left": table.seats.claimable_in_ms(table.game, now_ms) if for_players else {"w": None, "b": None},
    }


def publish_crowd(table: LiveTable, now_ms: int) -> None:
    """Send the presence to all who see the game without a delay."""
    table.topic.send_to_players(Message(crowd_body(table, now_ms, for_players=True)))
    send_crowd_once(table.topic, crowd_body(table, now_ms))


def send_crowd_once(topic: Topic, body: CrowdWire) -> None:
    """Send the presence to the spectators of ``topic``, unless all have it: the same once more would reveal that a
    player whose presence is hidden has come or gone."""
    if topic.crowd != body:
        topic.crowd = body
        topic.send_to_spectators(Message(body))


def send_crowd(
    table: LiveTable,
    now_ms: int,
    connections: Iterable[Connection],
    *,
    delayed: bool = False,
    for_players: bool = False,
) -> None:
    """Send the presence to some sockets now, before the ticker sends it to all."""
    message = Message(crowd_body(table, now_ms, delayed=delayed, for_players=for_players))
    for connection in tuple(connections):
        connection.write_droppable(message.frame(connection.codec))


def send_player(table: LiveTable, color: Color) -> None:
    """Tell all subscribers who holds a side after a change that is not an event of the game."""
    body: PlayerChangeWire = {"t": "player", "g": table.id, "color": color, "user": user_wire(table.seats[color].user)}
    message = Message(body)
    for topic in (table.topic, table.topic.delayed):
        if topic is not None:
            topic.send(message)
            if topic.minis is not None:
                topic.minis.renamed()


def send_hint_asked(table: LiveTable, robot: Color, ply: int) -> None:
    """Ask the robot that plays the side ``robot`` for a hint, on its sockets here."""
    body: HintAskedWire = {"t": "hint.asked", "g": table.id, "ply": ply}
    message = Message(body)
    for connection in table.seats[robot].connections:
        connection.write_droppable(message.frame(connection.codec))


def send_legal(table: LiveTable, only: Connection | None = None) -> None:
    """Send the player to move their legal moves, on every socket that asked for them or on one of them."""
    seat, topic = table.seats[table.game.turn], table.topic
    listening = [
        connection for connection in seat.connections if only in (None, connection) and topic.has_legal(connection)
    ]
    if listening:
        legal, ways = legal_body(table.game)
        body: LegalWire = {"t": "legal", "g": table.id, "ply": table.game.ply, "legal": legal}
        if ways:
            body["leaps"] = ways
        if table.game.laws is not None:
            body["bound"] = bound_moves(table.game)
        message = Message(body)
        for connection in listening:
            topic.watchers.catch_up(connection)  # a stand-in is a spectator of the topic
            connection.write_droppable(message.frame(connection.codec))


def hold_body(game_id: str, why: str) -> HoldWire:
    """Return the message that the server holds the clocks."""
    return {"t": "hold", "g": game_id, "why": why}


def first_move_body(game: Game, now_ms: int, at_wall_ms: int) -> TickWire | None:
    """Return a tick with the time for a first move; None when none is awaited."""
    body = clock_at(game, now_ms, at_wall_ms)
    if body is None or "first_move_by" not in body:
        return None
    return {"t": "tick", "g": game.setup.id, "clock": body}


def send_clock(shown: ShownGame, time: ServerTime, connection: Connection, *, ticks: bool) -> None:
    """Tell a socket that resumes from its last event what is not an event: a clock hold, or, if it wants ``ticks``, the
    time for a first move, which has begun again if the server was away."""
    clock, now_ms = shown.game.clock, time.now_ms()
    body: HoldWire | TickWire | None = None
    if clock is not None and clock.held in SERVER_HOLDS:
        body = hold_body(shown.game.setup.id, clock.held)
    elif ticks:
        body = first_move_body(shown.game, now_ms - shown.delay_ms, time.wall_ms(now_ms))
    if body is not None:
        connection.write_droppable(Message(body).frame(connection.codec))
