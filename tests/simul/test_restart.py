"""Recovery of a simul from its log and its games after ``kill -9``."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest

from game_core import commands as g
from simul import commands as c
from simul.draft import LateJoin
from tests.simul.simul_model import PowerFailureError, SimulModel, person


def crash(model: SimulModel, power: int, command: c.SimulCommand | None = None) -> None:
    """The power fails after so many things more; then all is started again, and the host is back."""
    model.power = power
    with pytest.raises(PowerFailureError):
        model.move(model.state.at or 0) if command is None else model.do(command)
    model.restart()
    model.come()


def test_applicants_and_arrangements_survive_a_restart() -> None:
    model = SimulModel(players=5, auto_accept=False, start_at=None)
    model.do(c.Invite(by="host", user=person(9)))
    model.do(c.Accept(by="host", user="p2"))
    model.do(c.Kick(by="host", user="p3"))
    model.do(c.Reject(by="host", user="p4"))
    model.do(c.Leave(by="p5"))
    model.do(c.Arrange(by="host", user="p1", note="late", player_extra_s=60))
    before = model.feed.snapshot("host", 0)
    model.restart()
    model.come()
    after = model.feed.snapshot("host", 0)
    assert {**after, "seq": before["seq"]} == before
    assert model.state.barred == {"p3"}


def test_restart_keeps_the_board_of_the_host_and_the_order() -> None:
    model = SimulModel(players=4, start=True, mode="round")
    model.move(1)
    model.do(c.GoTo(by="host", board=3))
    model.do(c.Later(by="host", board=2))
    model.wait(5000)
    before = model.feed.snapshot(None, 0)
    model.restart()
    after = model.feed.snapshot(None, 0)
    assert not after["host_online"]
    assert after["seq"] > before["seq"]
    assert (after["at"], after["order"], after["boards"][1]["later"]) == (3, [4, 1, 3, 2], True)
    assert after["host_clock"] == {"left": 595_000, "run": True, "at": model.now_ms}


@pytest.mark.parametrize("power", [0, 1])
def test_restart_between_two_boards_completes_the_visit(power: int) -> None:
    """The move counts, and the host arrives at the next board exactly once, at any point of the crash."""
    model = SimulModel(players=3, start=True, mode="round")
    model.wait(4000)
    crash(model, power)
    assert model.games[1].ply == 1
    assert model.state.at == 2
    assert model.clock(2) == (596_000, 600_000, "w", None)
    assert model.state.host_ms == 596_000
    assert model.visits == [1, 2]


@pytest.mark.parametrize("power", [1, 2, 3])
def test_restart_during_a_jump_completes_it(power: int) -> None:
    model = SimulModel(players=3, start=True, mode="round")
    model.wait(4000)
    crash(model, power, c.GoTo(by="host", board=3))
    assert model.state.at == 3
    assert model.clock(1) == (596_000, 600_000, "w", "round")
    assert model.clock(3) == (596_000, 600_000, "w", None)
    assert model.visits == [1, 3]


def test_restart_before_a_jump_is_stored_drops_it() -> None:
    model = SimulModel(players=3, start=True, mode="round")
    crash(model, 0, c.GoTo(by="host", board=3))
    assert model.state.at == 1


def test_restart_during_a_visit_still_plays_the_prepared_move() -> None:
    model = SimulModel(players=2, start=True, mode="round")
    model.move(1)
    model.do(c.Prepare(by="p1", game="game1", ply=1, move="e7e5"))
    crash(model, 1)
    assert model.games[1].moves == ("e2e4", "e7e5")
    assert model.state.at == 1


def test_prepared_move_survives_a_restart() -> None:
    model = SimulModel(players=2, start=True, mode="round")
    model.move(1)
    model.do(c.Prepare(by="p1", game="game1", ply=1, move="e7e5"))
    model.restart()
    model.come()
    assert model.feed.snapshot("p1", 0)["prepared"] == {"ply": 1, "move": "e7e5"}


@pytest.mark.parametrize(("mode", "power"), [("clock", 1), ("clock", 2), ("round", 1)])
def test_restart_completes_the_start_and_end_of_a_break(mode: str, power: int) -> None:
    model = SimulModel(players=2, start=True, mode=mode)
    stands = [1, 2] if mode == "clock" else [1]
    crash(model, power, c.TakeBreak(by="host", until=model.now_ms + 60_000))
    assert [model.clock(number)[3] for number in stands] == ["break"] * len(stands)
    crash(model, power, c.TakeBreak(by="host", until=None))
    assert [model.clock(number)[3] for number in stands] == [None] * len(stands)


def test_absence_continues_after_a_restart_until_the_host_returns() -> None:
    model = SimulModel(players=2, start=True)
    model.leave()
    model.wait(60_000)
    model.restart()
    assert model.clock(1)[3] == "host_away"
    model.wait(60_000)
    assert model.state.host_gone_ms(model.now_ms) == 120_000
    model.come()
    assert model.clock(1)[2:] == ("w", None)


def test_restart_is_no_absence_if_the_host_returns_in_time() -> None:
    model = SimulModel(players=2, start=True)
    model.wait(3_600_000 // 10)
    model.restart()
    model.wait(59_000)
    model.come()
    assert "away" not in model.kinds()


@pytest.mark.parametrize("power", [1, 2, 3])
def test_restart_completes_an_end_request(power: int) -> None:
    model = SimulModel(players=3, start=True)
    crash(model, power, c.End(by="host", rest="resign", boards={2: "draw"}))
    assert [game.result for game in model.games.values()] == ["0-1", "1/2-1/2", "0-1"]
    assert model.state.status == "finished"
    assert (model.state.score.losses, model.state.score.draws) == (2, 1)


def test_restart_records_the_last_result() -> None:
    model = SimulModel(players=1, start=True)
    model.power = 0
    with pytest.raises(PowerFailureError):
        model.play(1, g.Resign(by="b"))
    model.restart()
    assert model.last("finished")["score"]["wins"] == 1
    model.restart()
    score = model.feed.snapshot(None, 0)["score"]
    assert (score["wins"], score["live"]) == (1, 0)
    assert model.feed.snapshot(None, 0)["finished"] == model.now_ms


def test_restart_keeps_the_thinking_time_of_the_host() -> None:
    model = SimulModel(players=1, start=True)
    for _ in range(4):
        model.wait(3000)
        model.move(1)
    model.restart()
    model.come()
    model.play(1, g.Resign(by="b"))
    assert model.last("finished")["score"]["host_ms"] == 6000


def test_late_joiner_keeps_their_board_after_a_restart() -> None:
    model = SimulModel(players=2, start=True, mode="round", late_join=LateJoin(move=5), host_extra_per_board_s=60)
    model.do(c.Join(user=person(3)))
    model.wait(1000)
    model.restart()
    assert model.state.role_of("p3") == "player"
    assert model.feed.snapshot(None, 0)["host_clock"] == {"left": 779_000, "run": True, "at": model.now_ms}


@pytest.mark.parametrize("by", ["b", "w"])
def test_board_that_ends_as_the_host_arrives_gives_the_host_no_time(by: Any) -> None:
    """The game still has the host's clock of the previous visit, or of the start."""
    model = SimulModel(players=3, start=True, mode="round")
    model.wait(5000)
    model.power = 1  # on the way to board 2, which does not know yet
    with pytest.raises(PowerFailureError):
        model.move(1)
    model.power = None
    model.happen(2, g.Resign(by=by))
    assert model.clock(2)[0] == 600_000
    assert model.state.host_ms == 595_000
    model.restart()
    model.come()
    assert model.state.at == 3
    assert model.clock(3)[0] == 595_000


def test_event_at_a_board_without_the_host_gives_the_host_no_time() -> None:
    model = SimulModel(players=3, start=True, mode="round")
    model.wait(5000)
    model.power = 1
    with pytest.raises(PowerFailureError):
        model.move(1)
    model.power = None
    model.happen(2, g.Draw(by="b", do="offer"))
    assert model.state.host_ms == 595_000
    model.restart()
    model.come()
    assert model.clock(2)[0] == 595_000


def test_restart_of_a_created_or_cancelled_simul_changes_nothing() -> None:
    model = SimulModel(players=1)
    model.restart()
    model.do(c.Cancel(by="host"))
    model.restart()
    assert model.state.status == "cancelled"


def test_restart_completes_an_adjudication() -> None:
    model = SimulModel(players=3, start=True)
    crash(model, 1, c.Adjudicate(by="host", game="game2", result="1/2-1/2"))
    assert (model.games[2].status, model.games[2].result) == ("over", "1/2-1/2")
    assert model.state.score.draws == 1


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("mode", ["clock", "round"])
def test_restart_gives_time_from_the_host_exactly_once(mode: str, power: int) -> None:
    model = SimulModel(players=3, start=True, mode=mode)
    own_s = 50 if mode == "clock" else 0
    before_ms, own_ms = model.clock(2)[1], model.clock(2)[0]
    model.do(c.Arrange(by="host", board=2, player_extra_s=10))
    model.power = power
    with contextlib.suppress(PowerFailureError):
        model.do(c.Arrange(by="host", board=2, player_extra_s=70, host_extra_s=own_s))
    for _ in range(2):
        model.restart()
        model.come()
        assert model.clock(2)[1] == before_ms + 70_000
        assert model.clock(2)[0] == own_ms + own_s * 1000
