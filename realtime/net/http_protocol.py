"""uvicorn's HTTP protocol with what it leaves out before an upgrade, and a short way to that.

A connection that sends no request, or sends it a byte at a time, would be kept for ever, and so would one that does not
read its answer. What an eager client sends in
the same segment as its upgrade request would be dropped, so that its socket would start in the middle of a frame. And
an upgrade behind a request that is not answered yet would have that answer written among the frames.
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
"""Among the ``extensions`` of a request's scope: its ``call`` lifts the deadline of the body. Whoever calls it has
looked at who asks, and sets the body times of his own."""


_OTHERS = (
    rb"(?:(?!(?i:connection|upgrade|content-length|transfer-encoding):)"
    rb"[-!#$%&'*+.^_`|~0-9A-Za-z]++:[\t\x20-\x7e\x80-\xff]*+\r\n){0,130}+"
)
"""Well-formed header lines that say nothing of where the request ends."""

_CONNECTION = rb"(?i:connection:[ \t]*+(?:keep-alive,[ \t]*+)?upgrade[ \t]*+\r\n)"
_UPGRADE = rb"(?i:upgrade:[ \t]*+websocket\r\n)"

UPGRADE = re.compile(
    rb"GET /ws HTTP/1\.1\r\n" + _OTHERS + rb"(?:" + _CONNECTION + _OTHERS + _UPGRADE + rb"|"
    rb"" + _UPGRADE + _OTHERS + _CONNECTION + rb")" + _OTHERS + rb"\r\n"
)
"""The head of a request for a socket, when it has come whole and is the first on its connection, as nearly all are. It
need not be parsed to be known for one, and ``websockets`` does parse it; uvicorn would parse it too, and put it
together again. Everything else, and what has more than ``HEAD_LINES``, goes the long way, and nothing that would end
elsewhere there goes the short one: no header of these is there twice, nor is there a body. No repetition gives back
what it took, so that whatever a stranger sends is looked through once."""


HEAD_BYTES = 32 * 1024
"""Of a request's head, and of whatever else is no body: chunk extensions, trailers."""

HEAD_LINES = 100

CHUNK_BYTES = 8
"""What a body of chunks may have besides for each of its bytes: a chunk of one has five."""

_TOO_LONG = b'{"error":{"code":"bad_message","message":"the headers are too long"}}'
TOO_LONG = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Type: application/json\r\nConnection: close\r\n"
    b"Content-Length: %d\r\n\r\n%s" % (len(_TOO_LONG), _TOO_LONG)
)


class _TooLong(Exception):
    """A request's head is longer than it may be. Never leaves this module."""


class HttpProtocol(HttpToolsProtocol):
    """One HTTP connection, until it becomes a socket. For ``uvicorn.Config(http=...)``."""

    handshake_s: float
    """From the connection, or from a request's first byte, to its last; bodies of the API are short."""

    stall_s: float
    """For a client to take what the kernel and the transport hold for it; meanwhile the answer is not made further."""

    _deadline: asyncio.TimerHandle | None = None
    _stall: asyncio.TimerHandle | None = None
    _is_body_slow = False
    _has_begun = False
    """Something has come."""
    _came = 0
    """Bytes of the request that is coming, but for those that came in one piece with the end of the one before."""
    _body = 0
    """Those that were its body's."""
    _lines = 0
    _head_bytes = 0
    """Of its first line and its headers."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """The time to send a request begins."""
        super().connection_made(transport)
        deprioritize(transport)
        read_little(transport)
        self._start_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing more to wait for."""
        self._stop_deadline()
        self._stop_stall()
        super().connection_lost(exc)
        self._untie()
        prioritize(self.transport)
        untie_transport(self.transport)

    def data_received(self, data: bytes) -> None:
        """As uvicorn's own, but an upgrade request goes its own way, with what follows it."""
        if not self._has_begun:
            self._has_begun = True
            asked = UPGRADE.match(data)
            if asked is not None and asked.group().count(b"\n") <= HEAD_LINES + 2:
                self._hand_over(asked.group(), data[asked.end() :])
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
        """The request's head as it may have come."""
        head = [self.scope["method"].encode(), b" ", self.url, b" HTTP/1.1\r\n"]
        for name, value in self.headers:
            head += (name, b": ", value, b"\r\n")
        return b"".join((*head, b"\r\n"))

    def _hand_over(self, head: bytes, early: bytes) -> None:
        """The connection is the gateway's from here on: nobody calls this object any more."""
        self._stop_deadline()
        self._stop_stall()  # of an answer so far; what is written from now on is held to limits of its own
        self.connections.discard(self)
        door: Upgrade = self.ws_protocol_class(self.config, self.server_state, self.app_state)  # type: ignore[assignment, call-arg, misc]  # as in uvicorn
        self.transport.set_protocol(door)
        door.connection_made(self.transport)
        door.ask(head, early)
        self._untie()

    def _untie(self) -> None:
        """Let go of what refers to this object: it would be there until a garbage collection. A request under way has
        its own reference to what it needs.
        """
        self.parser = None  # type: ignore[assignment]  # as in uvicorn's own connection_lost
        self.scope = None  # type: ignore[assignment]  # its extensions call this object
        self.cycle = None  # type: ignore[assignment]  # so does it
        self.pipeline.clear()

    def on_message_begin(self) -> None:
        """A request's first byte."""
        super().on_message_begin()
        if self._deadline is None:
            self._start_deadline()

    def on_header(self, name: bytes, value: bytes) -> None:
        """One more line of it."""
        self._lines += 1
        self._count_head(len(name) + len(value))
        super().on_header(name, value)

    def on_url(self, url: bytes) -> None:
        """What it is about."""
        self._count_head(len(url))
        super().on_url(url)

    def _count_head(self, length: int) -> None:
        self._head_bytes += length
        if self._lines > HEAD_LINES or self._head_bytes > HEAD_BYTES:
            raise _TooLong

    def on_body(self, body: bytes) -> None:
        """Some of its body."""
        self._body += len(body)
        super().on_body(body)

    def _refuse_head(self) -> None:
        """431, unless an answer to the request before is on its way. Either way this is the end."""
        if getattr(self.cycle, "response_complete", True):
            self.transport.write(TOO_LONG)
        self.transport.close()

    def on_headers_complete(self) -> None:
        """The request's head is there; whoever serves it may give its body more time."""
        self.scope["extensions"] = {TAKE_TIME: {"call": self._take_time}}
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The request is there."""
        self._is_body_slow = False
        self._came = self._body = self._lines = self._head_bytes = 0
        self._stop_deadline()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """It is answered. What is still to come of a body with time of its own nobody reads any more."""
        super().on_response_complete()
        if self._is_body_slow:
            self._is_body_slow = False
            self._start_deadline()

    def _take_time(self) -> None:
        if self._deadline is not None:  # else all of it is there
            self._stop_deadline()
            self._is_body_slow = True

    def pause_writing(self) -> None:
        """There is more to send than the client takes."""
        super().pause_writing()
        if self._stall is None:
            self._stall = self.loop.call_later(self.stall_s, self.transport.abort)

    def resume_writing(self) -> None:
        """It has taken some."""
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
