"""The error for a simul that another node leads."""

from __future__ import annotations

from realtime.protocol.errors import WireError


class LedElsewhere(WireError):
    """Another live node leads the simul and must be asked.

    Attributes:
        node: the leader.
    """

    def __init__(self, node: str) -> None:
        super().__init__("unavailable", "another node has this exhibition; ask again")
        self.node = node
