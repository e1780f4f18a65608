"""Counters of socket traffic, for the metrics."""

from __future__ import annotations

from collections import Counter

CLOSE_CODES = (1000, 1001, 1002, 1003, 1005, 1006, 1007, 1008, 1009, 1011, 1012, 1013, 4008)
"""Close codes that are counted one by one: a client may use any of two thousand."""

OTHER = "other"

REFUSALS = (400, 401, 403, 404, 405, 408, 414, 426, 429, 431, 503)
"""HTTP statuses of refused handshakes."""


class Traffic:
    """Counters of one gateway, written by it and its connections."""

    def __init__(self) -> None:
        self.open = 0
        """Open sockets."""
        self.opened = 0
        """Sockets opened."""
        self.refused: Counter[int] = Counter()
        """Refused handshakes by HTTP status."""
        self.closed: Counter[int | str] = Counter()
        """Closed sockets by the close code that was sent or received first; 1006 without one, ``other`` if it is none
        of ``CLOSE_CODES``."""
        self.messages = 0
        """Complete messages received, including those over the rate."""
        self.rate_limited = 0
        """Messages refused before decoding."""
        self.bad_messages = 0
        """Messages that could not be decoded."""
        self.skipped = 0
        """Droppable frames not written to a slow socket."""
        self.slow = 0
        """Sockets closed with 1013."""
        self.failures = 0
        """Requests that failed by an error of the server, each logged."""

    def count_close(self, code: int) -> None:
        """Count a closed socket."""
        self.closed[code if code in CLOSE_CODES else OTHER] += 1

    def count_failure(self) -> None:
        """Count a request that failed by an error of the server."""
        self.failures += 1
