"""Game time under the control of a test."""

from __future__ import annotations


class FakeTime:
    """A ``ServerTime`` that stands still until the test advances it.

    Attributes:
        late_ms: how long ago the frame that is being read arrived.
        cut_ms: always zero.
        unix_ms: Unix time at game time 0.
    """

    def __init__(self, now_ms: int = 0, *, unix_ms: int = 1_700_000_000_000) -> None:
        self._now_ms = now_ms
        self.late_ms = self.cut_ms = 0
        self.unix_ms = unix_ms

    def advance(self, ms: int) -> None:
        """Let ``ms`` pass."""
        self._now_ms += ms

    def now_ms(self) -> int:
        return self._now_ms

    def stamp_ms(self) -> int:
        return self._now_ms - self.late_ms

    def wall_ms(self, game_ms: int) -> int:
        return self.unix_ms + game_ms
