"""The bus: best-effort messages between nodes, addressed by node name.

Callers may rely on two things only: a message arrives at most once, possibly late, and messages from one node to
another arrive in order. ``links.py`` detects lost messages.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    Receive = Callable[[bytes], None]

MAX_BYTES = 960 * 1024
"""Maximum size of one message. NATS accepts 1 MiB by default."""


class Bus(Protocol):
    """Best-effort byte transport between nodes."""

    @property
    def is_up(self) -> bool:
        """Return whether a message sent now can arrive."""

    async def open(self, node: str, receive: Receive) -> None:
        """Start receiving as ``node``. ``receive`` is called with each message; it must neither block nor raise.

        Returns once the bus is up, or once the first attempt has failed; the bus then keeps retrying in the background.
        """

    async def close(self) -> None:
        """Stop receiving. Messages already sent are flushed first, within a time limit."""

    def send(self, node: str, data: bytes) -> None:
        """Send at most ``MAX_BYTES`` to ``node``. Never waits and never fails.

        The message is dropped while the bus is down or the send queue is full.
        """


class Exchange:
    """Registry that connects the ``LocalBus`` objects of one process."""

    def __init__(self) -> None:
        self.receivers: dict[str, Receive] = {}
        self.is_lost: Callable[[str, str, bytes], bool] = lambda sender, node, data: False
        """Test hook: whether a message from ``sender`` to ``node`` is lost."""


class LocalBus:
    """In-process bus, for a lone node or several nodes in one process. It needs no server and never waits."""

    def __init__(self, exchange: Exchange | None = None) -> None:
        self._exchange = exchange or Exchange()
        self._node: str | None = None

    @property
    def is_up(self) -> bool:
        """Return whether the bus has been opened."""
        return self._node is not None

    async def open(self, node: str, receive: Receive) -> None:
        """Start receiving from every bus on the same exchange."""
        self._node = node
        self._exchange.receivers[node] = receive

    async def close(self) -> None:
        """Stop receiving."""
        if self._node is not None:
            self._exchange.receivers.pop(self._node, None)
            self._node = None

    def send(self, node: str, data: bytes) -> None:
        """Send to ``node``. The message is delivered in the next iteration of the event loop."""
        if self._node is not None and not self._exchange.is_lost(self._node, node, data):
            asyncio.get_running_loop().call_soon(self._deliver, node, data)

    def _deliver(self, node: str, data: bytes) -> None:
        receive = self._exchange.receivers.get(node)
        if receive is not None:
            receive(data)
