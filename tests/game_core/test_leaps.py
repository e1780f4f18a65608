"""Paths of pieces, kept with the moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from game_core.chess.standard import Standard
from game_core.commands import PlayMove, Takeback
from game_core.decide import decide
from game_core.events import Moved, Offered, TakenBack
from game_core.evolve import evolve
from game_core.leaps import Leaps, leaps_wire
from tests.game_core.scene import Scene

if TYPE_CHECKING:
    from collections.abc import Sequence

    from game_core.game import Game
    from game_core.rules import Played, Position

OVER = Leaps(("f2", "g1"), ("e1",))


class Leaping(Standard):
    """Chess in which each move of a knight has leapt over something, and draws near with each."""

    def play(self, position: Position, move: str) -> Played:
        played = super().play(position, move)
        return msgspec.structs.replace(played, leaps=OVER) if played.notation.startswith("N") else played

    def leaps(self, position: Position, move: str) -> Sequence[Leaps]:
        return (OVER,) if move.startswith(("b1", "g1", "b8", "g8")) else ()

    def draw_in(self, position: Position) -> int | None:
        return 100 - position.board.halfmove_clock or None


def leaping(*moves: str) -> tuple[Game, list[Moved]]:
    """A game of it and the events of its moves."""
    game = msgspec.structs.replace(Scene(None).game, rules=Leaping())
    events: list[Moved] = []
    for move in moves:
        (event,) = decide(game, PlayMove(by=game.turn, move=move, ply=game.ply), 0)
        assert isinstance(event, Moved)
        events.append(event)
        game = evolve(game, event, 0)
    return game, events


def test_move_event_has_the_path_and_the_moves_to_a_draw() -> None:
    _, events = leaping("e2e4", "g8f6")
    assert [event.leaps for event in events] == [None, OVER]
    assert [event.draw_in for event in events] == [100, 99]


def test_takeback_event_has_the_moves_to_a_draw() -> None:
    game, _ = leaping("g1f3", "g8f6", "b1c3")
    game = evolve(game, Offered(what="takeback", do="offer", by="b"), 0)
    _, back = decide(game, Takeback(by="w", do="accept"), 0)
    assert isinstance(back, TakenBack)
    assert (back.plies, back.draw_in) == (2, 99)


def test_game_keeps_the_path_of_each_move() -> None:
    game, _ = leaping("g1f3", "e7e5", "b1c3")
    assert game.leaps_by_ply == [OVER, None, OVER]
    assert game.last_leaps == OVER


@pytest.mark.parametrize("moves", [(), ("e2e4",), ("g1f3", "e7e5")], ids=["no move", "a step", "a step after a leap"])
def test_plain_step_has_no_path(moves: tuple[str, ...]) -> None:
    assert leaping(*moves)[0].last_leaps is None


def test_takeback_drops_the_paths() -> None:
    game, _ = leaping("g1f3", "g8f6", "b1c3")
    back = evolve(game, TakenBack(plies=2, position=""), 0)
    assert back.leaps == ((0, OVER),)
    assert evolve(back, TakenBack(plies=1, position=""), 0).leaps == ()


def test_legal_plain_steps_have_no_paths() -> None:
    game, _ = leaping()
    assert game.legal_leaps(game.legal_moves()) == dict.fromkeys(["b1a3", "b1c3", "g1f3", "g1h3"], (OVER,))


def test_chess_has_no_leaps() -> None:
    scene = Scene(moves="g1f3 g8f6")
    assert (scene.game.leaps, scene.game.leaps_by_ply, scene.game.last_leaps) == ((), [None, None], None)
    assert scene.game.legal_leaps(scene.game.legal_moves()) == {}


def test_wire_form_of_leaps() -> None:
    assert leaps_wire(OVER) == {"path": ("f2", "g1"), "taken": ("e1",)}
