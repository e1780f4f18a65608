"""A client with a socket that reconnects after a loss."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from harness.demo.client import Client
from harness.demo.errors import DemoFailed

if TYPE_CHECKING:
    from random import Random

    from harness.demo.client import Message
    from harness.demo.options import DemoOptions

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
        self._opened: Client | None = None

    async def connect(self) -> None:
        """Open a socket, if there is none, and subscribe. Closes it again if that fails.

        Raises:
            DemoFailed: it is impossible; ``RequestRefused`` with a code of ``retries.LATER``: not now.
        """
        if self.is_connected:
            return
        client = self._opened = await Client.open(self._options.url, self._token, self.on_message)
        try:
            await self.subscribe()
        except DemoFailed:
            await client.close()
            raise

    async def subscribe(self) -> None:
        """Subscribe on a new socket. Raises ``DemoFailed``."""

    def on_message(self, message: Message) -> None:
        """Handle a message that is not an answer."""

    async def stay_connected(self) -> None:
        """Stay connected until it is over. The server may restart meanwhile: the time of a demonstration is bounded."""
        over = asyncio.create_task(self.over.wait(), name="it is over")
        try:
            while not self.over.is_set():
                await asyncio.wait((over, self.client.closed), return_when=asyncio.FIRST_COMPLETED)
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
        if self._opened is not None:
            await self._opened.close()

    @property
    def is_connected(self) -> bool:
        """Return whether the socket is open."""
        return self._opened is not None and not self._opened.closed.done()

    @property
    def client(self) -> Client:
        """Return the socket, or the last one."""
        assert self._opened is not None, "they have come"
        return self._opened
