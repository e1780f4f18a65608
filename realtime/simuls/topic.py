"""The topic of an exhibition: the host hears everything at once, those who watch what gathers within a moment."""

from __future__ import annotations

from realtime.gathering import GatheringTopic

RING_EVENTS = 1024
"""Kept for ``from``: a move on each of a thousand boards. With 300 bytes each it is what a snapshot costs."""


class SimulTopic(GatheringTopic):
    """Sockets of the host are its players, to whom nothing waits."""

    __slots__ = ()

    def __init__(self, simul_id: str) -> None:
        super().__init__(f"simul:{simul_id}", RING_EVENTS)
