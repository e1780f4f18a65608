"""The time for a first move, as subscribers are told."""

from __future__ import annotations

from realtime.games.table_view import send_clock
from tests.realtime.table_harness import Ear, Harness, play


def test_time_is_told_when_it_begins_again_for_an_unreached_player() -> None:
    h = Harness()
    h.time.advance(15_000)
    h.table.clock_hold.hold_for_player(h.time.now_ms() - 3_000)
    tick = h.watcher.heard[-1]
    clock = tick["clock"]
    assert (tick["t"], clock["run"], clock["first_move_by"] - clock["at"]) == ("tick", None, 20_000)


def test_time_is_told_after_a_stall() -> None:
    h = Harness()
    h.time.advance(15_000)
    h.is_leased = False
    h.table.hold_for_storage(h.time.now_ms())
    h.time.advance(9000)
    h.is_leased = True
    h.table.resume_after_storage()
    h.journal.settle()
    clock = h.watcher.heard[-1]["clock"]
    assert (h.watcher.heard[-1]["why"], clock["first_move_by"] - clock["at"]) == ("resumed", 20_000)


def test_time_is_told_to_a_resumed_subscription() -> None:
    h = Harness()
    h.time.advance(5000)
    back, quiet = Ear(), Ear()
    send_clock(h.table, h.time, back, ticks=True)  # type: ignore[arg-type]  # a socket as far as it is written to
    send_clock(h.table, h.time, quiet, ticks=False)  # type: ignore[arg-type]  # the same
    (tick,) = back.heard
    assert (tick["t"], tick["clock"]["first_move_by"] - tick["clock"]["at"]) == ("tick", 15_000)
    play(h, "e2e4", "e7e5")
    send_clock(h.table, h.time, back, ticks=True)  # type: ignore[arg-type]  # the same
    assert (len(back.heard), quiet.heard) == (1, [])
