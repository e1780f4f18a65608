"""The two chat rooms of a table: who receives which lines, and the backlog for new subscribers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from lobby.accounts.user import user_wire
from lobby.chat import ChatLine, ChatRoom, line_wire
from realtime.fanout.message import Message

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lobby.accounts.user import User
    from lobby.wire.lobby import ChatLineWire, RoomName
    from realtime.fanout.subscription import Subscription
    from realtime.fanout.topics import Topic
    from realtime.games.seats import Seats
    from realtime.net.connection import Connection
    from realtime.protocol.wire_types import ChatLinesWire, ChatMessageWire


class ChatRooms:
    """The chat rooms of a game. Created with its first line: a game without chat has none."""

    __slots__ = ("_backlogs", "_rooms", "_seats", "_topic")

    def __init__(self, topic: Topic, seats: Seats, rooms: dict[RoomName, ChatRoom] | None = None) -> None:
        self._topic = topic
        self._seats = seats
        self._rooms = {} if rooms is None else rooms
        self._backlogs: dict[RoomName, Message] = {}
        """Encoded backlogs of rooms without a change since the last subscriber: many subscribe at the same time."""

    def write(
        self, name: RoomName, user: User, text: str, key: str | None, now_ms: int, at_wall_ms: int, *, far: int = 0
    ) -> ChatLine:
        """Add a line and send it to the room's sockets, except to slow readers and to people who block the writer.

        Args:
            far: number of subscribers at other nodes, which cost as much as those here.

        Raises:
            RateLimited: the room has so many subscribers that it has to wait.
        """
        room = self._rooms.setdefault(name, ChatRoom())
        room.take_turn(len(self._listeners(name)) + far, now_ms)
        line = ChatLine(user=user, text=text, at=at_wall_ms, key=key)
        self.show(name, line)
        return line

    def show(self, name: RoomName, line: ChatLine) -> None:
        """Add a line that was written at this node or another, and send it to the room's sockets."""
        room = self._rooms.setdefault(name, ChatRoom())
        listeners = self._listeners(name)
        room.add(line)
        self._backlogs.pop(name, None)
        message = Message(chat_body(self._topic.name, name, line))
        is_for = partial(self._is_for, line.user.id, message)
        if name == "spectators":
            self._topic.watchers.word(message, is_for)
        else:
            for connection, subscription in tuple(listeners.items()):
                if is_for(connection, subscription):
                    connection.write_droppable(message.frame(connection.codec))

    def find(self, name: RoomName, user: str, key: str | None) -> ChatLine | None:
        """Return the line that ``user`` wrote with ``key``; None if there is none."""
        room = self._rooms.get(name)
        return None if room is None else room.find(user, key)

    def send_backlog(self, name: RoomName, connection: Connection, subscription: Subscription) -> None:
        """Send ``chat.lines`` to a new subscriber once their block list is known; nothing if no line is for them."""
        room = self._rooms.get(name)
        blocked = subscription.blocked
        if room is None:
            return
        if blocked is None or not any(blocked.hides(line.user.id) for line in room.lines):
            backlog = self._backlogs.get(name)
            if backlog is None:
                backlog = self._backlogs[name] = self._lines_message(name, room.lines)
            connection.write(backlog.frame(connection.codec))
        else:
            # Later lines are sent as they come.
            blocked.when_read(partial(self._send_lines, name, tuple(room.lines), connection, subscription))

    def lines(self, name: RoomName) -> list[ChatLineWire]:
        """Return the backlog of a room."""
        room = self._rooms.get(name)
        return [] if room is None else [line_wire(line) for line in room.lines]

    def joined(self, topic: Topic, others: ChatRooms | None) -> ChatRooms:
        """Return rooms for the subscribers of ``topic`` with the lines of these rooms and of ``others``, in order."""
        rooms: dict[RoomName, ChatRoom] = {}
        names: tuple[RoomName, ...] = ("players", "spectators")
        for name in names:
            said = [*self.said(name), *(() if others is None else others.said(name))]
            if said:
                rooms[name] = room = ChatRoom()
                for line in sorted(said, key=lambda line: line.at):
                    room.add(line)
        return ChatRooms(topic, self._seats, rooms)

    def said(self, name: RoomName) -> Sequence[ChatLine]:
        """Return the backlog of a room, oldest line first."""
        room = self._rooms.get(name)
        return () if room is None else tuple(room.lines)

    def _is_for(self, writer: str, message: Message, connection: Connection, subscription: Subscription) -> bool:
        """Return whether a subscriber receives a line now. While their block list is unknown, the line is sent
        later."""
        if connection.user is not None and self._seats.chat_room(connection.user.id) is None:
            return False
        blocked = subscription.blocked
        if blocked is None or not blocked.hides(writer):
            return True
        if blocked.ids is None:
            blocked.when_read(partial(self._write_later, connection, subscription, writer, message))
        return False

    def _send_lines(
        self, name: RoomName, lines: Sequence[ChatLine], connection: Connection, subscription: Subscription
    ) -> None:
        blocked = subscription.blocked
        assert blocked is not None, "else nothing had to be left out"
        shown = [line for line in lines if not blocked.hides(line.user.id)]
        if shown and self._listens(connection, subscription):
            connection.write(self._lines_message(name, shown).frame(connection.codec))

    def _write_later(self, connection: Connection, subscription: Subscription, writer: str, message: Message) -> None:
        blocked = subscription.blocked
        if blocked is not None and not blocked.hides(writer) and self._listens(connection, subscription):
            connection.write_droppable(message.frame(connection.codec))

    def _listens(self, connection: Connection, subscription: Subscription) -> bool:
        """Return whether the connection still has this subscription."""
        return self._listeners("players" if subscription.player else "spectators").get(connection) is subscription

    def _lines_message(self, name: RoomName, lines: Iterable[ChatLine]) -> Message:
        wired = [line_wire(line) for line in lines]
        body: ChatLinesWire = {"t": "chat.lines", "topic": self._topic.name, "room": name, "lines": wired}
        return Message(body)

    def _listeners(self, name: RoomName) -> Mapping[Connection, Subscription]:
        return self._topic.players if name == "players" else self._topic.watchers


def chat_body(topic: str, room: RoomName, line: ChatLine) -> ChatMessageWire:
    """Return the message for one chat line."""
    return {
        "t": "chat",
        "topic": topic,
        "room": room,
        "user": user_wire(line.user),
        "text": line.text,
        "at": line.at,
    }
