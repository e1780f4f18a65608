"""Nodes in one process, and the people who are connected to them."""

from __future__ import annotations

import itertools
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from lobby.accounts.user import Grant, User
from realtime.cluster.bus.bus import Exchange, LocalBus
from realtime.cluster.bus.cluster import Cluster
from realtime.cluster.people.remote_presence import RemotePresence
from realtime.journal.nodes import Node
from realtime.net.gateway import Gateway
from realtime.people.presence import Presence
from realtime.protocol.codec import frame_payload
from realtime.protocol.limits import DEFAULTS
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from realtime.postgres.database import Pool

_numbers = itertools.count(1)


class Socket:
    """The part of an open socket that ``Presence`` needs; ``heard`` are the messages written to it."""

    codec = "msgpack"

    def __init__(self, user: User | None) -> None:
        self.user = user
        self.grant = None if user is None else Grant(user, b"token of " + user.id.encode())
        self.number = next(_numbers)
        self.heard: list[dict[str, Any]] = []
        self.closed = False
        self.closed_with: int | None = None

    def write(self, frame: bytes) -> None:
        """Take one frame, or several in a row."""
        while frame:
            payload = frame_payload(frame)
            length = frame[1]
            if frame[1] == 126:
                length = int.from_bytes(frame[2:4])
            elif frame[1] == 127:
                length = int.from_bytes(frame[2:10])
            self.heard.append(msgspec.msgpack.decode(payload[:length]))
            frame = frame[len(frame) - len(payload) + length :]

    def close(self, code: int, reason: str) -> None:
        """Close it; its owner removes it."""
        self.closed, self.closed_with = True, code


class Guest:
    """A node of a cluster, with people."""

    def __init__(self, url: str, pool: Pool, name: str, exchange: Exchange) -> None:
        self.name = name
        self.pool = pool
        self.exchange = exchange
        self.node = Node(url, pool, name)
        self.cluster = Cluster(name, LocalBus(exchange), pool)
        self.notices: list[tuple[str, bool]] = []
        self.people = Presence(self.notice)
        self.presence = RemotePresence(self.cluster, self.people)
        self.gateway = Gateway(None, None, limits=DEFAULTS, remote=self.presence)  # type: ignore[arg-type]  # nobody speaks to it

    def notice(self, user: str, here: bool) -> None:
        """Note that a person has come or gone."""
        self.notices.append((user, here))

    async def come(self) -> None:
        """Start, and join the cluster."""
        await self.node.start()
        await self.cluster.start()

    async def die(self) -> None:
        """Stop like a crash, except that the lease ends at once."""
        self.presence.close()
        await self.cluster.close()
        await self.node.close()

    def enter(self, user: User | None) -> Any:
        """Open a socket."""
        socket: Any = Socket(user)
        self.people.add(socket)
        return socket

    def leave(self, socket: Any) -> None:
        """Close a socket."""
        self.people.remove(socket)


@asynccontextmanager
async def party(url: str, pool: Pool, *names: str, exchange: Exchange | None = None) -> AsyncIterator[list[Guest]]:
    """Run nodes that know and reach each other."""
    exchange = exchange or Exchange()
    async with AsyncExitStack() as stack:
        guests = [Guest(url, pool, name, exchange) for name in names]
        for guest in guests:
            await guest.come()
            stack.push_async_callback(guest.die)
        await meet(*guests)
        yield guests


async def meet(*guests: Guest) -> None:
    """Wait until the nodes see and hear each other."""
    for guest in guests:
        await guest.cluster.look()
    await until(lambda: all(one.cluster.is_reached(other.name) for one in guests for other in guests))


def person(name: str) -> User:
    """Return a user with this name, which is also their id."""
    return User(name, name, "guest")
