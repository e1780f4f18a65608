"""Who is connected, by how many sockets, and how to reach them wherever they are.

The sockets of this node are here. Who has some at other nodes is told by ``cluster/presence.py``.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from websockets.frames import CloseCode

from realtime.fanout.message import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from realtime.net.connection import Connection

LOGGED_OUT = CloseCode.POLICY_VIOLATION
"""The socket's token was revoked."""

REPLACED_S = 1.0
"""How long sockets outlive a token that was replaced by another: until the browser has the new cookie. A page that came
back sooner would come as a stranger."""


class Presence:
    """The sockets of everybody, by user.

    Args:
        on_presence: called with a user's id and whether he is here, when his first socket opens and his last closes,
            of all that he has at any node.

    Attributes:
        strangers: sockets of this node without a user.
        far_strangers: the same of all other nodes.
        on_change: called with the id of a user who has one socket more, or fewer, at this node; None: strangers have.
        on_send: called with the id of a user and a message for him, as MessagePack: for his sockets at other nodes.
    """

    def __init__(self, on_presence: Callable[[str, bool], None]) -> None:
        self._on_presence = on_presence
        self._sockets: dict[str, set[Connection]] = {}
        self._listening: dict[str, set[Connection]] = {}
        """Those that want the ``user`` topic; all, until they unsubscribe."""
        self._ends: dict[Connection, asyncio.TimerHandle] = {}
        """Sockets that came by a token which expires, and what closes them then."""
        self._far: dict[str, int] = {}
        """By user: at how many other nodes he has sockets."""
        self._both = 0
        """Users with sockets at this node and at others."""
        self.strangers = 0
        self.far_strangers = 0
        self.on_change: Callable[[str | None], None] | None = None
        self.on_send: Callable[[str, bytes], None] | None = None

    @property
    def online(self) -> int:
        """Presence with at least one socket anywhere, and strangers, of whom every socket counts."""
        return len(self._sockets) + len(self._far) - self._both + self.strangers + self.far_strangers

    @property
    def online_here(self) -> int:
        """The same of this node alone."""
        return len(self._sockets) + self.strangers

    def here(self) -> list[str]:
        """Ids of all users with a socket at this node."""
        return list(self._sockets)

    def count_here(self, user: str) -> int:
        """How many sockets ``user`` has at this node."""
        return len(self._sockets.get(user, ()))

    def everybody(self) -> list[str]:
        """Ids of all users with a socket anywhere."""
        return list(self._sockets.keys() | self._far.keys())

    def add(self, connection: Connection) -> None:
        """A socket has opened."""
        if connection.user is None or connection.grant is None:
            self.strangers += 1
            if self.on_change is not None:
                self.on_change(None)
            return
        user = connection.user.id
        sockets = self._sockets.setdefault(user, set())
        sockets.add(connection)
        if "read" in connection.grant.scopes:
            self.listen(connection)
        if connection.grant.ends_s is not None:
            # The loop's clock is the monotonic one. A year is fine: it wakes once a day to look again.
            loop, key = asyncio.get_running_loop(), connection.grant.key
            self._ends[connection] = loop.call_at(connection.grant.ends_s, self.log_out, user, key)
        if len(sockets) == 1:
            self._came(user, was_known=user in self._far)
        if self.on_change is not None:
            self.on_change(user)

    def remove(self, connection: Connection) -> None:
        """A socket has closed."""
        if connection.user is None:
            self.strangers -= 1
            if self.on_change is not None:
                self.on_change(None)
            return
        user = connection.user.id
        self.ignore(connection)
        end = self._ends.pop(connection, None)
        if end is not None:
            end.cancel()
        sockets = self._sockets[user]
        sockets.discard(connection)
        if not sockets:
            del self._sockets[user]
            self._left(user, is_known=user in self._far)
        if self.on_change is not None:
            self.on_change(user)

    def came_elsewhere(self, user: str) -> None:
        """``user`` has sockets at one more of the other nodes."""
        nodes = self._far[user] = self._far.get(user, 0) + 1
        if nodes == 1:
            self._came(user, was_known=user in self._sockets)

    def left_elsewhere(self, user: str) -> None:
        """``user`` has sockets at one fewer."""
        self._far[user] -= 1
        if not self._far[user]:
            del self._far[user]
            self._left(user, is_known=user in self._sockets)

    def _came(self, user: str, *, was_known: bool) -> None:
        self._both += was_known
        if not was_known:
            self._on_presence(user, True)  # noqa: FBT003  a callback's own argument

    def _left(self, user: str, *, is_known: bool) -> None:
        self._both -= is_known
        if not is_known:
            self._on_presence(user, False)  # noqa: FBT003  a callback's own argument

    def log_out(self, user: str, token_key: bytes) -> None:
        """The token of that hash is good no more: who came by it has to leave."""
        for connection in tuple(self._sockets.get(user, ())):
            if connection.grant is not None and connection.grant.key == token_key:
                connection.close(LOGGED_OUT, "logged out")

    def log_out_later(self, user: str, token_key: bytes) -> None:
        """The same, but in a moment: who came by that token has another one by then."""
        asyncio.get_running_loop().call_later(REPLACED_S, self.log_out, user, token_key)

    def sockets_of(self, user: str) -> tuple[Connection, ...]:
        """The open sockets of ``user`` at this node."""
        return tuple(self._sockets.get(user, ()))

    def is_here(self, user: str) -> bool:
        """Whether ``user`` has a socket open anywhere."""
        return user in self._sockets or user in self._far

    def listen(self, connection: Connection) -> None:
        """Send this socket what concerns its user."""
        if connection.user is not None:
            self._listening.setdefault(connection.user.id, set()).add(connection)

    def ignore(self, connection: Connection) -> None:
        """Send this socket no more of what concerns its user."""
        if connection.user is not None:
            listening = self._listening.get(connection.user.id)
            if listening is not None:
                listening.discard(connection)
                if not listening:
                    del self._listening[connection.user.id]

    def send(self, user: str, body: Mapping[str, Any]) -> None:
        """Push a message to ``user`` on all his sockets, wherever they are."""
        message = Message(body)
        self.send_here(user, message)
        if self.on_send is not None:
            self.on_send(user, message.payload)

    def tell_here(self, user: str, body: Mapping[str, Any]) -> None:
        """The same on his sockets at this node: each node finds out what is to be said."""
        self.send_here(user, Message(body))

    def send_here(self, user: str, message: Message) -> None:
        """The same of a message that is encoded."""
        for connection in tuple(self._listening.get(user, ())):
            connection.write(message.frame(connection.codec))
