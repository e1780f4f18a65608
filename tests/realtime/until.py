"""Polling for a condition. The timeout of the test is the limit."""

from __future__ import annotations

from harness.chaos.polling import PAUSE_S, until

__all__ = ["PAUSE_S", "until"]
