"""Clock hold for players lost with their node."""

from __future__ import annotations

import pytest

from game_core import commands as c
from realtime.games.clocks.clock_hold import MISSING_MS, RESUME_MS
from tests.realtime.table_harness import BLACK, Ear, Harness, next_move, play


def lost_white(*, at_ms: int = 3000) -> Harness:
    """White, to move, is lost ``at_ms`` after Black's first move."""
    h = Harness()
    play(h, "e2e4", "e7e5")
    h.time.advance(at_ms)
    lose(h, h.white)
    return h


def lose(h: Harness, ear: Ear) -> None:
    """The node of ``ear`` is gone."""
    h.table.leave(ear)  # type: ignore[arg-type]  # a socket as far as a table needs one
    h.table.clock_hold.miss(("w" if ear is h.white else "b",), h.time.now_ms())


def left(h: Harness) -> tuple[int, int]:
    clock = h.table.game.clock
    assert clock is not None
    reading = clock.reading(h.time.now_ms())
    return reading.w, reading.b


def ring_when_due(h: Harness) -> None:
    """Let time pass until the table rings."""
    due_ms = h.table.due_ms()
    assert due_ms is not None
    h.time.advance(due_ms - h.time.now_ms())
    h.table.on_timer()
    h.journal.settle()


def test_lost_player_to_move_is_not_charged_while_absent() -> None:
    h = lost_white(at_ms=3000)
    assert h.watcher.heard[-1] == {"t": "hold", "g": "game1", "why": "restart"}
    h.time.advance(20_000)
    h.join(Ear(h.white.user))
    h.journal.settle()
    h.time.advance(1000)
    h.ask(next_move(h, "g1f3"))
    assert left(h)[0] == 180_000 - 3000 - 1000 + 2000


def test_lost_opponent_is_not_charged_before_return() -> None:
    h = Harness()
    play(h, "e2e4", "e7e5")
    lose(h, h.black)
    assert not h.table.is_held
    play(h, "g1f3")
    assert h.watcher.heard[-1]["t"] == "hold"
    h.time.advance(20_000)
    h.join(Ear(BLACK))
    h.journal.settle()
    assert (h.watcher.heard[-1]["t"], left(h)[1]) == ("clock", 180_000)


def test_move_through_another_node_does_not_end_absence() -> None:
    h = lost_white()
    h.ask(next_move(h, "g1f3"))
    assert not h.table.is_held
    play(h, "b8c6")
    assert h.table.is_held
    assert [event["t"] for event in h.watcher.heard[-4:]] == ["clock", "move", "move", "hold"]


def test_repeated_move_does_not_end_hold() -> None:
    h = lost_white()
    h.ask(next_move(h, "g1f3"))
    play(h, "b8c6")
    h.ask(c.PlayMove(by="w", move="g1f3", ply=2))
    assert h.table.is_held
    h.ask(c.PlayMove(by="w", move="g1f3", ply=2), key="same")
    assert h.answers[-2:] == [{"seq": 4}, {"seq": 4}]
    assert h.table.is_held


def test_absent_player_is_waited_for_once() -> None:
    h = lost_white()
    ring_when_due(h)
    assert not h.table.is_held
    h.time.advance(1000)
    assert left(h)[0] == 180_000 - 3000 - 1000
    h.ask(next_move(h, "g1f3"))
    play(h, "b8c6")
    assert not h.table.is_held


def test_player_absent_for_long_is_not_waited_for() -> None:
    h = Harness()
    play(h, "e2e4", "e7e5")
    lose(h, h.black)
    play(h, "g1f3", each_ms=MISSING_MS + 1)
    assert not h.table.is_held


def test_player_who_returned_and_left_again_is_charged() -> None:
    h = Harness()
    play(h, "e2e4", "e7e5")
    lose(h, h.black)
    again = Ear(BLACK)
    h.join(again)
    play(h, "g1f3")
    h.table.leave(again)  # type: ignore[arg-type]  # a socket as far as a table needs one
    play(h, "b8c6", "f1c4")
    assert not h.table.is_held
    assert left(h)[1] == 180_000 - 1000 + 2000


def test_player_lost_during_write_of_move_is_waited_for() -> None:
    h = Harness()
    play(h, "e2e4", "e7e5")
    h.journal.is_open = False
    h.ask(next_move(h, "g1f3"))
    lose(h, h.black)
    assert not h.table.is_held
    h.journal.is_open = True
    h.journal.settle()
    assert h.table.is_held
    assert h.table.due_ms() == h.time.now_ms() + RESUME_MS


def test_player_lost_during_write_of_offer_is_waited_for() -> None:
    h = Harness()
    play(h, "e2e4", "e7e5")
    h.journal.is_open = False
    h.ask(c.Draw(by="b", do="offer"))
    lose(h, h.white)
    assert not h.table.is_held
    h.journal.is_open = True
    h.journal.settle()
    assert h.table.is_held
    ring_when_due(h)
    h.ask(c.Draw(by="w", do="decline"))
    assert not h.table.is_held


def test_player_who_returned_and_left_at_once_is_charged() -> None:
    h = Harness()
    play(h, "e2e4", "e7e5")
    lose(h, h.black)
    again = Ear(BLACK)
    h.join(again)
    h.table.leave(again)  # type: ignore[arg-type]  # a socket as far as a table needs one
    play(h, "g1f3")
    assert not h.table.is_held


def test_wait_is_not_extended_by_later_reports() -> None:
    h = Harness()
    play(h, "e2e4", "e7e5")
    lose(h, h.black)
    h.time.advance(MISSING_MS)
    h.table.clock_hold.miss((), h.time.now_ms())
    play(h, "g1f3", each_ms=1)
    assert not h.table.is_held


def stall(h: Harness) -> None:
    """The database is away."""
    h.is_leased = False
    h.table.hold_for_storage(h.time.now_ms())


def end_stall(h: Harness, after_ms: int) -> None:
    h.time.advance(after_ms)
    h.is_leased = True
    h.table.resume_after_storage()
    h.journal.settle()


@pytest.mark.parametrize("lost_first", [False, True])
def test_player_lost_during_outage_is_waited_for_after_it(lost_first: bool) -> None:
    h = Harness()
    play(h, "e2e4", "e7e5")
    if lost_first:
        lose(h, h.white)
    stall(h)
    if not lost_first:
        lose(h, h.white)
    end_stall(h, 2 * MISSING_MS)
    assert h.watcher.heard[-1] == {"t": "hold", "g": "game1", "why": "restart"}
    assert left(h)[0] == 180_000
    ring_when_due(h)
    assert not h.table.is_held
    stall(h)
    end_stall(h, 1000)
    assert not h.table.is_held


def test_move_without_subscription_after_outage_counts() -> None:
    h = Harness()
    play(h, "e2e4", "e7e5")
    stall(h)
    lose(h, h.white)
    h.is_leased = True  # which the ticker has not seen
    h.ask(next_move(h, "g1f3"))
    assert (h.table.game.ply, h.answers[-1]) == (3, {"seq": h.table.game.seq})
    assert not h.table.is_held


def test_game_of_dead_node_waits_for_both_players() -> None:
    h = Harness()
    play(h, "e2e4", "e7e5")
    for ear in (h.white, h.black):
        h.table.leave(ear)  # type: ignore[arg-type]  # a socket as far as a table needs one
    h.table.hold_for_restart(is_moved=True)
    assert h.table.clock_hold.missing == ("w", "b")
    stall(h)
    end_stall(h, RESUME_MS)
    assert h.table.is_held
    h.join(Ear(h.white.user))
    h.journal.settle()
    assert not h.table.is_held
    play(h, "g1f3")
    assert h.table.is_held
