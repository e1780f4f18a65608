"""Lifecycle of a simul: announced, edited, started, ended, and refused requests."""

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
from tests.simul.simul_model import MATE, NOW_MS, PowerFailureError, SimulModel, person, unchanged

if TYPE_CHECKING:
    from game_core.errors import Refusal

BOTH = (Offer("chess", "standard"), Offer("chess", "chess960"))


def edit(model: SimulModel, by: str = "host", **fields: Any) -> c.Edit:
    return c.Edit(by=by, draft=msgspec.structs.replace(draft_of(model.state.setup), **fields))


class TestEditing:
    def test_all_terms_can_be_edited_before_the_start(self) -> None:
        model = SimulModel(players=1)
        model.do(edit(model, name="Other", tc={"base_s": 60}, mode="round", variants=BOTH, host_tc="none"))
        terms = model.last("edited")["terms"]
        assert (terms["name"], terms["tc"], terms["mode"]) == ("Other", {"base_s": 60, "inc_s": 0}, "round")
        assert not model.do(edit(model))

    def test_invitations_can_be_edited_before_the_start(self) -> None:
        model = SimulModel()
        draft = msgspec.structs.replace(draft_of(model.state.setup), invited=("Player1",))
        model.do(c.Edit(by="host", draft=draft, invited=(person(1),)))
        assert [user["id"] for user in model.feed.snapshot("host", 0)["invited"]] == ["p1"]
        assert "host" in model.told
        model.do(edit(model, name="Same people"))
        assert list(model.state.invited) == ["p1"]

    def test_past_start_time_may_be_kept_but_not_set(self) -> None:
        model = SimulModel(start_at=NOW_MS + 60_000)
        model.wait(3_600_000)
        model.do(edit(model, name="Later than we thought"))
        unchanged(model, edit(model, start_at=NOW_MS + 61_000), BadMessage, "start_at")

    @pytest.mark.parametrize(
        ("before", "after", "text"),
        [
            ({"variants": BOTH}, {"variants": (BOTH[0],)}, "variants: Player1 wants to play chess960"),
            ({"variants": BOTH}, {"rated": True, "guests": False}, "rated: guests can play casual games only"),
            ({"variants": BOTH}, {"max_boards": 1}, "max_boards: 2 players are already accepted"),
        ],
    )
    def test_edit_that_excludes_a_participant_is_refused(
        self, before: dict[str, Any], after: dict[str, Any], text: str
    ) -> None:
        model = SimulModel(**before)
        model.do(c.Join(user=person(1), variant="chess960"))
        model.do(c.Join(user=User("guest", "Guest-7F3K2", "guest")))
        unchanged(model, edit(model, **after), Conflict, text)

    @pytest.mark.parametrize(
        ("handicap", "after", "text"),
        [
            ({"player_extra_s": 60}, {"rated": True, "guests": False}, "rated: a game with a handicap"),
            ({"host_extra_s": 60}, {"mode": "round"}, "mode: "),
            ({"host_extra_s": 60}, {"tc": None}, "mode: "),
        ],
    )
    def test_edit_that_conflicts_with_a_handicap_is_refused(
        self, handicap: dict[str, Any], after: dict[str, Any], text: str
    ) -> None:
        model = SimulModel(players=1)
        model.do(c.Arrange(by="host", user="p1", **handicap))
        unchanged(model, edit(model, **after), Conflict, text)

    def test_terms_of_play_cannot_be_edited_in_a_running_simul(self) -> None:
        model = SimulModel(players=1, start=True)
        model.do(edit(model, name="Other", text="News.", auto_next=False, late_join=LateJoin(move=3)))
        unchanged(model, edit(model, tc={"base_s": 60}, name="X"), Conflict, "tc: the simul is running")
        draft = draft_of(model.state.setup)
        unchanged(model, c.Edit(by="host", draft=draft, invited=()), Conflict, "invited: the simul is running")

    def test_ended_simul_cannot_be_edited(self) -> None:
        model = SimulModel()
        model.do(c.Cancel(by="host"))
        unchanged(model, edit(model, name="Other"), Conflict, "cancelled")
        unchanged(model, edit(model, by="p1"), Forbidden)


class TestStarting:
    def test_simul_starts_with_a_single_player(self) -> None:
        model = SimulModel(players=1)
        model.do(c.Start(by="host"))
        assert model.state.status == "running"
        assert model.last("started")["boards"][0]["position"].startswith("rnbqkbnr/pppppppp")
        unchanged(model, c.Start(by="host"), Conflict, "running")

    def test_simul_without_players_cannot_start(self) -> None:
        model = SimulModel(players=1, auto_accept=False)
        unchanged(model, c.Start(by="host"), Conflict, "the host has accepted no players")
        unchanged(model, c.Start(by="p1"), Forbidden)

    @pytest.mark.parametrize(
        ("color", "throws", "expected"),
        [("w", [], "www"), ("b", [], "bbb"), ("alternating", [], "wbw"), ("random", [1, 0, 1], "bwb")],
    )
    def test_colours_follow_the_announcement(self, color: str, throws: list[int], expected: str) -> None:
        model = SimulModel(players=3, host_color=color)
        model.chance.throws = throws
        model.do(c.Start(by="host"))
        assert "".join(board.host for board in model.state.boards) == expected
        assert [game.setup.simul_board.host for game in model.games.values() if game.setup.simul_board] == list(
            expected
        )

    def test_all_boards_have_the_announced_start_position(self) -> None:
        fen = "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1"
        model = SimulModel(players=2, start=True, fen=fen)
        assert {board["position"] for board in model.last("started")["boards"]} == {fen}

    def test_late_timer_still_finds_the_start_due(self) -> None:
        """The clock advances between the timer and the check."""
        model = SimulModel(players=1, start_at=NOW_MS + 60_000)
        assert model.state.next_due_ms(NOW_MS + 59_999) == NOW_MS + 60_000
        model.now_ms = NOW_MS + 60_003
        assert model.state.next_due_ms(model.now_ms) == NOW_MS + 60_000
        assert model.state.next_due_ms(NOW_MS + 660_000) is None
        model.leave()
        assert model.state.next_due_ms(model.now_ms) == NOW_MS + 60_000 + 86_400_000
        model.come()
        assert model.state.status == "running"

    def test_simul_without_players_has_no_start_timer(self) -> None:
        model = SimulModel(start_at=NOW_MS + 60_000)
        model.now_ms = NOW_MS + 60_003
        assert model.state.next_due_ms(model.now_ms) is None
        model.do(c.Join(user=person(1)))
        assert model.state.status == "running"

    def test_simul_starts_at_its_time_if_the_host_is_online(self) -> None:
        model = SimulModel(players=1, start_at=NOW_MS + 60_000)
        assert model.state.next_due_ms(model.now_ms) == NOW_MS + 60_000
        model.wait(59_999)
        assert "started" not in model.kinds()
        model.wait(1)
        assert model.last("started")["started"] == NOW_MS + 60_000

    def test_simul_starts_when_the_host_arrives_a_little_later(self) -> None:
        model = SimulModel(players=1, start_at=NOW_MS + 60_000)
        model.leave()
        model.wait(300_000)
        assert "started" not in model.kinds()
        model.come()
        assert model.state.status == "running"

    def test_simul_starts_when_the_first_player_is_accepted_after_its_time(self) -> None:
        model = SimulModel(start_at=NOW_MS + 60_000)
        model.wait(60_000)
        model.do(c.Join(user=person(1)))
        assert model.state.status == "running"

    def test_simul_does_not_start_when_the_host_arrives_much_later(self) -> None:
        model = SimulModel(players=1, start_at=NOW_MS + 60_000)
        model.leave()
        model.wait(660_000)
        model.come()
        assert model.state.status == "created"

    @pytest.mark.parametrize(("start_at", "days"), [(NOW_MS + 60_000, 1), (None, 14)])
    def test_simul_of_an_absent_host_is_cancelled_after_days(self, start_at: int | None, days: int) -> None:
        model = SimulModel(players=1, start_at=start_at)
        model.leave()
        assert model.state.next_due_ms(model.now_ms) is not None
        end_ms = (start_at or NOW_MS) + days * 86_400_000
        model.wait(end_ms - NOW_MS - 1)
        assert model.state.status == "created"
        model.wait(1)
        assert model.last("cancelled")
        assert model.state.next_due_ms(model.now_ms) is None

    def test_simul_of_a_present_host_is_not_cancelled(self) -> None:
        model = SimulModel(players=1)
        model.wait(20 * 86_400_000)
        assert model.state.next_due_ms(model.now_ms) is None
        model.leave()
        model.wait(3_599_999)
        model.restart()
        model.wait(3_599_999)
        assert "cancelled" not in model.kinds()
        model.wait(1)
        assert model.kinds()[-1] == "cancelled"

    def test_cancelled_simul_cannot_start(self) -> None:
        model = SimulModel(players=1, start_at=NOW_MS + 60_000)
        unchanged(model, c.Cancel(by="p1"), Forbidden)
        model.do(c.Cancel(by="host"))
        assert not model.do(c.Cancel(by="host"))
        assert model.kinds()[-1] == "cancelled"
        model.wait(120_000)
        unchanged(model, c.Start(by="host"), Conflict)
        snapshot = model.feed.snapshot(None, 0)
        assert (snapshot["status"], snapshot["finished"]) == ("cancelled", None)
        running = SimulModel(players=1, start=True)
        unchanged(running, c.Cancel(by="host"), Conflict, "running")


class TestEnding:
    def test_simul_finishes_with_its_last_board(self) -> None:
        model = SimulModel(players=3, start=True)
        for move in MATE:
            model.wait(2000)
            model.move(1, move)
        model.play(2, g.Resign(by="b"))
        assert model.state.status == "running"
        model.do(c.Adjudicate(by="host", game="game3", result="*"))
        finished = model.last("finished")
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
        assert model.feed.snapshot(None, 0)["score"] == finished["score"]
        assert model.state.next_due_ms(model.now_ms) is None

    def test_board_counts_once_for_the_score(self) -> None:
        model = SimulModel(players=2, start=True)
        model.play(1, g.Resign(by="b"))
        for _ in range(2):
            (message,) = model.feed.observe(1, facts_of(model.games[1], model.now_ms, model.now_ms)).messages
            assert "score" not in message
        assert (model.state.score.wins, model.state.score.live) == (1, 1)
        model.play(2, g.Resign(by="b"))
        score = model.last("finished")["score"]
        assert (score["wins"], score["live"]) == (2, 0)

    def test_score_without_played_games_has_no_averages(self) -> None:
        model = SimulModel(players=1, start=True)
        model.do(c.End(by="host", rest="abort"))
        score = model.last("finished")["score"]
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
    def test_host_adjudicates_a_board_as_draw_or_loss(self, result: Any, host: str, reason: str, expected: str) -> None:
        model = SimulModel(players=2, start=True, host_color=host)
        model.do(c.Adjudicate(by="host", game="game2", result=result))
        game = model.games[2]
        assert (game.status, game.result, game.reason) == ("over", result, reason)
        assert model.last("board")["score"][expected] == 1

    def test_invalid_adjudications_are_refused(self) -> None:
        model = SimulModel(players=2, start=True)
        unchanged(model, c.Adjudicate(by="host", game="game1", result="1-0"), Forbidden, "can adjudicate only")
        unchanged(model, c.Adjudicate(by="p1", game="game1", result="1/2-1/2"), Forbidden)
        unchanged(model, c.Adjudicate(by="host", game="other", result="1/2-1/2"), NotFound)
        model.move(1)
        model.move(1)
        unchanged(model, c.Adjudicate(by="host", game="game1", result="*"), Conflict, "both players have moved")
        model.play(1, g.Resign(by="b"))
        unchanged(model, c.Adjudicate(by="host", game="game1", result="1/2-1/2"), GameOver)

    def test_host_ends_all_boards_with_chosen_results(self) -> None:
        model = SimulModel(players=4, start=True, host_color="b")
        model.play(4, g.Resign(by="b"))
        model.do(c.End(by="host", rest="draw", boards={1: "resign", 2: "abort", 4: "resign"}))
        assert [model.games[number].result for number in range(1, 5)] == ["1-0", "*", "1/2-1/2", "1-0"]
        score = model.last("finished")["score"]
        assert (score["losses"], score["draws"], score["aborted"], score["percent"]) == (2, 1, 1, 16.7)

    @pytest.mark.parametrize(
        ("command", "error"),
        [
            (c.End(by="p1"), Forbidden),
            (c.End(by="host", boards={3: "draw"}), NotFound),
            (c.End(by="host", boards={0: "draw"}), NotFound),
        ],
    )
    def test_invalid_end_requests_are_refused(self, command: c.End, error: type[Refusal]) -> None:
        unchanged(SimulModel(players=2, start=True), command, error)

    def test_repeated_end_request_changes_nothing(self) -> None:
        model = SimulModel(players=2, start=True)
        model.power = 2
        with pytest.raises(PowerFailureError):
            model.do(c.End(by="host", rest="resign"))
        model.power = None
        assert not model.do(c.End(by="host", rest="draw"))
        assert model.games[2].status == "created"

    def test_simul_before_its_start_cannot_be_ended(self) -> None:
        unchanged(SimulModel(players=1), c.End(by="host"), Conflict, "created")

    def test_played_game_of_a_rated_simul_cannot_be_aborted(self) -> None:
        model = SimulModel(players=2, start=True, rated=True)
        model.move(1)
        model.move(1)
        unchanged(model, c.End(by="host", rest="abort"), Conflict, "board 1: both players have moved")
        model.do(c.End(by="host", rest="abort", boards={1: "draw"}))
        assert [game.result for game in model.games.values()] == ["1/2-1/2", "*"]
