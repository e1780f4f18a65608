"""The course of a simul: announced anew, started, ended; and what is refused on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from game_core import commands as g
from lobby.accounts.user import User
from lobby.errors import BadMessage, Conflict, Forbidden, GameOver, NotFound
from simul import commands as c
from simul.board import facts_of
from simul.draft import LateJoin, Offer
from simul.setup import draft_of
from tests.simul.hall import MATE, NOW_MS, Hall, PowerFailureError, person, unchanged

if TYPE_CHECKING:
    from game_core.errors import Refusal

BOTH = (Offer("chess", "standard"), Offer("chess", "chess960"))


def edit(hall: Hall, by: str = "host", **fields: Any) -> c.Edit:
    return c.Edit(by=by, draft=msgspec.structs.replace(draft_of(hall.state.setup), **fields))


class TestEditing:
    def test_until_the_start_all_can_be_edited(self) -> None:
        hall = Hall(players=1)
        hall.do(edit(hall, name="Other", tc={"base_s": 60}, mode="round", variants=BOTH, host_tc="none"))
        terms = hall.last("edited")["terms"]
        assert (terms["name"], terms["tc"], terms["mode"]) == ("Other", {"base_s": 60, "inc_s": 0}, "round")
        assert not hall.do(edit(hall))

    def test_so_can_the_list_of_the_invited(self) -> None:
        hall = Hall()
        draft = msgspec.structs.replace(draft_of(hall.state.setup), invited=("Player1",))
        hall.do(c.Edit(by="host", draft=draft, invited=(person(1),)))
        assert [user["id"] for user in hall.feed.snapshot("host", 0)["invited"]] == ["p1"]
        assert "host" in hall.told
        hall.do(edit(hall, name="Same people"))
        assert list(hall.state.invited) == ["p1"]

    def test_an_instant_that_has_passed_may_stay(self) -> None:
        hall = Hall(start_at=NOW_MS + 60_000)
        hall.wait(3_600_000)
        hall.do(edit(hall, name="Later than we thought"))
        unchanged(hall, edit(hall, start_at=NOW_MS + 61_000), BadMessage, "start_at")

    @pytest.mark.parametrize(
        ("before", "after", "text"),
        [
            ({"variants": BOTH}, {"variants": (BOTH[0],)}, "variants: Player1 wants to play chess960"),
            ({"variants": BOTH}, {"rated": True, "guests": False}, "rated: there are guests"),
            ({"variants": BOTH}, {"max_boards": 1}, "max_boards: 2 are accepted"),
        ],
    )
    def test_who_has_joined_stays(self, before: dict[str, Any], after: dict[str, Any], text: str) -> None:
        hall = Hall(**before)
        hall.do(c.Join(user=person(1), variant="chess960"))
        hall.do(c.Join(user=User("guest", "Guest-7F3K2", "guest")))
        unchanged(hall, edit(hall, **after), Conflict, text)

    @pytest.mark.parametrize(
        ("handicap", "after", "text"),
        [
            ({"player_extra_s": 60}, {"rated": True, "guests": False}, "rated: a game with a handicap"),
            ({"host_extra_s": 60}, {"mode": "round"}, "mode: "),
            ({"host_extra_s": 60}, {"tc": None}, "mode: "),
        ],
    )
    def test_so_does_what_was_arranged(self, handicap: dict[str, Any], after: dict[str, Any], text: str) -> None:
        hall = Hall(players=1)
        hall.do(c.Arrange(by="host", user="p1", **handicap))
        unchanged(hall, edit(hall, **after), Conflict, text)

    def test_while_it_runs_nothing_that_anybody_plays_by(self) -> None:
        hall = Hall(players=1, start=True)
        hall.do(edit(hall, name="Other", text="News.", auto_next=False, late_join=LateJoin(move=3)))
        unchanged(hall, edit(hall, tc={"base_s": 60}, name="X"), Conflict, "tc: it runs")
        draft = draft_of(hall.state.setup)
        unchanged(hall, c.Edit(by="host", draft=draft, invited=()), Conflict, "invited: it runs")

    def test_and_after_it_nothing(self) -> None:
        hall = Hall()
        hall.do(c.Cancel(by="host"))
        unchanged(hall, edit(hall, name="Other"), Conflict, "cancelled")
        unchanged(hall, edit(hall, by="p1"), Forbidden)


class TestStarting:
    def test_it_starts_with_any_number(self) -> None:
        hall = Hall(players=1)
        hall.do(c.Start(by="host"))
        assert hall.state.status == "running"
        assert hall.last("started")["boards"][0]["position"].startswith("rnbqkbnr/pppppppp")
        unchanged(hall, c.Start(by="host"), Conflict, "running")

    def test_but_not_without_anybody(self) -> None:
        hall = Hall(players=1, auto_accept=False)
        unchanged(hall, c.Start(by="host"), Conflict, "nobody is accepted")
        unchanged(hall, c.Start(by="p1"), Forbidden)

    @pytest.mark.parametrize(
        ("color", "throws", "expected"),
        [("w", [], "www"), ("b", [], "bbb"), ("alternating", [], "wbw"), ("random", [1, 0, 1], "bwb")],
    )
    def test_the_host_s_colours(self, color: str, throws: list[int], expected: str) -> None:
        hall = Hall(players=3, host_color=color)
        hall.chance.throws = throws
        hall.do(c.Start(by="host"))
        assert "".join(board.host for board in hall.state.boards) == expected
        assert [game.setup.simul_board.host for game in hall.games.values() if game.setup.simul_board] == list(expected)

    def test_the_start_position_of_all(self) -> None:
        fen = "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1"
        hall = Hall(players=2, start=True, fen=fen)
        assert {board["position"] for board in hall.last("started")["boards"]} == {fen}

    def test_a_timer_that_rings_late_still_finds_it_due(self) -> None:
        """Between the bell and the look at it the clock goes on."""
        hall = Hall(players=1, start_at=NOW_MS + 60_000)
        assert hall.state.next_due_ms(NOW_MS + 59_999) == NOW_MS + 60_000
        hall.now_ms = NOW_MS + 60_003
        assert hall.state.next_due_ms(hall.now_ms) == NOW_MS + 60_000
        assert hall.state.next_due_ms(NOW_MS + 660_000) is None
        hall.leave()
        assert hall.state.next_due_ms(hall.now_ms) == NOW_MS + 60_000 + 86_400_000
        hall.come()
        assert hall.state.status == "running"

    def test_and_nobody_rings_for_what_cannot_start(self) -> None:
        hall = Hall(start_at=NOW_MS + 60_000)
        hall.now_ms = NOW_MS + 60_003
        assert hall.state.next_due_ms(hall.now_ms) is None
        hall.do(c.Join(user=person(1)))
        assert hall.state.status == "running"

    def test_it_starts_at_its_instant_if_the_host_is_here(self) -> None:
        hall = Hall(players=1, start_at=NOW_MS + 60_000)
        assert hall.state.next_due_ms(hall.now_ms) == NOW_MS + 60_000
        hall.wait(59_999)
        assert "started" not in hall.kinds()
        hall.wait(1)
        assert hall.last("started")["started"] == NOW_MS + 60_000

    def test_or_when_they_come_a_little_later(self) -> None:
        hall = Hall(players=1, start_at=NOW_MS + 60_000)
        hall.leave()
        hall.wait(300_000)
        assert "started" not in hall.kinds()
        hall.come()
        assert hall.state.status == "running"

    def test_or_when_the_first_is_accepted(self) -> None:
        hall = Hall(start_at=NOW_MS + 60_000)
        hall.wait(60_000)
        hall.do(c.Join(user=person(1)))
        assert hall.state.status == "running"

    def test_but_not_long_after(self) -> None:
        hall = Hall(players=1, start_at=NOW_MS + 60_000)
        hall.leave()
        hall.wait(660_000)
        hall.come()
        assert hall.state.status == "created"

    @pytest.mark.parametrize(("start_at", "days"), [(NOW_MS + 60_000, 1), (None, 14)])
    def test_what_its_host_has_forgotten_is_cancelled(self, start_at: int | None, days: int) -> None:
        hall = Hall(players=1, start_at=start_at)
        hall.leave()
        assert hall.state.next_due_ms(hall.now_ms) is not None
        end_ms = (start_at or NOW_MS) + days * 86_400_000
        hall.wait(end_ms - NOW_MS - 1)
        assert hall.state.status == "created"
        hall.wait(1)
        assert hall.last("cancelled")
        assert hall.state.next_due_ms(hall.now_ms) is None

    def test_but_not_while_they_are_there(self) -> None:
        hall = Hall(players=1)
        hall.wait(20 * 86_400_000)
        assert hall.state.next_due_ms(hall.now_ms) is None
        hall.leave()
        hall.wait(3_599_999)
        hall.restart()
        hall.wait(3_599_999)
        assert "cancelled" not in hall.kinds()
        hall.wait(1)
        assert hall.kinds()[-1] == "cancelled"

    def test_cancelled_is_cancelled(self) -> None:
        hall = Hall(players=1, start_at=NOW_MS + 60_000)
        unchanged(hall, c.Cancel(by="p1"), Forbidden)
        hall.do(c.Cancel(by="host"))
        assert not hall.do(c.Cancel(by="host"))
        assert hall.kinds()[-1] == "cancelled"
        hall.wait(120_000)
        unchanged(hall, c.Start(by="host"), Conflict)
        snapshot = hall.feed.snapshot(None, 0)
        assert (snapshot["status"], snapshot["finished"]) == ("cancelled", None)
        running = Hall(players=1, start=True)
        unchanged(running, c.Cancel(by="host"), Conflict, "running")


class TestEnding:
    def test_it_is_over_when_the_last_board_is(self) -> None:
        hall = Hall(players=3, start=True)
        for move in MATE:
            hall.wait(2000)
            hall.move(1, move)
        hall.play(2, g.Resign(by="b"))
        assert hall.state.status == "running"
        hall.do(c.Adjudicate(by="host", game="game3", result="*"))
        finished = hall.last("finished")
        assert finished["score"] == {
            "wins": 1,
            "draws": 0,
            "losses": 1,
            "live": 0,
            "aborted": 1,
            "percent": 50.0,
            "moves": 2,
            "host_ms": 4000,
            "move_ms": 2000,
            "duration_ms": 8000,
        }
        assert finished["finished"] == NOW_MS + 8000
        assert hall.feed.snapshot(None, 0)["score"] == finished["score"]
        assert hall.state.next_due_ms(hall.now_ms) is None

    def test_a_board_counts_once_however_often_its_game_is_looked_at(self) -> None:
        hall = Hall(players=2, start=True)
        hall.play(1, g.Resign(by="b"))
        for _ in range(2):
            (message,) = hall.feed.observe(1, facts_of(hall.games[1], hall.now_ms, hall.now_ms)).messages
            assert "score" not in message
        assert (hall.state.score.wins, hall.state.score.live) == (1, 1)
        hall.play(2, g.Resign(by="b"))
        score = hall.last("finished")["score"]
        assert (score["wins"], score["live"]) == (2, 0)

    def test_where_nothing_was_played_there_is_nothing_to_divide_by(self) -> None:
        hall = Hall(players=1, start=True)
        hall.do(c.End(by="host", rest="abort"))
        score = hall.last("finished")["score"]
        assert (score["percent"], score["move_ms"], score["aborted"]) == (None, None, 1)

    @pytest.mark.parametrize(
        ("result", "host", "reason", "expected"),
        [
            ("1/2-1/2", "w", "arbiter", "draws"),
            ("0-1", "w", "resignation", "losses"),
            ("1-0", "b", "resignation", "losses"),
            ("*", "w", "aborted", "aborted"),
        ],
    )
    def test_the_host_adjudicates_against_themselves(self, result: Any, host: str, reason: str, expected: str) -> None:
        hall = Hall(players=2, start=True, host_color=host)
        hall.do(c.Adjudicate(by="host", game="game2", result=result))
        game = hall.games[2]
        assert (game.status, game.result, game.reason) == ("over", result, reason)
        assert hall.last("board")["score"][expected] == 1

    def test_and_nothing_else(self) -> None:
        hall = Hall(players=2, start=True)
        unchanged(hall, c.Adjudicate(by="host", game="game1", result="1-0"), Forbidden, "may only lose")
        unchanged(hall, c.Adjudicate(by="p1", game="game1", result="1/2-1/2"), Forbidden)
        unchanged(hall, c.Adjudicate(by="host", game="other", result="1/2-1/2"), NotFound)
        hall.move(1)
        hall.move(1)
        unchanged(hall, c.Adjudicate(by="host", game="game1", result="*"), Conflict, "both have moved")
        hall.play(1, g.Resign(by="b"))
        unchanged(hall, c.Adjudicate(by="host", game="game1", result="1/2-1/2"), GameOver)

    def test_the_host_ends_all_as_they_choose(self) -> None:
        hall = Hall(players=4, start=True, host_color="b")
        hall.play(4, g.Resign(by="b"))
        hall.do(c.End(by="host", rest="draw", boards={1: "resign", 2: "abort", 4: "resign"}))
        assert [hall.games[number].result for number in range(1, 5)] == ["1-0", "*", "1/2-1/2", "1-0"]
        score = hall.last("finished")["score"]
        assert (score["losses"], score["draws"], score["aborted"], score["percent"]) == (2, 1, 1, 16.7)

    @pytest.mark.parametrize(
        ("command", "error"),
        [
            (c.End(by="p1"), Forbidden),
            (c.End(by="host", boards={3: "draw"}), NotFound),
            (c.End(by="host", boards={0: "draw"}), NotFound),
        ],
    )
    def test_only_their_own_boards(self, command: c.End, error: type[Refusal]) -> None:
        unchanged(Hall(players=2, start=True), command, error)

    def test_to_ask_for_it_again_changes_nothing(self) -> None:
        hall = Hall(players=2, start=True)
        hall.power = 2
        with pytest.raises(PowerFailureError):
            hall.do(c.End(by="host", rest="resign"))
        hall.power = None
        assert not hall.do(c.End(by="host", rest="draw"))
        assert hall.games[2].status == "created"

    def test_only_what_runs_is_ended(self) -> None:
        unchanged(Hall(players=1), c.End(by="host"), Conflict, "created")

    def test_in_a_rated_one_nothing_is_aborted_that_was_played(self) -> None:
        hall = Hall(players=2, start=True, rated=True)
        hall.move(1)
        hall.move(1)
        unchanged(hall, c.End(by="host", rest="abort"), Conflict, "board 1: both have moved")
        hall.do(c.End(by="host", rest="abort", boards={1: "draw"}))
        assert [game.result for game in hall.games.values()] == ["1/2-1/2", "*"]
