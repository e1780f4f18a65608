"""Whether this server should get new clients."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from realtime.nodes import Node


class Readiness:
    """What ``/readyz`` asks."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self.stopping = False

    def why_not_ready(self) -> str | None:
        """Why the server should get no new clients now; None when it should."""
        if self.stopping:
            return "stopping"
        return None if self._node.is_leased() else "the database does not answer"
