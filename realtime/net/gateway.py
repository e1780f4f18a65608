"""The door for sockets: who may come in, counted, and to whom their messages go.

The straight line of a frame: ``HttpProtocol`` (uvicorn's, until the upgrade) → ``Upgrade`` (the opening handshake) →
``OpenSocket`` (frames to messages) → ``SocketHandler`` (the session). What goes back is written to a ``Connection``.
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
"""Most that is read from a socket at once: a burst of the longest messages; who sends more waits for the next poll."""


class Gateway:
    """What the sockets of one server share.

    Args:
        handler: the session.
        server_time: game time of the loop the server runs in.
        limits: of sockets and messages.
        trust_tcp_info: whether the kernel's round trip may hold down lag compensation; not where connections end at a
            proxy that is not among uvicorn's ``forwarded_allow_ips``.
        traffic: counts for the metrics.
        remote: the sockets of other nodes, which count as those here do; None: there are no other nodes.

    Attributes:
        connections: the sockets that are open.
        read_buffer: what all sockets read into.
        is_closing: set when the server stops: who is still at the door is refused.
        is_away: set while the server cannot do anything for anybody and others can: nobody is let in.
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
        """What ``uvicorn.Config`` has to be given so that this is its door."""

        class Http(HttpProtocol):
            handshake_s = self.limits.handshake_s
            stall_s = self.limits.silence_s

        class Ws(Upgrade):
            gateway = self

        return {"http": Http, "ws": Ws}

    def proxies(self, config: Config) -> Proxies:
        """Whom to believe about addresses: uvicorn's own list, so that pages and sockets agree."""
        if self._proxies is None:
            trusted = config.forwarded_allow_ips if config.proxy_headers else []
            self._proxies = ProxyHeadersMiddleware(_no_app, trusted).trusted_hosts
        return self._proxies

    def next_number(self) -> int:
        """A number for a new connection."""
        return next(self._numbers)

    def admit(self, user: User | None, address: str) -> None:
        """Count a socket in. Raises ``HandshakeRefused`` (429) where that is one too many."""
        limits, remote = self.limits, self._remote
        network = client_network(address) if _is_passer_by(user) else None
        if user is not None:
            sockets = self._by_account[user.id] + (0 if remote is None else remote.sockets_of(user.id))
            if sockets >= limits.accounts:
                raise HandshakeRefused(429, "rate_limited", f"an account may have {limits.accounts} sockets")
        if network is not None:
            sockets = self._by_network[network] + (0 if remote is None else remote.guests_of(network))
            if sockets >= limits.connections:
                text = f"an address may have {limits.connections} sockets of guests"
                raise HandshakeRefused(429, "rate_limited", text)
        if user is not None:
            self._by_account[user.id] += 1
        if network is not None:
            self._by_network[network] += 1
            if remote is not None:
                remote.note_network(network, self._by_network[network])

    def release(self, user: User | None, address: str) -> None:
        """Count a socket out."""
        if user is not None:
            _forget_one(self._by_account, user.id)
        if _is_passer_by(user):
            network = client_network(address)
            _forget_one(self._by_network, network)
            if self._remote is not None:
                self._remote.note_network(network, self._by_network[network])


async def _no_app(scope: object, receive: object, send: object) -> None:
    """Stands where uvicorn's middleware wants an application; only its list of proxies is used."""


def _is_passer_by(user: User | None) -> bool:
    return user is None or user.kind == "guest"


def _forget_one(counts: Counter[str], key: str) -> None:
    """Count one out, and forget who has none left: addresses come and go for ever."""
    counts[key] -= 1
    if counts[key] <= 0:
        del counts[key]
