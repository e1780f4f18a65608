"""Protocols of what sockets need of the server: the dispatcher, the sockets of other nodes, and the gateway."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from uvicorn.config import Config

    from lobby.accounts.user import Grant, User
    from realtime.clock.loop_time import ServerTime
    from realtime.net.connection import Connection
    from realtime.net.handshake import Proxies
    from realtime.ops.traffic import Traffic
    from realtime.protocol.limits import Limits


class SocketHandler(Protocol):
    """Receiver of socket events, implemented by ``dispatch.Dispatcher``.

    Only ``authenticate`` may await; the others are called from the read path and must not block.
    """

    async def authenticate(self, token: str) -> Grant | None:
        """Return the grant of a token, or None. Raises ``HandshakeRefused`` if that is unknown now."""

    def on_open(self, connection: Connection) -> None:
        """Handle a new socket; the server speaks first."""

    def on_message(self, connection: Connection, message: dict[str, Any], received_ms: int) -> None:
        """Handle a decoded message within the rate, received at the game time ``received_ms``."""

    def on_close(self, connection: Connection) -> None:
        """Handle the end of a socket. Called exactly once for each ``on_open``."""


class RemoteSockets(Protocol):
    """The sockets of other nodes, which learn of a socket here about 50 ms later."""

    def sockets_of(self, user: str) -> int:
        """Return the number of sockets of ``user`` there."""

    def guests_of(self, network: str) -> int:
        """Return the number of sockets of guests and anonymous clients of ``network`` there."""

    def note_network(self, network: str, sockets: int) -> None:
        """Report the number of sockets of ``network`` here."""


class SocketGateway(Protocol):
    """The gateway, as far as handshakes and sockets need it."""

    limits: Limits
    traffic: Traffic
    connections: set[Connection]
    is_closing: bool
    is_away: bool
    trust_tcp_info: bool

    @property
    def handler(self) -> SocketHandler:
        """The receiver of the sockets' events."""

    @property
    def server_time(self) -> ServerTime:
        """Game time."""

    @property
    def read_buffer(self) -> memoryview:
        """The buffer into which all sockets read."""

    def proxies(self, config: Config) -> Proxies:
        """Return which proxies to trust about addresses."""

    def next_number(self) -> int:
        """Return a number for a new connection."""

    def admit(self, user: User | None, address: str) -> None:
        """Count a new socket. Raises ``HandshakeRefused`` (429)."""

    def release(self, user: User | None, address: str) -> None:
        """Count a closed socket."""
