"""Errors found by a chaos run."""

from __future__ import annotations

from realtime.protocol.errors import RealtimeError


class Violation(RealtimeError):
    """Something was lost, duplicated, shown differently from what is stored, or charged wrongly."""
