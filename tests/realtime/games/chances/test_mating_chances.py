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

    def test_game_ends_when_neither_side_can_mate(self) -> None:
        h = self.start()
        h.solver.tell("no")
        h.solver.tell("no")
        h.journal.settle()
        assert answers(h) == ["w whenever", "b whenever"]
        assert (h.table.game.result, h.table.game.reason) == ("1/2-1/2", "dead_position")
        assert h.watcher.heard[-1]["reason"] == "dead_position"

    @pytest.mark.parametrize("answer", ["yes", "undecided"])
    def test_game_continues_when_one_side_may_mate(self, answer: str) -> None:
        h = self.start()
        h.solver.tell(answer)  # type: ignore[arg-type]  # the parameter's type
        assert (h.solver.waiting, h.table.game.status, h.table.is_idle) == ([], "created", True)

    def test_unanswered_query_is_repeated(self) -> None:
        h = self.start()
        h.solver.tell("none")
        assert h.table.due_ms() == h.time.now_ms() + REQUERY_MS
        h.time.advance(REQUERY_MS)
        h.table.on_timer()
        assert answers(h) == ["w whenever", "w whenever"]
        h.ask(next_move(h, "h8g8"))
        assert h.table.chances.is_idle

    def test_verdict_on_earlier_position_is_ignored(self) -> None:
        h = self.start()
        h.ask(next_move(h, "h8g8"))
        assert h.solver.forgotten == [h.solver.asked[0][0]]
        h.solver.tell("no")
        assert h.solver.waiting == []
        assert h.table.game.status == "live"

    def test_verdict_is_applied_after_an_offer(self) -> None:
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

    def test_move_in_flight_precedes_verdict_on_old_position(self) -> None:
        h = self.start()
        h.solver.tell("no")
        h.journal.is_open = False
        h.ask(next_move(h, "h8g8"))
        h.solver.tell("no")
        h.journal.is_open = True
        h.journal.settle()
        assert (h.table.game.status, h.table.game.ply) == ("live", 2)

    def test_resignation_in_dead_position_waits_and_draws(self) -> None:
        h = self.start()
        h.ask(c.Resign(by="b"), user=BLACK)
        assert h.answers == [{"seq": 1}]
        h.solver.tell("no")
        h.solver.tell("no")
        h.journal.settle()
        assert h.table.game.reason == "dead_position"
        assert h.code() == "game_over"

    def test_resignation_counts_when_one_side_can_mate(self) -> None:
        h = self.start()
        h.ask(c.Resign(by="b"), user=BLACK)
        h.solver.tell("yes")
        h.journal.settle()
        assert (h.table.game.result, h.table.game.reason) == ("1-0", "resignation")

    def test_resignation_waits_for_verdict_a_bounded_time(self) -> None:
        h = self.start()
        h.ask(c.Resign(by="b"), user=BLACK)
        h.time.advance(WAIT_MS)
        assert h.table.due_ms() == h.time.now_ms()
        h.table.on_timer()
        h.journal.settle()
        assert h.table.game.reason == "resignation"
        h.solver.tell("no")
        assert h.solver.waiting == []

    def test_unstored_end_is_retried(self) -> None:
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

    def test_rebuilt_table_repeats_the_query(self) -> None:
        h = self.start()
        h.table.hold_for_restart()
        assert answers(h) == ["w whenever", "w whenever"]
        h.solver.facts = {h.solver.asked[0][0]: "no", h.solver.asked[0][0]._replace(color="b"): "no"}
        h.table.hold_for_restart()
        h.journal.settle()
        assert h.table.game.reason == "dead_position"

    def test_table_with_open_query_stays_in_memory(self) -> None:
        h = self.start()
        assert not h.table.is_idle
        h.solver.tell("yes")
        assert h.table.is_idle

    def test_ordinary_moves_cause_no_query(self) -> None:
        h = Harness()
        h.solver.otherwise = None
        play(h, "e2e4", "e7e5", "g1f3", "b8c6")
        assert h.solver.asked == []


def test_query_of_a_game_against_oneself_yields_to_others() -> None:
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

    def test_early_verdict_lets_flag_fall_at_once(self) -> None:
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

    def test_flag_and_commands_wait_for_the_verdict(self) -> None:
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

    def test_flag_waits_for_verdict_a_bounded_time(self) -> None:
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

    def test_late_move_waits_for_the_verdict(self) -> None:
        h = self.low()
        h.time.advance(61_000)
        h.ask(next_move(h, "g1f3"))
        assert answers(h) == ["b now"]
        h.solver.tell("no")
        h.journal.settle()
        assert (h.table.game.reason, h.code()) == ("timeout_draw", "game_over")

    def test_hold_during_query_stops_the_flag(self) -> None:
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

    def test_position_decided_by_the_rules_causes_no_query(self) -> None:
        h = Harness(MINUTE, fen="8/8/8/4k3/8/8/4P3/4K3 w - - 0 1")
        play(h, "e1d2", "e5d5")
        h.solver.otherwise = None
        h.time.advance(60_015)
        h.table.on_timer()
        h.journal.settle()
        assert (h.solver.asked, h.table.game.reason) == ([], "timeout_draw")

    def test_missing_first_move_causes_no_query(self) -> None:
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

    def test_claim_uses_verdict_that_was_queried_early(self) -> None:
        h = self.left()
        h.solver.tell("no")
        self.claim(h)
        assert (h.table.game.result, h.table.game.reason) == ("1/2-1/2", "abandoned")

    def test_claim_of_win_waits_for_the_verdict(self) -> None:
        h = self.left()
        self.claim(h)
        assert h.table.game.status == "live"
        h.solver.tell("yes")
        h.solver.tell("yes")
        h.journal.settle()
        assert (h.table.game.result, h.table.game.reason) == ("1-0", "abandoned")
        assert not isinstance(h.answers[-1], Refusal)

    def test_claim_of_draw_needs_no_verdict(self) -> None:
        h = self.left()
        h.ask(c.ClaimLeft(by="w", what="draw", gone_ms=1_000_000))
        assert h.table.game.result == "1/2-1/2"

    def test_closing_one_of_two_tabs_causes_no_query(self) -> None:
        h = Harness()
        play(h, "e2e4", "e7e5")
        h.solver.otherwise = None
        h.join(Ear(WHITE))
        h.table.leave(h.white)  # type: ignore[arg-type]  # a socket to a table
        assert h.solver.asked == []
