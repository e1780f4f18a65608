"""Ends that depend on mating chances (Articles 5.2b, 6.9); the result of the search is an argument."""

from __future__ import annotations

import pytest

from game_core import commands as c
from game_core.decide import decide
from game_core.decide.ends import winner_of
from game_core.events import Ended
from tests.game_core.scene import BULLET, Scene


def test_flag_fall_draws_when_opponent_cannot_win() -> None:
    scene = Scene(BULLET, moves="e2e4 e7e5")
    now_ms = scene.now_ms + 61_000
    (lost,) = decide(scene.game, c.Expire(), now_ms)
    (saved,) = decide(scene.game, c.Expire(), now_ms, ("b",))
    (other,) = decide(scene.game, c.Expire(), now_ms, ("w",))
    assert isinstance(lost, Ended)
    assert isinstance(saved, Ended)
    assert (lost.result, lost.reason) == ("0-1", "timeout")
    assert (saved.result, saved.reason) == ("1/2-1/2", "timeout_draw")
    assert other == lost


def test_claim_without_mating_chances_draws() -> None:
    scene = Scene(BULLET, moves="e2e4 e7e5")
    command = c.ClaimLeft(by="w", what="win", gone_ms=1_000_000)
    (event,) = decide(scene.game, command, scene.now_ms, ("w",))
    assert isinstance(event, Ended)
    assert (event.result, event.reason) == ("1/2-1/2", "abandoned")


def test_search_result_is_not_stored_in_the_game() -> None:
    scene = Scene(BULLET, moves="e2e4 e7e5")
    decide(scene.game, c.Expire(), scene.now_ms, ("w", "b"))
    assert scene.game.cannot_win == ()


def test_dead_position_is_drawn_even_after_a_later_flag_fall() -> None:
    scene = Scene(BULLET, moves="e2e4 e7e5")
    (event,) = decide(scene.game, c.CallDead(seq=2), scene.now_ms + 61_000)
    assert isinstance(event, Ended)
    assert (event.result, event.reason) == ("1/2-1/2", "dead_position")


def test_dead_position_call_with_an_old_seq_is_ignored() -> None:
    scene = Scene(BULLET, moves="e2e4 e7e5")
    assert decide(scene.game, c.CallDead(seq=1), scene.now_ms) == ()
    scene.do(c.Resign(by="w"))
    assert decide(scene.game, c.CallDead(seq=3), scene.now_ms) == ()


@pytest.mark.parametrize(
    ("command", "after_ms", "winner"),
    [
        (c.Expire(), 61_000, ("b", True)),
        (c.ClaimLeft(by="w", what="win", gone_ms=1_000_000), 0, ("w", True)),
        (c.ClaimLeft(by="w", what="draw", gone_ms=1_000_000), 0, (None, False)),
        (c.Resign(by="b"), 0, ("w", False)),
        (c.Draw(by="w", do="offer"), 0, (None, False)),
        (c.PlayMove(by="w", move="g1f3", ply=2), 0, (None, False)),
    ],
)
def test_flag_fall_and_claimed_absence_name_the_winner(
    command: c.Command, after_ms: int, winner: tuple[str | None, bool]
) -> None:
    scene = Scene(BULLET, moves="e2e4 e7e5")
    assert winner_of(decide(scene.game, command, scene.now_ms + after_ms)) == winner


def test_checkmate_needs_no_check_of_mating_chances() -> None:
    scene = Scene(BULLET, moves="f2f3 e7e5 g2g4")
    assert winner_of(decide(scene.game, c.PlayMove(by="b", move="d8h4", ply=3), scene.now_ms)) == (None, False)
