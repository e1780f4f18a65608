"""The topic of an exhibition: the host hears everything at once, those who watch what gathers within a moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from realtime.gathering import GatheringTopic

if TYPE_CHECKING:
    from realtime.topics import Message

RING_EVENTS = 1024
"""Kept for ``from``: a move on each of a thousand boards. With 300 bytes each it is what a snapshot costs."""


class SimulTopic(GatheringTopic):
    """Sockets of the host are its players."""

    __slots__ = ()

    def __init__(self, simul_id: str) -> None:
        super().__init__(f"simul:{simul_id}", RING_EVENTS)

    def publish(self, message: Message) -> None:
        """Send a numbered message to all: to the host at once."""
        super().publish(message)
        for connection in tuple(self.players):
            self.catch_up(connection)
