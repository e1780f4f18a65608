"""Presence on other nodes: each node tells all others how many sockets a user has there (``ReplicatedFeed``).

Every node knows the changes of the others within some 50 ms. During these 50 ms the socket limits of an account and an
address apply at each node separately: a client that opens sockets at N nodes at once can have N times the limit, and no
more until some close.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from realtime.cluster.bus.replicated_feed import ReplicatedFeed, Topics
from realtime.fanout.message import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from realtime.cluster.bus.cluster import Cluster
    from realtime.people.presence import Presence

    Key = tuple[str, bool]
    """The id of a user, or a network, and whether it is a network."""

TOPICS = Topics(delta="people.news", portion="people.all", want="people.want")

PORTION = 2000
"""Number of users in one message: 60 KB."""

STRANGERS = ("", False)
"""Key of the number of anonymous sockets, which every message has."""


class SocketCount(NamedTuple):
    """The sockets at a node of a user, of a network or of anonymous visitors."""

    open: int
    is_invisible: bool = False
    """The user is not shown online."""


class UserMessage(msgspec.Struct):
    """A message for one user."""

    user: str
    payload: bytes


class PresenceReport(msgspec.Struct, omit_defaults=True):
    """Current numbers of sockets at a node, by user; 0: none."""

    people: dict[str, int] = {}
    networks: dict[str, int] = {}
    """Sockets of guests and anonymous visitors, by address."""
    strangers: int = 0
    first: bool = msgspec.field(default=False, name="is_first")
    last: bool = msgspec.field(default=False, name="is_last")
    invisible: list[str] = []
    """Those of ``people`` who are not shown online. Nodes of older versions neither send nor read it."""


class RemotePresence:
    """Presence at all other nodes.

    Attributes:
        on_user_message: called with a user's id and a message for them from another node, as MessagePack.
    """

    def __init__(self, cluster: Cluster, people: Presence) -> None:
        self.on_user_message: list[Callable[[str, bytes], None]] = []
        self._cluster = cluster
        self._people = people
        self._sockets: Counter[str] = Counter()
        """Sockets on other nodes, by user."""
        self._guests: Counter[str] = Counter()
        """Sockets of guests and anonymous visitors on other nodes, by network."""
        self._networks: dict[str, int] = {}
        """The same on this node."""
        self._feed = ReplicatedFeed(cluster, TOPICS, PresenceReport, self, portion=PORTION)
        people.on_change.append(self._note)
        people.on_send.append(self._send)
        cluster.subscribe("people.send", UserMessage, self._deliver)

    def close(self) -> None:
        """Stop sending and asking."""
        self._feed.close()
        self._people.on_change = [call for call in self._people.on_change if call != self._note]
        self._people.on_send = [call for call in self._people.on_send if call != self._send]

    # -- queries ------------------------------------------------------------------------------------------

    def sockets_of(self, user: str) -> int:
        """Return the number of sockets of ``user`` on other nodes."""
        return self._sockets[user]

    def guests_of(self, network: str) -> int:
        """Return the number of sockets of guests and anonymous visitors of ``network`` on other nodes."""
        return self._guests[network]

    def nodes_of(self, user: str) -> list[str]:
        """Return the other nodes where ``user`` has sockets."""
        return [node for node, counts in self._feed.copies.items() if (user, False) in counts]

    # -- this node ----------------------------------------------------------------------------------------

    def note_network(self, network: str, sockets: int) -> None:
        """Record the number of sockets of guests and anonymous visitors of ``network`` on this node."""
        if sockets:
            self._networks[network] = sockets
        else:
            self._networks.pop(network, None)
        self._feed.note((network, True))

    def flush_user(self, user: str) -> None:
        """Send the pending changes now if they include ``user``, so that they precede the user's request to another
        node.
        """
        if self._feed.is_pending((user, False)):
            self._feed.flush()

    def _note(self, user: str | None) -> None:
        self._feed.note(STRANGERS if user is None else (user, False))

    def _send(self, user: str, payload: bytes) -> None:
        self._cluster.broadcast("people.send", UserMessage(user, payload))

    def keys(self) -> Iterable[Key]:
        """Return everybody here, and their networks."""
        yield from ((user, False) for user in self._people.here())
        yield from ((network, True) for network in self._networks)

    def encode(self, keys: list[Key]) -> PresenceReport:
        """Return the current numbers of sockets here."""
        people = {user: self._people.count_here(user) for user, is_network in keys if user and not is_network}
        invisible = [user for user in people if self._people.is_invisible_here(user)]
        networks = {network: self._networks.get(network, 0) for network, is_network in keys if is_network}
        return PresenceReport(people, networks, self._people.strangers, invisible=invisible)

    # -- other nodes --------------------------------------------------------------------------------------

    def _deliver(self, _: str, message: UserMessage) -> None:
        self._people.send_here(message.user, Message(message.payload))
        for listen in self.on_user_message:
            listen(message.user, message.payload)

    def decode(self, news: PresenceReport) -> Iterable[tuple[Key, SocketCount | None]]:
        """Yield the numbers of sockets at another node."""
        yield STRANGERS, SocketCount(news.strangers) if news.strangers else None
        for network, count in news.networks.items():
            yield (network, True), SocketCount(count) if count else None
        invisible = set(news.invisible)
        for user, count in news.people.items():
            yield (user, False), SocketCount(count, user in invisible) if count else None

    def replaced(self, node: str, key: Key, was: SocketCount | None, now: SocketCount | None) -> None:
        """Count the sockets of ``key`` at ``node``."""
        (name, is_network), more = key, (now.open if now else 0) - (was.open if was else 0)
        if key == STRANGERS:
            self._people.far_strangers += more
            return
        _add(self._guests if is_network else self._sockets, name, more)
        if is_network:
            return
        is_hidden, was_hidden = now is not None and now.is_invisible, was is not None and was.is_invisible
        if is_hidden != was_hidden:
            self._people.set_invisible_remotely(name, invisible=is_hidden)
        if now and not was:
            self._people.came_remotely(name)
        elif was and not now:
            self._people.left_remotely(name)


def _add(counts: Counter[str], name: str, count: int) -> None:
    counts[name] += count
    if counts[name] <= 0:
        del counts[name]
