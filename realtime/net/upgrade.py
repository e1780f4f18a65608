"""uvicorn's ``ws`` class: the opening handshake of a socket, answered with 101 or with an error in JSON.

``HttpProtocol`` hands every upgrade to the class that uvicorn was given: ``cls(config, server_state, app_state)``,
``connection_made(transport)``, ``receive_request(head, early)``. At SIGTERM uvicorn calls ``shutdown()`` of all in
``server_state.connections`` and waits for that set to empty. This is not documented, so uvicorn is pinned and a test
checks the contract::

    ASKING ── a token ──► DECIDING ── the session is known ──► an OpenSocket takes over
       │                      │                                           ▲
       ├── anonymous ─────────┼───────────────────────────────────────────┘
       └── not a valid request┴── bad token, too many, too slow ──► REFUSED ── the peer closes, or close_s ──► gone
"""

from __future__ import annotations

import asyncio
import logging
from enum import Enum
from typing import TYPE_CHECKING, Any, cast

from websockets.exceptions import HeaderLineTooLong, RequestLineTooLong, TooManyHeaders

from realtime.clock.loop_time import prioritize
from realtime.clock.reference_cycles import untie_protocol, untie_transport
from realtime.net.connection import end_writing
from realtime.net.handshake import WebSocket, json_response, read_request, refusal
from realtime.net.open_socket import OpenSocket
from realtime.protocol.errors import HandshakeRefused

if TYPE_CHECKING:
    from uvicorn.config import Config
    from uvicorn.server import ServerState
    from websockets.http11 import Request, Response

    from lobby.accounts.user import Grant
    from realtime.net.handshake import HandshakeRequest
    from realtime.net.ports import SocketGateway

logger = logging.getLogger(__name__)

PROTOCOL_LOG = logging.getLogger("websockets")
"""Logger for the library, which logs whole requests and frames at level debug, tokens and chat included. ``log.set_up``
keeps it at warnings."""

RESTARTS = HandshakeRefused(503, "unavailable", "the server is restarting; try again in a moment")
AWAY = HandshakeRefused(503, "unavailable", "this server cannot reach the database; connect to another")
CANNOT_TELL = HandshakeRefused(503, "unavailable", "the session cannot be looked up at the moment; try again")


class State(Enum):
    """State of the handshake; see the drawing above."""

    ASKING = 0
    DECIDING = 1
    REFUSED = 2


class Upgrade(asyncio.Protocol):
    """One handshake. The transport is the HTTP connection's, and becomes the socket's."""

    __slots__ = ("_config", "_early", "_loop", "_server_state", "_state", "_task", "_timer", "_transport", "_websocket")

    gateway: SocketGateway
    """Set by ``Gateway.uvicorn_options``."""

    def __init__(self, config: Config, server_state: ServerState, app_state: dict[str, Any]) -> None:
        self._config = config
        self._server_state = server_state
        self._loop = asyncio.get_running_loop()
        self._websocket = WebSocket(max_size=self.gateway.limits.frame_bytes, logger=PROTOCOL_LOG)
        self._transport: asyncio.Transport
        self._state = State.ASKING
        self._task: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._early = b""
        """Data that an eager client sent with its request, although RFC 6455 §4.1 requires it to wait for the answer.
        At most two reads of the transport: reading is paused until the answer is sent."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take over the HTTP protocol's transport."""
        self._transport = cast("asyncio.Transport", transport)
        connections_of(self._server_state).add(self)

    def data_received(self, data: bytes) -> None:
        """Keep data that comes too early, and ignore data that comes too late."""
        if self._state is State.DECIDING:
            self._early += data

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that the peer has gone before it was admitted, or has closed a refused connection."""
        connections_of(self._server_state).discard(self)
        self._state = State.REFUSED
        if self._task is not None:
            self._task.cancel()
        if self._timer is not None:
            self._timer.cancel()
        untie_protocol(self._websocket)
        prioritize(self._transport)
        untie_transport(self._transport)

    def shutdown(self) -> None:
        """Refuse because the server stops: uvicorn's call to each of its connections."""
        self.gateway.is_closing = True
        if self._task is not None:
            self._task.cancel()
        self._refuse(RESTARTS)

    def receive_request(self, head: bytes, early: bytes) -> None:
        """Check the request ``head`` as far as possible without the session, and start looking that up; an anonymous
        client is admitted at once. ``early`` is the data behind it."""
        self._early = early
        self._websocket.receive_data(head)
        events = self._websocket.events_received()
        peer = self._transport.get_extra_info("peername")
        try:
            if not events:
                raise _unreadable(self._websocket.handshake_exc)
            request = cast("Request", events[0])
            address = str(peer[0]) if isinstance(peer, tuple) else ""  # a Unix socket has none
            handshake = read_request(request, address, self.gateway.proxies(self._config))
            if self.gateway.is_away:
                raise AWAY  # before the database is queried
        except HandshakeRefused as refused:
            self._refuse(refused)
            return
        response = self._websocket.accept(request)
        if response.status_code != 101:
            text = bytes(response.body).decode().strip()
            self._answer(json_response(response.status_code, "bad_message", text, response.headers))
            return
        self._state = State.DECIDING
        if handshake.token is None:
            self._admit(handshake, None, response)
            return
        self._transport.pause_reading()
        self._task = self._loop.create_task(self._decide(handshake, response), name="handshake")
        self._server_state.tasks.add(self._task)
        self._task.add_done_callback(self._server_state.tasks.discard)

    async def _decide(self, handshake: HandshakeRequest, response: Response) -> None:
        """Look the session up, and admit the socket or refuse it."""
        try:
            grant = await self._authenticate(handshake)
        except HandshakeRefused as refused:
            self._refuse(refused)
        except TimeoutError:
            logger.warning(
                "looking up a session from %s took over %g s", handshake.address, self.gateway.limits.handshake_s
            )
            self._refuse(CANNOT_TELL)
        except Exception:  # the top of this task: a database error must not leave the request unanswered
            logger.exception("the handshake of %s failed", handshake.address)
            self._refuse(CANNOT_TELL)
        else:
            self._admit(handshake, grant, response)

    def _admit(self, handshake: HandshakeRequest, grant: Grant | None, response: Response) -> None:
        """Count the socket, and admit it within the limits."""
        if self.gateway.is_closing:
            self._refuse(RESTARTS)
            return
        if self.gateway.is_away:
            self._refuse(AWAY)
            return
        try:
            self.gateway.admit(None if grant is None else grant.user, handshake.address)
        except HandshakeRefused as refused:
            self._refuse(refused)
        else:
            self._let_in(handshake, grant, response)

    async def _authenticate(self, handshake: HandshakeRequest) -> Grant | None:
        assert handshake.token is not None, "strangers need not be looked up"
        async with asyncio.timeout(self.gateway.limits.handshake_s):
            grant = await self.gateway.handler.authenticate(handshake.token)
        if grant is None and handshake.by_bearer:
            raise HandshakeRefused(401, "unauthenticated", "the token is unknown or has expired; sign in again")
        return grant

    def _let_in(self, handshake: HandshakeRequest, grant: Grant | None, response: Response) -> None:
        """Answer with 101. From here on there is a connection, and the handler is told when it ends."""
        codec = self._websocket.codec
        socket = OpenSocket(self.gateway, handshake, grant, codec, self._transport, self._server_state)
        connections = connections_of(self._server_state)
        connections.discard(self)
        connections.add(socket)
        self._transport.set_protocol(socket)
        untie_protocol(self._websocket)
        socket.open(response.serialize(), self._early)

    def _refuse(self, refused: HandshakeRefused) -> None:
        if self._state is not State.REFUSED:
            self._answer(refusal(refused))

    def _answer(self, response: Response) -> None:
        """Answer with an error and end the stream; the peer has ``close_s`` to read it and close."""
        self._state = State.REFUSED
        self.gateway.traffic.refused[response.status_code] += 1
        if self._transport.is_closing():
            return
        self._transport.write(response.serialize())
        if self._transport.can_write_eof():
            # Not closed at once: with unread bytes of an eager client the kernel would send a reset, which can overtake
            # the answer.
            end_writing(self._transport)
            self._transport.resume_reading()
            self._timer = self._loop.call_later(self.gateway.limits.close_s, self._transport.abort)
        else:
            self._transport.close()


def connections_of(server_state: ServerState) -> set[Any]:
    """Return uvicorn's set of connections to shut down, which is typed for its own protocols only."""
    return cast("set[Any]", server_state.connections)


def _unreadable(error: Exception | None) -> HandshakeRefused:
    """Return why ``websockets`` cannot read the request although uvicorn's parser could: it requires it short and
    without a body."""
    if isinstance(error, RequestLineTooLong):
        return HandshakeRefused(414, "bad_message", "the request line is too long")
    if isinstance(error, HeaderLineTooLong | TooManyHeaders):
        return HandshakeRefused(431, "bad_message", "the headers are too long")
    return HandshakeRefused(400, "bad_message", "not an upgrade request: malformed, or with a body")
