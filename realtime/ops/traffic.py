"""Counts of what passed through the sockets, for the metrics to read."""

from __future__ import annotations

from collections import Counter

CLOSE_CODES = (1000, 1001, 1002, 1003, 1005, 1006, 1007, 1008, 1009, 1011, 1012, 1013, 4008)
"""Those that are counted one by one: a client may close with any of two thousand."""

OTHER = "other"

REFUSALS = (400, 401, 403, 404, 405, 408, 414, 426, 429, 431, 503)
"""Statuses of handshakes that are refused."""


class Traffic:
    """Plain counters of one gateway; only it and its connections write them, anybody may read."""

    def __init__(self) -> None:
        self.open = 0
        """Sockets that are open now."""
        self.opened = 0
        """Sockets ever upgraded."""
        self.refused: Counter[int] = Counter()
        """Handshakes answered otherwise, by HTTP status."""
        self.closed: Counter[int | str] = Counter()
        """Sockets that are gone, by the close code that was sent or came first; 1006 where there was none, ``other`` if
        it is none of ``CLOSE_CODES``."""
        self.messages = 0
        """Whole messages received, those over the rate too."""
        self.rate_limited = 0
        """Messages refused before decoding."""
        self.bad_messages = 0
        """Messages that could not be decoded."""
        self.skipped = 0
        """Droppable frames not written to a slow socket."""
        self.slow = 0
        """Sockets closed with 1013."""
        self.failures = 0
        """Requests that failed by a fault of the server, each logged."""

    def count_close(self, code: int) -> None:
        """One socket more is gone."""
        self.closed[code if code in CLOSE_CODES else OTHER] += 1

    def count_failure(self) -> None:
        """One request more has failed by a fault of the server."""
        self.failures += 1
