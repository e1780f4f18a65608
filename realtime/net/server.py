"""uvicorn's server with our start and shutdown."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import signal
import socket
from typing import TYPE_CHECKING, Any

import uvicorn

from realtime.protocol.errors import BadSetting

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Iterator
    from types import FrameType

PORT_TAKEN = 3
"""Exit status, as uvicorn's own."""

STOP_S = 2
"""How long uvicorn waits for requests and sockets; the gateway itself aborts its sockets after one second."""


ACCEPTED_AT_ONCE = 2
"""Connections accepted in one iteration of the loop; their handshakes follow in the next ones. One costs 0.3 ms in all,
so an iteration gets a millisecond longer while many connect at once. asyncio would accept two thousand in a row, and
every move would wait for all of their handshakes."""

QUEUED = 2048
"""Connections that may wait in the kernel; clients beyond that retry after a second."""

log = logging.getLogger(__name__)


class Server(uvicorn.Server):
    """Serves until SIGTERM or SIGINT, then returns; the caller closes what it opened.

    Args:
        on_ready: called with ``http://HOST:PORT`` once connections are accepted.
        leave: awaited on SIGTERM before the end, with a function that closes the listeners, which are open until then.
            SIGINT skips it, or cuts it short.
        before_stop: awaited before the sockets are closed.
        share_port: whether other servers may listen on the same port; the kernel distributes connections.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        on_ready: Callable[[str], None],
        leave: Callable[[Callable[[], None]], Coroutine[None, None, None]],
        before_stop: Callable[[], Awaitable[None]],
        *,
        share_port: bool = False,
    ) -> None:
        super().__init__(config)
        self._on_ready = on_ready
        self._leave = leave
        self._before_stop = before_stop
        self._share_port = share_port
        self._has_time = True
        self._leaving: asyncio.Task[None] | None = None

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to stop; SIGINT during a graceful stop ends it."""
        if sig != signal.SIGTERM:
            self._has_time = False
            if self._leaving is not None:
                self._leaving.cancel()
        super().handle_exit(sig, frame)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle the signals in the loop. uvicorn would raise them again at the end, and kill the process before the
        database is closed."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.handle_exit, number, None)
        try:
            yield
        finally:
            for number in (signal.SIGTERM, signal.SIGINT):
                loop.remove_signal_handler(number)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and report the address."""
        # asyncio accepts as many at once as its backlog; the kernel's queue is set afterwards.
        self.config.backlog = ACCEPTED_AT_ONCE
        if self._share_port and sockets is None:
            sockets = [shared_socket(self.config.host, self.config.port)]
        await super().startup(sockets)
        if self.started:
            for server in self.servers:
                for listener in server.sockets:
                    _queue(listener.fileno())
            self._on_ready(self.address())

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Flush first: a move that is being written is answered before its socket is closed."""
        if self._has_time:
            leaving = self._leaving = asyncio.create_task(self._leave(self._close), name="leave")
            try:
                await asyncio.wait([leaving])
            finally:
                leaving.cancel()
            error = None if leaving.cancelled() else leaving.exception()
            if error is not None:  # what is being written is answered all the same
                log.error("this server could not shut down cleanly", exc_info=error)
        self._close()
        await self._before_stop()
        await super().shutdown(sockets)

    def _close(self) -> None:
        """Stop accepting connections. May be called again."""
        for server in self.servers:
            server.close()

    def address(self) -> str:
        """``http://HOST:PORT`` as it can be typed into a browser."""
        return url_of(self.servers[0].sockets[0])


def url_of(listener: Any) -> str:
    """Return ``http://HOST:PORT`` of a bound socket."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def shared_socket(host: str, port: int) -> socket.socket:
    """Return a socket bound to an address at which others of this account may listen too. Raises ``OSError``."""
    return bound_socket(host, port, share_port=True)


def bound_socket(host: str, port: int, *, share_port: bool = False) -> socket.socket:
    """Return a socket bound to an address, port 0 for any. Raises ``OSError``."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if share_port:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        bound.bind((host, port))
    except BaseException:
        bound.close()
        raise
    return bound


def check_address(host: str, port: int, *, share_port: bool) -> None:
    """Check that a server could listen there.

    Raises:
        BadSetting: the host does not exist, or is not this machine.
        OSError: the port is taken (``EADDRINUSE``), or not allowed.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (socket.gaierror, UnicodeError) as error:
        raise BadSetting(f"host: {host!r} is not known: {error}") from error
    foreign = 0
    for family, kind, protocol, _, address in found:
        try:
            _try_address(family, kind, protocol, address, share_port=share_port)
        except OSError as error:
            if error.errno not in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
                raise
            foreign += 1  # a name may have an address of a family that this machine does not use
    if foreign == len(found):
        raise BadSetting(f"host: {host!r} is no address of this machine")


def _try_address(family: int, kind: int, protocol: int, address: Any, *, share_port: bool) -> None:
    with socket.socket(family, kind, protocol) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        if share_port:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        probe.bind(address)
        if not share_port:
            probe.listen(1)  # with SO_REUSEADDR a bound port may be bound again, a listening one not


def held_port(host: str, port: int) -> socket.socket:
    """Reserve an address as long as the returned socket is open, for ``shared_socket`` calls of those who know of it.
    All others who ask for it, by this function or exclusively, are refused, even if nobody listens. It accepts no
    connections. Raises ``OSError``."""
    if port:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # ended connections are no obstacle
            probe.bind((host, port))
            probe.listen(1)  # only now bound sockets that do not listen count, like the one made here
    held = shared_socket(host, port)
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)  # others have to ask for SO_REUSEPORT
    return held


def _queue(listener: int) -> None:
    """Let ``QUEUED`` connections wait at the listening socket with this file descriptor."""
    with socket.socket(fileno=os.dup(listener)) as twin:
        twin.listen(QUEUED)
