"""The gateway of all sockets: admission, and the path from frames to the dispatcher.

A frame passes ``HttpProtocol`` (uvicorn's, until the upgrade) → ``Upgrade`` (the opening handshake) → ``OpenSocket``
(frames to messages) → ``SocketHandler`` (the ``Dispatcher``). Replies are written to a ``Connection``.
"""

from __future__ import annotations

import itertools
from collections import Counter
from typing import TYPE_CHECKING, Any

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from realtime.net.handshake import client_network
from realtime.net.http_protocol import HttpProtocol
from realtime.net.upgrade import Upgrade
from realtime.ops.traffic import Traffic
from realtime.protocol.errors import HandshakeRefused
from realtime.protocol.limits import DEFAULTS, Limits

if TYPE_CHECKING:
    from uvicorn.config import Config

    from lobby.accounts.user import User
    from realtime.clock.loop_time import ServerTime
    from realtime.net.connection import Connection
    from realtime.net.handshake import Proxies
    from realtime.net.ports import RemoteSockets, SocketHandler


READ_BYTES = 64 * 1024
"""Most bytes read from a socket at once: a burst of the longest messages. The rest waits for the next poll."""


class Gateway:
    """What the sockets of one server share.

    Args:
        handler: the dispatcher of messages.
        server_time: game time of the server's loop.
        limits: of sockets and messages.
        trust_tcp_info: whether the kernel's round trip may limit lag compensation; not if connections end at a proxy
            that is not among uvicorn's ``forwarded_allow_ips``.
        traffic: counts for the metrics.
        remote: the sockets of other nodes, which count as those here do; None: there are no other nodes.

    Attributes:
        connections: the open sockets.
        read_buffer: the buffer into which all sockets read.
        is_closing: set when the server stops: handshakes under way are refused.
        is_away: set while this server cannot serve clients and others can: new clients are refused.
    """

    def __init__(
        self,
        handler: SocketHandler,
        server_time: ServerTime,
        *,
        limits: Limits = DEFAULTS,
        trust_tcp_info: bool = True,
        traffic: Traffic | None = None,
        remote: RemoteSockets | None = None,
    ) -> None:
        self.handler = handler
        self.server_time = server_time
        self.limits = limits
        self.trust_tcp_info = trust_tcp_info
        self.traffic = traffic or Traffic()
        self.connections: set[Connection] = set()
        self.is_closing = False
        self.is_away = False
        self._remote = remote
        self.read_buffer = memoryview(bytearray(READ_BYTES))
        self._by_network: Counter[str] = Counter()
        self._by_account: Counter[str] = Counter()
        self._numbers = itertools.count(1)
        self._proxies: Proxies | None = None

    def uvicorn_options(self) -> dict[str, Any]:
        """Return the options that make uvicorn use this gateway."""

        class Http(HttpProtocol):
            handshake_s = self.limits.handshake_s
            stall_s = self.limits.silence_s

        class Ws(Upgrade):
            gateway = self

        return {"http": Http, "ws": Ws}

    def proxies(self, config: Config) -> Proxies:
        """Return which proxies to trust about addresses: uvicorn's own list, so that pages and sockets agree."""
        if self._proxies is None:
            trusted = config.forwarded_allow_ips if config.proxy_headers else []
            self._proxies = ProxyHeadersMiddleware(_no_app, trusted).trusted_hosts
        return self._proxies

    def next_number(self) -> int:
        """Return a number for a new connection."""
        return next(self._numbers)

    def admit(self, user: User | None, address: str) -> None:
        """Count a new socket. Raises ``HandshakeRefused`` (429) above a limit."""
        limits, remote = self.limits, self._remote
        network = client_network(address) if _is_passer_by(user) else None
        if user is not None:
            sockets = self._by_account[user.id] + (0 if remote is None else remote.sockets_of(user.id))
            if sockets >= limits.accounts:
                raise HandshakeRefused(429, "rate_limited", f"an account can have at most {limits.accounts} sockets")
        if network is not None:
            sockets = self._by_network[network] + (0 if remote is None else remote.guests_of(network))
            if sockets >= limits.connections:
                text = f"an address can have at most {limits.connections} guest sockets"
                raise HandshakeRefused(429, "rate_limited", text)
        if user is not None:
            self._by_account[user.id] += 1
        if network is not None:
            self._by_network[network] += 1
            if remote is not None:
                remote.note_network(network, self._by_network[network])

    def release(self, user: User | None, address: str) -> None:
        """Count a closed socket."""
        if user is not None:
            _forget_one(self._by_account, user.id)
        if _is_passer_by(user):
            network = client_network(address)
            _forget_one(self._by_network, network)
            if self._remote is not None:
                self._remote.note_network(network, self._by_network[network])


async def _no_app(scope: object, receive: object, send: object) -> None:
    """Placeholder application for uvicorn's middleware, of which only the list of proxies is used."""


def _is_passer_by(user: User | None) -> bool:
    return user is None or user.kind == "guest"


def _forget_one(counts: Counter[str], key: str) -> None:
    """Decrement a count, and remove it at zero so that the counter does not grow without bound."""
    counts[key] -= 1
    if counts[key] <= 0:
        del counts[key]
