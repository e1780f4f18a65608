"""The bus over NATS core: each node listens to one subject of its own.

One subscription, so that what one node sends to another arrives in the order in which it was sent, whatever it is
about. What is sent while no server is connected is lost at once, and not delivered half a minute later to somebody who
has long been told by the database.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from nats.aio.client import Client
from nats.errors import Error as NatsError

from realtime.cluster.bus import MAX_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable

    from nats.aio.msg import Msg

    Receive = Callable[[bytes], None]

OPEN_S = 5.0
"""What a start waits for NATS before it goes on without."""

CONNECT_S = 2

AGAIN_S = 0.5
"""Between two tries to reach a server."""

PING_S = 2
"""A connection whose server has said nothing for twice this is given up: a cut cable says nothing by itself."""

QUEUE_BYTES = 32 * 1024 * 1024
"""What may wait to be handed to the socket."""

SOCKET_BYTES = 1024 * 1024
"""What the client may hold for its socket before our queue has to wait."""

ARRIVED_BYTES = 64 * 1024 * 1024
"""What may have arrived and wait to be looked at."""

FLUSH_S = 0.5
"""What a stop waits for the last messages."""

log = logging.getLogger(__name__)


class _Client(Client):
    """One that keeps to ``tls://``: the library's sends even the password in clear where the server asks for nothing
    else, or whoever stands in between makes it say so."""

    must_encrypt = False

    async def _process_info(self, info: dict[str, Any], initial_connection: bool = False) -> None:  # noqa: FBT001, FBT002  the library's
        if initial_connection and self.must_encrypt and not info.get("tls_required"):
            raise NatsError("nats: the server does not encrypt, and tls:// was asked for")
        await super()._process_info(info, initial_connection)


class NatsBus:
    """Carries bytes between nodes over a NATS server or cluster of them.

    Args:
        url: ``nats://[user:password@]host:4222``, several with commas between; ``tls://`` for an encrypted connection.
        cluster: what tells this cluster from others that use the same NATS.

    Attributes:
        dropped: messages that were not sent, because the bus was down or too much waited.
    """

    def __init__(self, url: str, cluster: str) -> None:
        self._servers = [part.strip() for part in url.split(",") if part.strip()]
        self._prefix = f"zeitnot.{cluster}"
        self._client: Client | None = None
        self._opening: asyncio.Task[None] | None = None
        self._sender: asyncio.Task[None] | None = None
        self._queue: deque[tuple[str, bytes]] = deque()
        self._queued_bytes = 0
        self._wake = asyncio.Event()
        self._sent = asyncio.Event()
        self._sent.set()
        self._is_closing = False
        self._trouble = ""
        """Why it is not up, as was told last."""
        self.dropped = 0

    @property
    def is_up(self) -> bool:
        """Whether a NATS server is connected."""
        return self._client is not None and bool(self._client.is_connected)

    async def open(self, node: str, receive: Receive) -> None:
        """Connect, and go on trying for ever: at the start, and whenever the connection is lost."""
        self._opening = asyncio.create_task(self._connect(node, receive), name="connect to NATS")
        self._sender = asyncio.create_task(self._send_all(), name="send to NATS")
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(OPEN_S):
                await asyncio.shield(self._opening)
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
                    await self._client.flush()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._is_closing = True
        client, self._client = self._client, None
        if client is not None:
            with contextlib.suppress(TimeoutError, NatsError, OSError):
                async with asyncio.timeout(FLUSH_S):
                    await client.close()

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

    async def _connect(self, node: str, receive: Receive) -> None:
        while True:
            try:
                self._client = await self._connected(node, receive)
            except (NatsError, OSError) as error:
                await self._on_error(error)
            except Exception:  # the top of a task
                log.exception("what answers at %s does not speak as NATS does", self._told())
            else:
                log.info("connected to NATS at %s", self._told())
                return
            await asyncio.sleep(AGAIN_S)

    async def _connected(self, node: str, receive: Receive) -> Client:
        async def take(message: Msg) -> None:
            receive(message.data)

        client = _Client()
        client.must_encrypt = self._servers[0].startswith("tls://")
        await client.connect(
            self._servers,
            name=f"zeitnot {node}",
            connect_timeout=CONNECT_S,
            reconnect_time_wait=AGAIN_S,  # type: ignore[arg-type]  # any number of seconds
            max_reconnect_attempts=-1,
            allow_reconnect=True,
            ping_interval=PING_S,
            max_outstanding_pings=2,
            pending_size=SOCKET_BYTES,
            flush_timeout=CONNECT_S,
            error_cb=self._on_error,
            disconnected_cb=self._on_lost,
            reconnected_cb=self._on_back,
        )
        try:
            await client.subscribe(
                f"{self._prefix}.{node}", cb=take, pending_msgs_limit=0, pending_bytes_limit=ARRIVED_BYTES
            )
            await client.flush()  # from here on the server knows that we listen
        except BaseException:
            await client.close()
            raise
        return client

    async def _send_all(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._queue:
                subject, data = self._queue.popleft()
                self._queued_bytes -= len(data)
                try:
                    assert self._client is not None, "nothing is queued before"
                    await self._client.publish(subject, data)
                except (NatsError, OSError) as error:
                    self.dropped += 1
                    log.debug("a message was not sent: %r", error)
            self._sent.set()

    async def _on_lost(self) -> None:
        if not self._is_closing:
            log.warning("the connection to NATS is lost; other nodes are not reached until it is back")

    async def _on_back(self) -> None:
        self._trouble = ""
        log.warning("the connection to NATS is back")

    async def _on_error(self, error: Any) -> None:
        """It tries again by itself; whoever runs this has to hear once why."""
        trouble = str(error) or repr(error)
        if self.is_up or self._is_closing or trouble == self._trouble:
            log.debug("NATS: %r", error)
            return
        self._trouble = trouble
        log.warning("no connection to NATS at %s: %s", self._told(), trouble)

    def _told(self) -> str:
        """Where it is, for the log: without the password."""
        parts = [urlsplit(server if "//" in server else f"//{server}") for server in self._servers]
        return ", ".join(f"{part.hostname}:{part.port or 4222}" for part in parts)
