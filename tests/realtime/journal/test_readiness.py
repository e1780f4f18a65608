"""Readiness of a node for new clients."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from realtime.journal.readiness import STUCK_MS, Readiness


@pytest.mark.parametrize(
    ("is_leased", "stuck_ms", "locked_ms", "stopping", "why"),
    [
        (True, 0, 0, False, None),
        (True, STUCK_MS - 1, STUCK_MS - 1, False, None),
        (True, STUCK_MS, 0, False, "the database stores nothing"),
        (True, 0, STUCK_MS, False, "the database stores nothing"),
        (False, 0, 0, False, "the database is not responding"),
        (False, STUCK_MS, STUCK_MS, False, "the database is not responding"),
        (True, 0, 0, True, "stopping"),
    ],
)
def test_reasons_for_not_being_ready(
    is_leased: bool, stuck_ms: int, locked_ms: int, stopping: bool, why: str | None
) -> None:
    node: Any = SimpleNamespace(is_leased=lambda: is_leased, locked_ms=lambda: locked_ms)
    journal: Any = SimpleNamespace(stuck_ms=lambda: stuck_ms)
    readiness = Readiness(node, journal)
    if stopping:
        readiness.stop()
    assert readiness.why_not_ready() == why
