"""Mating chances at a table: dead positions end; a win on time waits for its proof."""

from __future__ import annotations

import pytest

from game_core import commands as c
from game_core.errors import Refusal
from realtime.games.chances.mating_chances import AHEAD_MS, REQUERY_MS, RETRY_MS, WAIT_MS
from tests.realtime.table_harness import BLACK, WHITE, Ear, Harness, next_move, play

MINUTE = {"base_s": 60, "inc_s": 0}


def answers(h: Harness) -> list[str]:
    return [f"{key.color} {urgency}" for key, urgency in h.solver.asked]


class TestDeadPositions:
    def start(self) -> Harness:
        h = Harness(fen="7k/8/8/p1p1p1p1/P1P1P3/6P1/8/K6N w - - 0 1")
        h.solver.otherwise = None
        h.ask(next_move(h, "g3g4"))
        assert answers(h) == ["w whenever"]
        return h

    def test_the_game_ends_when_neither_can_win(self) -> None:
        h = self.start()
        h.solver.tell("no")
        h.solver.tell("no")
        h.journal.settle()
        assert answers(h) == ["w whenever", "b whenever"]
        assert (h.table.game.result, h.table.game.reason) == ("1/2-1/2", "dead_position")
        assert h.watcher.heard[-1]["reason"] == "dead_position"

    @pytest.mark.parametrize("answer", ["yes", "undecided"])
    def test_it_goes_on_when_one_may(self, answer: str) -> None:
        h = self.start()
        h.solver.tell(answer)  # type: ignore[arg-type]  # the parameter's type
        assert (h.solver.waiting, h.table.game.status, h.table.is_idle) == ([], "created", True)

    def test_what_nobody_had_time_for_is_asked_again(self) -> None:
        h = self.start()
        h.solver.tell("none")
        assert h.table.due_ms() == h.time.now_ms() + REQUERY_MS
        h.time.advance(REQUERY_MS)
        h.table.on_timer()
        assert answers(h) == ["w whenever", "w whenever"]
        h.ask(next_move(h, "h8g8"))
        assert h.table.chances.is_idle

    def test_a_verdict_on_an_earlier_position_ends_nothing(self) -> None:
        h = self.start()
        h.ask(next_move(h, "h8g8"))
        assert h.solver.forgotten == [h.solver.asked[0][0]]
        h.solver.tell("no")
        assert h.solver.waiting == []
        assert h.table.game.status == "live"

    def test_an_offer_in_between_changes_nothing(self) -> None:
        h = self.start()
        h.solver.tell("no")
        h.journal.is_open = False
        h.ask(c.Draw(by="w", do="offer"))
        h.solver.tell("no")
        assert h.table.game.status == "created"
        h.journal.is_open = True
        h.journal.settle()
        assert h.table.game.reason == "dead_position"
        assert [event["t"] for event in h.watcher.heard[-2:]] == ["offer", "end"]

    def test_a_move_in_flight_goes_first_and_the_new_position_is_asked_about(self) -> None:
        h = self.start()
        h.solver.tell("no")
        h.journal.is_open = False
        h.ask(next_move(h, "h8g8"))
        h.solver.tell("no")
        h.journal.is_open = True
        h.journal.settle()
        assert (h.table.game.status, h.table.game.ply) == ("live", 2)

    def test_who_resigns_while_it_is_found_out_has_not_lost_a_dead_game(self) -> None:
        h = self.start()
        h.ask(c.Resign(by="b"), user=BLACK)
        assert h.answers == [{"seq": 1}]
        h.solver.tell("no")
        h.solver.tell("no")
        h.journal.settle()
        assert h.table.game.reason == "dead_position"
        assert h.code() == "game_over"

    def test_who_resigns_has_lost_when_somebody_can_win(self) -> None:
        h = self.start()
        h.ask(c.Resign(by="b"), user=BLACK)
        h.solver.tell("yes")
        h.journal.settle()
        assert (h.table.game.result, h.table.game.reason) == ("1-0", "resignation")

    def test_who_resigns_does_not_wait_for_long(self) -> None:
        h = self.start()
        h.ask(c.Resign(by="b"), user=BLACK)
        h.time.advance(WAIT_MS)
        assert h.table.due_ms() == h.time.now_ms()
        h.table.on_timer()
        h.journal.settle()
        assert h.table.game.reason == "resignation"
        h.solver.tell("no")
        assert h.solver.waiting == []

    def test_what_could_not_be_stored_is_tried_again(self) -> None:
        h = self.start()
        h.solver.tell("no")
        h.journal.is_full = True
        h.solver.tell("no")
        assert h.table.game.status == "created"
        assert not h.table.is_idle
        assert h.table.due_ms() == h.time.now_ms() + RETRY_MS
        h.journal.is_full = False
        h.time.advance(RETRY_MS)
        h.table.on_timer()
        h.journal.settle()
        assert h.table.game.reason == "dead_position"

    def test_a_rebuilt_table_asks_again(self) -> None:
        h = self.start()
        h.table.hold_for_restart()
        assert answers(h) == ["w whenever", "w whenever"]
        h.solver.facts = {h.solver.asked[0][0]: "no", h.solver.asked[0][0]._replace(color="b"): "no"}
        h.table.hold_for_restart()
        h.journal.settle()
        assert h.table.game.reason == "dead_position"

    def test_a_table_stays_in_memory_meanwhile(self) -> None:
        h = self.start()
        assert not h.table.is_idle
        h.solver.tell("yes")
        assert h.table.is_idle

    def test_ordinary_moves_ask_nothing(self) -> None:
        h = Harness()
        h.solver.otherwise = None
        play(h, "e2e4", "e7e5", "g1f3", "b8c6")
        assert h.solver.asked == []


def test_a_game_against_oneself_keeps_no_other_from_its_answer() -> None:
    for black, is_modest in ((BLACK, False), (WHITE, True)):
        h = Harness(fen="7k/8/8/p1p1p1p1/P1P1P3/6P1/8/K6N w - - 0 1", black=black)
        h.solver.otherwise = None
        h.ask(next_move(h, "g3g4"))
        assert h.solver.is_modest == is_modest


class TestFlags:
    def low(self) -> Harness:
        """White has less than a second; nothing has been asked."""
        h = Harness(MINUTE)
        play(h, "e2e4", "e7e5")
        h.solver.otherwise = None
        return h

    def test_it_is_asked_ahead_and_falls_at_once(self) -> None:
        h = self.low()
        due_ms = h.table.due_ms()
        assert due_ms == h.time.now_ms() + 60_000 + 15 - AHEAD_MS
        h.time.advance(60_000 + 15 - AHEAD_MS)
        h.table.on_timer()
        assert (answers(h), h.table.game.status) == (["b soon"], "live")
        assert h.table.due_ms() == h.time.now_ms() + AHEAD_MS
        h.solver.tell("yes")
        h.time.advance(AHEAD_MS)
        h.table.on_timer()
        h.journal.settle()
        assert (h.table.game.result, h.table.game.reason) == ("0-1", "timeout")

    def test_flag_fall_draws_when_opponent_cannot_mate(self) -> None:
        h = self.low()
        h.time.advance(59_000)
        h.table.on_timer()
        h.solver.tell("no")
        h.time.advance(2000)
        h.table.on_timer()
        h.journal.settle()
        assert (h.table.game.result, h.table.game.reason) == ("1/2-1/2", "timeout_draw")

    def test_the_table_waits_for_the_answer_and_so_does_everybody_else(self) -> None:
        h = self.low()
        h.time.advance(60_015)
        h.table.on_timer()
        assert (answers(h), h.table.game.status) == (["b soon", "b now"], "live")
        h.ask(c.Draw(by="b", do="offer"), user=BLACK)
        assert h.answers[-1] == {"seq": 2}
        h.solver.tell("no")
        h.solver.tell("no")
        h.journal.settle()
        assert (h.table.game.reason, h.code()) == ("timeout_draw", "game_over")

    @pytest.mark.parametrize(("answer", "reason"), [("yes", "timeout"), ("undecided", "timeout"), ("none", "timeout")])
    def test_flag_fall_loses_when_opponent_may_mate(self, answer: str, reason: str) -> None:
        h = self.low()
        h.time.advance(60_015)
        h.table.on_timer()
        h.solver.tell(answer)  # type: ignore[arg-type]  # the parameter's type
        h.journal.settle()
        assert h.table.game.reason == reason

    def test_it_does_not_wait_for_ever(self) -> None:
        h = self.low()
        h.time.advance(60_015)
        h.table.on_timer()
        assert h.table.due_ms() == h.time.now_ms() + WAIT_MS
        h.time.advance(WAIT_MS - 1)
        h.table.on_timer()
        assert h.table.game.status == "live"
        h.time.advance(1)
        h.table.on_timer()
        h.journal.settle()
        assert h.table.game.reason == "timeout"
        for _ in range(2):
            h.solver.tell("no")
        assert h.table.game.result == "0-1"

    def test_a_move_that_comes_too_late_waits_too(self) -> None:
        h = self.low()
        h.time.advance(61_000)
        h.ask(next_move(h, "g1f3"))
        assert answers(h) == ["b now"]
        h.solver.tell("no")
        h.journal.settle()
        assert (h.table.game.reason, h.code()) == ("timeout_draw", "game_over")

    def test_a_hold_meanwhile_stops_the_flag(self) -> None:
        h = self.low()
        h.time.advance(60_015)
        h.table.on_timer()
        h.is_leased = False
        h.table.hold_for_storage(h.time.now_ms() - 1000)
        h.solver.tell("yes")
        h.solver.tell("yes")
        assert (h.table.game.status, h.journal.waiting) == ("live", [])
        h.is_leased = True
        h.table.resume_after_storage()
        h.journal.settle()
        assert (h.table.game.status, h.watcher.heard[-1]["t"]) == ("live", "clock")

    def test_what_the_rules_know_at_once_is_not_asked(self) -> None:
        h = Harness(MINUTE, fen="8/8/8/4k3/8/8/4P3/4K3 w - - 0 1")
        play(h, "e1d2", "e5d5")
        h.solver.otherwise = None
        h.time.advance(60_015)
        h.table.on_timer()
        h.journal.settle()
        assert (h.solver.asked, h.table.game.reason) == ([], "timeout_draw")

    def test_a_first_move_that_does_not_come_asks_nothing(self) -> None:
        h = Harness()
        h.solver.otherwise = None
        h.time.advance(20_000)
        h.table.on_timer()
        h.journal.settle()
        assert (h.solver.asked, h.table.game.reason) == ([], "aborted")


class TestAbsence:
    def left(self) -> Harness:
        h = Harness()
        play(h, "e2e4", "e7e5")
        h.solver.otherwise = None
        h.table.leave(h.black)  # type: ignore[arg-type]  # a socket to a table
        assert answers(h) == ["w soon"]
        return h

    def claim(self, h: Harness) -> None:
        h.ask(c.ClaimLeft(by="w", what="win", gone_ms=1_000_000))

    def test_the_answer_is_at_hand(self) -> None:
        h = self.left()
        h.solver.tell("no")
        self.claim(h)
        assert (h.table.game.result, h.table.game.reason) == ("1/2-1/2", "abandoned")

    def test_a_claim_waits_for_it(self) -> None:
        h = self.left()
        self.claim(h)
        assert h.table.game.status == "live"
        h.solver.tell("yes")
        h.solver.tell("yes")
        h.journal.settle()
        assert (h.table.game.result, h.table.game.reason) == ("1-0", "abandoned")
        assert not isinstance(h.answers[-1], Refusal)

    def test_a_draw_is_claimed_without(self) -> None:
        h = self.left()
        h.ask(c.ClaimLeft(by="w", what="draw", gone_ms=1_000_000))
        assert h.table.game.result == "1/2-1/2"

    def test_one_tab_of_two_is_no_absence(self) -> None:
        h = Harness()
        play(h, "e2e4", "e7e5")
        h.solver.otherwise = None
        h.join(Ear(WHITE))
        h.table.leave(h.white)  # type: ignore[arg-type]  # a socket to a table
        assert h.solver.asked == []
