"""What a run finds wrong."""

from __future__ import annotations

from realtime.protocol.errors import RealtimeError


class Violation(RealtimeError):
    """Something was lost, doubled, shown otherwise than it is stored, or charged to somebody who could not help it."""
