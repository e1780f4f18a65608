"""Whether this server should get new clients."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from realtime.journal.journal import Journal
    from realtime.journal.nodes import Node

STUCK_MS = 3000
"""As long as a lease: what has not been stored for so long waits for a lock, a disk or a network."""


class Readiness:
    """What ``/readyz`` asks."""

    def __init__(self, node: Node, journal: Journal) -> None:
        self._node = node
        self._journal = journal  # not the ends of rated games: those may wait for ``zeitnot ratings recompute``
        self._is_stopping = False

    def stop(self) -> None:
        """Note that the server is stopping."""
        self._is_stopping = True

    def why_not_ready(self) -> str | None:
        """Why the server should get no new clients now; None when it should."""
        if self._is_stopping:
            return "stopping"
        if not self._node.is_leased():
            return "the database does not answer"
        # What waits says so; while nothing is to be stored the node looks for the lock.
        stuck_ms = max(self._journal.stuck_ms(), self._node.locked_ms())
        return "the database stores nothing" if stuck_ms >= STUCK_MS else None
