"""After ``kill -9`` a simul goes on where it was: its log and its games make it anew."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest

from game_core import commands as g
from simul import commands as c
from simul.draft import LateJoin
from tests.simul.hall import Hall, PowerFailureError, person


def crash(hall: Hall, power: int, command: c.Command | None = None) -> None:
    """The power fails after so many things more; then all is started again, and the host is back."""
    hall.power = power
    with pytest.raises(PowerFailureError):
        hall.move(hall.state.at or 0) if command is None else hall.do(command)
    hall.restart()
    hall.come()


def test_who_waits_waits_on() -> None:
    hall = Hall(players=5, auto_accept=False, start_at=None)
    hall.do(c.Invite(by="host", user=person(9)))
    hall.do(c.Accept(by="host", user="p2"))
    hall.do(c.Kick(by="host", user="p3"))
    hall.do(c.Reject(by="host", user="p4"))
    hall.do(c.Leave(by="p5"))
    hall.do(c.Arrange(by="host", user="p1", note="late", player_extra_s=60))
    before = hall.feed.snapshot("host", 0)
    hall.restart()
    hall.come()
    after = hall.feed.snapshot("host", 0)
    assert {**after, "seq": before["seq"]} == before
    assert hall.state.barred == {"p3"}


def test_the_host_is_where_he_was() -> None:
    hall = Hall(players=4, start=True, mode="round")
    hall.move(1)
    hall.do(c.GoTo(by="host", board=3))
    hall.do(c.Later(by="host", board=2))
    hall.wait(5000)
    before = hall.feed.snapshot(None, 0)
    hall.restart()
    after = hall.feed.snapshot(None, 0)
    assert not after["host_online"]
    assert after["seq"] > before["seq"]
    assert (after["at"], after["order"], after["boards"][1]["later"]) == (3, [4, 1, 3, 2], True)
    assert after["host_clock"] == {"left": 595_000, "run": True, "at": hall.now_ms}


@pytest.mark.parametrize("power", [0, 1])
def test_between_two_boards(power: int) -> None:
    """The move counts; he comes to the next board, once, however far it had gone."""
    hall = Hall(players=3, start=True, mode="round")
    hall.wait(4000)
    crash(hall, power)
    assert hall.games[1].ply == 1
    assert hall.state.at == 2
    assert hall.clock(2) == (596_000, 600_000, "w", None)
    assert hall.state.host_ms == 596_000
    assert hall.visits == [1, 2]


@pytest.mark.parametrize("power", [1, 2, 3])
def test_in_the_middle_of_a_jump(power: int) -> None:
    hall = Hall(players=3, start=True, mode="round")
    hall.wait(4000)
    crash(hall, power, c.GoTo(by="host", board=3))
    assert hall.state.at == 3
    assert hall.clock(1) == (596_000, 600_000, "w", "round")
    assert hall.clock(3) == (596_000, 600_000, "w", None)
    assert hall.visits == [1, 3]


def test_before_a_jump_is_stored_it_is_none() -> None:
    hall = Hall(players=3, start=True, mode="round")
    crash(hall, 0, c.GoTo(by="host", board=3))
    assert hall.state.at == 1


def test_a_ready_move_is_played_as_the_host_comes_all_the_same() -> None:
    hall = Hall(players=2, start=True, mode="round")
    hall.move(1)
    hall.do(c.Prepare(by="p1", game="game1", ply=1, move="e7e5"))
    crash(hall, 1)
    assert hall.games[1].moves == ("e2e4", "e7e5")
    assert hall.state.at == 1


def test_a_prepared_move_is_ready_after_it() -> None:
    hall = Hall(players=2, start=True, mode="round")
    hall.move(1)
    hall.do(c.Prepare(by="p1", game="game1", ply=1, move="e7e5"))
    hall.restart()
    hall.come()
    assert hall.feed.snapshot("p1", 0)["prepared"] == {"ply": 1, "move": "e7e5"}


@pytest.mark.parametrize(("mode", "power"), [("clock", 1), ("clock", 2), ("round", 1)])
def test_at_the_beginning_and_the_end_of_a_break(mode: str, power: int) -> None:
    hall = Hall(players=2, start=True, mode=mode)
    stands = [1, 2] if mode == "clock" else [1]
    crash(hall, power, c.Rest(by="host", until=hall.now_ms + 60_000))
    assert [hall.clock(number)[3] for number in stands] == ["break"] * len(stands)
    crash(hall, power, c.Rest(by="host", until=None))
    assert [hall.clock(number)[3] for number in stands] == [None] * len(stands)


def test_an_absence_lasts_until_the_host_is_back() -> None:
    hall = Hall(players=2, start=True)
    hall.leave()
    hall.wait(60_000)
    hall.restart()
    assert hall.clock(1)[3] == "host_away"
    hall.wait(60_000)
    assert hall.state.host_gone_ms(hall.now_ms) == 120_000
    hall.come()
    assert hall.clock(1)[2:] == ("w", None)


def test_a_restart_is_no_absence_for_who_comes_back_in_time() -> None:
    hall = Hall(players=2, start=True)
    hall.wait(3_600_000 // 10)
    hall.restart()
    hall.wait(59_000)
    hall.come()
    assert "away" not in hall.kinds()


@pytest.mark.parametrize("power", [1, 2, 3])
def test_what_the_host_has_ended_ends(power: int) -> None:
    hall = Hall(players=3, start=True)
    crash(hall, power, c.End(by="host", rest="resign", boards={2: "draw"}))
    assert [game.result for game in hall.games.values()] == ["0-1", "1/2-1/2", "0-1"]
    assert hall.state.status == "finished"
    assert (hall.state.score.losses, hall.state.score.draws) == (2, 1)


def test_the_last_result_is_not_lost() -> None:
    hall = Hall(players=1, start=True)
    hall.power = 0
    with pytest.raises(PowerFailureError):
        hall.play(1, g.Resign(by="b"))
    hall.restart()
    assert hall.last("finished")["score"]["wins"] == 1
    hall.restart()
    score = hall.feed.snapshot(None, 0)["score"]
    assert (score["wins"], score["live"]) == (1, 0)
    assert hall.feed.snapshot(None, 0)["finished"] == hall.now_ms


def test_what_the_host_took_for_his_moves_is_known_again() -> None:
    hall = Hall(players=1, start=True)
    for _ in range(4):
        hall.wait(3000)
        hall.move(1)
    hall.restart()
    hall.come()
    hall.play(1, g.Resign(by="b"))
    assert hall.last("finished")["score"]["host_ms"] == 6000


def test_who_came_late_has_his_board() -> None:
    hall = Hall(players=2, start=True, mode="round", late_join=LateJoin(move=5), host_extra_per_board_s=60)
    hall.do(c.Join(user=person(3)))
    hall.wait(1000)
    hall.restart()
    assert hall.state.role_of("p3") == "player"
    assert hall.feed.snapshot(None, 0)["host_clock"] == {"left": 779_000, "run": True, "at": hall.now_ms}


@pytest.mark.parametrize("by", ["b", "w"])
def test_a_board_that_ends_just_as_the_host_comes_gives_him_no_time(by: Any) -> None:
    """Its game still has what his clock showed when he was there the time before, or had at first."""
    hall = Hall(players=3, start=True, mode="round")
    hall.wait(5000)
    hall.power = 1  # he is on his way to board 2, which does not know yet
    with pytest.raises(PowerFailureError):
        hall.move(1)
    hall.power = None
    hall.happen(2, g.Resign(by=by))
    assert hall.clock(2)[0] == 600_000
    assert hall.state.host_ms == 595_000
    hall.restart()
    hall.come()
    assert hall.state.at == 3
    assert hall.clock(3)[0] == 595_000


def test_a_board_where_the_host_is_not_gives_him_no_time() -> None:
    hall = Hall(players=3, start=True, mode="round")
    hall.wait(5000)
    hall.power = 1
    with pytest.raises(PowerFailureError):
        hall.move(1)
    hall.power = None
    hall.happen(2, g.Draw(by="b", do="offer"))
    assert hall.state.host_ms == 595_000
    hall.restart()
    hall.come()
    assert hall.clock(2)[0] == 595_000


def test_what_has_not_begun_or_is_over_needs_nothing() -> None:
    hall = Hall(players=1)
    hall.restart()
    hall.do(c.Cancel(by="host"))
    hall.restart()
    assert hall.state.status == "cancelled"


def test_the_one_board_that_the_host_has_ended_ends() -> None:
    hall = Hall(players=3, start=True)
    crash(hall, 1, c.Adjudicate(by="host", game="game2", result="1/2-1/2"))
    assert (hall.games[2].status, hall.games[2].result) == ("over", "1/2-1/2")
    assert hall.state.score.draws == 1


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("mode", ["clock", "round"])
def test_the_time_that_the_host_has_given_is_given_once(mode: str, power: int) -> None:
    hall = Hall(players=3, start=True, mode=mode)
    own_s = 50 if mode == "clock" else 0
    before_ms, own_ms = hall.clock(2)[1], hall.clock(2)[0]
    hall.do(c.Arrange(by="host", board=2, player_extra_s=10))
    hall.power = power
    with contextlib.suppress(PowerFailureError):
        hall.do(c.Arrange(by="host", board=2, player_extra_s=70, host_extra_s=own_s))
    for _ in range(2):
        hall.restart()
        hall.come()
        assert hall.clock(2)[1] == before_ms + 70_000
        assert hall.clock(2)[0] == own_ms + own_s * 1000
