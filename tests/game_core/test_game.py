"""A game as a value: its start and its properties."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from game_core.color import COLORS, Color
from game_core.errors import BadPosition, UnknownProfile, UnknownVariant
from game_core.game import Setup
from game_core.start import new_game
from tests.game_core.scene import BLACK_BEGINS, BLITZ, DAY_MS, DAYS, NO_BASE, Scene

if TYPE_CHECKING:
    from game_core.time_control import TimeControl

# Columns: control, start position; then who begins, what both clocks show, and the lag quota of each side.
BEGINNINGS: dict[str, tuple[TimeControl | None, str | None, Color, int | None, int]] = {
    "from base (rules 3: `online` ... from `base`)": (BLITZ, None, "w", 180_000, 3_000),
    "base 0: from one increment": (NO_BASE, None, "w", 5_000, 2_850),
    "days a move": (DAYS, None, "w", 3 * DAY_MS, 3_000),
    "no clock": (None, None, "w", None, 0),
    "Black to move in the start position": (BLITZ, BLACK_BEGINS, "b", 180_000, 3_000),
}


@pytest.mark.parametrize(("tc", "fen", "first", "shown_ms", "quota_ms"), BEGINNINGS.values(), ids=BEGINNINGS)
def test_game_begins_with_its_clocks_stopped(
    tc: TimeControl | None, fen: str | None, first: Color, shown_ms: int | None, quota_ms: int
) -> None:
    game = new_game(Setup(id="g", tc=tc, fen=fen), 7)
    assert (game.status, game.result, game.reason, game.seq, game.ply) == ("created", "*", None, 0, 0)
    assert (game.first, game.turn, game.turn_since_ms, game.quota) == (first, first, 7, (quota_ms, quota_ms))
    if shown_ms is None:
        assert game.clock is None
    else:
        assert game.clock is not None
        assert (game.clock.left, game.clock.run) == ((shown_ms, shown_ms), None)


@pytest.mark.parametrize(
    ("setup", "error"),
    [
        (Setup(id="g", variant="suicide"), UnknownVariant),
        (Setup(id="g", game="go"), UnknownVariant),
        (Setup(id="g", profile="house"), UnknownProfile),
        (Setup(id="g", fen="8/8/8/8/8/8/8/8 w - - 0 1"), BadPosition),
    ],
    ids=["variant", "game", "profile", "position"],
)
def test_game_of_unknown_rules_is_refused(setup: Setup, error: type[Exception]) -> None:
    with pytest.raises(error):
        new_game(setup, 0)


# Columns: start position; then the moves that either side has made with 0, 1, 2 and 3 half-moves on the board.
COUNTS: dict[str, tuple[str | None, list[tuple[int, int]]]] = {
    "White begins": (None, [(0, 0), (1, 0), (1, 1), (2, 1)]),
    "Black begins": (BLACK_BEGINS, [(0, 0), (0, 1), (1, 1), (1, 2)]),
}


@pytest.mark.parametrize(("fen", "counts"), COUNTS.values(), ids=COUNTS)
def test_moves_are_counted_for_each_side(fen: str | None, counts: list[tuple[int, int]]) -> None:
    scene = Scene(fen=fen)
    for ply, (white, black) in enumerate(counts):
        assert scene.game.ply == ply
        assert [scene.game.moves_made(color) for color in COLORS] == [white, black]
        assert scene.game.mover_of(ply) == scene.game.turn
        scene.play(scene.game.legal_moves()[0])


def test_earlier_position_is_rebuilt_from_the_moves() -> None:
    scene = Scene(moves="e2e4 e7e5 g1f3")
    rules = scene.game.rules
    assert rules.fen(scene.game.position_at(0)) == rules.fen(scene.fresh.position)
    assert rules.fen(scene.game.position_at(1)).startswith("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b")
    assert rules.fen(scene.game.position_at(3)) == rules.fen(scene.game.position)


def test_finished_game_has_no_legal_moves() -> None:
    scene = Scene(moves="f2f3 e7e5 g2g4")
    assert "d8h4" in scene.game.legal_moves()
    scene.play("d8h4")
    assert scene.game.legal_moves() == []
