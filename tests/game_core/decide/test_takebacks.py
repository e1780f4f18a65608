"""Takebacks: by consent, to the last move of the requesting side; clock times stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from game_core import commands as c
from game_core.color import Color, other
from game_core.events import ClockReading, Offered, TakenBack
from tests.game_core.decide.test_offers import STEPS, Do
from tests.game_core.scene import BLACK_BEGINS, BLITZ, BRONSTEIN, DAY_MS, DAYS, DELAY, TWO_MOVES, Scene

if TYPE_CHECKING:
    from game_core.time_control import TimeControl


TAKEBACK_STEPS = {**STEPS, "declining one's own": ("w", "w", "decline", "decline")}
"""A request to take a move back can be withdrawn."""


@pytest.mark.parametrize(("stands", "by", "do", "event"), TAKEBACK_STEPS.values(), ids=TAKEBACK_STEPS)
def test_takeback_is_offered_and_answered_once(stands: Color | None, by: Color, do: Do, event: Do | None) -> None:
    scene = Scene(moves="e2e4 e7e5")
    if stands is not None:
        scene.do(c.Takeback(by=stands, do="offer"))
    if event is None:
        scene.refused(c.Takeback(by=by, do=do), "conflict")
        assert scene.game.offers.takeback == stands
        return
    events = scene.do(c.Takeback(by=by, do=do))
    assert events[0] == Offered(what="takeback", do=event, by=by)
    assert len(events) == (2 if event == "accept" else 1)
    assert scene.game.offers.takeback == (by if event == "offer" else None)
    assert scene.game.ply == (0 if event == "accept" else 2)


# Columns: start position, moves, who asks; then the moves that are left, or None where there is nothing to take back.
BOARDS: dict[str, tuple[str | None, str, Color, str | None]] = {
    "White, before any move": (None, "", "w", None),
    "Black, before any move": (None, "", "b", None),
    "White, their first": (None, "e2e4", "w", ""),
    "Black has none yet": (None, "e2e4", "b", None),
    "White to move: their last and the answer to it": (None, "e2e4 e7e5", "w", ""),
    "White to move: Black's last": (None, "e2e4 e7e5", "b", "e2e4"),
    "Black to move: White's last": (None, "e2e4 e7e5 g1f3", "w", "e2e4 e7e5"),
    "Black to move: their last and the answer to it": (None, "e2e4 e7e5 g1f3", "b", "e2e4"),
    "Black began: their first": (BLACK_BEGINS, "e7e5", "b", ""),
    "Black began: White has none yet": (BLACK_BEGINS, "e7e5", "w", None),
    "Black began: White's": (BLACK_BEGINS, "e7e5 e2e4", "w", "e7e5"),
}


@pytest.mark.parametrize(("fen", "moves", "asks", "left"), BOARDS.values(), ids=BOARDS)
@pytest.mark.parametrize("tc", [BLITZ, None], ids=["clock", "no clock"])
def test_takeback_returns_the_turn_to_the_requester(
    fen: str | None, moves: str, asks: Color, left: str | None, tc: TimeControl | None
) -> None:
    scene = Scene(tc, fen=fen, moves=moves)
    if left is None:
        scene.refused(c.Takeback(by=asks, do="offer"), "conflict")
        return
    scene.do(c.Takeback(by=asks, do="offer"))
    _, event = scene.do(c.Takeback(by=other(asks), do="accept"))
    expected = Scene(tc, fen=fen, moves=left)
    assert isinstance(event, TakenBack)
    assert event.plies == len(moves.split()) - len(left.split())
    assert event.position == expected.game.rules.fen(expected.game.position)
    game = scene.game
    assert (game.turn, game.moves, game.notation) == (asks, expected.game.moves, expected.game.notation)
    assert (game.times, game.move_seqs) == (expected.game.times, expected.game.move_seqs)
    assert (game.takeback_seq, game.clock is None) == (game.seq, tc is None)


def test_mutual_takeback_offers_take_back_to_the_first_requester() -> None:
    scene = Scene(moves="e2e4 e7e5 g1f3")
    scene.do(c.Takeback(by="b", do="offer"))
    scene.do(c.Takeback(by="w", do="offer"))
    assert scene.game.moves == ("e2e4",)


def test_takeback_ends_all_offers_without_declining_them() -> None:
    scene = Scene(moves="e2e4 e7e5")
    scene.do(c.Draw(by="w", do="offer"))
    scene.do(c.Takeback(by="b", do="offer"))
    scene.do(c.Takeback(by="w", do="accept"))
    assert (scene.game.offers.draw, scene.game.offers.takeback) == (None, None)
    scene.do(c.Draw(by="w", do="offer"))


def test_declined_draw_is_remembered_after_a_takeback() -> None:
    scene = Scene(moves="e2e4 e7e5 g1f3")
    scene.do(c.Draw(by="w", do="offer"))
    scene.do(c.Draw(by="b", do="decline"))
    scene.do(c.Takeback(by="w", do="offer"))
    scene.do(c.Takeback(by="b", do="accept"))
    scene.refused(c.Draw(by="w", do="offer"), "conflict")


def test_takeback_offered_before_a_move_applies_to_that_move() -> None:
    scene = Scene(moves="e2e4 e7e5")
    scene.do(c.Takeback(by="w", do="offer"))
    scene.play("g1f3")
    scene.do(c.Takeback(by="b", do="accept"))
    assert scene.game.moves == ("e2e4", "e7e5")


# The clocks. White moves at once, then thinks for 10 s over their second move and Black for 20 s over the answer to it.
# After five more seconds one of them asks, and the other agrees at once. Columns: control, moves, who asks; then the
# reading of the event.
CLOCKS: dict[str, tuple[TimeControl, str, Color, ClockReading]] = {
    "before the clocks began they stand": (BLITZ, "e2e4", "w", ClockReading(180_000, 180_000)),
    "once they have begun they run, also for a first move": (
        BLITZ,
        "e2e4 e7e5",
        "b",
        ClockReading(175_000, 180_000, "b"),
    ),
    "whoever it is": (BLITZ, "e2e4 e7e5", "w", ClockReading(175_000, 180_000, "w")),
    "what was used stays used, what was added stays added": (
        BLITZ,
        "e2e4 e7e5 g1f3",
        "w",
        ClockReading(172_000, 175_000, "w"),
    ),
    "two half-moves back": (BLITZ, "e2e4 e7e5 g1f3 b8c6", "w", ClockReading(167_000, 162_000, "w")),
    "the delay begins anew": (DELAY, "e2e4 e7e5 g1f3", "w", ClockReading(173_000, 178_000, "w")),
    "Bronstein's too": (BRONSTEIN, "e2e4 e7e5 g1f3", "b", ClockReading(173_000, 175_000, "b")),
    "days are whole again for who asked": (
        DAYS,
        "e2e4 e7e5 g1f3",
        "w",
        ClockReading(3 * DAY_MS, 3 * DAY_MS - 5_000, "w"),
    ),
    "over the border of a period: its time is not given twice": (
        TWO_MOVES,
        "e2e4 e7e5 g1f3",
        "w",
        ClockReading(80_000, 55_000, "w", (1, 0), (1, 1)),
    ),
    "both over the border": (
        TWO_MOVES,
        "e2e4 e7e5 g1f3 b8c6",
        "w",
        ClockReading(75_000, 70_000, "w", (1, 1), (1, 1)),
    ),
}


@pytest.mark.parametrize(("tc", "moves", "asks", "reading"), CLOCKS.values(), ids=CLOCKS)
def test_takeback_keeps_the_clock_times(tc: TimeControl, moves: str, asks: Color, reading: ClockReading) -> None:
    scene = Scene(tc)
    for number, move in enumerate(moves.split()):
        scene.do(scene.move(move), 10_000 * max(0, number - 1))
    scene.do(c.Takeback(by=asks, do="offer"), 5_000)
    _, event = scene.do(c.Takeback(by=other(asks), do="accept"))
    assert isinstance(event, TakenBack)
    assert event.clock == reading


def test_repeated_takebacks_do_not_add_a_period_again() -> None:
    scene = Scene(TWO_MOVES, moves="e2e4 e7e5 g1f3")
    assert scene.left("w") == 90_000
    for _ in range(3):
        scene.do(c.Takeback(by="w", do="offer"))
        scene.do(c.Takeback(by="b", do="accept"))
        scene.play("g1f3")
    assert scene.left("w") == 90_000


def test_takeback_restarts_the_limit_for_the_first_move() -> None:
    scene = Scene()
    scene.do(scene.move("e2e4"), 15_000)
    scene.do(c.Takeback(by="w", do="offer"), 15_000)
    scene.do(c.Takeback(by="b", do="accept"))
    assert scene.do(c.Expire(), 19_999) == ()
    scene.do(c.Expire(), 1)
    assert scene.end == ("*", "aborted")


@pytest.mark.parametrize("moves", ["e2e4", "e2e4 e7e5"], ids=["before they began", "after"])
def test_takeback_keeps_paused_clocks_paused(moves: str) -> None:
    scene = Scene(pausable=True, moves=moves)
    scene.do(c.Pause(by="w", on=True))
    scene.do(c.Takeback(by="w", do="offer"), 5_000)
    _, event = scene.do(c.Takeback(by="b", do="accept"), 5_000)
    assert isinstance(event, TakenBack)
    assert event.clock == ClockReading(180_000, 180_000, "w" if " " in moves else None, held="pause")
    scene.do(c.Pause(by="w", on=False), 5_000)
    scene.play("e2e4")


def test_takeback_keeps_a_server_hold() -> None:
    scene = Scene(moves="e2e4 e7e5")
    assert scene.game.clock is not None
    held = scene.game.clock.hold("restart", scene.now_ms)
    scene.game = msgspec.structs.replace(scene.game, clock=held)
    scene.do(c.Takeback(by="w", do="offer"))
    _, event = scene.do(c.Takeback(by="b", do="accept"), 5_000)
    assert isinstance(event, TakenBack)
    assert event.clock == ClockReading(180_000, 180_000, "w", held="restart")


def test_withdrawn_request_counts_as_refused() -> None:
    s = Scene(moves="e2e4 e7e5")
    s.do(c.Takeback(by="w", do="offer"))
    s.do(c.Takeback(by="w", do="decline"))
    # It counts as refused, or nothing would limit requests.
    assert s.game.takebacks_refused == (1, 0)
    s.refused(c.Takeback(by="b", do="accept"), "conflict")


def test_declined_takebacks_are_limited() -> None:
    s = Scene(moves="e2e4 e7e5")
    for _ in range(4):
        s.do(c.Takeback(by="w", do="offer"))
        s.do(c.Takeback(by="b", do="decline"))
    s.do(c.Takeback(by="w", do="offer"))
    s.play("g1f3")  # their own move lets it stand
    assert s.game.takebacks_refused == (4, 0)
    s.play("b8c6")  # and the opponent's refuses it
    assert s.game.takebacks_refused == (5, 0)
    s.refused(c.Takeback(by="w", do="offer"), "conflict")
    # They may still answer, and after an agreement all is as before.
    s.do(c.Takeback(by="b", do="offer"))
    s.do(c.Takeback(by="w", do="offer"))
    assert s.game.takebacks_refused == (0, 0)
    s.do(c.Takeback(by="w", do="offer"))
