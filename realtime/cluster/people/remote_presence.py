"""Presence on other nodes: each node reports its changes, and its users are forgotten when it dies.

    a socket opens or closes ──► 50 ms ──► people.news: number of sockets of that user here ──► all other nodes
    a node joins, or missed a message ──► people.want ──► people.all, in portions ──► that node

Reports hold counts and not increments, so a repeated or late report does no harm. Every node knows the changes of the
others within some 50 ms. During these 50 ms the socket limits of an account and an address apply at each node
separately: a client that opens sockets at N nodes at once can have N times the limit, and no more until some close.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from realtime.fanout.message import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from realtime.cluster.bus.cluster import Cluster
    from realtime.people.presence import Presence

GATHER_S = 0.05
"""Delay within which changes are batched."""

PORTION = 2000
"""Number of users in one message, between two iterations of the loop: 60 KB."""

AGAIN_S = 1.0
"""Delay before a node is asked again that has not begun, or not finished, its full report."""


class Word(msgspec.Struct):
    """A message for one user."""

    user: str
    payload: bytes


class News(msgspec.Struct):
    """Changes at a node: the current number of sockets by user; 0: none."""

    people: dict[str, int] = {}
    networks: dict[str, int] = {}
    """Sockets of guests and anonymous visitors, by address."""
    strangers: int = 0


class Everything(News):
    """One portion of a full report."""

    is_first: bool = False
    is_last: bool = False


class Nothing(msgspec.Struct):
    """A message without fields."""


class _Far:
    """Presence at one other node, as far as it has reported."""

    def __init__(self) -> None:
        self.people: dict[str, int] = {}
        self.networks: dict[str, int] = {}
        self.strangers = 0
        self.anew: _Far | None = None
        """The full report that is being received."""

    def take(self, news: News) -> None:
        """Apply the reported counts."""
        for known, told in ((self.people, news.people), (self.networks, news.networks)):
            known.update(told)
            for name, count in told.items():
                if count <= 0:
                    del known[name]
        self.strangers = news.strangers


class RemotePresence:
    """Exchange of presence with all other nodes.

    A lone node does no work: changes are recorded only while another node exists.

    Attributes:
        on_word: called with a user's id and a message for them from another node, as MessagePack.
    """

    def __init__(self, cluster: Cluster, people: Presence) -> None:
        self.on_word: list[Callable[[str, bytes], None]] = []
        self._cluster = cluster
        self._people = people
        self._loop = asyncio.get_running_loop()
        self._far: dict[str, _Far] = {}
        self._sockets: Counter[str] = Counter()
        """Sockets on other nodes, by user."""
        self._guests: Counter[str] = Counter()
        """Sockets of guests and anonymous visitors on other nodes, by network."""
        self._networks: dict[str, int] = {}
        """The same on this node."""
        self._changed: set[str] = set()
        self._changed_networks: set[str] = set()
        self._telling: dict[str, Iterator[tuple[str, bool]]] = {}
        """By node that is being sent a full report: the remaining entries, and whether each is a network."""
        self._wanted: set[str] = set()
        """Nodes that owe a full report."""
        self._timer: asyncio.Handle | None = None
        self._asking: asyncio.Handle | None = None
        people.on_change, people.on_send = self._note, self._send
        cluster.hears("people.send", Word, self._take_word)
        cluster.hears("people.news", News, self._take_news)
        cluster.hears("people.all", Everything, self._take_portion)
        cluster.hears("people.want", Nothing, lambda node, _: self._tell_everything(node))
        cluster.on_came.append(self._node_came)
        cluster.on_gone.append(self._node_gone)
        cluster.on_gap.append(self._want)
        for node in cluster.others:
            self._node_came(node)

    def close(self) -> None:
        """Stop sending and asking."""
        for timer in (self._timer, self._asking):
            if timer is not None:
                timer.cancel()
        self._people.on_change = self._people.on_send = None

    # -- queries ------------------------------------------------------------------------------------------

    def sockets_of(self, user: str) -> int:
        """Return the number of sockets of ``user`` on other nodes."""
        return self._sockets[user]

    def guests_of(self, network: str) -> int:
        """Return the number of sockets of guests and anonymous visitors of ``network`` on other nodes."""
        return self._guests[network]

    def nodes_of(self, user: str) -> list[str]:
        """Return the other nodes where ``user`` has sockets."""
        return [node for node, far in self._far.items() if user in far.people]

    # -- sending ------------------------------------------------------------------------------------------

    def note_network(self, network: str, sockets: int) -> None:
        """Record the number of sockets of guests and anonymous visitors of ``network`` on this node."""
        if sockets:
            self._networks[network] = sockets
        else:
            self._networks.pop(network, None)
        if self._cluster.others:
            self._changed_networks.add(network)
            self._tell_soon()

    def _note(self, user: str | None) -> None:
        if self._cluster.others:
            if user is not None:
                self._changed.add(user)
            self._tell_soon()

    def _send(self, user: str, payload: bytes) -> None:
        if self._cluster.others:
            self._cluster.tell_all("people.send", Word(user, payload))

    def tell_of(self, user: str) -> None:
        """Send the pending changes now if they include ``user``, so that they precede the user's request to another
        node.
        """
        if user in self._changed and self._timer is not None:
            self._timer.cancel()
            self._tell()

    def _tell_soon(self) -> None:
        if self._timer is None:
            self._timer = self._loop.call_later(GATHER_S, self._tell)

    def _tell(self) -> None:
        self._timer = None
        people, self._changed = self._changed, set()
        networks, self._changed_networks = self._changed_networks, set()
        while True:
            some = News(
                {user: self._people.count_here(user) for user in _some_of(people)},
                {network: self._networks.get(network, 0) for network in _some_of(networks)},
                self._people.strangers,
            )
            self._cluster.tell_all("people.news", some)
            if not (people or networks):
                break

    def _tell_everything(self, node: str) -> None:
        is_telling = node in self._telling
        users = ((user, False) for user in self._people.here())
        networks = ((network, True) for network in self._networks)
        self._telling[node] = iter([*users, *networks])
        self._cluster.tell(node, "people.all", Everything(is_first=True))
        if not is_telling:
            self._loop.call_soon(self._tell_portion, node)

    def _tell_portion(self, node: str) -> None:
        rest = self._telling.get(node)
        if rest is None:
            return
        # The counts are current; changes before and after this are sent as news.
        some = list(islice(rest, PORTION))
        counts = ((name, self._people.count_here(name)) for name, is_network in some if not is_network)
        people = {user: count for user, count in counts if count}
        networks = {name: self._networks[name] for name, is_network in some if is_network and name in self._networks}
        is_last = len(some) < PORTION
        self._cluster.tell(node, "people.all", Everything(people, networks, self._people.strangers, is_last=is_last))
        if is_last:
            del self._telling[node]
        else:
            self._loop.call_soon(self._tell_portion, node)

    # -- receiving ----------------------------------------------------------------------------------------

    def _take_word(self, _: str, word: Word) -> None:
        self._people.send_here(word.user, Message(word.payload))
        for listen in self.on_word:
            listen(word.user, word.payload)

    def _take_news(self, node: str, news: News) -> None:
        far = self._far.get(node)
        if far is None:
            return  # it is dead, or not known yet: a full report will follow
        if far.anew is not None:
            far.anew.take(news)
        self._replace(far, {name: far.people.get(name, 0) for name in news.people}, news)

    def _take_portion(self, node: str, portion: Everything) -> None:
        far = self._far.get(node)
        if far is None:
            return
        if portion.is_first:
            far.anew = _Far()
        if far.anew is None:
            return  # the first portion was lost; the report is requested again
        far.anew.take(portion)
        if portion.is_last:
            anew, far.anew = far.anew, None
            self._wanted.discard(node)
            gone = dict.fromkeys(far.people.keys() - anew.people.keys(), 0)
            gone_networks = dict.fromkeys(far.networks.keys() - anew.networks.keys(), 0)
            news = News(anew.people | gone, anew.networks | gone_networks, anew.strangers)
            self._replace(far, {name: far.people.get(name, 0) for name in news.people}, news)

    def _replace(self, far: _Far, before: dict[str, int], news: News) -> None:
        """Apply ``news``; ``before`` holds the previous counts of its users."""
        for network, count in news.networks.items():
            _add(self._guests, network, count - far.networks.get(network, 0))
        self._people.far_strangers += news.strangers - far.strangers
        far.take(news)
        for user, was in before.items():
            now = far.people.get(user, 0)
            _add(self._sockets, user, now - was)
            if now and not was:
                self._people.came_elsewhere(user)
            elif was and not now:
                self._people.left_elsewhere(user)

    # -- nodes --------------------------------------------------------------------------------------------

    def _node_came(self, node: str) -> None:
        self._far[node] = _Far()
        self._tell_everything(node)  # it receives news only from now on
        self._want(node)

    def _node_gone(self, node: str) -> None:
        self._telling.pop(node, None)
        self._wanted.discard(node)
        far = self._far.pop(node, None)
        if far is not None:
            nobody = News(dict.fromkeys(far.people, 0), dict.fromkeys(far.networks, 0), 0)
            self._replace(far, dict(far.people), nobody)

    def _want(self, node: str) -> None:
        """Request a full report, because a message from ``node`` was lost."""
        far = self._far.get(node)
        if far is None:
            return
        far.anew = None
        self._wanted.add(node)
        if self._asking is None:
            self._asking = self._loop.call_soon(self._ask)

    def _ask(self) -> None:
        self._asking = None
        for node in self._wanted:
            self._cluster.tell(node, "people.want", Nothing())
        if self._wanted:
            self._asking = self._loop.call_later(AGAIN_S, self._ask)


def _some_of(names: set[str]) -> list[str]:
    """Remove and return one portion of ``names``."""
    return [names.pop() for _ in range(min(PORTION, len(names)))]


def _add(counts: Counter[str], name: str, count: int) -> None:
    counts[name] += count
    if counts[name] <= 0:
        del counts[name]
