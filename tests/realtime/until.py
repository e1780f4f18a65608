"""Waiting for what only asking can tell. The test's own timeout is the limit."""

from __future__ import annotations

from harness.chaos.waiting import PAUSE_S, until

__all__ = ["PAUSE_S", "until"]
