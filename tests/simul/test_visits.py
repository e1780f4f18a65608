"""Visits of the host: the round, jumps, postponed boards."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from game_core import commands as g
from game_core.errors import Refusal, Refused
from lobby.errors import Conflict, Forbidden, GameOver, NotFound
from simul import commands as c
from simul.decide import Send
from tests.simul.simul_model import PowerFailureError, SimulModel, unchanged


def round_hall(players: int = 4, **fields: Any) -> SimulModel:
    return SimulModel(players=players, start=True, mode="round", **fields)


def prepare(number: int, move: str | None, ply: int = 1, by: str | None = None) -> c.Prepare:
    return c.Prepare(by=by or f"p{number}", game=f"game{number}", ply=ply, move=move)


class TestTheRound:
    def test_move_of_the_host_leads_to_the_next_board(self) -> None:
        model = round_hall(3)
        for number in (1, 2, 3):
            assert model.state.at == number
            model.move(number)
        assert model.visits == [1, 2, 3, 1]
        assert model.feed.snapshot(None, 0)["order"] == [2, 3, 1]

    def test_host_waits_for_a_countdown_if_the_player_has_no_move(self) -> None:
        model = round_hall(2)
        model.move(1)
        model.move(2)
        assert model.last("countdown") == {
            "t": "simul.countdown",
            "simul": "simul1",
            "seq": model.feed.seq,
            "board": 1,
            "until": model.now_ms + 10_000,
        }
        assert model.feed.snapshot(None, 0)["countdown"] == {"board": 1, "until": model.now_ms + 10_000}
        assert model.clock(1)[2:] == ("b", "countdown")
        model.wait(10_000)
        assert model.clock(1) == (600_000, 600_000, "b", None)
        assert model.last("countdown")["until"] is None
        model.wait(5000)
        model.move(1)
        assert model.clock(1) == (600_000, 595_000, "w", None)
        assert model.state.at == 1

    def test_countdown_ends_with_the_move_of_the_player(self) -> None:
        model = round_hall(2)
        model.move(1)
        model.move(2)
        model.move(1)
        assert model.state.countdown is None
        assert model.kinds()[-2:] == ["board", "countdown"]

    def test_draw_offer_does_not_extend_the_countdown(self) -> None:
        model = round_hall(1)
        model.move(1)
        countdown = model.state.countdown
        model.wait(5000)
        model.play(1, g.Draw(by="b", do="offer"))
        assert model.state.countdown == countdown

    def test_moves_are_refused_at_boards_without_the_host(self) -> None:
        model = round_hall(2)
        with pytest.raises(Refused, match="go there first"):
            model.move(2)
        model.move(1)
        with pytest.raises(Refused, match="prepare a move"):
            model.move(1)

    def test_finished_boards_leave_the_round(self) -> None:
        model = round_hall(4)
        model.move(1)
        model.play(3, g.Resign(by="b"))
        model.move(2)
        assert model.state.at == 4
        model.play(4, g.Resign(by="w"))
        assert model.visits == [1, 2, 4, 1]
        assert model.feed.snapshot(None, 0)["order"] == [2, 1]

    def test_host_stays_at_the_last_board(self) -> None:
        model = round_hall(1)
        for _ in range(3):
            model.move(1)
        assert model.visits == [1, 1, 1]

    def test_round_visits_every_other_board_before_returning(self) -> None:
        model = round_hall(6)
        for step in range(60):
            at = model.state.at
            assert at is not None
            if model.games[at].turn == "b":
                model.move(at)
            if step == 20:
                model.play(5, g.Resign(by="b"))
            if model.state.at == at and model.games[at].turn == "w":
                model.move(at)
        live = {1, 2, 3, 4, 6}
        for number in live:
            places = [index for index, visit in enumerate(model.visits) if visit == number]
            for one, next_one in pairwise(places):
                assert sorted(set(model.visits[one + 1 : next_one]) & live) == sorted(live - {number})
                assert next_one - one in (5, 6)

    def test_host_moves_on_by_request_without_auto_next(self) -> None:
        model = round_hall(3, auto_next=False)
        model.move(1)
        assert model.visits == [1]
        model.do(c.GoOn(by="host"))
        model.move(2)
        model.do(c.GoTo(by="host", board=1))
        assert model.visits == [1, 2, 1]
        assert model.clock(1)[3] == "countdown"
        model.play(1, g.Resign(by="b"))
        assert model.state.at == 1
        model.do(c.GoOn(by="host"))
        assert model.state.at == 3

    def test_host_may_wait_for_the_reply_without_auto_next(self) -> None:
        model = round_hall(2, auto_next=False)
        model.move(1)
        model.do(c.GoTo(by="host", board=1))
        assert model.visits == [1, 1]
        model.move(1)
        assert model.clock(1)[2:] == ("w", None)


class TestJumping:
    def test_jump_is_followed_by_the_longest_waiting_board(self) -> None:
        model = round_hall(4)
        model.wait(7000)
        model.do(c.GoTo(by="host", board=3))
        assert model.clock(1) == (593_000, 600_000, "w", "round")
        assert model.clock(3) == (593_000, 600_000, "w", None)
        assert model.kinds()[-4:] == ["at", "board", "at", "board"]
        model.move(3)
        assert model.visits == [1, 3, 2]
        assert model.feed.snapshot(None, 0)["order"] == [4, 1, 3, 2]

    def test_jump_to_the_current_board_changes_nothing(self) -> None:
        model = round_hall(2)
        assert not model.do(c.GoTo(by="host", board=1))

    def test_host_may_leave_while_the_clock_of_the_player_runs(self) -> None:
        model = round_hall(2)
        model.move(1)
        model.move(2)
        model.wait(15_000)
        model.do(c.GoOn(by="host"))
        assert model.clock(1) == (600_000, 595_000, "b", "round")
        assert model.state.at == 2

    @pytest.mark.parametrize(
        ("command", "error"),
        [
            (c.GoTo(by="p1", board=1), Forbidden),
            (c.GoTo(by="host", board=0), NotFound),
            (c.GoTo(by="host", board=5), NotFound),
            (c.GoOn(by="p1"), Forbidden),
            (c.Later(by="p1", board=1), Forbidden),
            (c.Later(by="host", board=5), NotFound),
        ],
    )
    def test_invalid_visit_requests_are_refused(self, command: c.SimulCommand, error: type[Refusal]) -> None:
        unchanged(round_hall(4), command, error)

    def test_finished_board_cannot_be_visited(self) -> None:
        model = round_hall(2)
        model.play(2, g.Resign(by="b"))
        unchanged(model, c.GoTo(by="host", board=2), GameOver)
        unchanged(model, c.Later(by="host", board=2), GameOver)

    def test_visits_are_refused_before_the_start(self) -> None:
        model = SimulModel(players=1, mode="round")
        for command in (c.GoTo(by="host", board=1), c.GoOn(by="host"), c.Later(by="host", board=1)):
            unchanged(model, command, Conflict, "created")

    def test_visits_are_refused_during_a_break(self) -> None:
        model = round_hall(2)
        model.do(c.TakeBreak(by="host", until=model.now_ms + 60_000))
        for command in (c.GoTo(by="host", board=2), c.GoOn(by="host"), c.Later(by="host", board=1)):
            unchanged(model, command, Conflict, "is paused")

    def test_visits_are_refused_when_all_boards_are_finished(self) -> None:
        model = round_hall(1)
        model.happen(1, g.Resign(by="b"))
        unchanged(model, c.GoOn(by="host"), Conflict, "no board is in progress")

    def test_destination_can_be_changed_during_a_departure(self) -> None:
        model = round_hall(4)
        model.power = 1  # board 1 has not heard of the departure
        with pytest.raises(PowerFailureError):
            model.do(c.GoTo(by="host", board=3))
        model.power = None
        assert (model.state.at, model.state.to) == (None, 3)
        assert not model.do(c.GoTo(by="host", board=3))
        model.do(c.GoTo(by="host", board=4))
        assert (model.state.at, model.state.to, model.visits) == (None, 4, [1])
        model.play(4, g.Resign(by="b"))
        model.play(1, g.Depart())
        assert model.state.at == 2

    @pytest.mark.parametrize("command", [c.GoTo(by="host", board=3), c.GoOn(by="host"), c.Later(by="host", board=2)])
    def test_departure_is_sent_to_a_board_that_missed_the_arrival(self, command: c.SimulCommand) -> None:
        model = round_hall(4, auto_next=False)
        model.move(1)
        model.power = 1  # board 2 has not heard of the arrival
        with pytest.raises(PowerFailureError):
            model.do(c.GoTo(by="host", board=2))
        model.power = None
        assert model.do(command).effects == (Send(2, g.Depart()),)
        assert model.visits == [1, 2, 3]


class TestPuttingOff:
    def test_postponed_board_is_visited_last(self) -> None:
        model = round_hall(3)
        model.do(c.Later(by="host", board=2))
        assert model.last("later")["on"]
        assert [board.get("later") for board in model.feed.snapshot(None, 0)["boards"]] == [None, True, None]
        for number in (1, 3):
            model.move(number)
        # Board 1 was visited before it was put off.
        model.move(1)
        model.move(1)
        assert model.visits == [1, 3, 1, 2]
        assert "later" not in model.feed.snapshot(None, 0)["boards"][1]

    def test_postponing_the_current_board_leads_to_the_next(self) -> None:
        model = round_hall(3)
        model.do(c.Later(by="host", board=1))
        assert model.visits == [1, 2]
        assert model.state.is_later(1)

    def test_last_board_cannot_be_postponed(self) -> None:
        unchanged(round_hall(1), c.Later(by="host", board=1), Conflict, "no other board")

    @pytest.mark.parametrize("mode", ["clock", "round"])
    def test_board_that_ends_meanwhile_is_not_postponed(self, mode: str) -> None:
        model = SimulModel(players=3, start=True, mode=mode)
        model.meanwhile = 2, g.Resign(by="b")
        model.do(c.Later(by="host", board=2))
        assert not model.last("later")["on"]
        assert 2 not in model.state.round

    def test_board_where_the_host_moves_meanwhile_is_not_postponed(self) -> None:
        model = SimulModel(players=3, start=True)
        model.meanwhile = 2, g.PlayMove(by="w", move="e2e4", ply=0)
        model.do(c.Later(by="host", board=2))
        assert not model.state.is_later(2)

    def test_board_stays_postponed_after_a_restart_unless_the_host_moved(self) -> None:
        model = SimulModel(players=3, start=True)
        for number in (1, 2):
            model.do(c.Later(by="host", board=number))
        model.move(1)
        model.move(1)
        model.restart()
        assert [model.state.is_later(number) for number in (1, 2, 3)] == [False, True, False]


class TestClockMode:
    def test_host_in_clock_mode_goes_to_any_board(self) -> None:
        model = SimulModel(players=3, start=True)
        model.play(2, g.Resign(by="b"))
        model.do(c.GoTo(by="host", board=2))
        assert not model.do(c.GoTo(by="host", board=2))
        assert model.last("at") == {"t": "simul.at", "simul": "simul1", "seq": model.feed.seq, "board": 2}

    def test_spectators_follow_arrivals_and_moves_of_the_host(self) -> None:
        model = SimulModel(players=3, start=True)
        assert model.state.board_followed() is None
        followed = []
        for step in (lambda: model.move(2), lambda: model.move(2), lambda: model.do(c.GoTo(by="host", board=3))):
            step()
            board = model.state.board_followed()
            followed.append(board and board.number)
        assert followed == [2, 2, 3]
        model.move(1)
        assert model.state.followed == 1
        model.restart()
        assert model.state.followed == 3, "moves of before count no more"

    def test_host_in_clock_mode_goes_to_the_next_waiting_board(self) -> None:
        model = SimulModel(players=4, start=True)
        for expected in (1, 2, 3, 4, 1):
            model.do(c.GoOn(by="host"))
            assert model.state.at == expected
        model.move(2)
        model.do(c.GoOn(by="host"))
        assert model.state.at == 3
        for number in (1, 4):
            model.move(number)
        assert not model.do(c.GoOn(by="host"))
        model.move(3)
        unchanged(model, c.GoOn(by="host"), Conflict, "no board is waiting")

    def test_postponed_board_is_skipped_until_the_host_moves_there(self) -> None:
        model = SimulModel(players=3, start=True)
        model.do(c.Later(by="host", board=2))
        model.do(c.GoOn(by="host"))
        model.do(c.GoOn(by="host"))
        assert model.state.at == 3
        model.move(2)
        assert model.last("later") == {
            "t": "simul.later",
            "simul": "simul1",
            "seq": model.feed.seq,
            "board": 2,
            "on": False,
        }
        unchanged(model, c.Later(by="host", board=2), Conflict, "is not waiting")
        assert model.feed.snapshot(None, 0)["order"] == []
