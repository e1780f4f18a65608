"""One open socket as the rest of the server uses it.

Nothing here waits. A frame is handed to the transport at once. A peer that does not read first misses droppable frames,
then is closed with 1013, and comes back with ``from``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from websockets.frames import CloseCode
from websockets.protocol import OPEN, SEND_EOF

from realtime.net.round_trip import RoundTrip
from realtime.protocol.codec import frame_message

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Iterable, Mapping

    from websockets.server import ServerProtocol

    from lobby.accounts.user import Grant
    from realtime.ops.traffic import Traffic
    from realtime.protocol.codec import Codec
    from realtime.protocol.limits import Limits

FLOOD = 4008
"""Close code of the protocol: the client keeps sending after ``rate_limited``."""

MAX_REASON_BYTES = 123
"""RFC 6455 §5.5: a control frame has at most 125 bytes, two of which are the code."""


class Connection:
    """One socket after its handshake.

    Attributes:
        number: counts up from 1 in each process; identifies the socket in logs.
        user: its user, None if anonymous, which allows watching only.
        grant: the rights of the user's token.
        codec: of its messages.
        address: the client's IP address (as reported by a trusted proxy).
        closed: a close frame was sent or received, or the transport is gone; writing has no effect any more.
        said_goodbye: the peer closed it on purpose (1000, 1001) and did not merely lose the connection.
        skipped: number of droppable frames it missed.
        session: the handler's state.
    """

    __slots__ = (
        "_abort_timer", "_corked", "_limits", "_loop", "_traffic", "_transport", "_websocket", "address", "closed",
        "codec", "grant", "number", "round_trip", "said_goodbye", "session", "skipped", "user",
    )  # fmt: skip

    def __init__(
        self,
        *,
        number: int,
        grant: Grant | None,
        codec: Codec,
        address: str,
        transport: asyncio.Transport,
        websocket: ServerProtocol,
        loop: asyncio.AbstractEventLoop,
        limits: Limits,
        traffic: Traffic,
    ) -> None:
        self.number = number
        self.user = None if grant is None else grant.user
        self.grant = grant
        self.codec = codec
        self.address = address
        self.closed = False
        self.said_goodbye = False
        self.skipped = 0
        self.session: Any = None
        self.round_trip = RoundTrip()
        self._transport = transport
        self._websocket = websocket
        self._loop = loop
        self._limits = limits
        self._traffic = traffic
        self._abort_timer: asyncio.TimerHandle | None = None
        self._corked: list[bytes] | None = None
        """Frames to be written together; None: each is written at once."""

    def __repr__(self) -> str:
        who = "stranger" if self.user is None else self.user.id
        return f"<Connection {self.number} {who} {self.address} {self.codec}>"

    def ceiling_ms(self, unmeasured_quota_ms: int) -> int:
        """Return the ceiling of lag compensation: at most this much of a move's time was the network's, for a side with
        ``unmeasured_quota_ms`` left (``game_core.lag``)."""
        return self.round_trip.granted_ms(unmeasured_quota_ms)

    @property
    def has_room(self) -> bool:
        """Return whether droppable frames may be sent: the soft buffer limit is not reached."""
        return self._transport.get_write_buffer_size() <= self._limits.soft_buffer_bytes

    def write(self, frame: bytes) -> None:
        """Send a prebuilt frame that must not be lost. Over the hard buffer limit the socket is closed with 1013."""
        if self.closed:
            return
        if self._transport.get_write_buffer_size() > self._limits.hard_buffer_bytes:
            self._traffic.slow += 1
            self.close(CloseCode.TRY_AGAIN_LATER, "reads too slowly")
            return
        if self._corked is not None:
            self._corked.append(frame)
            return
        self._transport.write(frame)

    def write_droppable(self, frame: bytes) -> None:
        """Send a prebuilt frame that may be lost (tick, crowd); skipped over the soft buffer limit."""
        if self.closed:
            return
        if not self.has_room:
            self.skipped += 1
            self._traffic.skipped += 1
            return
        if self._corked is not None:
            self._corked.append(frame)
            return
        self._transport.write(frame)

    def cork(self) -> None:
        """Collect frames from now on until ``uncork``, because a write costs more than its content."""
        if self._corked is None:
            self._corked = []

    def uncork(self) -> None:
        """Write the collected frames in one piece."""
        held, self._corked = self._corked, None
        if held:
            self._transport.write(held[0] if len(held) == 1 else b"".join(held))

    def send(self, message: Mapping[str, Any]) -> None:
        """Encode, frame and write ``message`` for this socket alone. Use ``write`` for frames that many get."""
        self.write(frame_message(message, self.codec))

    def close(self, code: int, reason: str = "") -> None:
        """Start the closing handshake; the transport is aborted if it is not over in ``Limits.close_s``.

        A close frame cannot overtake buffered data, so a peer that reads nothing never sees it.
        """
        if self.closed:
            return
        self.closed = True
        if self._websocket.state is OPEN:
            self._websocket.send_close(code, _clipped(reason))
        self.flush()

    def fail(self, code: int, reason: str = "") -> None:
        """Close, and parse nothing that still comes: for a peer that violates the protocol or floods."""
        if self.closed:
            return
        self.closed = True
        self._websocket.fail(code, _clipped(reason))
        self.flush()

    def flush(self) -> None:
        """Write collected frames, and what the WebSocket protocol itself sends: pongs, close frames, the end of the
        stream. Once it has left the open state, the connection is closed too."""
        if self._websocket.state is not OPEN:
            self.closed = True
        data_to_send = self._websocket.data_to_send()
        ends = SEND_EOF in data_to_send
        self._corked = [*(self._corked or ()), *filter(None, data_to_send)]  # a close frame follows the collected ones
        self.uncork()
        if ends:
            if self._transport.can_write_eof():
                # Not closed yet: with unread bytes in our receive buffer the kernel would send a reset, which can
                # overtake the close frame. The peer has close_s to read it and close the connection.
                end_writing(self._transport)
            else:
                self._transport.close()
        if self.closed and self._abort_timer is None:
            self._abort_timer = self._loop.call_later(self._limits.close_s, self._transport.abort)

    def lost(self) -> None:
        """Note that the transport is gone."""
        self.closed = True
        if self._abort_timer is not None:
            self._abort_timer.cancel()


def end_writing(transport: asyncio.Transport) -> None:
    """Send the end of the stream: the peer reads to the end and closes. No effect if the peer has just reset the
    connection."""
    try:
        transport.write_eof()
    except OSError:
        transport.abort()


def fan_out(connections: Iterable[Connection], frame: bytes) -> None:
    """Write one prebuilt frame to many, in a loop without awaits."""
    for connection in connections:
        connection.write(frame)


def _clipped(reason: str) -> str:
    return reason.encode()[:MAX_REASON_BYTES].decode(errors="ignore")
