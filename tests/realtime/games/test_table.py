"""Table: one writer, durable before visible, and its clock."""

from __future__ import annotations

from typing import Any

from game_core import commands as c
from game_core.errors import Refusal
from realtime.games.chances.mating_chances import AHEAD_MS
from realtime.games.pending_command import PendingCommand
from realtime.games.table import INBOX_COMMANDS, UNANSWERED_MS
from tests.realtime.table_harness import BLACK, WHITE, Ear, Harness, next_move, play


class TestDurableBeforeVisible:
    def test_move_is_invisible_until_committed(self) -> None:
        h = Harness()
        h.journal.is_open = False
        h.ask(next_move(h, "e2e4"))
        assert (h.table.game.ply, h.answers) == (0, [])
        assert [ear.kinds() for ear in (h.white, h.black, h.watcher)] == [[], [], []]
        h.journal.commit()
        assert h.table.game.ply == 1
        assert [ear.kinds() for ear in (h.white, h.black, h.watcher)] == [["move"], ["move"], ["move"]]
        assert h.answers == [{"seq": 1}]

    def test_failed_append_leaves_the_game_unchanged(self) -> None:
        h = Harness()
        h.journal.is_open = False
        h.ask(next_move(h, "e2e4"))
        before = h.table.game
        h.journal.fail()
        assert h.table.game is before
        assert h.code() == "unavailable"
        assert h.watcher.heard == []

    def test_command_with_full_journal_is_refused(self) -> None:
        h = Harness()
        h.journal.is_full = True
        h.ask(next_move(h, "e2e4"))
        assert (h.code(), h.table.game.ply, h.table.is_idle) == ("unavailable", 0, True)

    def test_fenced_table_is_lost_and_refuses_waiting_commands(self) -> None:
        h = Harness()
        h.journal.is_open = False
        h.ask(next_move(h, "e2e4"))
        h.ask(c.Resign(by="w"))
        h.journal.fence()
        assert h.lost == [h.table]
        assert [answer.code for answer in h.answers] == ["unavailable", "unavailable"]
        h.ask(c.Resign(by="w"))
        assert h.code() == "unavailable"
        assert h.watcher.heard == []

    def test_events_of_a_request_precede_its_answer(self) -> None:
        h = Harness()
        order: list[str] = []
        h.white.write = lambda frame: order.append("event")  # type: ignore[method-assign]  # the test listens
        h.table.submit(
            PendingCommand(
                command=next_move(h, "e2e4"), received_ms=0, user=WHITE.id, answer=lambda _: order.append("ok")
            )
        )
        h.journal.settle()
        assert order == ["event", "ok"]

    def test_requester_gets_events_and_answer_in_one_write(self) -> None:
        h = Harness()
        order: list[str] = []

        class Asker(Ear):
            def cork(self) -> None:
                order.append("hold")

            def uncork(self) -> None:
                order.append("let go")

            def write(self, frame: bytes) -> None:
                order.append("event")

        asker: Any = Asker(WHITE)
        h.join(asker)
        move = next_move(h, "e2e4")
        h.table.submit(
            PendingCommand(
                command=move, received_ms=0, answer=lambda _: order.append("ok"), user=WHITE.id, connection=asker
            )
        )
        h.journal.settle()
        assert order == ["hold", "event", "ok", "let go"]


class TestOneWriter:
    def test_commands_wait_in_order_for_the_append_in_flight(self) -> None:
        h = Harness()
        h.journal.is_open = False
        h.ask(c.PlayMove(by="w", move="e2e4", ply=0))
        h.ask(c.PlayMove(by="b", move="e7e5", ply=1), user=BLACK)
        h.ask(c.PlayMove(by="w", move="g1f3", ply=2))
        h.journal.is_open = True
        h.journal.settle()
        assert h.table.game.moves == ("e2e4", "e7e5", "g1f3")
        assert h.answers == [{"seq": 1}, {"seq": 2}, {"seq": 3}]

    def test_inbox_is_bounded(self) -> None:
        h = Harness()
        h.journal.is_open = False
        h.ask(next_move(h, "e2e4"))
        for _ in range(INBOX_COMMANDS):
            h.ask(c.Draw(by="w", do="offer"))
        assert h.answers == []
        h.ask(c.Draw(by="w", do="offer"))
        assert h.code() == "unavailable"

    def test_same_move_twice_is_one_move_with_two_equal_answers(self) -> None:
        h = Harness()
        h.journal.is_open = False
        h.ask(c.PlayMove(by="w", move="e2e4", ply=0))
        h.ask(c.PlayMove(by="w", move="e2e4", ply=0))
        h.journal.is_open = True
        h.journal.settle()
        assert h.answers == [{"seq": 1}, {"seq": 1}]
        assert h.table.game.ply == 1

    def test_repeated_key_gets_the_same_answer(self) -> None:
        h = Harness()
        h.ask(c.Draw(by="w", do="offer"), key="k1")
        h.ask(c.Draw(by="w", do="offer"), key="k1")
        assert h.answers == [{"seq": 1}, {"seq": 1}]
        h.ask(c.Draw(by="w", do="offer"), key="k2")
        assert h.code() == "conflict"

    def test_same_key_of_another_user_is_another_request(self) -> None:
        h = Harness()
        h.ask(c.Draw(by="w", do="offer"), key="k1")
        h.ask(c.Draw(by="b", do="decline"), key="k1", user=BLACK)
        assert h.answers == [{"seq": 1}, {"seq": 2}]

    def test_move_of_a_wrong_draw_claim_stands(self) -> None:
        h = Harness()
        play(h, "e2e4", "e7e5")
        h.ask(c.Draw(by="w", do="claim", move="g1f3"))
        assert h.code() == "conflict"
        assert h.table.game.moves[-1] == "g1f3"
        assert h.watcher.kinds()[-1] == "move"

    def test_repeated_wrong_claim_gets_same_refusal_and_no_move(self) -> None:
        h = Harness()
        play(h, "e2e4", "e7e5")
        for answer in ("g8f6", "f3g1", "f6g8"):
            h.ask(c.Draw(by="w", do="claim", move="g1f3"), key="k1")
            play(h, answer)
        # Knight and position are where they were: the claim would stand for another move now.
        h.ask(c.Draw(by="w", do="claim", move="g1f3"), key="k1")
        refusals = [str(answer) for answer in h.answers if isinstance(answer, Refusal)]
        assert len(refusals) == 4
        assert set(refusals) == {refusals[0]}
        assert h.table.game.moves == ("e2e4", "e7e5", "g1f3", "g8f6", "f3g1", "f6g8")


class TestWhatIsCharged:
    """Clock time is charged from the moment the opponent's move was sent out to the moment the frame was received."""

    def test_first_moves_are_not_charged(self) -> None:
        h = Harness()
        play(h, "e2e4", "e7e5", each_ms=9000)
        assert h.table.game.times == (180_000, 180_000)

    def test_time_runs_from_sending_of_move_to_receipt_of_reply(self) -> None:
        h = Harness()
        play(h, "e2e4", "e7e5")
        h.time.advance(5000)
        received_ms = h.time.now_ms()
        h.time.advance(300)  # the server was slow to come to it
        h.ask(next_move(h, "g1f3"), at_ms=received_ms)
        assert h.table.game.times[-1] == 180_000 - 5000 + 2000

    def test_time_of_the_append_is_not_charged(self) -> None:
        h = Harness()
        play(h, "e2e4", "e7e5")
        h.journal.is_open = False
        h.time.advance(1000)
        h.ask(next_move(h, "g1f3"))
        h.time.advance(700)  # the database takes its time
        h.journal.is_open = True
        h.journal.settle()
        h.time.advance(1000)
        h.ask(next_move(h, "b8c6"))
        assert h.table.game.times[-2:] == (180_000 - 1000 + 2000, 180_000 - 1000 + 2000)

    def test_move_received_before_turn_was_published_costs_nothing(self) -> None:
        h = Harness()
        play(h, "e2e4", "e7e5")
        h.journal.is_open = False
        h.ask(next_move(h, "g1f3"))
        early_ms = h.time.now_ms()
        h.time.advance(400)
        h.ask(c.PlayMove(by="b", move="b8c6", ply=3), at_ms=early_ms, user=BLACK)
        h.journal.is_open = True
        h.journal.settle()
        assert h.table.game.times[-1] == 182_000

    def test_lag_up_to_the_ceiling_is_compensated(self) -> None:
        h = Harness()
        play(h, "e2e4", "e7e5")
        h.time.advance(1000)
        h.ask(next_move(h, "g1f3", ceiling_ms=120))
        assert h.table.game.times[-1] == 180_000 - (1000 - 120) + 2000


class TestFlags:
    """Timers flag within 20 ms of zero plus the lag allowance, and only when no move in time is on its way."""

    def test_timer_is_due_at_zero_plus_lag_allowance(self) -> None:
        h = Harness({"base_s": 60, "inc_s": 0})
        play(h, "e2e4", "e7e5")
        h.white.lag_ms = 100
        due_ms = h.time.now_ms() + 60_000 + 115
        assert h.table.due_ms() == due_ms - AHEAD_MS
        h.time.advance(60_000 + 115 - AHEAD_MS)
        h.table.on_timer()
        assert (h.table.due_ms(), h.table.game.status) == (due_ms, "live")

    def test_due_timer_ends_the_game_on_time(self) -> None:
        h = Harness({"base_s": 60, "inc_s": 0})
        play(h, "e2e4", "e7e5")
        h.time.advance(60_016)
        h.table.on_timer()
        h.journal.settle()
        assert (h.table.game.result, h.table.game.reason) == ("0-1", "timeout")
        assert h.changes[-1] is True

    def test_move_in_time_disarms_flag_during_its_append(self) -> None:
        h = Harness({"base_s": 60, "inc_s": 0})
        play(h, "e2e4", "e7e5")
        h.time.advance(59_999)
        h.journal.is_open = False
        h.ask(next_move(h, "g1f3"))
        h.time.advance(5000)
        assert h.table.due_ms() is None
        h.table.on_timer()
        h.journal.is_open = True
        h.journal.settle()
        assert (h.table.game.status, h.table.game.times[-1]) == ("live", 1)

    def test_waiting_move_is_judged_by_its_receipt(self) -> None:
        h = Harness({"base_s": 60, "inc_s": 0})
        play(h, "e2e4", "e7e5")
        h.journal.is_open = False
        h.ask(c.Draw(by="b", do="offer"), user=BLACK)
        h.time.advance(59_999)
        h.ask(next_move(h, "g1f3"))
        h.time.advance(900)
        h.journal.is_open = True
        h.journal.settle()
        assert (h.table.game.status, h.table.game.times[-1]) == ("live", 1)

    def test_move_received_after_zero_loses(self) -> None:
        h = Harness({"base_s": 60, "inc_s": 0})
        play(h, "e2e4", "e7e5")
        h.time.advance(60_000)
        h.ask(next_move(h, "g1f3"))
        assert (h.code(), h.table.game.reason) == ("game_over", "timeout")

    def test_missing_first_move_aborts_the_game(self) -> None:
        h = Harness()
        assert h.table.due_ms() == h.time.now_ms() + 20_000
        h.time.advance(20_000)
        h.table.on_timer()
        h.journal.settle()
        assert (h.table.game.result, h.table.game.reason) == ("*", "aborted")

    def test_time_for_first_move_restarts_for_unreached_player(self) -> None:
        h = Harness()
        h.time.advance(15_000)
        h.table.clock_hold.hold_for_player(h.time.now_ms() - 3_000)
        assert h.table.due_ms() == h.time.now_ms() + 20_000
        assert not h.table.is_held


class TestStall:
    def test_stall_is_announced_and_clocks_are_held(self) -> None:
        h = Harness()
        play(h, "e2e4", "e7e5")
        h.journal.is_open = False
        h.time.advance(3000)
        h.ask(c.Draw(by="b", do="offer"), user=BLACK)
        h.time.advance(1000)
        h.table.look_for_stall(h.time.now_ms(), 1000)
        h.time.advance(20_000)
        assert {"t": "hold", "g": "game1", "why": "storage"} in h.watcher.heard
        h.journal.is_open = True
        h.journal.settle()
        assert [event["t"] for event in h.watcher.heard[-2:]] == ["offer", "clock"]
        assert h.watcher.heard[-1]["why"] == "resumed"
        assert h.watcher.heard[-1]["clock"]["w"] == 180_000 - 3000

    def test_request_waiting_too_long_is_refused_and_repeatable(self) -> None:
        h = Harness()
        h.journal.is_open = False
        h.ask(next_move(h, "e2e4"))
        h.ask(c.Draw(by="b", do="offer"), user=BLACK)
        h.time.advance(UNANSWERED_MS)
        h.table.look_for_stall(h.time.now_ms(), 1000)
        assert [answer.code for answer in h.answers] == ["unavailable", "unavailable"]
        h.time.advance(1)
        h.ask(c.PlayMove(by="w", move="e2e4", ply=0))
        assert h.code() == "unavailable"
        h.journal.is_open = True
        h.journal.settle()
        h.ask(c.PlayMove(by="w", move="e2e4", ply=0))
        assert (h.answers[-1], h.table.game.ply) == ({"seq": 1}, 1)

    def test_node_without_lease_decides_and_charges_nothing(self) -> None:
        h = Harness()
        play(h, "e2e4", "e7e5")
        h.time.advance(3000)
        h.is_leased = False
        h.table.hold_for_storage(h.time.now_ms())
        h.time.advance(60_000)
        assert h.table.due_ms() is None
        h.ask(next_move(h, "g1f3"))
        assert (h.code(), h.table.game.ply) == ("unavailable", 2)
        h.is_leased = True
        h.table.resume_after_storage()
        h.journal.settle()
        assert (h.watcher.heard[-1]["t"], h.watcher.heard[-1]["clock"]["w"]) == ("clock", 177_000)
        h.time.advance(1000)
        h.ask(next_move(h, "g1f3"))
        assert h.table.game.times[-1] == 176_000 + 2000

    def test_append_done_without_lease_does_not_end_hold(self) -> None:
        h = Harness()
        play(h, "e2e4", "e7e5")
        h.journal.is_open = False
        h.time.advance(3000)
        h.ask(next_move(h, "g1f3"))
        h.ask(c.Draw(by="b", do="offer"), user=BLACK)
        h.time.advance(1000)
        h.table.look_for_stall(h.time.now_ms(), 1000)
        h.is_leased = False
        h.journal.is_open = True
        h.journal.settle()
        assert h.code() == "unavailable"
        h.time.advance(5000)
        assert [event["t"] for event in h.watcher.heard[-2:]] == ["move", "hold"]
        assert not h.table.may_leave
        h.is_leased = True
        h.table.resume_after_storage()
        h.journal.settle()
        assert [event["t"] for event in h.watcher.heard[-2:]] == ["hold", "clock"]
        assert h.watcher.heard[-1]["clock"]["b"] == 180_000

    def test_hold_ends_once(self) -> None:
        h = Harness()
        play(h, "e2e4", "e7e5")
        h.is_leased = False
        h.table.hold_for_storage(h.time.now_ms())
        h.is_leased = True
        h.ask(next_move(h, "g1f3"))
        h.table.resume_after_storage()
        h.journal.settle()
        assert [event["t"] for event in h.watcher.heard[-3:]] == ["hold", "clock", "move"]

    def test_game_without_clocks_is_not_held(self) -> None:
        h = Harness(None)
        play(h, "e2e4", "e7e5")
        h.table.hold_for_storage(h.time.now_ms())
        assert "hold" not in h.watcher.kinds()

    def test_table_stays_in_memory_while_its_clock_is_held(self) -> None:
        h = Harness()
        play(h, "e2e4", "e7e5")
        h.is_leased = False
        assert not h.table.may_leave
        h.table.hold_for_storage(h.time.now_ms())
        assert not h.table.may_leave

    def test_time_for_first_move_restarts_after_database_outage(self) -> None:
        h = Harness()
        h.is_leased = False
        h.table.hold_for_storage(h.time.now_ms())
        h.time.advance(60_000)
        h.is_leased = True
        h.table.resume_after_storage()
        h.journal.settle()
        assert h.table.due_ms() == h.time.now_ms() + 20_000


def test_refusals_keep_the_code_of_game_core() -> None:
    h = Harness()
    h.ask(c.PlayMove(by="w", move="e2e5", ply=0))
    h.ask(c.PlayMove(by="b", move="e7e5", ply=0), user=BLACK)
    h.ask(c.PlayMove(by="w", move="e2e4", ply=3))
    assert [answer.code for answer in h.answers if isinstance(answer, Refusal)] == [
        "illegal_move",
        "not_your_turn",
        "stale_ply",
    ]
