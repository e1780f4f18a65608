"""Players who wait for the host: prepared moves and passes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from game_core import commands as g
from lobby.errors import Conflict, Forbidden, GameOver, NotFound, NotYourTurn, StalePly
from simul import commands as c
from tests.simul.simul_model import SimulModel, unchanged
from tests.simul.test_visits import prepare, round_hall

if TYPE_CHECKING:
    from game_core.errors import Refusal


class TestPreparing:
    def test_prepared_move_is_played_when_the_host_arrives(self) -> None:
        model = round_hall(2)
        model.move(1)
        model.do(prepare(1, "e7e5"))
        model.wait(5000)
        model.move(2)
        assert model.games[1].moves == ("e2e4", "e7e5")
        assert model.clock(1) == (595_000, 600_000, "w", None)
        assert model.feed.snapshot("p1", 0)["prepared"] is None
        assert model.told[-1] == "p1"

    def test_prepared_move_is_shown_only_to_its_player(self) -> None:
        model = round_hall(2)
        model.move(1)
        published = len(model.messages)
        model.do(prepare(1, "e7e5"))
        assert len(model.messages) == published
        assert model.told[-1] == "p1"
        assert model.feed.snapshot("p1", 0)["prepared"] == {"ply": 1, "move": "e7e5"}
        for viewer in (None, "host", "p2"):
            assert model.feed.snapshot(viewer, 0)["prepared"] is None

    def test_prepared_move_can_be_changed_and_removed(self) -> None:
        model = round_hall(2)
        model.move(1)
        model.do(prepare(1, "e7e5"))
        assert not model.do(prepare(1, "e7e5"))
        model.do(prepare(1, "c7c5"))
        model.do(prepare(1, None))
        assert not model.do(prepare(1, None))
        model.move(2)
        assert model.clock(1)[3] == "countdown"

    def test_prepared_mate_ends_the_game(self) -> None:
        model = round_hall(2)
        for number, move in ((1, "f2f3"), (2, "e2e4")):
            model.move(number, move)
        model.move(1, "e7e5")
        model.move(1, "g2g4")
        model.do(prepare(1, "d8h4", ply=3))
        model.move(2, "e7e5")
        model.move(2, "g1f3")
        assert model.games[1].reason == "checkmate"
        assert model.visits[-2:] == [1, 2]

    @pytest.mark.parametrize(
        ("command", "error", "text"),
        [
            (prepare(3, "e7e5"), NotFound, "does not belong to the"),
            (prepare(1, "e7e5", by="p2"), Forbidden, "not your board"),
            (prepare(1, "e7e5", ply=0), StalePly, "1 half-moves"),
            (prepare(2, "e2e4", ply=0), NotYourTurn, "the host is to move"),
        ],
    )
    def test_invalid_prepared_moves_are_refused(self, command: c.SimulCommand, error: type[Refusal], text: str) -> None:
        model = round_hall(2)
        model.move(1)
        unchanged(model, command, error, text)

    def test_finished_game_takes_no_prepared_move(self) -> None:
        model = round_hall(2)
        model.move(1)
        model.play(1, g.Resign(by="b"))
        unchanged(model, prepare(1, "e7e5"), GameOver)
        unchanged(model, c.Pass(by="p1", game="game1"), GameOver)

    def test_prepared_move_is_refused_at_the_board_of_the_host(self) -> None:
        model = round_hall(2)
        model.move(1)
        model.move(2)
        unchanged(model, prepare(1, "e7e5"), Conflict, "play the move")

    def test_move_can_be_prepared_after_the_host_has_moved(self) -> None:
        model = round_hall(2, auto_next=False)
        model.move(1)
        model.do(prepare(1, "e7e5"))
        model.do(c.GoTo(by="host", board=1))
        assert model.games[1].ply == 2

    def test_prepared_move_is_refused_in_clock_mode(self) -> None:
        model = SimulModel(players=1, start=True)
        model.move(1)
        unchanged(model, prepare(1, "e7e5"), Conflict, "both clocks are running")


class TestPassing:
    def test_pass_sends_the_host_to_the_next_board(self) -> None:
        model = round_hall(3, passes=1)
        for number in (1, 2, 3):
            model.move(number)
        model.do(c.Pass(by="p1", game="game1"))
        assert model.visits == [1, 2, 3, 1, 2]
        assert model.last("passed")["passes"] == 0
        assert model.clock(1) == (600_000, 600_000, "b", "round")
        assert model.feed.snapshot("p1", 0)["passes_left"] == 0
        assert model.feed.snapshot(None, 0)["boards"][0]["passes"] == 0
        for number in (2, 3):
            model.move(number)
            model.move(number)
        unchanged(model, c.Pass(by="p1", game="game1"), Conflict, "no passes left")

    def test_pass_at_the_only_board_restarts_the_countdown(self) -> None:
        model = round_hall(1)
        model.move(1)
        model.wait(4000)
        model.do(c.Pass(by="p1", game="game1"))
        assert model.visits == [1, 1, 1]
        assert model.state.countdown == (1, model.now_ms + 10_000)

    def test_pass_without_auto_next_leaves_the_host_between_boards(self) -> None:
        model = round_hall(2, auto_next=False)
        model.move(1)
        model.do(c.GoTo(by="host", board=1))
        model.do(c.Pass(by="p1", game="game1"))
        assert model.state.at is None
        assert model.last("at")["board"] is None
        assert model.feed.snapshot(None, 0)["host_clock"] == {"left": 600_000, "run": False, "at": model.now_ms}
        model.do(c.GoOn(by="host"))
        assert model.state.at == 2

    @pytest.mark.parametrize(
        ("by", "game", "error"),
        [
            ("p1", "game9", NotFound),
            ("p2", "game1", Forbidden),
            ("p1", "game1", Conflict),
            ("p2", "game2", NotYourTurn),
        ],
    )
    def test_invalid_passes_are_refused(self, by: str, game: str, error: type[Refusal]) -> None:
        model = round_hall(2)
        model.move(1)
        unchanged(model, c.Pass(by=by, game=game), error)

    def test_pass_is_refused_during_a_break(self) -> None:
        model = round_hall(1)
        model.move(1)
        model.do(c.TakeBreak(by="host", until=model.now_ms + 60_000))
        unchanged(model, c.Pass(by="p1", game="game1"), Conflict, "is paused")

    def test_pass_is_refused_in_clock_mode(self) -> None:
        model = SimulModel(players=1, start=True)
        model.move(1)
        unchanged(model, c.Pass(by="p1", game="game1"), Conflict, "from board to board")
