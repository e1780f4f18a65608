"""People at a table: return after a restart, leaving, two tabs, and their views."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from game_core import commands as c
from game_core.color import COLORS
from lobby.accounts.user import User
from lobby.robots.robot_accounts import robot_id
from realtime.games.clocks.clock_hold import RESUME_MS
from realtime.games.seats import Seats
from realtime.games.shared_snapshot import shared_snapshot
from realtime.games.table_view import RESTART, publish_crowd, send_player, tick_body
from tests.realtime.table_harness import BLACK, WHITE, Ear, Harness, left, next_move, play

if TYPE_CHECKING:
    from game_core.color import Color


class TestRestart:
    def _restarted(self) -> Harness:
        h = Harness()
        play(h, "e2e4", "e7e5")
        for ear in (h.white, h.black):
            h.table.leave(ear)  # type: ignore[arg-type]  # a socket to a table
        h.time.advance(4000)  # it takes that long to rebuild it
        h.table.hold_for_restart()
        return h

    def test_clock_is_held_until_the_player_to_move_returns(self) -> None:
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

    def test_hold_after_restart_lasts_at_most_30_seconds(self) -> None:
        h = self._restarted()
        assert h.table.due_ms() == h.time.now_ms() + RESUME_MS
        h.time.advance(RESUME_MS)
        h.table.on_timer()
        h.journal.settle()
        assert h.watcher.heard[-1]["why"] == "resumed"

    def test_move_ends_hold_and_costs_nothing(self) -> None:
        h = self._restarted()
        h.time.advance(8000)
        h.ask(next_move(h, "g1f3"))
        assert [event["t"] for event in h.watcher.heard[-2:]] == ["clock", "move"]
        assert h.table.game.times[-1] == 180_000 + 2000

    def test_unstored_end_of_hold_is_retried(self) -> None:
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

    def test_known_key_is_answered_from_the_journal(self) -> None:
        h = self._restarted()
        h.table.answers.remember(WHITE.id, "k", {"seq": 7})
        h.ask(c.Draw(by="w", do="offer"), key="k")
        assert h.answers[-1] == {"seq": 7}

    def test_repeated_accept_of_rematch_returns_its_game(self) -> None:
        h = Harness()
        h.ask(c.Resign(by="w"))
        h.ask(c.Rematch(by="w", do="offer"))
        h.ask(c.Rematch(by="b", do="accept", next="game2"), user=BLACK, key="k")
        h.ask(c.Rematch(by="b", do="accept"), user=BLACK, key="k")
        assert h.answers[-2:] == [{"seq": 3, "g": "game2"}] * 2


class TestInvisible:
    """Presence at the board of a player who is not shown online."""

    def _hidden(self) -> Harness:
        h = Harness()
        h.invisible = {BLACK.id}
        play(h, "e2e4", "e7e5")
        return h

    def _shown(self, h: Harness, user: str | None) -> dict[str, bool]:
        return {color: player["online"] for color, player in h.snapshot(user)["players"].items()}

    def test_only_the_players_of_a_game_in_progress_see_it(self) -> None:
        h = self._hidden()
        for is_here in (True, False):
            white = {"w": True, "b": is_here}
            assert [self._shown(h, user) for user in (WHITE.id, BLACK.id)] == [white, white]
            assert self._shown(h, None) == self._shown(h, "another") == {"w": True, "b": False}
            publish_crowd(h.table, h.time.now_ms())
            assert h.white.heard[-1]["online"] == white
            assert h.watcher.heard[-1]["online"] == {"w": True, "b": False}
            h.table.leave(h.black)  # type: ignore[arg-type]  # a socket to a table
        assert h.white.heard[-1]["left"]["b"] is not None
        assert h.watcher.heard[-1]["left"] == {"w": None, "b": None}

    def test_nobody_sees_it_after_the_end(self) -> None:
        h = self._hidden()
        h.ask(c.Resign(by="w"))
        hidden = {"w": True, "b": False}
        assert [self._shown(h, user) for user in (WHITE.id, BLACK.id, None)] == [hidden] * 3
        publish_crowd(h.table, h.time.now_ms())
        assert h.white.heard[-1]["online"] == h.watcher.heard[-1]["online"] == hidden

    def test_spectators_are_not_sent_anything_when_they_come_or_go(self) -> None:
        h = self._hidden()
        publish_crowd(h.table, h.time.now_ms())
        heard = len(h.watcher.heard)
        h.table.leave(h.black)  # type: ignore[arg-type]  # a socket to a table
        publish_crowd(h.table, h.time.now_ms())
        h.join(h.black)
        publish_crowd(h.table, h.time.now_ms())
        assert len(h.watcher.heard) == heard
        late = Ear()
        h.join(late)
        publish_crowd(h.table, h.time.now_ms())
        assert h.watcher.heard[-1] == late.heard[-1]
        assert late.heard[-1]["watchers"] == 2

    def test_shared_snapshot_follows_the_setting(self) -> None:
        h = self._hidden()
        for h.invisible in ({BLACK.id}, set(), {BLACK.id}):
            ear = Ear()
            ear.write(shared_snapshot(h.table, h.table, h.time, None).frame("json"))
            assert ear.heard[0]["players"]["b"]["online"] == (not h.invisible)


class TestPeople:
    def test_player_to_move_gets_requested_legal_moves(self) -> None:
        h = Harness()
        black = Ear(BLACK)
        h.join(black, legal=True)
        h.ask(next_move(h, "e2e4"))
        legal = black.heard[-1]
        assert (legal["t"], legal["ply"], len(legal["legal"])) == ("legal", 1, 20)
        assert "legal" not in h.black.kinds() + h.white.kinds() + h.watcher.kinds()

    def test_legal_moves_are_sent_again_after_takeback(self) -> None:
        h = Harness()
        play(h, "e2e4", "e7e5")
        white = Ear(WHITE)
        h.join(white, legal=True)
        h.ask(c.Takeback(by="w", do="offer"))
        h.ask(c.Takeback(by="b", do="accept"), user=BLACK)
        assert white.kinds()[-2:] == ["takeback", "legal"]
        assert white.heard[-1]["ply"] == 0

    def test_only_player_to_move_has_legal_moves_in_snapshot(self) -> None:
        h = Harness()
        assert len(h.snapshot(WHITE.id, legal=True)["legal"]) == 20
        assert "legal" not in h.snapshot(BLACK.id, legal=True)
        assert "legal" not in h.snapshot(None, legal=True)
        assert h.snapshot(None)["you"] is None

    @pytest.mark.parametrize(("black", "colors"), [(BLACK, ["w"]), (WHITE, ["w", "b"])], ids=["two", "alone"])
    def test_rename_changes_every_seat_of_the_person_once(self, black: User, colors: list[Color]) -> None:
        seats = Seats(WHITE, black, 0)
        member = msgspec.structs.replace(WHITE, name="Anna", kind="member")
        assert seats.rename(member) == colors
        assert {color for color in COLORS if seats[color].user == member} == set(colors)
        assert seats.rename(member) == []

    def test_renamed_player_is_announced_to_all(self) -> None:
        h = Harness()
        h.table.seats.rename(msgspec.structs.replace(BLACK, name="Bert", kind="member"))
        send_player(h.table, "b")
        for ear in (h.white, h.black, h.watcher):
            told = ear.heard[-1]
            assert (told["t"], told["g"], told["color"], told["user"]["name"]) == ("player", h.table.id, "b", "Bert")
            assert "seq" not in told

    def test_absence_counts_until_the_player_returns(self) -> None:
        h = Harness()
        play(h, "e2e4", "e7e5")
        h.table.leave(h.black)  # type: ignore[arg-type]  # a socket to a table
        h.time.advance(79_999)
        assert h.table.seats["b"].gone_ms(h.time.now_ms()) == 79_999
        back = Ear(BLACK)
        h.join(back)
        assert h.table.seats["b"].gone_ms(h.time.now_ms()) < 0

    @pytest.mark.parametrize(("goodbye", "wait_ms"), [(True, 10_000), (False, 80_000)])
    def test_time_until_claim_is_announced(self, goodbye: bool, wait_ms: int) -> None:
        h = Harness()
        play(h, "e2e4", "e7e5")
        assert left(h) == {"w": None, "b": None}
        h.black.said_goodbye = goodbye
        h.table.leave(h.black)  # type: ignore[arg-type]  # a socket to a table
        h.time.advance(1000)
        assert left(h) == {"w": None, "b": wait_ms - 1000}
        h.time.advance(wait_ms)
        assert left(h) == {"w": None, "b": 0}
        h.ask(c.ClaimLeft(by="w", what="win", gone_ms=wait_ms + 1000, goodbye=goodbye))
        assert left(h) == {"w": None, "b": None}

    def test_correspondence_game_announces_no_claim(self) -> None:
        h = Harness({"days": 2})
        h.table.leave(h.black)  # type: ignore[arg-type]  # a socket to a table
        assert left(h) == {"w": None, "b": None}

    def test_player_stays_online_with_one_of_two_tabs(self) -> None:
        h = Harness()
        h.join(Ear(BLACK))
        h.table.leave(h.black)  # type: ignore[arg-type]  # a socket to a table
        assert h.table.seats.online() == {"w": True, "b": True}

    @pytest.mark.parametrize("closing", [True, False])
    def test_goodbye_is_remembered(self, closing: bool) -> None:
        h = Harness()
        h.black.said_goodbye = closing
        h.table.leave(h.black)  # type: ignore[arg-type]  # a socket to a table
        assert h.table.seats["b"].goodbye is closing

    def test_one_person_plays_both_sides_on_one_screen(self) -> None:
        h = Harness(black=WHITE, pausable=True)
        seats = h.table.seats
        assert (seats.is_self, seats.speaker(h.table.game, WHITE.id)) == (True, "w")
        play(h, "e2e4")
        assert seats.speaker(h.table.game, WHITE.id) == "b"
        assert seats.speaker(h.table.game, WHITE.id, "takeback") == "w"
        h.ask(c.Takeback(by="w", do="offer"))
        assert seats.speaker(h.table.game, WHITE.id, "takeback") == "b"

    def test_games_against_oneself_or_a_robot_are_not_between_people(self) -> None:
        robot = User(robot_id(3), "Robot-3", "bot")
        assert Harness().table.seats.is_between_people
        assert not Harness(black=WHITE, pausable=True).table.seats.is_between_people
        assert not Harness(black=robot).table.seats.is_between_people

    def test_tick_shows_the_running_clock_only(self) -> None:
        h = Harness()
        now_ms = h.time.now_ms()
        assert tick_body(h.table, now_ms, 0) is None
        play(h, "e2e4", "e7e5")
        h.time.advance(1500)
        body = tick_body(h.table, h.time.now_ms(), 77)
        assert body is not None
        assert body["clock"] == {"w": 178_500, "b": 180_000, "run": "w", "at": 77}


def test_replaced_table_refuses_waiting_commands() -> None:
    """The game was taken over and taken back during an append: every waiting command is answered."""
    h = Harness()
    h.journal.is_open = False
    h.ask(next_move(h, "e2e4"))
    h.ask(c.Resign(by="w"))
    h.table.lost = True
    h.journal.fence()
    assert [answer.code for answer in h.answers] == ["unavailable", "unavailable"]
    assert h.lost == [], "whoever has replaced it has its listeners"
