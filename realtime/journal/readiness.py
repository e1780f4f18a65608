"""Readiness of this server for new clients."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from realtime.journal.journal import Journal
    from realtime.journal.nodes import Node

STUCK_MS = 3000
"""As long as a lease: an append that waits for longer is blocked by a lock, a disk or a network."""


class Readiness:
    """The state behind ``/readyz``."""

    def __init__(self, node: Node, journal: Journal) -> None:
        self._node = node
        self._journal = journal  # not the ends of rated games, which may wait for ``zeitnot ratings recompute``
        self._is_stopping = False

    def stop(self) -> None:
        """Note that the server is stopping."""
        self._is_stopping = True

    def why_not_ready(self) -> str | None:
        """Return why the server should get no new clients now; None if it should."""
        if self._is_stopping:
            return "stopping"
        if not self._node.is_leased():
            return "the database is not responding"
        # Waiting appends tell; without any the node looks for locks.
        stuck_ms = max(self._journal.stuck_ms(), self._node.locked_ms())
        return "the database stores nothing" if stuck_ms >= STUCK_MS else None
