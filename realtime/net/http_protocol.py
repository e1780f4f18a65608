"""uvicorn's HTTP protocol with deadlines, a limit of the request head, and a short path to an upgrade.

A connection that sends no request, or one byte at a time, or does not read its answer, would otherwise be kept for
ever. Data that an eager client sends in the same segment as its upgrade request would be dropped, so its socket would
start in the middle of a frame. And an upgrade behind an unanswered request would have that answer written among its
frames.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from realtime.clock.loop_time import deprioritize, prioritize, read_little
from realtime.clock.reference_cycles import untie_transport

if TYPE_CHECKING:
    import asyncio

    from realtime.net.upgrade import Upgrade

TAKE_TIME = "zeitnot.take_time"
"""Name in the ``extensions`` of a request's scope. Its ``call`` lifts the deadline of the body; the caller has
authenticated the requester, and sets deadlines of its own."""


_OTHERS = (
    rb"(?:(?!(?i:connection|upgrade|content-length|transfer-encoding):)"
    rb"[-!#$%&'*+.^_`|~0-9A-Za-z]++:[\t\x20-\x7e\x80-\xff]*+\r\n){0,130}+"
)
"""Well-formed header lines that do not affect where the request ends."""

_CONNECTION = rb"(?i:connection:[ \t]*+(?:keep-alive,[ \t]*+)?upgrade[ \t]*+\r\n)"
_UPGRADE = rb"(?i:upgrade:[ \t]*+websocket\r\n)"

UPGRADE = re.compile(
    rb"GET /ws HTTP/1\.1\r\n" + _OTHERS + rb"(?:" + _CONNECTION + _OTHERS + _UPGRADE + rb"|"
    rb"" + _UPGRADE + _OTHERS + _CONNECTION + rb")" + _OTHERS + rb"\r\n"
)
"""The head of an upgrade request that has come whole and is the first on its connection, as nearly all are. It is
recognised without parsing; ``websockets`` parses it. uvicorn would parse it too and put it together again. Everything
else, and heads with more than ``HEAD_LINES``, take the long path. No request that would end elsewhere there matches:
none of these headers occurs twice, and there is no body. The repetitions are possessive, so input is scanned only
once."""


HEAD_BYTES = 32 * 1024
"""Limit of a request's head, and of everything else that is not body: chunk extensions, trailers."""

HEAD_LINES = 100

CHUNK_BYTES = 8
"""Overhead of a chunked body allowed for each of its bytes: a chunk of one byte has five."""

_TOO_LONG = b'{"error":{"code":"bad_message","message":"the headers are too long"}}'
TOO_LONG = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Type: application/json\r\nConnection: close\r\n"
    b"Content-Length: %d\r\n\r\n%s" % (len(_TOO_LONG), _TOO_LONG)
)


class _TooLong(Exception):
    """A request's head is too long. Never leaves this module."""


class HttpProtocol(HttpToolsProtocol):
    """One HTTP connection, until it becomes a socket. For ``uvicorn.Config(http=...)``."""

    handshake_s: float
    """Deadline from the connection, or from a request's first byte, to its last; bodies of the API are short."""

    stall_s: float
    """Deadline for a client to read what is buffered; meanwhile no more of the answer is produced."""

    _deadline: asyncio.TimerHandle | None = None
    _stall: asyncio.TimerHandle | None = None
    _is_body_slow = False
    _has_begun = False
    """Whether anything has come."""
    _came = 0
    """Bytes of the present request, except those that came in one piece with the end of the previous one."""
    _body = 0
    """Bytes of its body."""
    _lines = 0
    _head_bytes = 0
    """Bytes of its first line and headers."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Start the deadline of the first request."""
        super().connection_made(transport)
        deprioritize(transport)
        read_little(transport)
        self._start_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the deadlines."""
        self._stop_deadline()
        self._stop_stall()
        super().connection_lost(exc)
        self._untie()
        prioritize(self.transport)
        untie_transport(self.transport)

    def data_received(self, data: bytes) -> None:
        """Process data as uvicorn does, except that an upgrade request is handed over with what follows it."""
        if not self._has_begun:
            self._has_begun = True
            upgrade = UPGRADE.match(data)
            if upgrade is not None and upgrade.group().count(b"\n") <= HEAD_LINES + 2:
                self._hand_over(upgrade.group(), data[upgrade.end() :])
                return
        self._unset_keepalive_if_required()
        self._came += len(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserError as error:
            if isinstance(error.__context__, _TooLong):
                self._refuse_head()
                return
            self.logger.warning("Invalid HTTP request received.")
            self.send_400_response("Invalid HTTP request received.")
        except httptools.HttpParserUpgrade as upgrade:
            if not self._should_upgrade():
                self._unsupported_upgrade_warning()
                return
            if not getattr(self.cycle, "response_complete", True):  # there is no cycle before the first request
                self.transport.abort()
                return
            self._hand_over(self._head(), data[upgrade.args[0] :])
        else:
            if self._came - self._body > HEAD_BYTES + CHUNK_BYTES * self._body:
                self._refuse_head()

    def _head(self) -> bytes:
        """Return the request's head as it may have come."""
        head = [self.scope["method"].encode(), b" ", self.url, b" HTTP/1.1\r\n"]
        for name, value in self.headers:
            head += (name, b": ", value, b"\r\n")
        return b"".join((*head, b"\r\n"))

    def _hand_over(self, head: bytes, early: bytes) -> None:
        """Hand the connection over to the gateway: nobody calls this object any more."""
        self._stop_deadline()
        self._stop_stall()  # of an answer so far; later writes have limits of their own
        self.connections.discard(self)
        upgrade: Upgrade = self.ws_protocol_class(self.config, self.server_state, self.app_state)  # type: ignore[assignment, call-arg, misc]  # as in uvicorn
        self.transport.set_protocol(upgrade)
        upgrade.connection_made(self.transport)
        upgrade.receive_request(head, early)
        self._untie()

    def _untie(self) -> None:
        """Break the reference cycles of this object, which would otherwise live until a garbage collection. A request
        under way has its own references to what it needs."""
        self.parser = None  # type: ignore[assignment]  # as in uvicorn's own connection_lost
        self.scope = None  # type: ignore[assignment]  # its extensions call this object
        self.cycle = None  # type: ignore[assignment]  # so does it
        self.pipeline.clear()

    def on_message_begin(self) -> None:
        """Note a request's first byte."""
        super().on_message_begin()
        if self._deadline is None:
            self._start_deadline()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count a header line."""
        self._lines += 1
        self._count_head(len(name) + len(value))
        super().on_header(name, value)

    def on_url(self, url: bytes) -> None:
        """Check the URL's length."""
        self._count_head(len(url))
        super().on_url(url)

    def _count_head(self, length: int) -> None:
        self._head_bytes += length
        if self._lines > HEAD_LINES or self._head_bytes > HEAD_BYTES:
            raise _TooLong

    def on_body(self, body: bytes) -> None:
        """Count bytes of the body."""
        self._body += len(body)
        super().on_body(body)

    def _refuse_head(self) -> None:
        """Respond with 431, unless an answer to the previous request is on its way. The connection ends in either
        case."""
        if getattr(self.cycle, "response_complete", True):
            self.transport.write(TOO_LONG)
        self.transport.close()

    def on_headers_complete(self) -> None:
        """Offer to lift the deadline of the body."""
        self.scope["extensions"] = {TAKE_TIME: {"call": self._take_time}}
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Cancel the deadline: the request is complete."""
        self._is_body_slow = False
        self._came = self._body = self._lines = self._head_bytes = 0
        self._stop_deadline()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Close the connection if a body with deadlines of its own is incomplete: nobody reads the rest."""
        super().on_response_complete()
        if self._is_body_slow:
            self._is_body_slow = False
            self._start_deadline()

    def _take_time(self) -> None:
        if self._deadline is not None:  # otherwise it is complete
            self._stop_deadline()
            self._is_body_slow = True

    def pause_writing(self) -> None:
        """Start the stall deadline: the client does not read fast enough."""
        super().pause_writing()
        if self._stall is None:
            self._stall = self.loop.call_later(self.stall_s, self.transport.abort)

    def resume_writing(self) -> None:
        """Cancel the stall deadline."""
        self._stop_stall()
        super().resume_writing()

    def _stop_stall(self) -> None:
        if self._stall is not None:
            self._stall.cancel()
            self._stall = None

    def _start_deadline(self) -> None:
        self._deadline = self.loop.call_later(self.handshake_s, self._hang_up)

    def _stop_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _hang_up(self) -> None:
        self._deadline = None
        self.transport.abort()
