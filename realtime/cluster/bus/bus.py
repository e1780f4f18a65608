"""The bus: how one node reaches another by name.

It promises little, and whoever uses it counts on no more: what is sent arrives once, later, or not at all; what one
node sends to another arrives in order. ``links.py`` finds out what got lost.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    Receive = Callable[[bytes], None]

MAX_BYTES = 960 * 1024
"""Of one message: NATS takes 1 MiB where nobody has set it otherwise."""


class Bus(Protocol):
    """Carries bytes between nodes."""

    @property
    def is_up(self) -> bool:
        """Whether what is sent now has a chance to arrive."""

    async def open(self, node: str, receive: Receive) -> None:
        """Be reachable as ``node``; ``receive`` is called with each message, and must neither block nor raise.

        Returns when the bus is up, or when it is certain that it is not; then it goes on trying by itself.
        """

    async def close(self) -> None:
        """Be reachable no more. What has been sent is handed over first, unless that takes too long."""

    def send(self, node: str, data: bytes) -> None:
        """Send at most ``MAX_BYTES`` to ``node``. Never waits and never fails: while the bus is down, or when too much
        waits to be sent, the message is lost."""


class Exchange:
    """What ``LocalBus``es of one process meet at."""

    def __init__(self) -> None:
        self.receivers: dict[str, Receive] = {}
        self.is_lost: Callable[[str, str, bytes], bool] = lambda sender, node, data: False
        """For tests: whether a message from ``sender`` to ``node`` gets lost."""


class LocalBus:
    """The bus of a lone node, and of several in one process. Nothing is installed for it, and nothing waits."""

    def __init__(self, exchange: Exchange | None = None) -> None:
        self._exchange = exchange or Exchange()
        self._node: str | None = None

    @property
    def is_up(self) -> bool:
        """Whether it has been opened."""
        return self._node is not None

    async def open(self, node: str, receive: Receive) -> None:
        """Be reachable by all whose bus has the same exchange."""
        self._node = node
        self._exchange.receivers[node] = receive

    async def close(self) -> None:
        """Be reachable no more."""
        if self._node is not None:
            self._exchange.receivers.pop(self._node, None)
            self._node = None

    def send(self, node: str, data: bytes) -> None:
        """Send to ``node``; it has the message in the next turn of the event loop."""
        if self._node is not None and not self._exchange.is_lost(self._node, node, data):
            asyncio.get_running_loop().call_soon(self._deliver, node, data)

    def _deliver(self, node: str, data: bytes) -> None:
        receive = self._exchange.receivers.get(node)
        if receive is not None:
            receive(data)
