"""An exhibition that another node leads."""

from __future__ import annotations

from realtime.protocol.errors import WireError


class LedElsewhere(WireError):
    """Another node that lives leads it: ask there.

    Attributes:
        node: which one.
    """

    def __init__(self, node: str) -> None:
        super().__init__("unavailable", "another node has this exhibition; ask again")
        self.node = node
