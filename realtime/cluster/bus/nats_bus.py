"""The bus over NATS core: each node listens to one subject of its own.

One subscription, so that what one node sends to another arrives in the order in which it was sent, whatever it is
about. What is sent while no server is connected is lost at once, and not delivered half a minute later to somebody who
has long been told by the database. So a connection that breaks is given up with all that waits in it, and another
client made: the library's own would send that when it is back.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import ssl
from collections import deque
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from nats.aio.client import Client
from nats.errors import Error as NatsError

from realtime.cluster.bus.bus import MAX_BYTES
from realtime.protocol.errors import BadSetting

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from nats.aio.msg import Msg

    Receive = Callable[[bytes], None]

OPEN_S = 5.0
"""What a start waits for NATS before it goes on without."""

CONNECT_S = 2

AGAIN_S = 0.5
"""Between two tries to reach a server."""

LOOK_S = 0.1
"""Between two looks whether the connection holds. The library tells when it has ended, unless that hangs."""

PING_S = 2
"""A connection whose server has said nothing for twice this is given up: a cut cable says nothing by itself."""

QUEUE_BYTES = 32 * 1024 * 1024
"""What may wait to be handed to the socket."""

SOCKET_BYTES = 1024 * 1024
"""What the client may hold for its socket before our queue has to wait."""

ARRIVED_BYTES = 64 * 1024 * 1024
"""What may have arrived and wait to be looked at."""

MOST_TROUBLES = 20
"""Reasons for which there is no connection that are remembered, so that each is told once."""

FLUSH_S = 0.5
"""What a stop waits for the last messages."""

log = logging.getLogger(__name__)


class _Client(Client):
    """One that keeps to ``tls://``: the library's sends even the password in clear where the server asks for nothing
    else, or whoever stands in between makes it say so. And that sends nothing more over a connection that has failed:
    the library's waits for what is left to be sent, over a dead one without end."""

    must_encrypt = False

    async def _process_info(self, info: dict[str, Any], initial_connection: bool = False) -> None:  # noqa: FBT001, FBT002  the library's
        if initial_connection and self.must_encrypt and not info.get("tls_required"):
            raise NatsError("nats: the server does not encrypt, and tls:// was asked for")
        await super()._process_info(info, initial_connection)

    async def _process_op_err(self, e: Exception) -> None:
        self.abort()
        await super()._process_op_err(e)

    async def flush_all(self) -> None:
        """Wait until the server has read all that was sent.

        The library's ping overtakes what waits to be written. Once it is answered all that is written, so a second
        ping comes after it.
        """
        await self.flush()
        await self.flush()

    def abort(self) -> None:
        """End the connection now; what waits in it is lost."""
        self._pending, self._pending_data_size = [], 0
        writer = getattr(self._transport, "_io_writer", None)
        if writer is not None:
            writer.transport.abort()


class NatsBus:
    """Carries bytes between nodes over a NATS server or cluster of them.

    Args:
        url: ``nats://[user:password@]host:4222``, several with commas between; ``tls://`` for an encrypted connection.
        cluster: what tells this cluster from others that use the same NATS.
        ca: file with the certificates that servers with ``tls://`` are to be trusted by; None: the system's.

    Raises:
        BadSetting: ``ca`` cannot be read, or holds no certificate.

    Attributes:
        dropped: messages that were not sent, because the bus was down or too much waited.
    """

    def __init__(self, url: str, cluster: str, ca: Path | None = None) -> None:
        self._servers = [part.strip() for part in url.split(",") if part.strip()]
        self._prefix = f"zeitnot.{cluster}"
        try:
            self._tls = None if ca is None else ssl.create_default_context(cafile=ca)
        except OSError as error:  # SSLError is one
            raise BadSetting(f"nats_ca: {ca}: {error.strerror or error}") from error
        self._client: _Client | None = None
        self._opened = asyncio.Event()
        """It was up, once at least."""
        self._opening: asyncio.Task[None] | None = None
        self._sender: asyncio.Task[None] | None = None
        self._queue: deque[tuple[str, bytes]] = deque()
        self._queued_bytes = 0
        self._wake = asyncio.Event()
        self._sent = asyncio.Event()
        self._sent.set()
        self._is_closing = False
        self._troubles: set[str] = set()
        """Why it is not up, as was told."""
        self.dropped = 0

    @property
    def is_up(self) -> bool:
        """Whether a NATS server is connected."""
        return self._client is not None and bool(self._client.is_connected)

    async def open(self, node: str, receive: Receive) -> None:
        """Connect, and go on trying for ever: at the start, and whenever the connection is lost."""
        self._opening = asyncio.create_task(self._keep(node, receive), name="connect to NATS")
        self._sender = asyncio.create_task(self._send_all(), name="send to NATS")
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(OPEN_S):
                await self._opened.wait()
        if not self.is_up:
            log.warning("NATS is not reached at %s; going on without other nodes until it is", self._told())

    async def close(self) -> None:
        """Hand over what waits, and leave."""
        tasks = [task for task in (self._opening, self._sender) if task is not None]
        if self.is_up:
            with contextlib.suppress(TimeoutError, NatsError, OSError):
                async with asyncio.timeout(FLUSH_S):
                    await self._sent.wait()
                    assert self._client is not None, "it is up"
                    await self._client.flush_all()
        self._is_closing = True
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def send(self, node: str, data: bytes) -> None:
        """Send to ``node``."""
        assert len(data) <= MAX_BYTES, "who sends keeps to the limit"
        if not self.is_up or self._queued_bytes + len(data) > QUEUE_BYTES:
            self.dropped += 1
            return
        self._queue.append((f"{self._prefix}.{node}", data))
        self._queued_bytes += len(data)
        self._sent.clear()
        self._wake.set()

    async def _keep(self, node: str, receive: Receive) -> None:
        while True:
            client = _Client()
            client.must_encrypt = self._servers[0].startswith("tls://")
            try:
                await self._join(client, node, receive)
                self._begin(client)
                while client.is_connected:  # noqa: ASYNC110  of its end we are told only if that does not hang
                    await asyncio.sleep(LOOK_S)
                log.warning("the connection to NATS is lost; other nodes are not reached until it is back")
            except (NatsError, OSError) as error:
                await self._on_error(error)
            except Exception:  # the top of a task
                log.exception("what answers at %s does not speak as NATS does", self._told())
            finally:
                self._client = None
                self._forget_queue()
                await _end(client)
            await asyncio.sleep(AGAIN_S)

    async def _join(self, client: _Client, node: str, receive: Receive) -> None:
        async def take(message: Msg) -> None:
            receive(message.data)

        await client.connect(
            self._servers,
            name=f"zeitnot {node}",
            connect_timeout=CONNECT_S,
            reconnect_time_wait=AGAIN_S,  # type: ignore[arg-type]  # any number of seconds
            max_reconnect_attempts=-1,  # of servers that are not there
            allow_reconnect=False,
            ping_interval=PING_S,
            max_outstanding_pings=2,
            pending_size=SOCKET_BYTES,
            flush_timeout=CONNECT_S,
            error_cb=self._on_error,
            tls=self._tls if client.must_encrypt else None,
        )
        if client.max_payload < MAX_BYTES:
            # Else all would go well, until the first message that is longer gets lost, and each try to tell it anew.
            raise NatsError(f"nats: max_payload is {client.max_payload} bytes there, at least {MAX_BYTES} are needed")
        await client.subscribe(
            f"{self._prefix}.{node}", cb=take, pending_msgs_limit=0, pending_bytes_limit=ARRIVED_BYTES
        )
        await client.flush_all()  # from here on the server knows that we listen

    def _begin(self, client: _Client) -> None:
        self._client, self._troubles = client, set()
        if self._opened.is_set():
            log.warning("the connection to NATS is back")
        else:
            log.info("connected to NATS at %s", self._told())
        self._opened.set()

    def _forget_queue(self) -> None:
        """What waits would be old by the time it is sent."""
        self.dropped += len(self._queue)
        self._queue.clear()
        self._queued_bytes = 0
        self._sent.set()

    async def _send_all(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._queue:
                subject, data = self._queue.popleft()
                self._queued_bytes -= len(data)
                client = self._client
                if client is None:
                    self.dropped += 1
                    continue
                try:
                    await client.publish(subject, data)
                except (NatsError, OSError) as error:
                    self.dropped += 1
                    log.debug("a message was not sent: %r", error)
                except Exception:  # of one message of many: who sends nothing more is taken for dead
                    self.dropped += 1
                    log.exception("a message could not be sent")
            self._sent.set()

    async def _on_error(self, error: Any) -> None:
        """It tries again by itself; whoever runs this has to hear once why."""
        trouble = str(error) or repr(error)
        if self.is_up or self._is_closing or trouble in self._troubles:
            log.debug("NATS: %r", error)
            return
        self._troubles = {*self._troubles, trouble} if len(self._troubles) < MOST_TROUBLES else {trouble}
        log.warning("no connection to NATS at %s: %s", self._told(), trouble)

    def _told(self) -> str:
        """Where it is, for the log: without the password."""
        parts = [urlsplit(server if "//" in server else f"//{server}") for server in self._servers]
        return ", ".join(f"{part.hostname}:{part.port or 4222}" for part in parts)


async def _end(client: _Client) -> None:
    """Give up a connection, or what was to become one."""
    client.abort()
    with contextlib.suppress(TimeoutError, NatsError, OSError):
        async with asyncio.timeout(FLUSH_S):
            await client.close()
