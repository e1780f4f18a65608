"""People at a table: return after a restart, leaving, two tabs, and their views."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from game_core import commands as c
from game_core.color import COLORS
from realtime.games.clocks.clock_hold import RESUME_MS
from realtime.games.seats import Seats
from realtime.games.table_view import RESTART, crowd_body, send_player, tick_body
from tests.realtime.table_harness import BLACK, WHITE, Ear, Harness, next_move, play

if TYPE_CHECKING:
    from game_core.color import Color
    from lobby.accounts.user import User


class TestRestart:
    def _restarted(self) -> Harness:
        h = Harness()
        play(h, "e2e4", "e7e5")
        for ear in (h.white, h.black):
            h.table.leave(ear)  # type: ignore[arg-type]  # a socket to a table
        h.time.advance(4000)  # it takes that long to rebuild it
        h.table.hold_for_restart()
        return h

    def test_the_clock_stands_until_the_player_to_move_is_back(self) -> None:
        h = self._restarted()
        assert h.table.game.clock is not None
        assert h.table.game.clock.held == RESTART
        h.join(Ear(BLACK))
        h.journal.settle()
        h.time.advance(10_000)
        assert h.table.game.clock.held == RESTART
        h.join(Ear(WHITE))
        h.journal.settle()
        assert h.table.game.clock is not None
        assert h.table.game.clock.held is None
        assert (h.watcher.heard[-1]["t"], h.watcher.heard[-1]["why"]) == ("clock", "resumed")
        assert h.watcher.heard[-1]["clock"]["w"] == 180_000

    def test_it_stands_for_thirty_seconds_at_most(self) -> None:
        h = self._restarted()
        assert h.table.due_ms() == h.time.now_ms() + RESUME_MS
        h.time.advance(RESUME_MS)
        h.table.on_timer()
        h.journal.settle()
        assert h.watcher.heard[-1]["why"] == "resumed"

    def test_a_move_lets_it_go_on_and_costs_nothing(self) -> None:
        h = self._restarted()
        h.time.advance(8000)
        h.ask(next_move(h, "g1f3"))
        assert [event["t"] for event in h.watcher.heard[-2:]] == ["clock", "move"]
        assert h.table.game.times[-1] == 180_000 + 2000

    def test_an_end_of_the_hold_that_cannot_be_stored_is_tried_again(self) -> None:
        h = self._restarted()
        h.journal.is_full = True
        h.join(Ear(WHITE))
        due_ms = h.table.due_ms()
        assert due_ms is not None
        h.journal.is_full = False
        h.time.advance(due_ms - h.time.now_ms())
        h.table.on_timer()
        h.journal.settle()
        assert h.watcher.heard[-1]["why"] == "resumed"

    def test_a_remembered_key_is_answered_from_the_journal(self) -> None:
        h = self._restarted()
        h.table.answers.remember(WHITE.id, "k", {"seq": 7})
        h.ask(c.Draw(by="w", do="offer"), key="k")
        assert h.answers[-1] == {"seq": 7}

    def test_an_accepted_rematch_is_answered_with_its_game_each_time(self) -> None:
        h = Harness()
        h.ask(c.Resign(by="w"))
        h.ask(c.Rematch(by="w", do="offer"))
        h.ask(c.Rematch(by="b", do="accept", next="game2"), user=BLACK, key="k")
        h.ask(c.Rematch(by="b", do="accept"), user=BLACK, key="k")
        assert h.answers[-2:] == [{"seq": 3, "g": "game2"}] * 2


class TestPeople:
    def test_the_player_to_move_is_sent_their_legal_moves_if_they_asked(self) -> None:
        h = Harness()
        black = Ear(BLACK)
        h.join(black, legal=True)
        h.ask(next_move(h, "e2e4"))
        legal = black.heard[-1]
        assert (legal["t"], legal["ply"], len(legal["legal"])) == ("legal", 1, 20)
        assert "legal" not in h.black.kinds() + h.white.kinds() + h.watcher.kinds()

    def test_they_are_told_anew_after_a_takeback_that_leaves_the_turn_as_it_was(self) -> None:
        h = Harness()
        play(h, "e2e4", "e7e5")
        white = Ear(WHITE)
        h.join(white, legal=True)
        h.ask(c.Takeback(by="w", do="offer"))
        h.ask(c.Takeback(by="b", do="accept"), user=BLACK)
        assert white.kinds()[-2:] == ["takeback", "legal"]
        assert white.heard[-1]["ply"] == 0

    def test_only_the_player_to_move_sees_legal_moves_in_their_snapshot(self) -> None:
        h = Harness()
        assert len(h.snapshot(WHITE.id, legal=True)["legal"]) == 20
        assert "legal" not in h.snapshot(BLACK.id, legal=True)
        assert "legal" not in h.snapshot(None, legal=True)
        assert h.snapshot(None)["you"] is None

    @pytest.mark.parametrize(("black", "colors"), [(BLACK, ["w"]), (WHITE, ["w", "b"])], ids=["two", "alone"])
    def test_a_new_name_is_set_on_every_side_of_the_person_once(self, black: User, colors: list[Color]) -> None:
        seats = Seats(WHITE, black, 0)
        member = msgspec.structs.replace(WHITE, name="Anna", kind="member")
        assert seats.rename(member) == colors
        assert {color for color in COLORS if seats[color].user == member} == set(colors)
        assert seats.rename(member) == []

    def test_everybody_at_the_table_is_told_who_a_player_is_now(self) -> None:
        h = Harness()
        h.table.seats.rename(msgspec.structs.replace(BLACK, name="Bert", kind="member"))
        send_player(h.table, "b")
        for ear in (h.white, h.black, h.watcher):
            told = ear.heard[-1]
            assert (told["t"], told["g"], told["color"], told["user"]["name"]) == ("player", h.table.id, "b", "Bert")
            assert "seq" not in told

    def test_a_player_who_left_may_be_claimed_against_until_they_are_back(self) -> None:
        h = Harness()
        play(h, "e2e4", "e7e5")
        h.table.leave(h.black)  # type: ignore[arg-type]  # a socket to a table
        h.time.advance(79_999)
        assert h.table.seats["b"].gone_ms(h.time.now_ms()) == 79_999
        back = Ear(BLACK)
        h.join(back)
        assert h.table.seats["b"].gone_ms(h.time.now_ms()) < 0

    @pytest.mark.parametrize(("goodbye", "wait_ms"), [(True, 10_000), (False, 80_000)])
    def test_it_is_told_how_long_until_then(self, goodbye: bool, wait_ms: int) -> None:
        h = Harness()
        play(h, "e2e4", "e7e5")
        assert crowd_body(h.table, h.time.now_ms())["left"] == {"w": None, "b": None}
        h.black.said_goodbye = goodbye
        h.table.leave(h.black)  # type: ignore[arg-type]  # a socket to a table
        h.time.advance(1000)
        assert crowd_body(h.table, h.time.now_ms())["left"] == {"w": None, "b": wait_ms - 1000}
        h.time.advance(wait_ms)
        assert crowd_body(h.table, h.time.now_ms())["left"] == {"w": None, "b": 0}
        h.ask(c.ClaimLeft(by="w", what="win", gone_ms=wait_ms + 1000, goodbye=goodbye))
        assert crowd_body(h.table, h.time.now_ms())["left"] == {"w": None, "b": None}

    def test_nobody_is_told_to_wait_where_days_are_given(self) -> None:
        h = Harness({"days": 2})
        h.table.leave(h.black)  # type: ignore[arg-type]  # a socket to a table
        assert crowd_body(h.table, h.time.now_ms())["left"] == {"w": None, "b": None}

    def test_one_of_two_tabs_closing_is_no_leaving(self) -> None:
        h = Harness()
        h.join(Ear(BLACK))
        h.table.leave(h.black)  # type: ignore[arg-type]  # a socket to a table
        assert h.table.seats.online() == {"w": True, "b": True}

    @pytest.mark.parametrize("closing", [True, False])
    def test_a_goodbye_is_remembered(self, closing: bool) -> None:
        h = Harness()
        h.black.said_goodbye = closing
        h.table.leave(h.black)  # type: ignore[arg-type]  # a socket to a table
        assert h.table.seats["b"].goodbye is closing

    def test_on_one_screen_one_person_plays_both_sides(self) -> None:
        h = Harness(black=WHITE, pausable=True)
        seats = h.table.seats
        assert (seats.is_self, seats.speaker(h.table.game, WHITE.id)) == (True, "w")
        play(h, "e2e4")
        assert seats.speaker(h.table.game, WHITE.id) == "b"
        assert seats.speaker(h.table.game, WHITE.id, "takeback") == "w"
        h.ask(c.Takeback(by="w", do="offer"))
        assert seats.speaker(h.table.game, WHITE.id, "takeback") == "b"

    def test_a_tick_shows_the_running_clock_only(self) -> None:
        h = Harness()
        now_ms = h.time.now_ms()
        assert tick_body(h.table, now_ms, 0) is None
        play(h, "e2e4", "e7e5")
        h.time.advance(1500)
        body = tick_body(h.table, h.time.now_ms(), 77)
        assert body is not None
        assert body["clock"] == {"w": 178_500, "b": 180_000, "run": "w", "at": 77}


def test_a_table_that_another_one_has_replaced_refuses_all_that_waited() -> None:
    """Taken, and taken back, while an append was under way: nobody waits for an answer that does not come."""
    h = Harness()
    h.journal.is_open = False
    h.ask(next_move(h, "e2e4"))
    h.ask(c.Resign(by="w"))
    h.table.lost = True
    h.journal.fence()
    assert [answer.code for answer in h.answers] == ["unavailable", "unavailable"]
    assert h.lost == [], "whoever has replaced it has its listeners"
