"""The two chat rooms of a table: who hears which, and the backlog for who comes in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobby.chat import Line, Room, line_wire
from lobby.identity import user_wire
from realtime.topics import Message

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lobby.identity import User
    from lobby.wire import ChatLineWire, RoomName
    from realtime.block_lists import BlockList
    from realtime.connection import Connection
    from realtime.topics import Subscription, Topic
    from realtime.wire_types import ChatLinesWire, ChatMessageWire


class ChatRooms:
    """Made at the first line of a game: a game without chat has none."""

    __slots__ = ("_backlogs", "_rooms", "_topic")

    def __init__(self, topic: Topic) -> None:
        self._topic = topic
        self._rooms: dict[RoomName, Room] = {}
        self._backlogs: dict[RoomName, Message] = {}
        """Of rooms that have not changed since somebody came in: many come at the same time."""

    def write(self, name: RoomName, user: User, text: str, key: str | None, now_ms: int, at_wall_ms: int) -> Line:
        """Add a line and send it to the room's sockets; whoever reads slowly misses it, and who blocks its writer.

        Raises:
            TooFast: so many listen that the room has to wait.
        """
        room = self._rooms.setdefault(name, Room())
        listeners = self._listeners(name)
        room.take_turn(len(listeners), now_ms)
        line = Line(user=user, text=text, at=at_wall_ms, key=key)
        room.add(line)
        self._backlogs.pop(name, None)
        message = Message(chat_body(self._topic.name, name, line))
        for connection, subscription in tuple(listeners.items()):
            blocked = subscription.blocked
            if blocked is not None and blocked.hides(user.id):
                continue  # who has not read his list yet gets the line with the backlog, if it is for him
            connection.write_droppable(message.frame(connection.codec))
        return line

    def find(self, name: RoomName, user: str, key: str | None) -> Line | None:
        """The line that ``user`` wrote with ``key``."""
        room = self._rooms.get(name)
        return None if room is None else room.find(user, key)

    def backlog(self, name: RoomName, blocked: BlockList | None = None) -> Message | None:
        """``chat.lines`` for somebody with that block list; None when nothing was said in this room for him to read."""
        room = self._rooms.get(name)
        if room is None:
            return None
        if blocked is not None and any(blocked.hides(line.user.id) for line in room.lines):
            lines = [line_wire(line) for line in room.lines if not blocked.hides(line.user.id)]
            return self._lines_message(name, lines) if lines else None
        backlog = self._backlogs.get(name)
        if backlog is None and room.lines:
            backlog = self._backlogs[name] = self._lines_message(name, self.lines(name))
        return backlog

    def lines(self, name: RoomName) -> list[ChatLineWire]:
        """All that is remembered of a room."""
        room = self._rooms.get(name)
        return [] if room is None else [line_wire(line) for line in room.lines]

    def _lines_message(self, name: RoomName, lines: list[ChatLineWire]) -> Message:
        body: ChatLinesWire = {"t": "chat.lines", "topic": self._topic.name, "room": name, "lines": lines}
        return Message(body)

    def _listeners(self, name: RoomName) -> Mapping[Connection, Subscription]:
        return self._topic.players if name == "players" else self._topic.watchers


def room_name(*, is_player: bool) -> RoomName:
    """The room of somebody at a table: he reads and writes nowhere else."""
    return "players" if is_player else "spectators"


def chat_body(topic: str, room: RoomName, line: Line) -> ChatMessageWire:
    """One line as its room hears it."""
    return {
        "t": "chat",
        "topic": topic,
        "room": room,
        "user": user_wire(line.user),
        "text": line.text,
        "at": line.at,
    }
