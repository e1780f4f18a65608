"""What sockets need of the server: the session, the sockets of other nodes, and what all sockets share."""

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
    """The session behind the door. All calls but the first are plain: they must not block."""

    async def authenticate(self, token: str) -> Grant | None:
        """Whose token it is and what it is good for, None if nobody's. Raises
        ``HandshakeRefused`` when that cannot be told now."""

    def on_open(self, connection: Connection) -> None:
        """A socket is open; the server speaks first."""

    def on_message(self, connection: Connection, message: dict[str, Any], received_ms: int) -> None:
        """A message came in, decoded and within the rate, at the game time ``received_ms``."""

    def on_close(self, connection: Connection) -> None:
        """The socket is gone. Called exactly once for each ``on_open``."""


class RemoteSockets(Protocol):
    """The sockets of other nodes. They have learnt of a socket here some 50 ms later."""

    def sockets_of(self, user: str) -> int:
        """How many sockets ``user`` has there."""

    def guests_of(self, network: str) -> int:
        """How many sockets of guests and strangers ``network`` has there."""

    def note_network(self, network: str, sockets: int) -> None:
        """So many ``network`` has here now."""


class Door(Protocol):
    """``gateway.Gateway``, as far as handshakes and sockets need it."""

    limits: Limits
    traffic: Traffic
    connections: set[Connection]
    is_closing: bool
    is_away: bool
    trust_tcp_info: bool

    @property
    def handler(self) -> SocketHandler:
        """The session."""

    @property
    def server_time(self) -> ServerTime:
        """Game time."""

    @property
    def read_buffer(self) -> memoryview:
        """What all sockets read into."""

    def proxies(self, config: Config) -> Proxies:
        """Whom to believe about addresses."""

    def next_number(self) -> int:
        """A number for a new connection."""

    def admit(self, user: User | None, address: str) -> None:
        """Count a socket in. Raises ``HandshakeRefused`` (429)."""

    def release(self, user: User | None, address: str) -> None:
        """Count a socket out."""
