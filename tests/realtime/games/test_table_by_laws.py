"""A table of a game by the Laws as played over a board."""

from __future__ import annotations

import pytest

from game_core import commands as c
from game_core.decide import next_deadline_ms
from game_core.laws.terms import LawsTerms
from realtime.dispatch.verbs.games import BUILDERS
from realtime.games.table_view import RESTART
from realtime.protocol import requests as r
from tests.realtime.table_harness import BLACK, WHITE, Ear, Harness

RAPID = {"base_s": 1200}
BLITZ = {"base_s": 300}
UNSUPERVISED = LawsTerms(supervised=False)

DEFAULT_MS = 60_000

SHUFFLED = "7k/8/8/p1p1p1p1/P1P1P3/6P1/8/K6N w - - 0 1"


def by_laws(**options: object) -> Harness:
    harness = Harness(**{"tc": RAPID, "profile": "fide", **options})  # type: ignore[arg-type]  # of the harness
    harness.journal.settle()
    return harness


def make(h: Harness, move: str) -> None:
    h.ask(c.PlayMove(by=h.table.game.turn, move=move, ply=h.table.game.ply))


def press(h: Harness) -> None:
    h.ask(c.Press(by=h.table.game.turn, ply=h.table.game.ply))


def ring(h: Harness) -> None:
    """Let time pass until the table's timer is due."""
    due_ms = h.table.due_ms()
    assert due_ms is not None
    h.time.advance(due_ms - h.time.now_ms())
    h.table.on_timer()
    h.journal.settle()


def kinds(h: Harness) -> list[str]:
    return [message["t"] for message in h.watcher.heard if "seq" in message]


# -- coming -----------------------------------------------------------------------------------------------


def test_players_come_by_subscribing() -> None:
    h = by_laws()
    assert kinds(h) == ["seated", "seated"]
    h.join(Ear(WHITE))
    h.journal.settle()
    assert kinds(h) == ["seated", "seated"]


def test_who_does_not_come_loses() -> None:
    h = by_laws(absent="w")
    assert next_deadline_ms(h.table.game, 0) == h.time.now_ms() + DEFAULT_MS
    ring(h)  # who can win is asked before
    ring(h)
    assert (h.table.game.result, h.table.game.reason) == ("0-1", "default_time")


def test_who_comes_in_time_plays() -> None:
    h = by_laws(absent="w")
    h.time.advance(DEFAULT_MS - 1)
    h.join(h.white)
    h.journal.settle()
    h.time.advance(1)
    h.table.on_timer()
    assert h.table.game.status == "created"


def test_arrival_that_was_not_stored_is_stored_by_the_timer() -> None:
    h = by_laws(absent="w")
    h.journal.is_open = False
    h.join(h.white)
    h.journal.fail()
    h.journal.is_open = True
    h.table.on_timer()
    h.journal.settle()
    assert h.table.game.laws is not None
    assert h.table.game.laws.seated == (True, True)


def test_outage_of_the_database_is_not_default_time() -> None:
    h = by_laws(absent="w")
    h.time.advance(DEFAULT_MS - 1000)
    h.table.hold_for_storage(h.time.now_ms())
    h.time.advance(30_000)
    h.table.resume_after_storage()
    h.journal.settle()
    assert next_deadline_ms(h.table.game, 0) == h.time.now_ms() + DEFAULT_MS


def test_restart_is_not_default_time() -> None:
    h = by_laws(absent="b")
    h.table.leave(h.white)  # type: ignore[arg-type]  # a socket to a table
    h.table.hold_for_restart()
    h.time.advance(29_000)
    h.ask(c.Touch("w", "e2"))
    assert next_deadline_ms(h.table.game, 0) == h.time.now_ms() + DEFAULT_MS


def test_new_game_is_not_held_for_the_first_mover() -> None:
    """6.5: the clock of White runs, there or not."""
    h = Harness(tc=RAPID, profile="fide", absent="w")
    h.table.hold_for_restart(is_moved=False)
    assert not h.table.is_held


# -- holds ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command", [c.Touch("w", "e2"), c.PlayMove("w", "e2e4", 0), c.Press("w", 0)], ids=["touch", "move", "press"]
)
def test_player_at_the_board_ends_a_hold(command: c.Command) -> None:
    h = by_laws()
    h.table.leave(h.white)  # type: ignore[arg-type]  # a socket to a table
    h.table.hold_for_restart()
    clock = h.table.game.clock
    assert clock is not None
    assert clock.held == RESTART
    h.ask(command)
    assert not h.table.is_held
    assert kinds(h)[2] == "clock"
    assert len(kinds(h)) == 4


def test_table_stays_in_memory_while_a_clock_runs_whose_flag_is_claimed() -> None:
    h = by_laws(tc=BLITZ, laws=UNSUPERVISED)
    for move in ("e2e4", "e7e5"):
        make(h, move)
        press(h)
    for player in (h.white, h.black):
        h.table.leave(player)  # type: ignore[arg-type]  # a socket to a table
    assert not h.table.may_leave
    h.ask(c.Resign("w"))
    assert h.table.may_leave


def test_flag_that_fell_before_the_press_is_claimed_by_one_person_with_both_colors() -> None:
    """On either side's turn it is the flag that is down."""
    h = by_laws(tc=BLITZ, laws=UNSUPERVISED, black=WHITE)
    flag = r.Flag(g="game1")

    def claim() -> None:
        table = h.table
        h.ask(BUILDERS[r.Flag](flag, table, table.game.turn, None, h.time.now_ms()))  # type: ignore[arg-type]  # no socket

    claim()
    assert isinstance(h.answers[-1], Exception)
    h.time.advance(301_000)
    make(h, "e2e4")
    press(h)
    claim()
    assert (h.table.game.result, h.table.game.reason) == ("0-1", "timeout")


# -- legal moves ------------------------------------------------------------------------------------------


def test_player_is_told_what_their_touch_leaves() -> None:
    h = by_laws()
    ear = Ear(WHITE)
    h.join(ear, legal=True)
    h.ask(c.Touch("w", "g1"))
    legal = ear.heard[-1]
    assert (legal["t"], sorted(legal["bound"])) == ("legal", ["g1f3", "g1h3"])
    assert h.snapshot(WHITE.id)["laws"]["bound"] == legal["bound"]
    assert h.snapshot(BLACK.id)["laws"]["bound"] is None
    make(h, "g1f3")
    press(h)
    assert "legal" not in {message["t"] for message in h.black.heard}


# -- who can win ------------------------------------------------------------------------------------------


def claimed(h: Harness) -> None:
    """White makes an illegal move, which Black claims: a win unless Black cannot mate."""
    make(h, "h1h5")
    press(h)
    h.ask(c.ClaimIllegal("b"), user=BLACK)


def shuffled() -> Harness:
    h = by_laws(tc=BLITZ, laws=UNSUPERVISED, fen=SHUFFLED)
    h.solver.otherwise = None
    return h


def test_illegal_move_that_may_be_claimed_ends_no_game() -> None:
    h = shuffled()
    make(h, "g3g4")
    press(h)
    assert [urgency for _, urgency in h.solver.asked] == ["whenever"]
    h = shuffled()
    make(h, "h1g4")
    press(h)
    assert h.solver.asked == []


@pytest.mark.parametrize(("answer", "result"), [("no", "1/2-1/2"), ("yes", "0-1")])
def test_right_claim_waits_for_who_could_win_before_the_move(answer: str, result: str) -> None:
    h = shuffled()
    claimed(h)
    ((key, urgency),) = h.solver.asked
    assert (key.identity.split()[0], key.color, urgency) == (SHUFFLED.split()[0], "b", "now")
    assert h.table.game.status == "created"
    h.solver.tell(answer)  # type: ignore[arg-type]  # the parameter's type
    h.journal.settle()
    assert (h.table.game.result, h.table.game.reason) == (result, "illegal_move")
    assert kinds(h)[-3:] == ["takeback", "ruling", "end"]


def test_answer_about_the_position_before_is_not_used_for_another_end() -> None:
    """White's flag falls before the illegal move, and the end by Black's claim of that move is not stored."""
    h = shuffled()
    h.time.advance(301_000)
    make(h, "h1h5")
    press(h)
    h.journal.is_open = False
    h.ask(c.ClaimIllegal("b"), user=BLACK)
    h.solver.tell("no")
    h.journal.fail()
    h.journal.is_open = True
    h.ask(c.ClaimFlag("b"), user=BLACK)
    key, _ = h.solver.asked[-1]
    assert key.identity.split()[0] == "7k/8/8/p1p1p1pN/P1P1P3/6P1/8/K7"
    h.solver.tell("yes")
    h.journal.settle()
    assert (h.table.game.result, h.table.game.reason) == ("0-1", "timeout")
