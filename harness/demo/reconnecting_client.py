"""A client with a socket that reconnects after a loss."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from harness.demo.errors import DemoFailed, RequestRefused
from robots.client import BotClient, BotDisconnected, BotRefused

if TYPE_CHECKING:
    from random import Random

    from harness.demo.options import DemoOptions
    from robots.client import Message

TIMEOUT_S = 30.0
"""Timeout of a handshake and of an answer: many sockets are opened concurrently, perhaps on the server's machine."""

AGAIN_S = (1.0, 5.0)
"""Range of the random delay before a reconnect or a retry."""


class ReconnectingClient:
    """Base of all clients of a demonstration.

    Args:
        token: of the user; None if anonymous.
        chance: chooses the delays.

    Attributes:
        over: set when nothing is left to do.
    """

    def __init__(self, options: DemoOptions, token: str | None, chance: Random) -> None:
        self.over = asyncio.Event()
        self._options = options
        self._token = token
        self._chance = chance
        self._client: BotClient | None = None
        self._reader: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        """Open a socket, if there is none, and subscribe. Closes it again if that fails.

        Raises:
            DemoFailed: it is impossible; ``RequestRefused`` with a code of ``retries.LATER``: not now.
        """
        if self.is_connected:
            return
        client = BotClient(self._options.url, self._token, timeout_s=TIMEOUT_S)
        try:
            await client.open()
        except BotDisconnected as error:
            raise _refusal(self._options.url, error) from error
        self._client, self._reader = client, asyncio.create_task(self._read(client), name="a demonstration's socket")
        try:
            await self.subscribe()
        except DemoFailed:
            await self.close()
            raise

    async def request(self, kind: str, **fields: Any) -> Message:
        """Send a request and return its ``ok``. Waits while the rate limit allows no more requests.

        Raises:
            RequestRefused: it was answered with an error, or not at all (``unavailable``).
        """
        try:
            return await self.client.request(kind, **fields)
        except BotRefused as error:
            raise RequestRefused(error.code, error.message) from error
        except BotDisconnected as error:
            raise RequestRefused("unavailable", str(error)) from error

    async def subscribe(self) -> None:
        """Subscribe on a new socket. Raises ``DemoFailed``."""

    def on_message(self, message: Message) -> None:
        """Handle a message that is not an answer."""

    async def stay_connected(self) -> None:
        """Stay connected until it is over. The server may restart meanwhile: the time of a demonstration is bounded."""
        over = asyncio.create_task(self.over.wait(), name="it is over")
        try:
            while not self.over.is_set():
                await asyncio.wait((over, self.closed), return_when=asyncio.FIRST_COMPLETED)
                await self.reconnect()
        finally:
            over.cancel()

    async def reconnect(self) -> None:
        """Open a new socket after a loss, with as many attempts as needed."""
        while not self.is_connected and not self.over.is_set():
            await asyncio.sleep(self._chance.uniform(*AGAIN_S))
            try:
                await self.connect()
            except DemoFailed:
                continue

    async def close(self) -> None:
        """Close the socket, if it is open."""
        if self._client is not None:
            await self._client.close()
            await self.closed

    @property
    def is_connected(self) -> bool:
        """Return whether the socket is open."""
        return self._reader is not None and not self._reader.done()

    @property
    def closed(self) -> asyncio.Task[None]:
        """Return what is done when the socket is closed."""
        assert self._reader is not None, "they have come"
        return self._reader

    @property
    def client(self) -> BotClient:
        """Return the socket, or the last one."""
        assert self._client is not None, "they have come"
        return self._client

    async def _read(self, client: BotClient) -> None:
        try:
            async for message in client:
                self.on_message(message)
        finally:
            await client.close()


def _refusal(url: str, error: BotDisconnected) -> DemoFailed:
    """Return what a refused connection means."""
    if error.status == 401:
        return DemoFailed(
            f"{url} does not know that token; one is made on the account page, with the scopes play and host"
        )
    if error.status == 429:
        return DemoFailed(
            f"{url} takes no more sockets from one address; start it with --limit connections=2000,guests=2000, "
            "or take fewer boards"
        )
    # The server answered when the guests were created. A busy machine may be late for a handshake.
    is_busy = error.status in (None, 503)
    return RequestRefused("unavailable", str(error)) if is_busy else DemoFailed(str(error))
