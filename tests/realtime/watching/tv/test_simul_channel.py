"""The channel of simuls: the board where the host is."""

from __future__ import annotations

from typing import Any

from game_core.simul_board import SimulBoard
from realtime.games.delay.delayed_view import DelayedView
from realtime.games.delay.exemptions import Exempt
from realtime.watching.live_cards import LiveCard
from realtime.watching.tv.chooser import SEEN_MS, SETTLED_MS
from tests.realtime.watching.tv.test_director import Game, Studio


def board(h: Studio, number: int, **fields: Any) -> Game:
    return h.begin(Game(f"board{number}", simul_board=SimulBoard("simul1", number, "w"), **fields))


def test_the_board_of_the_host_is_shown_and_followed() -> None:
    h = Studio()
    board(h, 1)
    board(h, 2)
    assert h.tick() == {}
    assert h.director.visit("simul1", "board1") == ("board1",)
    assert h.tick() == {"simul": "board1"}
    assert h.director.visit("simul1", "board1") == ()
    assert h.director.visit("simul1", "board2") == ("board1", "board2")
    assert h.tick() == {"simul": "board2"}


def test_a_board_that_has_hardly_begun_is_shown_once_both_have_moved() -> None:
    h = Studio()
    board(h, 1)
    h.director.visit("simul1", "board1")
    h.tick()
    h.director.visit("simul1", "board2")
    assert h.tick() == {"simul": "board1"}
    board(h, 2)
    assert h.tick() == {"simul": "board2"}


def test_a_simul_that_the_public_sees_later_is_not_shown() -> None:
    h = Studio()
    game = Game("board1", simul_board=SimulBoard("simul1", 1, "w", delay_s=60))
    game.table.delayed = DelayedView(game.table, Exempt(), game.table._services)
    h.begin(game)
    h.director.visit("simul1", "board1")
    assert h.tick() == {}


def test_its_end_leaves_the_last_board() -> None:
    h = Studio()
    game = board(h, 1)
    h.director.visit("simul1", "board1")
    h.tick()
    h.end(game)
    assert h.director.visit("simul1", None) == ("board1",)
    assert h.tick(SEEN_MS * 2) == {"simul": "board1"}


def test_the_board_of_a_simul_of_another_node_is_followed() -> None:
    h = Studio()
    for g in ("far1", "far2"):
        h.director.put(LiveCard(g, 1, 900, 0, None, "rapid", "standard", ("simul",), simul="simul1"))
        assert h.tick() == {"simul": g}
    # The board that was left is told later, without the channel.
    h.director.put(LiveCard("far1", 1, 900, 0, None, "rapid", "standard", (), simul="simul1"))
    assert h.tick(SETTLED_MS) == {"simul": "far2"}
