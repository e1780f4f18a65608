"""Receiving side of an open socket: bytes to frames (by ``websockets``) to messages, which go to the dispatcher.

A message reaches the dispatcher by a plain call, without queue or task::

    ping, unawaited pong      counted like a message, otherwise ignored (its pong is queued by ``websockets``)
    awaited pong              one measurement of the round trip
    data of the other kind    1003
    a fragment                joined to its message; ``websockets`` limits the sum (1009)
    a message over the rate   ``rate_limited``, with the ``id`` if it is short; after a burst of those, 4008
    invalid UTF-8             1007
    not decodable             ``bad_message``
    a message                 ``SocketHandler.on_message``

Nearly all are short, whole and alone in what was read: those bypass the parser (``short_frames.py``).

Once ``connection.closed`` is set nothing is delivered any more, and the transport ends within ``Limits.close_s``.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import socket
from typing import TYPE_CHECKING, Any, cast

from websockets.frames import CloseCode, Frame, Opcode
from websockets.protocol import OPEN
from websockets.server import ServerProtocol

from lobby.errors import BadMessage, RateLimited, Unavailable
from realtime.clock.loop_time import prioritize
from realtime.clock.reference_cycles import untie_protocol, untie_transport
from realtime.net.connection import FLOOD, Connection
from realtime.net.rate_limits import RateVerdict, SocketRate
from realtime.net.round_trip import kernel_round_trip_ms
from realtime.net.short_frames import SHORT, ends_with_a_frame, first_byte, short_payload
from realtime.protocol.codec import decode_json, decode_msgpack
from realtime.protocol.errors import error_message
from realtime.protocol.requests import request_id

if TYPE_CHECKING:
    from collections.abc import Callable

    from uvicorn.server import ServerState

    from lobby.accounts.user import Grant
    from realtime.net.handshake import HandshakeRequest
    from realtime.net.ports import SocketGateway
    from realtime.protocol.codec import Codec
    from realtime.protocol.limits import Limits

logger = logging.getLogger(__name__)

PROTOCOL_LOG = logging.getLogger("websockets")
"""Logger for the library, which logs whole frames at level debug."""

GOODBYES = (CloseCode.NORMAL_CLOSURE, CloseCode.GOING_AWAY)
"""Close codes of a page that was closed or left on purpose."""

NOTHING = bytearray()

PONG = first_byte(Opcode.PONG)

PING_JITTER = 0.1
"""Share by which pings come earlier or later, so that ten thousand sockets opened together drift apart."""

RATE_LIMITED = RateLimited("too many messages; slow down")

REFUSED_BYTES = 256
"""A refused message up to this length is decoded for its ``id``: a move has a fifth of it. That costs a microsecond or
two, a tenth of the reply, and is bounded by the flood limit. Longer ones are not decoded."""


class OpenSocket(asyncio.BufferedProtocol):
    """One socket from its 101 to its end.

    It is a buffered protocol, so that asyncio reads into one buffer of ours. For other protocols it allocates 256 KiB a
    read and shrinks them, which takes more time than all other work on a frame.
    """

    __slots__ = (
        "_connection", "_first_byte", "_gateway", "_heard_ms", "_is_between", "_loop", "_opcode", "_overdrawn",
        "_parts", "_ping", "_ping_sent_ms", "_proxied", "_rate", "_server_state", "_timer", "_transport", "_websocket",
    )  # fmt: skip

    def __init__(
        self,
        gateway: SocketGateway,
        handshake: HandshakeRequest,
        grant: Grant | None,
        codec: Codec,
        transport: asyncio.Transport,
        server_state: ServerState,
    ) -> None:
        self._gateway = gateway
        self._transport = transport
        # Not the handshake's, whose parser would keep the request's headers for the life of the socket.
        self._websocket = ServerProtocol(state=OPEN, max_size=gateway.limits.frame_bytes, logger=PROTOCOL_LOG)
        self._server_state = server_state
        self._loop = asyncio.get_running_loop()
        self._connection = Connection(
            number=gateway.next_number(),
            grant=grant,
            codec=codec,
            address=handshake.address,
            transport=transport,
            websocket=self._websocket,
            loop=self._loop,
            limits=gateway.limits,
            traffic=gateway.traffic,
        )
        now_ms = gateway.server_time.now_ms()
        self._opcode = Opcode.BINARY if codec == "msgpack" else Opcode.TEXT
        """Opcode of data frames, as agreed."""
        self._first_byte = first_byte(self._opcode)
        """First byte of unfragmented messages."""
        self._is_between = gateway.limits.frame_bytes >= SHORT
        """Whether all data so far ended with a frame; otherwise everything goes through the parser."""
        self._rate = SocketRate(gateway.limits, now_ms)
        self._parts = bytearray()
        """The fragments of a message so far."""
        self._overdrawn = False
        """Whether one of the fragments was over the rate."""
        self._proxied = handshake.proxied
        if handshake.proxied:
            self._connection.round_trip.behind_proxy(handshake.rtt_ms)
        self._heard_ms = now_ms
        """When the last bytes came."""
        self._ping = 0
        self._ping_sent_ms: int | None = None
        """When the last ping was sent; None after its pong."""
        self._timer: asyncio.TimerHandle | None = None

    def open(self, answer: bytes, early: bytes) -> None:
        """Tell the handler, then start reading: ``early`` first, which came before the handshake was answered.
        ``answer``, the first messages and the first ping are written in one piece."""
        connection = self._connection
        gateway = self._gateway
        gateway.connections.add(connection)
        gateway.traffic.open += 1
        gateway.traffic.opened += 1
        _limit_sending(self._transport, gateway.limits)
        if connection.user is not None:
            prioritize(self._transport)  # a user may play; an anonymous client can only watch
        connection.cork()
        connection.write(answer)
        if not self._call(gateway.handler.on_open, connection):
            connection.close(CloseCode.INTERNAL_ERROR, "the server failed")
        if early:
            self._receive(early)
        self._watch()
        connection.uncork()
        self._transport.resume_reading()

    def get_buffer(self, sizehint: int) -> memoryview:
        """Return the buffer for asyncio, which is consumed before any other socket's turn."""
        return self._gateway.read_buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Process received bytes: any number of frames, or part of one."""
        self._receive(bytes(self._gateway.read_buffer[:nbytes]))

    def connection_lost(self, exc: Exception | None) -> None:
        """Note the end of the transport, whoever ended it."""
        connection = self._connection
        gateway = self._gateway
        cast("set[Any]", self._server_state.connections).discard(self)
        gateway.connections.discard(connection)
        gateway.release(connection.user, connection.address)
        gateway.traffic.open -= 1
        gateway.traffic.count_close(self._close_code())
        if self._timer is not None:
            self._timer.cancel()
        connection.lost()
        self._call(gateway.handler.on_close, connection)
        prioritize(self._transport)
        untie_transport(self._transport)
        untie_protocol(self._websocket)

    def shutdown(self) -> None:
        """Close the socket because the server stops: uvicorn's call to each of its connections."""
        self._gateway.is_closing = True
        self._connection.close(CloseCode.SERVICE_RESTART, "the server is restarting")

    def _receive(self, data: bytes) -> None:
        websocket = self._websocket
        connection = self._connection
        self._heard_ms = received_ms = self._gateway.server_time.stamp_ms()
        if self._is_between:
            # Only without a pending fragment, whose other parts would have to come first.
            if websocket.current_size is None and not connection.closed and self._receive_short(data, received_ms):
                return
            self._is_between = ends_with_a_frame(data)
        websocket.receive_data(data)
        for event in websocket.events_received():
            if connection.closed:
                break
            frame = cast("Frame", event)
            opcode = frame.opcode
            if opcode is self._opcode and frame.fin:
                verdict = self._rate.take(received_ms)
                if verdict is None:
                    self._deliver(cast("bytearray", frame.data), received_ms)
                else:
                    self._refuse(verdict, cast("bytearray", frame.data))
            elif opcode is Opcode.CLOSE:
                # 5.5.1. Close: the reply is queued already; what counts is whether the close was on purpose.
                said = websocket.close_rcvd
                connection.said_goodbye = said is not None and said.code in GOODBYES
            elif opcode is Opcode.PING or opcode is Opcode.PONG:
                self._receive_control(frame, received_ms)
            else:
                self._receive_part(frame, received_ms)
        if websocket.writes or websocket.state is not OPEN:
            connection.flush()

    def _receive_short(self, data: bytes, received_ms: int) -> bool:
        """Process ``data`` without the parser if it is exactly one whole message or pong; return whether it was."""
        first = data[0]
        if first != self._first_byte and first != PONG:
            return False
        payload = short_payload(data)
        if payload is None:
            return False
        if first == PONG:
            self._receive_control(Frame(Opcode.PONG, payload), received_ms)
            return True
        verdict = self._rate.take(received_ms)
        if verdict is None:
            self._deliver(payload, received_ms)
        else:
            self._refuse(verdict, payload)
        return True

    def _receive_part(self, frame: Frame, received_ms: int) -> None:
        """Process a fragment of a message (5.4), or data of the other kind.

        ``websockets`` has checked the order of the fragments and the size of their sum. Each counts like a message, and
        a message with a fragment over the rate is refused as a whole.
        """
        if frame.opcode is not Opcode.CONT and frame.opcode is not self._opcode:
            agreed = "binary" if self._opcode is Opcode.BINARY else "text"
            self._connection.fail(CloseCode.UNSUPPORTED_DATA, f"{agreed} frames were agreed on")
            return
        verdict = self._rate.take(received_ms)
        if verdict is RateVerdict.FLOOD:
            self._refuse(verdict)
            return
        self._overdrawn |= verdict is RateVerdict.REFUSE
        self._parts += frame.data
        if frame.fin:
            payload, self._parts = self._parts, bytearray()
            overdrawn, self._overdrawn = self._overdrawn, False
            if overdrawn:
                self._refuse(RateVerdict.REFUSE, payload)
            else:
                self._deliver(payload, received_ms)

    def _receive_control(self, frame: Frame, received_ms: int) -> None:
        """Process a ping, whose pong is queued already, or a pong: an awaited one does not count, all others do."""
        sent_ms = self._ping_sent_ms
        if frame.opcode is Opcode.PONG and sent_ms is not None and frame.data == _ping_payload(self._ping):
            self._ping_sent_ms = None
            kernel_ms = None
            if self._gateway.trust_tcp_info and not self._proxied:
                kernel_ms = kernel_round_trip_ms(self._transport.get_extra_info("socket"))
            self._connection.round_trip.add(received_ms - sent_ms, kernel_ms)
        elif self._rate.take(received_ms) is RateVerdict.FLOOD:
            self._refuse(RateVerdict.FLOOD)

    def _refuse(self, verdict: RateVerdict, payload: bytes | bytearray = NOTHING) -> None:
        """Refuse a message over the rate, or close after too many."""
        self._gateway.traffic.rate_limited += 1
        if verdict is RateVerdict.FLOOD:
            self._connection.fail(FLOOD, "too many messages")
        else:
            number = None
            if 0 < len(payload) <= REFUSED_BYTES:
                with contextlib.suppress(BadMessage, UnicodeDecodeError):
                    number = request_id(self._decode(payload))
            self._connection.send(error_message(RATE_LIMITED, number))

    def _decode(self, payload: bytes | bytearray) -> dict[str, Any]:
        return decode_msgpack(payload) if self._opcode is Opcode.BINARY else decode_json(payload.decode())

    def _deliver(self, payload: bytes | bytearray, received_ms: int) -> None:
        """Decode a message and pass it to the dispatcher."""
        connection = self._connection
        gateway = self._gateway
        gateway.traffic.messages += 1
        try:
            message = self._decode(payload)
        except UnicodeDecodeError as error:
            # 8.1. Handling Errors in UTF-8-Encoded Data: the connection has to be failed.
            connection.fail(CloseCode.INVALID_DATA, f"{error.reason} at position {error.start}")
            return
        except BadMessage as error:
            gateway.traffic.bad_messages += 1
            connection.send(error_message(error))
            return
        if not self._call(gateway.handler.on_message, connection, message, received_ms):
            failed = Unavailable("internal server error; try again")
            connection.send(error_message(failed, request_id(message)))

    def _call(self, call: Callable[..., None], *args: Any) -> bool:
        """Call the handler. An exception is logged and affects neither the socket nor the loop."""
        try:
            call(*args)
        except Exception:
            self._gateway.traffic.failures += 1
            logger.exception("%s failed for connection %d", call.__name__, self._connection.number)
            return False
        return True

    def _watch(self) -> None:
        """Send pings, and end a silent socket."""
        connection = self._connection
        if connection.closed:
            return
        limits = self._gateway.limits
        now_ms = self._gateway.server_time.now_ms()
        left_s = limits.silence_s - (now_ms - self._heard_ms) / 1000
        if left_s <= 0:
            connection.close(CloseCode.GOING_AWAY, f"silent for {limits.silence_s:g} s")
            return
        # A ping behind unsent data would measure our queue, and one behind an unanswered ping nothing new.
        if self._ping_sent_ms is None and self._transport.get_write_buffer_size() == 0:
            self._ping += 1
            self._ping_sent_ms = now_ms
            self._websocket.send_ping(_ping_payload(self._ping))
            connection.flush()
        jitter = random.uniform(1 - PING_JITTER, 1 + PING_JITTER)  # noqa: S311  spreads load, keeps no secret
        self._timer = self._loop.call_later(min(limits.ping_interval_s * jitter, left_s), self._watch)

    def _close_code(self) -> int:
        """Return the close code that came first, ours or the peer's; 1006 without one."""
        websocket = self._websocket
        first = websocket.close_rcvd if websocket.close_rcvd_then_sent else websocket.close_sent
        return CloseCode.ABNORMAL_CLOSURE if first is None else first.code


def _ping_payload(number: int) -> bytes:
    return number.to_bytes(4, "big")


def _limit_sending(transport: asyncio.Transport, limits: Limits) -> None:
    """Limit what the kernel buffers unsent (Linux), so that backpressure shows in our own buffer."""
    peer = transport.get_extra_info("socket")
    if peer is not None and hasattr(socket, "TCP_NOTSENT_LOWAT") and peer.family in (socket.AF_INET, socket.AF_INET6):
        with contextlib.suppress(OSError):  # the peer may be gone already
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, limits.unsent_kernel_bytes)
