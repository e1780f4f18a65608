"""Presence: which users are connected, with how many sockets, and how to reach them on any node.

The sockets of this node are held here. Sockets at other nodes are reported by ``cluster/people/remote_presence.py``.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from websockets.frames import CloseCode

from lobby.robots.robot_accounts import is_robot
from realtime.fanout.message import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from realtime.net.connection import Connection

LOGGED_OUT = CloseCode.POLICY_VIOLATION
"""Close code for a socket whose token was revoked."""

REPLACED_S = 1.0
"""Time for which sockets outlive a token that was replaced by another, until the browser has the new cookie. A page
that reconnected sooner would be anonymous.
"""


class Presence:
    """The sockets of all users.

    Attributes:
        on_presence: called with a user's id and whether they are connected, when their first socket opens or their last
            closes, counting all nodes.
        strangers: number of anonymous sockets at this node.
        far_strangers: number of anonymous sockets at all other nodes.
        on_shown: called with a user's id when it may have changed whether they are shown online.
        on_change: called with a user's id when their number of sockets at this node changes; None: of anonymous
            sockets.
        on_send: called with a user's id and a message for their sockets at other nodes, as MessagePack.
    """

    def __init__(self, *on_presence: Callable[[str, bool], None]) -> None:
        self.on_presence = list(on_presence)
        self._sockets: dict[str, set[Connection]] = {}
        self._listening: dict[str, set[Connection]] = {}
        """Sockets subscribed to the ``user`` topic: all, until they unsubscribe."""
        self._ends: dict[Connection, asyncio.TimerHandle] = {}
        """Sockets whose token expires, with the timers that close them."""
        self._far: dict[str, int] = {}
        """By user, the number of other nodes where they have sockets."""
        self._both = 0
        """Number of users with sockets both at this node and at others."""
        self._invisible: set[str] = set()
        """Users with a socket at this node who are not shown online."""
        self._far_invisible: dict[str, int] = {}
        """By such user, the number of other nodes where they have sockets."""
        self.strangers = 0
        self.far_strangers = 0
        self.on_shown: list[Callable[[str], None]] = []
        self.on_change: list[Callable[[str | None], None]] = []
        self.on_send: list[Callable[[str, bytes], None]] = []

    @property
    def online(self) -> int:
        """Return the number of users who are shown online, plus all anonymous sockets."""
        people = len(self._sockets) + len(self._far) - self._both
        hidden = len(self._invisible | self._far_invisible.keys())
        return people - hidden + self.strangers + self.far_strangers

    @property
    def online_here(self) -> int:
        """Return the number of users with a socket at this node, plus its anonymous sockets."""
        return len(self._sockets) + self.strangers

    def here(self) -> list[str]:
        """Return the ids of all users with a socket at this node."""
        return list(self._sockets)

    def count_here(self, user: str) -> int:
        """Return the number of sockets of ``user`` at this node."""
        return len(self._sockets.get(user, ()))

    def everybody(self) -> list[str]:
        """Return the ids of all users with a socket anywhere."""
        return list(self._sockets.keys() | self._far.keys())

    def add(self, connection: Connection) -> None:
        """Add an open socket."""
        if connection.user is None or connection.grant is None:
            self.strangers += 1
            self._changed(None)
            return
        user = connection.user.id
        sockets = self._sockets.setdefault(user, set())
        sockets.add(connection)
        if "read" in connection.grant.scopes:
            self.listen(connection)
        if connection.grant.ends_s is not None:
            # The loop's clock is monotonic. A year works: the timer wakes once a day to check.
            loop, key = asyncio.get_running_loop(), connection.grant.key
            self._ends[connection] = loop.call_at(connection.grant.ends_s, self.log_out, user, key)
        if connection.grant.is_invisible and user not in self._invisible:
            self._invisible.add(user)
            self._call_shown(user)
        if len(sockets) == 1:
            self._came(user, was_known=user in self._far)
        self._changed(user)

    def remove(self, connection: Connection) -> None:
        """Remove a closed socket."""
        if connection.user is None:
            self.strangers -= 1
            self._changed(None)
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
            self._invisible.discard(user)
            self._left(user, is_known=user in self._far)
        self._changed(user)

    def _changed(self, user: str | None) -> None:
        for call in self.on_change:
            call(user)

    def apply_grants(self, user: str) -> None:
        """Note whether ``user`` is shown online, after the grants of their sockets at this node have changed."""
        is_invisible = any(one.grant is not None and one.grant.is_invisible for one in self._sockets.get(user, ()))
        if is_invisible != (user in self._invisible):
            (self._invisible.add if is_invisible else self._invisible.discard)(user)
            self._call_shown(user)
            self._changed(user)

    def is_invisible_here(self, user: str) -> bool:
        """Return whether ``user`` has a socket at this node and is not shown online."""
        return user in self._invisible

    def set_invisible_remotely(self, user: str, *, invisible: bool) -> None:
        """Record that one more node, or one fewer, has sockets of ``user`` and does not show them online."""
        nodes = self._far_invisible.pop(user, 0) + (1 if invisible else -1)
        if nodes > 0:
            self._far_invisible[user] = nodes
        self._call_shown(user)

    def came_remotely(self, user: str) -> None:
        """Record that ``user`` has sockets at one more node."""
        nodes = self._far[user] = self._far.get(user, 0) + 1
        if nodes == 1:
            self._came(user, was_known=user in self._sockets)

    def left_remotely(self, user: str) -> None:
        """Record that ``user`` has sockets at one node fewer."""
        self._far[user] -= 1
        if not self._far[user]:
            del self._far[user]
            self._left(user, is_known=user in self._sockets)

    def _came(self, user: str, *, was_known: bool) -> None:
        self._both += was_known
        if not was_known:
            self._announce(user, here=True)

    def _left(self, user: str, *, is_known: bool) -> None:
        self._both -= is_known
        if not is_known:
            self._announce(user, here=False)

    def _announce(self, user: str, *, here: bool) -> None:
        for call in self.on_presence:
            call(user, here)
        self._call_shown(user)

    def _call_shown(self, user: str) -> None:
        for call in self.on_shown:
            call(user)

    def log_out(self, user: str, token_key: bytes) -> None:
        """Close the sockets that use the token with this hash, which was revoked."""
        for connection in tuple(self._sockets.get(user, ())):
            if connection.grant is not None and connection.grant.key == token_key:
                connection.close(LOGGED_OUT, "logged out")

    def log_out_later(self, user: str, token_key: bytes) -> None:
        """Do the same after ``REPLACED_S``, when the clients have a new token."""
        asyncio.get_running_loop().call_later(REPLACED_S, self.log_out, user, token_key)

    def sockets_of(self, user: str) -> tuple[Connection, ...]:
        """Return the open sockets of ``user`` at this node."""
        return tuple(self._sockets.get(user, ()))

    def is_here(self, user: str) -> bool:
        """Return whether ``user`` has an open socket anywhere."""
        return user in self._sockets or user in self._far

    def is_shown(self, user: str) -> bool:
        """Return whether ``user`` has an open socket anywhere and is shown online.

        A robot of the server is, to whoever looks at it. ``shown_users`` and ``online`` leave it out, since they count
        people.
        """
        is_hidden = user in self._invisible or user in self._far_invisible
        return self.is_here(user) and (not is_hidden or is_robot(user))

    def shown_users(self) -> list[str]:
        """Return the ids of all users who are shown online."""
        return list((self._sockets.keys() | self._far.keys()) - self._invisible - self._far_invisible.keys())

    def listen(self, connection: Connection) -> None:
        """Send this socket the messages for its user."""
        if connection.user is not None:
            self._listening.setdefault(connection.user.id, set()).add(connection)

    def ignore(self, connection: Connection) -> None:
        """Stop sending this socket the messages for its user."""
        if connection.user is not None:
            listening = self._listening.get(connection.user.id)
            if listening is not None:
                listening.discard(connection)
                if not listening:
                    del self._listening[connection.user.id]

    def send(self, user: str, body: Mapping[str, Any]) -> None:
        """Send a message to all sockets of ``user``, on any node."""
        message = Message(body)
        self.send_here(user, message)
        for call in self.on_send:
            call(user, message.payload)

    def send_body_here(self, user: str, body: Mapping[str, Any]) -> None:
        """Send a message to the sockets of ``user`` at this node, for events that each node detects itself."""
        self.send_here(user, Message(body))

    def send_here(self, user: str, message: Message) -> None:
        """Send an encoded message to the sockets of ``user`` at this node."""
        for connection in tuple(self._listening.get(user, ())):
            connection.write(message.frame(connection.codec))
