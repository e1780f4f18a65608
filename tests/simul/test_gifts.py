"""Time given by the host: at one board, to the player or to themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from game_core import commands as g
from lobby.errors import Conflict, Forbidden, GameOver, NotFound
from simul import commands as c
from tests.simul.simul_model import SimulModel, unchanged

if TYPE_CHECKING:
    from game_core.errors import Refusal


def shown(model: SimulModel) -> dict[str, Any]:
    """The handicaps at board 1, as they are told."""
    board = model.feed.snapshot(None, 0)["boards"][0]
    return {name: board.get(name, 0) for name in ("player_extra_s", "host_extra_s")}


def test_host_gives_time_to_a_player_of_a_running_simul() -> None:
    model = SimulModel(players=1, start=True)
    model.do(c.Arrange(by="host", board=1, player_extra_s=60, note="x"))
    model.do(c.Arrange(by="host", board=1, player_extra_s=90))
    assert model.clock(1)[1] == 690_000
    assert model.state.boards[0].person.player_extra_s == 90
    assert not model.do(c.Arrange(by="host", board=1, player_extra_s=90, host_extra_s=0, color="w"))
    model.do(c.Arrange(by="host", board=1, note="y"))
    assert model.feed.snapshot("host", 0)["notes"] == {"1": "y"}


@pytest.mark.parametrize(
    ("fields", "command", "error"),
    [
        ({}, c.Arrange(by="host", board=1, color="b"), Conflict),
        ({"mode": "round"}, c.Arrange(by="host", board=1, host_extra_s=9), Conflict),
        ({}, c.Arrange(by="host", board=2, note="x"), NotFound),
        ({}, c.Arrange(by="host", board=2, host_extra_s=9), NotFound),
        ({"rated": True}, c.Arrange(by="host", board=1, player_extra_s=9), Conflict),
        ({"rated": True}, c.Arrange(by="host", board=1, host_extra_s=9), Conflict),
        ({"tc": None}, c.Arrange(by="host", board=1, player_extra_s=9), Conflict),
        ({"tc": None}, c.Arrange(by="host", board=1, host_extra_s=9), Conflict),
        ({}, c.Arrange(by="p1", board=1, host_extra_s=9), Forbidden),
    ],
)
def test_other_arrangements_are_refused_in_a_running_simul(
    fields: dict[str, Any], command: c.Arrange, error: type[Refusal]
) -> None:
    unchanged(SimulModel(players=1, start=True, **fields), command, error)


def test_host_gives_themselves_time_at_one_board() -> None:
    model = SimulModel(players=2, start=True)
    model.do(c.Arrange(by="host", board=1, host_extra_s=60))
    assert (model.clock(1)[:2], model.clock(2)[:2]) == ((660_000, 600_000), (600_000, 600_000))
    assert model.last("board")["clock"]["w"] == 660_000
    model.do(c.Arrange(by="host", board=1, player_extra_s=30, host_extra_s=90, note="fair"))
    assert model.clock(1)[:2] == (690_000, 630_000)
    board = model.feed.snapshot("host", 0)["boards"][0]
    assert (board["player_extra_s"], board["host_extra_s"]) == (30, 90)


@pytest.mark.parametrize("field", ["player_extra_s", "host_extra_s"])
def test_given_time_cannot_be_removed(field: str) -> None:
    model = SimulModel(players=2, start=True)
    more: dict[str, Any] = {field: 60}
    less: dict[str, Any] = {field: 30}
    model.do(c.Arrange(by="host", board=1, **more))
    unchanged(model, c.Arrange(by="host", board=1, **less), Conflict, f"{field}: .* not removed")


@pytest.mark.parametrize("fields", [{"player_extra_s": 60}, {"host_extra_s": 60}])
def test_time_refused_by_a_game_is_not_recorded(fields: dict[str, int]) -> None:
    """The last game ends while the given time is being stored."""
    model = SimulModel(players=1, start=True)
    model.do(c.Arrange(by="host", board=1, player_extra_s=10, host_extra_s=20))
    model.meanwhile = 1, g.Resign(by="b")
    model.do(c.Arrange(by="host", board=1, **{name: had + 60 for name, had in shown(model).items() if name in fields}))
    assert shown(model) == {"player_extra_s": 10, "host_extra_s": 20}
    assert model.state.status == "finished"
    (told,) = [message for message in model.messages if message["seq"] == model.last("finished")["seq"] - 1]
    (name,) = fields
    assert told[name] == shown(model)[name]
    model.restart()
    assert shown(model) == {"player_extra_s": 10, "host_extra_s": 20}


def test_time_refused_by_a_game_is_not_shown() -> None:
    model = SimulModel(players=2, start=True)
    model.meanwhile = 1, g.Resign(by="b")
    model.do(c.Arrange(by="host", board=1, player_extra_s=60))
    assert model.last("board")["player_extra_s"] == 0
    assert "player_extra_s" not in model.feed.snapshot(None, 0)["boards"][0]


def test_finished_board_gets_no_time() -> None:
    model = SimulModel(players=2, start=True)
    model.do(c.Adjudicate(by="host", game="game1", result="1/2-1/2"))
    unchanged(model, c.Arrange(by="host", board=1, player_extra_s=60), GameOver)
    model.do(c.End(by="host"))
    unchanged(model, c.Arrange(by="host", board=2, player_extra_s=60), Conflict)
