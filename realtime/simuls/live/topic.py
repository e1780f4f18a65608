"""The topic of an exhibition: the host hears everything at once, those who watch what gathers within a moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from realtime.fanout.coalescing_topic import CoalescingTopic

if TYPE_CHECKING:
    from realtime.fanout.message import Message
    from realtime.fanout.spectator_queue import FanOut
    from realtime.net.connection import Connection

RING_EVENTS = 1024
"""Kept for ``from``: a move on each of a thousand boards. With 300 bytes each it is what a snapshot costs."""


class SimulTopic(CoalescingTopic):
    """Sockets of the host are its players, to whom nothing waits."""

    __slots__ = ("_fan_out",)

    def __init__(self, simul_id: str, fan_out: FanOut | None = None) -> None:
        super().__init__(f"simul:{simul_id}", RING_EVENTS, fan_out=fan_out)
        self._fan_out = fan_out

    def delayed(self) -> SimulTopic:
        """The topic of those who hear the same later; it takes turns with all others."""
        if self.late is None:
            self.late = SimulTopic(self.name.removeprefix("simul:"), self._fan_out)
        assert isinstance(self.late, SimulTopic), "made here"
        return self.late

    def catch_up(self, connection: Connection) -> None:
        """Send ``connection`` what waits for the others, early or late."""
        super().catch_up(connection)
        if isinstance(self.late, SimulTopic):
            self.late.catch_up(connection)

    def remember(self, message: Message) -> None:
        """Keep for ``from`` what was told elsewhere, before anybody listened here."""
        self._ring.append(message)
