"""Ticker: the lag of clocks behind the database, updated with each renewal of the lease."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from realtime.games.clocks.ticker import STALL_MS, Ticker
from tests.realtime.table_harness import Harness, play


def beating(harness: Harness) -> tuple[Ticker, Any, Any]:
    """A ticker for the table of ``harness``, with its storage and its node."""
    storage, node = SimpleNamespace(stuck_ms=lambda: 0), SimpleNamespace(slept_ms=0, is_leased=lambda: True)
    tables: Any = SimpleNamespace(all=lambda: (harness.table,), in_slot=lambda slot: ())
    return Ticker(tables, storage, node, harness.time, lambda: None), storage, node  # type: ignore[arg-type]  # parts of them


def test_clock_lag_counts_gaps_of_the_current_turn() -> None:
    harness = Harness()
    play(harness, "e2e4", "e7e5")
    ticker, _, node = beating(harness)
    harness.time.advance(1_000)
    harness.time.cut_ms += 700
    assert ticker.clocks_behind_ms() == 700
    node.slept_ms += 5_000
    assert ticker.clocks_behind_ms() == 5_700
    harness.time.advance(1_000)
    play(harness, "g1f3")
    assert ticker.clocks_behind_ms() == 0
    harness.time.advance(1_000)
    harness.time.cut_ms += 300
    assert ticker.clocks_behind_ms() == 300


def test_clock_lag_is_unknown_during_storage_hold() -> None:
    harness = Harness()
    play(harness, "e2e4", "e7e5")
    ticker, storage, _ = beating(harness)
    assert ticker.clocks_behind_ms() == 0
    harness.table.hold_for_storage(harness.time.now_ms())
    assert ticker.clocks_behind_ms() is None
    harness.table.resume_after_storage()
    assert ticker.clocks_behind_ms() == 0
    storage.stuck_ms = lambda: STALL_MS
    assert ticker.clocks_behind_ms() is None
