"""The bus over NATS core: each node subscribes to one subject of its own.

A single subscription keeps all messages from one node to another in order, whatever their topic. Messages sent while no
server is connected are dropped at once, since a late delivery would contradict what the receiver has read in the
database meanwhile. A broken connection is therefore abandoned with its queue and a new client is created: the library's
own client would send its queue after reconnecting.
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
"""Timeout for NATS at start-up, after which the server starts without it."""

CONNECT_S = 2

RETRY_INTERVAL_S = 0.5
"""Interval between two connection attempts."""

POLL_INTERVAL_S = 0.1
"""Interval between two checks of the connection. The library reports its end unless it hangs."""

PING_S = 2
"""A connection is abandoned after twice this time of silence: a cut cable gives no signal."""

QUEUE_BYTES = 32 * 1024 * 1024
"""Maximum size of the queue of messages not yet handed to the socket."""

SOCKET_BYTES = 1024 * 1024
"""Maximum size of the client's socket buffer before our queue has to wait."""

ARRIVED_BYTES = 64 * 1024 * 1024
"""Maximum size of received messages not yet handled."""

MOST_TROUBLES = 20
"""Maximum number of distinct connection errors remembered, so that each is logged once."""

FLUSH_S = 0.5
"""Time limit for flushing the last messages at shutdown."""

log = logging.getLogger(__name__)


class _Client(Client):
    """NATS client that enforces ``tls://`` and sends nothing more over a failed connection.

    The library's client sends even the password in clear text if the server, or a man in the middle, asks for no
    encryption. On a dead connection it waits without limit for the rest of its buffer to be sent.
    """

    must_encrypt = False

    async def _process_info(self, info: dict[str, Any], initial_connection: bool = False) -> None:  # noqa: FBT001, FBT002  the library's
        if initial_connection and self.must_encrypt and not info.get("tls_required"):
            raise NatsError("nats: the server does not encrypt, but the address begins with tls://")
        await super()._process_info(info, initial_connection)

    async def _process_op_err(self, e: Exception) -> None:
        self.abort()
        await super()._process_op_err(e)

    async def flush_all(self) -> None:
        """Wait until the server has read everything that was sent.

        The library's ping overtakes buffered writes. When it is answered, everything is written, so a second ping
        follows it.
        """
        await self.flush()
        await self.flush()

    def abort(self) -> None:
        """Abort the connection. Buffered data is lost."""
        self._pending, self._pending_data_size = [], 0
        writer = getattr(self._transport, "_io_writer", None)
        if writer is not None:
            writer.transport.abort()


class NatsBus:
    """Bus over a NATS server or a cluster of NATS servers.

    Args:
        url: ``nats://[user:password@]host:4222``, several separated by commas; ``tls://`` for an encrypted connection.
        cluster: name that separates this cluster from others on the same NATS.
        ca: file with the CA certificates for ``tls://``; None: the system's.

    Raises:
        BadSetting: ``ca`` cannot be read or holds no certificate.

    Attributes:
        dropped: number of messages not sent because the bus was down or its queue full.
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
        """Set once the bus has been up."""
        self._opening: asyncio.Task[None] | None = None
        self._sender: asyncio.Task[None] | None = None
        self._queue: deque[tuple[str, bytes]] = deque()
        self._queued_bytes = 0
        self._wake = asyncio.Event()
        self._sent = asyncio.Event()
        self._sent.set()
        self._is_closing = False
        self._troubles: set[str] = set()
        """Connection errors already logged."""
        self.dropped = 0

    @property
    def is_up(self) -> bool:
        """Return whether a NATS server is connected."""
        return self._client is not None and bool(self._client.is_connected)

    async def open(self, node: str, receive: Receive) -> None:
        """Connect, and reconnect without limit, both at start-up and after a lost connection."""
        self._opening = asyncio.create_task(self._keep(node, receive), name="connect to NATS")
        self._sender = asyncio.create_task(self._send_all(), name="send to NATS")
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(OPEN_S):
                await self._opened.wait()
        if not self.is_up:
            log.warning("NATS cannot be reached at %s; continuing without other nodes", self._told())

    async def close(self) -> None:
        """Flush the queue and disconnect."""
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
                while client.is_connected:  # noqa: ASYNC110  a client that hangs reports no end
                    await asyncio.sleep(POLL_INTERVAL_S)
                log.warning("the connection to NATS is lost; other nodes cannot be reached until it is back")
            except (NatsError, OSError) as error:
                await self._on_error(error)
            except Exception:  # the top of a task
                log.exception("the server at %s does not speak the NATS protocol", self._told())
            finally:
                self._client = None
                self._forget_queue()
                await _end(client)
            await asyncio.sleep(RETRY_INTERVAL_S)

    async def _join(self, client: _Client, node: str, receive: Receive) -> None:
        async def take(message: Msg) -> None:
            receive(message.data)

        await client.connect(
            self._servers,
            name=f"zeitnot {node}",
            connect_timeout=CONNECT_S,
            reconnect_time_wait=RETRY_INTERVAL_S,  # type: ignore[arg-type]  # any number of seconds
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
            # Otherwise all would seem well until the first longer message is lost, again at each attempt.
            raise NatsError(f"nats: max_payload is {client.max_payload} bytes there, at least {MAX_BYTES} are needed")
        await client.subscribe(
            f"{self._prefix}.{node}", cb=take, pending_msgs_limit=0, pending_bytes_limit=ARRIVED_BYTES
        )
        await client.flush_all()  # from here on the server has our subscription

    def _begin(self, client: _Client) -> None:
        self._client, self._troubles = client, set()
        if self._opened.is_set():
            log.warning("the connection to NATS is back")
        else:
            log.info("connected to NATS at %s", self._told())
        self._opened.set()

    def _forget_queue(self) -> None:
        """Drop the queue: its messages would be outdated when sent."""
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
                except Exception:  # one bad message must not end the task: a silent node counts as dead
                    self.dropped += 1
                    log.exception("a message could not be sent")
            self._sent.set()

    async def _on_error(self, error: Any) -> None:
        """Log each connection error once. The client retries by itself."""
        trouble = str(error) or repr(error)
        if self.is_up or self._is_closing or trouble in self._troubles:
            log.debug("NATS: %r", error)
            return
        self._troubles = {*self._troubles, trouble} if len(self._troubles) < MOST_TROUBLES else {trouble}
        log.warning("no connection to NATS at %s: %s", self._told(), trouble)

    def _told(self) -> str:
        """Return the server address for the log, without the password."""
        parts = [urlsplit(server if "//" in server else f"//{server}") for server in self._servers]
        return ", ".join(f"{part.hostname}:{part.port or 4222}" for part in parts)


async def _end(client: _Client) -> None:
    """Close a connection, or an attempt at one."""
    client.abort()
    with contextlib.suppress(TimeoutError, NatsError, OSError):
        async with asyncio.timeout(FLUSH_S):
            await client.close()
