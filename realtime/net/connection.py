"""One open socket as the rest of the server sees it: somebody to write to.

Nothing here waits. A frame is handed to the transport at once; a peer that does not read is first spared what it can
do without, then closed with 1013, and comes back with ``from``.
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
"""Close code of the protocol: the client goes on sending after ``rate_limited``."""

MAX_REASON_BYTES = 123
"""RFC 6455 §5.5: a control frame has at most 125 bytes, two of which are the code."""


class Connection:
    """One socket after its handshake.

    Attributes:
        number: counts up from 1 in each process; names the socket in logs.
        user: who it is, None for a stranger who may only watch.
        grant: what the token is good for by which that is known.
        codec: what it speaks.
        address: the client's IP address (the proxy's word for it where the proxy is trusted).
        closed: a close frame was sent or received, or the transport is gone; writing does nothing any more.
        said_goodbye: the peer closed it on purpose (1000, 1001): he left, he did not just lose the line.
        skipped: droppable frames it was spared.
        session: whatever the handler wants to remember of it.
    """

    __slots__ = (
        "_abort_timer", "_held", "_limits", "_loop", "_traffic", "_transport", "_websocket", "address", "closed",
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
        self._held: list[bytes] | None = None
        """What is to go out together; None: everything goes at once."""

    def __repr__(self) -> str:
        who = "stranger" if self.user is None else self.user.id
        return f"<Connection {self.number} {who} {self.address} {self.codec}>"

    def ceiling_ms(self, stock_ms: int) -> int:
        """At most this much of a move's time was the network's: the ceiling of lag compensation, for a side that has
        ``stock_ms`` left (``game_core.lag``)."""
        return self.round_trip.granted_ms(stock_ms)

    @property
    def has_room(self) -> bool:
        """Whether it reads fast enough to be sent what may be lost: the soft buffer limit is not reached."""
        return self._transport.get_write_buffer_size() <= self._limits.soft_buffer_bytes

    def write(self, frame: bytes) -> None:
        """Send a prebuilt frame that must not be lost. Over the hard buffer limit the socket is closed with 1013."""
        if self.closed:
            return
        if self._transport.get_write_buffer_size() > self._limits.hard_buffer_bytes:
            self._traffic.slow += 1
            self.close(CloseCode.TRY_AGAIN_LATER, "reads too slowly")
            return
        if self._held is not None:
            self._held.append(frame)
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
        if self._held is not None:
            self._held.append(frame)
            return
        self._transport.write(frame)

    def hold(self) -> None:
        """Keep what is written from now on, in its order, until ``let_go``: a write costs more than what is in it."""
        if self._held is None:
            self._held = []

    def let_go(self) -> None:
        """Write what was kept, in one piece; nothing happens if nothing was."""
        held, self._held = self._held, None
        if held:
            self._transport.write(held[0] if len(held) == 1 else b"".join(held))

    def send(self, message: Mapping[str, Any]) -> None:
        """Encode, frame and write ``message`` for this socket alone. What goes to many is framed once: ``write``."""
        self.write(frame_message(message, self.codec))

    def close(self, code: int, reason: str = "") -> None:
        """Start the closing handshake; the transport is aborted if it is not over in ``Limits.close_s``.

        A close frame cannot overtake what is already buffered, so a peer that reads nothing never sees it.
        """
        if self.closed:
            return
        self.closed = True
        if self._websocket.state is OPEN:
            self._websocket.send_close(code, _clipped(reason))
        self.flush()

    def fail(self, code: int, reason: str = "") -> None:
        """Close, and parse nothing that still comes: for a peer that breaks the protocol or floods."""
        if self.closed:
            return
        self.closed = True
        self._websocket.fail(code, _clipped(reason))
        self.flush()

    def flush(self) -> None:
        """Write what is held, and what the WebSocket protocol itself has to say: pongs, close frames, the end of the
        stream. Once it has left the open state, by whatever frame, so has the connection."""
        if self._websocket.state is not OPEN:
            self.closed = True
        data_to_send = self._websocket.data_to_send()
        ends = SEND_EOF in data_to_send
        self._held = [*(self._held or ()), *filter(None, data_to_send)]  # a close frame comes after what is held
        self.let_go()
        if ends:
            if self._transport.can_write_eof():
                # Not closed yet: with unread bytes in our receive buffer the kernel would answer with a reset, which
                # can overtake the close frame. The peer has close_s to read it and hang up.
                end_writing(self._transport)
            else:
                self._transport.close()
        if self.closed and self._abort_timer is None:
            self._abort_timer = self._loop.call_later(self._limits.close_s, self._transport.abort)

    def lost(self) -> None:
        """The transport is gone."""
        self.closed = True
        if self._abort_timer is not None:
            self._abort_timer.cancel()


def end_writing(transport: asyncio.Transport) -> None:
    """Nothing more is written: the peer reads to the end and hangs up. One that has reset the connection a moment ago,
    of which the transport does not know yet, is gone.
    """
    try:
        transport.write_eof()
    except OSError:
        transport.abort()


def fan_out(connections: Iterable[Connection], frame: bytes) -> None:
    """Write one prebuilt frame to many. A loop without awaits: nobody waits for anybody."""
    for connection in connections:
        connection.write(frame)


def _clipped(reason: str) -> str:
    return reason.encode()[:MAX_REASON_BYTES].decode(errors="ignore")
