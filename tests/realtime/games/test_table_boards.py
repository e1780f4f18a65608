"""Table of a simul board: restarts, stalls and views."""

from __future__ import annotations

from typing import Any

import pytest

from game_core import commands as c
from game_core.lag import CEILING_SLACK_MS
from game_core.simul_board import Mode, SimulBoard
from realtime.games.table_view import RESTART, tick_body
from realtime.protocol.wire_game import clock_body
from tests.realtime.table_harness import BLACK, BLITZ, WHITE, Ear, Harness, left, next_move, play

HOUR = {"base_s": 3600, "inc_s": 0}


def a_board(mode: Mode = "clock", tc: Any = BLITZ, black_tc: Any = None, *, timed: bool = True) -> Harness:
    """A board whose host is White."""
    return Harness(tc, black_tc=black_tc, simul_board=SimulBoard("simul1", 3, "w", mode, host_timed=timed))


def server(h: Harness, *commands: c.Command) -> None:
    """The simul asks."""
    for command in commands:
        h.ask(command, user=None)


def restart(h: Harness) -> None:
    for ear in (h.white, h.black):
        h.table.leave(ear)  # type: ignore[arg-type]  # a socket to a table
    h.time.advance(4000)
    h.table.hold_for_restart()


def held(h: Harness) -> str | None:
    assert h.table.game.clock is not None
    return h.table.game.clock.held


class TestRestart:
    def test_board_without_moves_is_held_at_restart(self) -> None:
        h = a_board()
        restart(h)
        assert held(h) == RESTART
        h.join(Ear(WHITE))
        h.journal.settle()
        assert (held(h), h.watcher.heard[-1]["why"]) == (None, "resumed")

    def test_restart_keeps_board_waiting_for_the_host(self) -> None:
        h = a_board("round")
        restart(h)
        assert (held(h), h.table.due_ms()) == ("round", None)
        h.join(Ear(WHITE))
        h.journal.settle()
        assert held(h) == "round"

    @pytest.mark.parametrize("why", ["break", "host_away"])
    def test_restart_keeps_break_and_absence_of_host(self, why: Any) -> None:
        h = a_board()
        server(h, c.Hold(why))
        restart(h)
        assert (held(h), h.table.due_ms()) == (why, None)

    def test_break_replaces_hold_of_restart(self) -> None:
        h = a_board()
        play(h, "e2e4", "e7e5")
        restart(h)
        server(h, c.Hold("break"))
        assert (held(h), h.table.due_ms()) == ("break", None)
        server(h, c.Release())
        assert held(h) is None


class TestStall:
    def test_database_outage_keeps_round_hold(self) -> None:
        h = a_board("round")
        h.table.hold_for_storage(h.time.now_ms())
        assert held(h) == "round"
        h.time.advance(5000)
        h.table.resume_after_storage()
        h.journal.settle()
        assert held(h) == "round"

    def test_arrival_of_host_during_outage_counts(self) -> None:
        h = a_board("round", HOUR, BLITZ)
        h.journal.is_open = False
        server(h, c.Arrive(600_000))
        h.time.advance(2000)
        h.table.look_for_stall(h.time.now_ms(), 1000)
        h.journal.is_open = True
        h.journal.settle()
        assert held(h) is None
        h.time.advance(3000)
        h.ask(next_move(h, "e2e4"))
        assert h.table.game.times == (597_000,)


def test_flag_is_due_before_both_have_moved() -> None:
    h = a_board()
    began_ms = h.time.now_ms()
    while (due_ms := h.table.due_ms()) is not None:
        h.time.advance(due_ms - h.time.now_ms())
        h.table.on_timer()
        h.journal.settle()
    assert h.time.now_ms() == began_ms + 180_000 + CEILING_SLACK_MS
    assert (h.watcher.heard[-1]["result"], h.watcher.heard[-1]["reason"]) == ("0-1", "timeout")


def test_board_snapshot_has_simul_and_time_controls() -> None:
    h = a_board("round", HOUR, BLITZ)
    body = h.snapshot(None)
    assert body["simul"] == "simul1"
    assert (body["tc"], body["tcs"], body["speed"]) == (BLITZ, {"w": HOUR, "b": BLITZ}, "blitz")
    assert body["clock"] is not None
    assert (body["clock"]["held"], body["clock"]["run"]) == ("round", None)
    assert tick_body(h.table, 0, 0) is None


def test_board_snapshot_shows_host_time_per_move() -> None:
    h = a_board("round", {"move_s": 30}, BLITZ)
    assert h.snapshot(None)["tcs"] == {"w": {"move_s": 30}, "b": BLITZ}
    server(h, c.Arrive())
    h.time.advance(10_000)
    clock = h.snapshot(None)["clock"]
    assert clock is not None
    assert (clock["w"], clock["delay_left"]) == (0, 20_000)


def test_board_snapshot_shows_host_without_clock() -> None:
    h = a_board("round", {"periods": [{"moves": 40, "base_s": 60, "inc_s": 0}, HOUR]}, timed=False)
    body = h.snapshot(None)
    assert "tcs" in body
    assert body["tcs"]["w"] is None
    server(h, c.Arrive())
    clock = h.snapshot(None)["clock"]
    assert clock is not None
    assert (clock["held"], clock["moves_to_go"]) == ("untimed", {"w": None, "b": 40})


def test_board_without_clocks_shows_none() -> None:
    h = a_board("round", None, timed=False)
    server(h, c.Arrive())
    assert (h.watcher.heard[-1]["why"], h.watcher.heard[-1]["clock"]) == ("arrived", None)
    assert h.snapshot(None)["clock"] is None
    assert clock_body(h.table.game.setup, None, 0) is None
    assert "tcs" not in h.snapshot(None)


def test_only_participant_to_move_counts_as_absent() -> None:
    h = a_board()
    for ear in (h.white, h.black):
        h.table.leave(ear)  # type: ignore[arg-type]  # a socket to a table
    h.time.advance(30_000)
    assert left(h) == {"w": None, "b": None}
    h.ask(next_move(h, "e2e4"))
    h.time.advance(20_000)
    # Of fifty seconds only those of their own turns count.
    assert left(h) == {"w": None, "b": 60_000}
    server(h, c.Hold("break"))
    assert left(h) == {"w": None, "b": None}
    h.join(Ear(BLACK))
    assert left(h) == {"w": None, "b": None}
