"""Somebody with a socket, who comes back when he has lost it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from harness.demo.client import Client
from harness.demo.errors import DemoFailed

if TYPE_CHECKING:
    from random import Random

    from harness.demo.client import Message
    from harness.demo.plan import Plan

AGAIN_S = (1.0, 5.0)
"""Who has lost his socket, or whose request could not be done, comes again after a time between these."""


class Visitor:
    """Base of everybody in a demonstration.

    Args:
        token: who he is; None for a stranger.
        chance: when he comes back.

    Attributes:
        over: set when there is nothing more for him to do here.
    """

    def __init__(self, plan: Plan, token: str | None, chance: Random) -> None:
        self.over = asyncio.Event()
        self._plan = plan
        self._token = token
        self._chance = chance
        self._opened: Client | None = None

    async def come(self) -> None:
        """Open a socket, if he has none, and ask for what he is to hear. Without that he is not here: he hangs up.

        Raises:
            DemoFailed: it cannot be; ``Refused`` with a code of ``patience.LATER``: not now.
        """
        if self.is_here:
            return
        client = self._opened = await Client.open(self._plan.url, self._token, self.hear)
        try:
            await self.settle()
        except DemoFailed:
            await client.close()
            raise

    async def settle(self) -> None:
        """What he asks for on each new socket. Raises ``DemoFailed``."""

    def hear(self, message: Message) -> None:
        """A message that answers nothing."""

    async def stay(self) -> None:
        """Be here until it is over. The server may restart meanwhile: the time of a demonstration is bounded."""
        over = asyncio.create_task(self.over.wait(), name="it is over")
        try:
            while not self.over.is_set():
                await asyncio.wait((over, self.client.closed), return_when=asyncio.FIRST_COMPLETED)
                await self.come_back()
        finally:
            over.cancel()

    async def come_back(self) -> None:
        """If the socket is lost: again and again."""
        while not self.is_here and not self.over.is_set():
            await asyncio.sleep(self._chance.uniform(*AGAIN_S))
            try:
                await self.come()
            except DemoFailed:
                continue

    async def close(self) -> None:
        """Hang up, if he is here."""
        if self._opened is not None:
            await self._opened.close()

    @property
    def is_here(self) -> bool:
        """Whether his socket is open."""
        return self._opened is not None and not self._opened.closed.done()

    @property
    def client(self) -> Client:
        """His socket, or the last that he had."""
        assert self._opened is not None, "he has come"
        return self._opened
