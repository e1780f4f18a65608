"""The error for a simul that another node leads."""

from __future__ import annotations

from lobby.errors import Unavailable


class LedRemotely(Unavailable):
    """Another live node leads the simul and must be asked.

    Attributes:
        node: the leader.
    """

    def __init__(self, node: str) -> None:
        super().__init__("another node owns this simul; try again")
        self.node = node
