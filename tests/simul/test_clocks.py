"""Clocks of a simul: both modes, breaks, absences, and the host's clock, as a table of cases."""

from __future__ import annotations

from typing import Any

import pytest

from game_core import commands as g
from game_core.errors import Refused
from lobby.errors import BadMessage, Conflict, Forbidden
from simul import commands as c
from tests.simul.simul_model import SimulModel, unchanged

MINUTE = 60_000
BASE = 10 * MINUTE

Step = tuple[Any, ...]


def perform(model: SimulModel, steps: list[Step]) -> None:
    """Carry out ``steps``; each is a word and what it is about."""
    for what, *about in steps:
        if what == "wait":
            model.wait(about[0] * 1000)
        elif what == "move":
            model.move(about[0])
        elif what == "prepare":
            game = model.games[about[0]]
            model.do(c.Prepare(by=f"p{about[0]}", game=game.setup.id, ply=game.ply, move=about[1]))
        elif what == "pass":
            model.do(c.Pass(by=f"p{about[0]}", game=f"game{about[0]}"))
        elif what == "go":
            model.do(c.GoTo(by="host", board=about[0]))
        elif what == "break":
            model.do(c.TakeBreak(by="host", until=model.now_ms + about[0] * 1000 if about[0] else None))
        elif what == "leave":
            model.leave()
        elif what == "come":
            model.come()
        else:
            assert what == "restart"
            model.restart()


ROUND: dict[str, Any] = {"mode": "round"}
ALLOWANCE: dict[str, Any] = {"mode": "round", "host_tc": {"move_s": 30}}
UNTIMED: dict[str, Any] = {"mode": "round", "host_tc": "none"}
ONE: dict[str, Any] = {"mode": "round", "host_tc": {"base_s": 3600, "inc_s": 10}}

HOUR = 60 * MINUTE

CASES: dict[str, tuple[dict[str, Any], list[Step], dict[int, tuple[int, int, str | None, str | None]], int | None]] = {
    # what is announced, what happens, the clocks of two boards (White is the host), the host's one clock
    "clock: the host's time runs on all boards": (
        {},
        [("wait", 5)],
        {1: (BASE - 5000, BASE, "w", None), 2: (BASE - 5000, BASE, "w", None)},
        None,
    ),
    "clock: each board by itself": (
        {},
        [("wait", 5), ("move", 1), ("wait", 7), ("move", 1), ("wait", 2)],
        {1: (BASE - 7000, BASE - 7000, "w", None), 2: (BASE - 14_000, BASE, "w", None)},
        None,
    ),
    "clock: in a break all stand": (
        {},
        [("wait", 5), ("move", 1), ("break", 60), ("wait", 30)],
        {1: (BASE - 5000, BASE, "b", "break"), 2: (BASE - 5000, BASE, "w", "break")},
        None,
    ),
    "clock: after the break they go on by themselves": (
        {},
        [("wait", 5), ("move", 1), ("break", 60), ("wait", 63)],
        {1: (BASE - 5000, BASE - 3000, "b", None), 2: (BASE - 8000, BASE, "w", None)},
        None,
    ),
    "clock: the host ends their break": (
        {},
        [("break", 60), ("wait", 10), ("break", None), ("wait", 1)],
        {1: (BASE - 1000, BASE, "w", None), 2: (BASE - 1000, BASE, "w", None)},
        None,
    ),
    "clock: for a minute nobody minds that the host is gone": (
        {},
        [("leave",), ("wait", 59)],
        {1: (BASE - 59_000, BASE, "w", None), 2: (BASE - 59_000, BASE, "w", None)},
        None,
    ),
    "clock: then all stand": (
        {},
        [("leave",), ("wait", 300)],
        {1: (BASE - MINUTE, BASE, "w", "host_away"), 2: (BASE - MINUTE, BASE, "w", "host_away")},
        None,
    ),
    "clock: and the players may move meanwhile": (
        {},
        [("move", 1), ("leave",), ("wait", 300), ("move", 1), ("wait", 10)],
        {1: (BASE, BASE - MINUTE, "w", "host_away"), 2: (BASE - MINUTE, BASE, "w", "host_away")},
        None,
    ),
    "clock: until they are back": (
        {},
        [("leave",), ("wait", 300), ("come",), ("wait", 1)],
        {1: (BASE - MINUTE - 1000, BASE, "w", None), 2: (BASE - MINUTE - 1000, BASE, "w", None)},
        None,
    ),
    "clock: who leaves in a break is away from its end on": (
        {},
        [("break", 120), ("leave",), ("wait", 179)],
        {1: (BASE - 59_000, BASE, "w", None), 2: (BASE - 59_000, BASE, "w", None)},
        None,
    ),
    "clock: for longer than a minute": (
        {},
        [("break", 120), ("leave",), ("wait", 200)],
        {1: (BASE - MINUTE, BASE, "w", "host_away"), 2: (BASE - MINUTE, BASE, "w", "host_away")},
        None,
    ),
    "clock: who calls a break is back": (
        {},
        [("leave",), ("wait", 60), ("come",), ("break", 60), ("wait", 61)],
        {1: (BASE - MINUTE - 1000, BASE, "w", None), 2: (BASE - MINUTE - 1000, BASE, "w", None)},
        None,
    ),
    "round: only where they are": (
        ROUND,
        [("wait", 5)],
        {1: (BASE - 5000, BASE, "w", None), 2: (BASE, BASE, "w", "round")},
        BASE - 5000,
    ),
    "round: one clock for all boards": (
        ROUND,
        [("wait", 5), ("move", 1), ("wait", 7)],
        {1: (BASE - 5000, BASE, "b", "round"), 2: (BASE - 12_000, BASE, "w", None)},
        BASE - 12_000,
    ),
    "round: with its increments": (
        ONE,
        [("wait", 5), ("move", 1), ("wait", 7), ("move", 2), ("wait", 60)],
        {1: (HOUR + 8000, BASE - 50_000, "b", None), 2: (HOUR + 8000, BASE, "b", "round")},
        HOUR + 8000,
    ),
    "round: nobody's time runs while the host waits": (
        ROUND,
        [("move", 1), ("move", 2), ("wait", 9)],
        {1: (BASE, BASE, "b", "countdown"), 2: (BASE, BASE, "b", "round")},
        BASE,
    ),
    "round: then the player's": (
        ROUND,
        [("move", 1), ("move", 2), ("wait", 12)],
        {1: (BASE, BASE - 2000, "b", None), 2: (BASE, BASE, "b", "round")},
        BASE,
    ),
    "round: a ready move costs nothing": (
        ROUND,
        [("move", 1), ("prepare", 1, "e7e5"), ("wait", 90), ("move", 2), ("wait", 3)],
        {1: (BASE - 93_000, BASE, "w", None), 2: (BASE - 90_000, BASE, "b", "round")},
        BASE - 93_000,
    ),
    "round: nor does a pass": (
        ROUND,
        [("move", 1), ("move", 2), ("wait", 9), ("pass", 1), ("wait", 9)],
        {1: (BASE, BASE, "b", "round"), 2: (BASE, BASE, "b", "countdown")},
        BASE,
    ),
    "round: what runs when they jump away is charged": (
        ROUND,
        [("wait", 4), ("go", 2), ("wait", 3)],
        {1: (BASE - 4000, BASE, "w", "round"), 2: (BASE - 7000, BASE, "w", None)},
        BASE - 7000,
    ),
    "round: a break": (
        ROUND,
        [("wait", 4), ("break", 60), ("wait", 30)],
        {1: (BASE - 4000, BASE, "w", "break"), 2: (BASE, BASE, "w", "round")},
        BASE - 4000,
    ),
    "round: after it they go on where they were": (
        ROUND,
        [("wait", 4), ("break", 60), ("wait", 62)],
        {1: (BASE - 6000, BASE, "w", None), 2: (BASE, BASE, "w", "round")},
        BASE - 6000,
    ),
    "round: after a break a countdown begins anew": (
        ROUND,
        [("move", 1), ("move", 2), ("wait", 9), ("break", 60), ("wait", 69)],
        {1: (BASE, BASE, "b", "countdown"), 2: (BASE, BASE, "b", "round")},
        BASE,
    ),
    "round: without the host the round waits": (
        ROUND,
        [("wait", 4), ("leave",), ("wait", 300)],
        {1: (BASE - 64_000, BASE, "w", "host_away"), 2: (BASE, BASE, "w", "round")},
        BASE - 64_000,
    ),
    "round: they move, are gone, and go on when they are back": (
        ROUND,
        [("leave",), ("wait", 1), ("move", 1), ("wait", 300), ("come",), ("wait", 2)],
        {1: (BASE - 1000, BASE, "b", "round"), 2: (BASE - 3000, BASE, "w", None)},
        BASE - 3000,
    ),
    "round: so much for each move": (
        ALLOWANCE,
        [("wait", 20), ("move", 1), ("wait", 25)],
        {1: (0, BASE, "b", "round"), 2: (0, BASE, "w", None)},
        None,
    ),
    "round: without a clock": (
        UNTIMED,
        [("wait", 1000), ("move", 1), ("wait", 1000)],
        {1: (0, BASE, "b", "round"), 2: (0, BASE, "w", "untimed")},
        None,
    ),
    "round: after a crash their clock goes on where they are": (
        ROUND,
        [("wait", 5), ("move", 1), ("wait", 7), ("restart",), ("come",), ("wait", 1)],
        {1: (BASE - 5000, BASE, "b", "round"), 2: (BASE - 13_000, BASE, "w", None)},
        BASE - 13_000,
    ),
}


@pytest.mark.parametrize(("fields", "steps", "clocks", "host_ms"), CASES.values(), ids=CASES)
def test_running_clock_follows_the_steps(
    fields: dict[str, Any],
    steps: list[Step],
    clocks: dict[int, tuple[int, int, str | None, str | None]],
    host_ms: int | None,
) -> None:
    model = SimulModel(players=2, start=True, **fields)
    perform(model, steps)
    assert {number: model.clock(number) for number in clocks} == clocks
    told = model.feed.snapshot(None, 0)["host_clock"]
    left = None if told is None else told["left"] - (model.now_ms - told["at"] if told["run"] else 0)
    assert left == host_ms


class TestTheHostsFlag:
    def test_flag_of_the_host_falls_at_one_board_and_the_round_continues(self) -> None:
        model = SimulModel(players=3, start=True, **ALLOWANCE)
        model.wait(31_000)
        assert (model.games[1].reason, model.games[1].result) == ("timeout", "0-1")
        assert (model.state.at, model.clock(2)[2:]) == (2, ("w", None))

    def test_flag_of_the_single_host_clock_loses_every_board_of_the_host(self) -> None:
        model = SimulModel(players=3, start=True, **ROUND)
        model.move(1)
        model.wait(BASE + 1000)
        assert [game.status for game in model.games.values()] == ["created", "over", "over"]
        model.wait(10_000)
        model.move(1)
        model.wait(1000)
        assert model.last("finished")["score"]["losses"] == 3

    def test_host_flag_falls_only_at_the_current_board_while_absent(self) -> None:
        model = SimulModel(players=3, start=True, **ALLOWANCE)
        model.leave()
        model.wait(3_600_000)
        assert [game.status for game in model.games.values()] == ["over", "created", "created"]
        model.come()
        assert model.state.at == 2


class TestBreaks:
    def test_break_is_announced_to_all(self) -> None:
        model = SimulModel(players=1, start=True, **ROUND)
        model.wait(5000)
        until = model.now_ms + MINUTE
        model.do(c.TakeBreak(by="host", until=until))
        told = model.last("break")
        assert told["until"] == until
        assert model.feed.snapshot(None, 0)["break_until"] == until
        model.wait(MINUTE)
        assert model.last("break")["until"] is None

    def test_break_can_be_extended_and_ended_early(self) -> None:
        model = SimulModel(players=1, start=True)
        first = model.now_ms + MINUTE
        model.do(c.TakeBreak(by="host", until=first))
        assert not model.do(c.TakeBreak(by="host", until=first))
        model.do(c.TakeBreak(by="host", until=first + MINUTE))
        model.wait(MINUTE)
        assert model.state.stop == "break"
        model.wait(MINUTE)
        assert model.state.stop is None
        assert not model.do(c.TakeBreak(by="host", until=None))

    def test_break_ends_an_absence(self) -> None:
        model = SimulModel(players=1, start=True)
        model.leave()
        model.wait(MINUTE)
        model.do(c.TakeBreak(by="host", until=model.now_ms + MINUTE))
        assert model.kinds()[-4:] == ["board", "away", "break", "board"]
        assert model.clock(1)[3] == "break"

    @pytest.mark.parametrize("minutes", [0, -1, 241])
    def test_break_has_a_maximum_length(self, minutes: int) -> None:
        model = SimulModel(players=1, start=True)
        unchanged(model, c.TakeBreak(by="host", until=model.now_ms + minutes * MINUTE), BadMessage, "until: ")

    def test_only_the_host_takes_breaks_and_only_in_a_running_simul(self) -> None:
        unchanged(SimulModel(players=1, start=True), c.TakeBreak(by="p1", until=None), Forbidden)
        unchanged(SimulModel(players=1), c.TakeBreak(by="host", until=None), Conflict)

    def test_moves_are_refused_during_a_break(self) -> None:
        for fields in ({}, ROUND):
            model = SimulModel(players=1, start=True, **fields)
            model.do(c.TakeBreak(by="host", until=model.now_ms + MINUTE))
            with pytest.raises(Refused, match="break"):
                model.move(1)

    def test_game_can_be_resigned_during_a_break(self) -> None:
        model = SimulModel(players=2, start=True, **ROUND)
        model.do(c.TakeBreak(by="host", until=model.now_ms + MINUTE))
        model.play(1, g.Resign(by="b"))
        assert model.state.at == 1
        model.wait(MINUTE)
        assert model.state.at == 2

    def test_simul_can_finish_during_a_break(self) -> None:
        model = SimulModel(players=1, start=True)
        model.do(c.TakeBreak(by="host", until=model.now_ms + MINUTE))
        model.play(1, g.Resign(by="b"))
        assert model.state.status == "finished"
        assert model.feed.snapshot(None, 0)["break_until"] is None


class TestAbsence:
    def test_absence_is_announced_with_its_start(self) -> None:
        model = SimulModel(players=1, start=True)
        model.wait(5000)
        gone = model.now_ms
        model.leave()
        model.leave()
        assert not model.feed.snapshot(None, 0)["host_online"]
        assert model.state.host_gone_ms(model.now_ms) is None
        model.wait(MINUTE)
        assert model.last("away")["since"] == gone
        assert model.state.host_gone_ms(model.now_ms) == MINUTE
        model.wait(9 * MINUTE)
        assert model.state.host_gone_ms(model.now_ms) == 10 * MINUTE
        model.come()
        assert model.last("away")["since"] is None
        assert model.state.host_gone_ms(model.now_ms) is None

    def test_absence_before_the_start_is_ignored(self) -> None:
        model = SimulModel(players=1)
        model.leave()
        model.wait(10 * MINUTE)
        assert "away" not in model.kinds()

    @pytest.mark.parametrize("mode", ["clock", "round"])
    def test_absence_of_a_day_loses_the_games(self, mode: str) -> None:
        model = SimulModel(players=3, start=True, mode=mode)
        for move in ("e2e4", "e7e5"):
            model.wait(1000)
            if mode == "clock":
                model.move(1, move)
        model.leave()
        model.wait(12 * 60 * MINUTE)
        model.restart()
        model.wait(24 * 60 * MINUTE - 1)
        assert model.state.status == "running"
        model.wait(1)
        score = model.last("finished")["score"]
        lost = int(mode == "clock")
        assert (score["losses"], score["aborted"], score["live"]) == (lost, 3 - lost, 0)
        assert model.state.next_due_ms(model.now_ms) is None

    def test_absence_under_a_minute_is_ignored(self) -> None:
        model = SimulModel(players=1, start=True)
        model.leave()
        model.wait(MINUTE - 1)
        model.come()
        model.wait(MINUTE)
        assert "away" not in model.kinds()
