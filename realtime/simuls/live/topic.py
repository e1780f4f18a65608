"""The topic of a simul: the host gets each message at once, spectators get batches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from realtime.fanout.coalescing_topic import CoalescingTopic

if TYPE_CHECKING:
    from realtime.fanout.message import Message
    from realtime.fanout.spectator_queue import FanOut
    from realtime.net.connection import Connection

RING_EVENTS = 1024
"""Events kept for ``from``: a move on each of a thousand boards. At 300 bytes each they cost as much as a snapshot."""


class SimulTopic(CoalescingTopic):
    """Topic whose players are the host's sockets, to which messages are never batched."""

    __slots__ = ("_fan_out",)

    def __init__(self, simul_id: str, fan_out: FanOut | None = None) -> None:
        super().__init__(f"simul:{simul_id}", RING_EVENTS, fan_out=fan_out)
        self._fan_out = fan_out

    def open_delayed(self) -> SimulTopic:
        """Return the topic of the delayed view, scheduled in turn with all others."""
        if self.delayed is None:
            self.delayed = SimulTopic(self.name.removeprefix("simul:"), self._fan_out)
        assert isinstance(self.delayed, SimulTopic), "made here"
        return self.delayed

    def catch_up(self, connection: Connection) -> None:
        """Send ``connection`` the pending messages, of the live or delayed topic."""
        super().catch_up(connection)
        if isinstance(self.delayed, SimulTopic):
            self.delayed.catch_up(connection)

    def remember(self, message: Message) -> None:
        """Keep for ``from`` a message published on another node before there was a listener here."""
        self._ring.append(message)
