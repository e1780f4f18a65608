"""Moves: in order, in time, charged and announced; the first two are free."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from game_core import commands as c
from game_core.decide import decide
from game_core.events import ClockReading, Ended, Moved
from tests.game_core.scene import (
    BLACK_BEGINS,
    BLITZ,
    BRONSTEIN,
    BULLET,
    DAY_MS,
    DAYS,
    DELAY,
    LONE_BLACK_KING,
    NO_BASE,
    TWO_MOVES,
    Scene,
)

if TYPE_CHECKING:
    from game_core.color import Color
    from game_core.time_control import TimeControl


def test_move_event_has_every_field() -> None:
    scene = Scene(moves="e2e4 e7e5")
    (event,) = scene.do(scene.move("d1h5", lag_ms=30, ceiling_ms=100), 5_000)
    assert event == Moved(
        ply=2,
        by="w",
        move="d1h5",
        san="Qh5",
        position="rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 1 2",
        clock=ClockReading(177_030, 180_000, "b"),
        spent_ms=4_970,
        lag_ms=30,
    )


# "game_over, stale_ply, not_your_turn, illegal_move": each command here breaks that rule and all rules after it.
# The game stands at ply 3, Black to move; the last takeback is event 6.
ORDER: dict[str, tuple[c.PlayMove, str]] = {
    "a ply gone by": (c.PlayMove(by="w", move="e9", ply=2), "stale_ply"),
    "a ply to come": (c.PlayMove(by="w", move="e9", ply=4), "stale_ply"),
    "no ply at all": (c.PlayMove(by="w", move="e9", ply=-1), "stale_ply"),
    "a `seen` older than a takeback": (c.PlayMove(by="w", move="e9", ply=3, seen=5), "stale_ply"),
    "out of turn": (c.PlayMove(by="w", move="e9", ply=3, seen=6), "not_your_turn"),
    "the opponent's move": (c.PlayMove(by="w", move="b8c6", ply=3), "not_your_turn"),
    "nonsense": (c.PlayMove(by="b", move="e9", ply=3, seen=6), "illegal_move"),
    "against the rules": (c.PlayMove(by="b", move="e8e5", ply=3), "illegal_move"),
}


@pytest.mark.parametrize(("command", "code"), ORDER.values(), ids=ORDER)
def test_checks_are_made_in_the_order_of_the_protocol(command: c.PlayMove, code: str) -> None:
    scene = Scene(moves="e2e4 e7e5 d2d4")
    scene.do(c.Takeback(by="w", do="offer"))
    scene.do(c.Takeback(by="b", do="accept"))
    scene.play("g1f3")
    assert scene.game.takeback_seq == 6
    assert not scene.refused(command, code).events
    scene.do(c.Resign(by="w"))
    scene.refused(command, "game_over")


def test_refused_move_changes_nothing_and_the_clock_runs_on() -> None:
    scene = Scene(moves="e2e4 e7e5")
    before = scene.game
    scene.refused(scene.move("e4e5"), "illegal_move", after_ms=3_000)
    assert scene.game is before
    assert scene.left("w") == 177_000


# rules 3: "`online`: neither first move is charged, the first mover's clock starts when the second player's first move
# is sent, from `base`." Columns: control, start position, moves played a minute apart; then both clocks and who runs.
STARTS: dict[str, tuple[TimeControl, str | None, str, ClockReading]] = {
    "after one move nobody's time runs": (BLITZ, None, "e2e4", ClockReading(180_000, 180_000)),
    "after two the first mover's does": (BLITZ, None, "e2e4 e7e5", ClockReading(180_000, 180_000, "w")),
    "the third is charged": (BLITZ, None, "e2e4 e7e5 g1f3", ClockReading(122_000, 180_000, "b")),
    "Black begins: after one": (BLITZ, BLACK_BEGINS, "e7e5", ClockReading(180_000, 180_000)),
    "Black begins: Black's starts": (BLITZ, BLACK_BEGINS, "e7e5 e2e4", ClockReading(180_000, 180_000, "b")),
    "Black begins: and is charged": (BLITZ, BLACK_BEGINS, "e7e5 e2e4 e8d7", ClockReading(180_000, 122_000, "w")),
    "base 0 starts from one increment": (NO_BASE, None, "e2e4 e7e5", ClockReading(5_000, 5_000, "w")),
    "first moves count towards a period": (
        TWO_MOVES,
        None,
        "e2e4 e7e5",
        ClockReading(60_000, 60_000, "w", (0, 0), (1, 1)),
    ),
    "days run from the same moment": (DAYS, None, "e2e4 e7e5", ClockReading(3 * DAY_MS, 3 * DAY_MS, "w")),
    "and are whole for every move": (DAYS, None, "e2e4 e7e5 g1f3", ClockReading(3 * DAY_MS, 3 * DAY_MS, "b")),
}


@pytest.mark.parametrize(("tc", "fen", "moves", "reading"), STARTS.values(), ids=STARTS)
def test_first_moves_are_not_charged(tc: TimeControl, fen: str | None, moves: str, reading: ClockReading) -> None:
    scene = Scene(tc, fen=fen)
    each_ms = 60_000 if tc is not NO_BASE else 4_000
    scene.play(moves, each_ms)
    event = scene.log[-1]
    assert isinstance(event, Moved)
    assert event.clock == reading
    assert scene.game.status == ("live" if scene.game.ply >= 2 else "created")
    assert event.spent_ms == (each_ms if scene.game.ply > 2 else 0)


def test_untimed_game_records_no_times() -> None:
    scene = Scene(None, moves="e2e4 e7e5 g1f3")
    assert [event.clock for event in scene.log if isinstance(event, Moved)] == [None] * 3
    assert (scene.game.times, scene.game.status) == ((), "live")


def test_recorded_times_are_those_left_to_the_mover() -> None:
    scene = Scene(moves="e2e4 e7e5")
    scene.play("g1f3 b8c6 f1b5", 5_000)
    assert scene.game.times == (180_000, 180_000, 177_000, 177_000, 174_000)


# The last moment. White has `left` ms on the clock; columns: control, when the move was received (ms after zero), its
# claimed lag and the server's ceiling; then what White has after the move, or None: the flag had fallen.
# "the flag falls": zero is fallen (6.1), "less lag compensation".
LAST_MOMENTS: dict[str, tuple[TimeControl, int, int | None, int, int | None]] = {
    "a millisecond before": (BULLET, -1, None, 0, 1),
    "flag and move in the same millisecond: the flag": (BULLET, 0, None, 0, None),
    "late": (BULLET, 1, None, 0, None),
    "late, and lag makes it good": (BULLET, 99, 100, 100, 1),
    "late by all of the lag": (BULLET, 100, 100, 100, None),
    "lag nobody claims is the ceiling": (BULLET, 99, None, 100, 1),
    "a lag claimed above the ceiling is worth 15 ms": (BULLET, 114, 5_000, 100, 1),
    "and no more": (BULLET, 115, 5_000, 100, None),
    "no more than a second": (BULLET, 1_000, 5_000, 5_000, None),
    "the quota ends it": (BULLET, 999, 5_000, 5_000, 1),
    "a negative claim is none": (BULLET, 0, -50, 100, None),
    "the increment does not come in time": (BLITZ, 0, None, 0, None),
    "it comes to a millisecond": (BLITZ, -1, None, 0, 2_001),
    "a delay goes first": (DELAY, -1, None, 0, 1),
    "and has its own zero": (DELAY, 0, None, 0, None),
    "Bronstein gives back to a millisecond": (BRONSTEIN, -1, None, 0, 3_001),
    "days": (DAYS, -1, None, 0, 3 * DAY_MS),
    "days gone": (DAYS, 0, None, 0, None),
}


@pytest.mark.parametrize(("tc", "late_ms", "lag_ms", "ceiling_ms", "left"), LAST_MOMENTS.values(), ids=LAST_MOMENTS)
def test_move_is_in_time_or_the_flag_falls(
    tc: TimeControl, late_ms: int, lag_ms: int | None, ceiling_ms: int, left: int | None
) -> None:
    scene = Scene(tc, moves="e2e4 e7e5")
    command = scene.move("g1f3", lag_ms=lag_ms, ceiling_ms=ceiling_ms)
    after_ms, whole_ms = scene.flag_in_ms + late_ms, scene.left("b")
    if left is None:
        error = scene.refused(command, "game_over", after_ms)
        assert error.events == (Ended(result="0-1", reason="timeout", clock=ClockReading(0, whole_ms)),)
        assert scene.end == ("0-1", "timeout")
        scene.refused(command, "game_over")
    else:
        scene.do(command, after_ms)
        assert scene.left("w") == left


def test_late_move_draws_if_the_opponent_cannot_win() -> None:
    scene = Scene(fen=LONE_BLACK_KING, moves="e1d1 e5e6")
    scene.refused(scene.move("d1e1"), "game_over", scene.flag_in_ms)
    assert scene.end == ("1/2-1/2", "timeout_draw")


# A stale or foreign move after the flag: the flag goes first, as `game_over` goes before `stale_ply`, once no lag that
# anybody can have been forgiven explains it.
@pytest.mark.parametrize("command", [c.PlayMove(by="w", move="g1f3", ply=0), c.PlayMove(by="b", move="d7d5", ply=2)])
def test_flag_fall_is_checked_before_ply_and_turn(command: c.PlayMove) -> None:
    scene = Scene(moves="e2e4 e7e5")
    assert not scene.refused(
        command, "stale_ply" if command.ply == 0 else "not_your_turn", scene.flag_in_ms + 999
    ).events
    scene.refused(command, "game_over", 1)
    assert scene.end == ("0-1", "timeout")


# Design: "Clock time is charged from the moment the opponent's move was sent out"; "elapsed is never negative".
@pytest.mark.parametrize("received_ms", [0, -1, -300], ids=["with it", "before it", "long before it (a premove)"])
def test_move_received_before_the_opponents_was_sent_costs_nothing(received_ms: int) -> None:
    scene = Scene(moves="e2e4 e7e5")
    (event,) = decide(scene.game, scene.move("g1f3"), scene.now_ms + received_ms)
    assert isinstance(event, Moved)
    assert (event.spent_ms, event.clock) == (0, ClockReading(182_000, 180_000, "b"))


def test_premove_is_accepted_at_zero_time() -> None:
    # Bullet, a delay of the opponent's brings no time: 1 ms left, then a move received before the clock began to run.
    scene = Scene(BULLET, moves="e2e4 e7e5")
    scene.do(scene.move("g1f3"), scene.flag_in_ms - 1)
    assert scene.left("w") == 1
    scene.play("b8c6")
    (event,) = decide(scene.game, scene.move("f1c4"), scene.now_ms - 20)
    assert isinstance(event, Moved)
    assert event.clock == ClockReading(1, 60_000, "b")
    scene.refused(scene.move("f1c4"), "game_over", 1)


def test_compensated_lag_is_taken_from_the_quota() -> None:
    scene = Scene(BULLET, moves="e2e4 e7e5")
    assert scene.game.quota == (1170, 1170)
    scene.do(scene.move("g1f3", lag_ms=700, ceiling_ms=1000), 5_000)
    assert scene.game.quota == (1170 - 700 + 390, 1170)
    assert scene.left("w") == 60_000 - 4_300


def test_first_moves_do_not_change_the_lag_quota() -> None:
    scene = Scene(BULLET)
    scene.do(scene.move("e2e4", lag_ms=700, ceiling_ms=1000), 5_000)
    scene.do(scene.move("e7e5", lag_ms=700, ceiling_ms=1000), 5_000)
    assert scene.game.quota == (1170, 1170)
    assert [event.lag_ms for event in scene.log if isinstance(event, Moved)] == [0, 0]


# Columns: start position, moves; then result and reason, and the move's own notation.
ENDS: dict[str, tuple[str | None, str, str, str, str]] = {
    "Black mates (5.1a)": (None, "f2f3 e7e5 g2g4 d8h4", "0-1", "checkmate", "Qh4#"),
    "White mates": ("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "f7g7", "1-0", "checkmate", "Qg7#"),
    "stalemate (5.2a)": ("7k/5K2/8/6Q1/8/8/8/8 w - - 0 1", "g5g6", "1/2-1/2", "stalemate", "Qg6"),
    "dead position (5.2b)": ("8/8/8/4k3/3P4/8/8/4K3 b - - 0 1", "e5d4", "1/2-1/2", "dead_position", "Kxd4"),
    "seventy-five moves": ("7k/8/8/8/8/8/R7/K7 w - - 149 90", "a2b2", "1/2-1/2", "seventyfive_moves", "Rb2"),
    "fivefold": (None, "g1f3 g8f6 f3g1 f6g8 " * 4, "1/2-1/2", "fivefold", "Ng8"),
}


@pytest.mark.parametrize(("fen", "moves", "result", "reason", "san"), ENDS.values(), ids=ENDS)
def test_final_move_is_followed_by_the_end_event(
    fen: str | None, moves: str, result: str, reason: str, san: str
) -> None:
    scene = Scene(fen=fen)
    scene.play(moves, 1_000)
    moved, end = scene.log[-2:]
    assert isinstance(moved, Moved)
    assert isinstance(end, Ended)
    assert (end.result, end.reason, moved.san) == (result, reason, san)
    assert scene.end == (result, reason)
    assert moved.clock is not None
    assert moved.clock.run is None
    assert end.clock == moved.clock


def test_end_event_of_an_untimed_game_has_no_clock() -> None:
    scene = Scene(None, moves="f2f3 e7e5 g2g4 d8h4")
    assert scene.log[-1] == Ended(result="0-1", reason="checkmate")


def test_mate_in_the_last_millisecond_counts() -> None:
    scene = Scene(BULLET, moves="f2f3 e7e5 g2g4")
    scene.do(scene.move("d8h4"), scene.flag_in_ms - 1)
    assert scene.end == ("0-1", "checkmate")


@pytest.mark.parametrize(("text", "variant", "fen"), [
    ("e1g1", "standard", None),
    ("e1h1", "standard", None),
    ("f1g1", "chess960", "rnbqbkrn/pppppppp/8/8/8/8/PPPPPPPP/RNBQBKRN w GAga - 0 1"),
], ids=["king's way", "king takes rook", "the very first move of a Chess960 game"])  # fmt: skip
def test_castling_has_one_canonical_form(text: str, variant: str, fen: str | None) -> None:
    scene = Scene(variant=variant, fen=fen, moves="" if fen else "g1f3 g8f6 g2g3 g7g6 f1g2 f8g7")
    (event,) = scene.do(scene.move(text))
    assert isinstance(event, Moved)
    assert event.san == "O-O"
    assert event.move == ("f1g1" if fen else "e1g1")


def test_move_is_refused_in_a_paused_game() -> None:
    scene = Scene(pausable=True, moves="e2e4 e7e5")
    scene.do(c.Pause(by="w", on=True), 1_000)
    scene.refused(scene.move("g1f3"), "conflict", 600_000)
    scene.refused(scene.move("e1e8"), "conflict")
    scene.refused(c.PlayMove(by="b", move="g8f6", ply=2), "not_your_turn")
    scene.do(c.Pause(by="b", on=False))
    scene.do(scene.move("g1f3"), 1_000)
    assert scene.left("w") == 180_000


def test_pause_before_the_first_move_refuses_it() -> None:
    scene = Scene(pausable=True)
    scene.do(c.Pause(by="w", on=True))
    scene.refused(scene.move("e2e4"), "conflict", 600_000)
    scene.do(c.Pause(by="w", on=False))
    scene.play("e2e4 e7e5")
    assert scene.game.clock is not None
    assert (scene.game.clock.run, scene.game.clock.held) == ("w", None)


# Design: a clock of a rebuilt game "is held until the player to move is subscribed or moves".
@pytest.mark.parametrize(("moves", "run"), [("", None), ("e2e4", "w"), ("e2e4 e7e5", "b")])
def test_move_ends_a_server_hold_and_is_not_charged(moves: str, run: Color | None) -> None:
    scene = Scene(moves=moves)
    clock = scene.game.clock
    assert clock is not None
    scene.game = msgspec.structs.replace(scene.game, clock=clock.hold("restart", scene.now_ms + 5_000))
    (event,) = scene.do(scene.move(scene.game.legal_moves()[0], lag_ms=300, ceiling_ms=300), 300_000)
    assert isinstance(event, Moved)
    assert event.clock is not None
    assert (event.clock.run, event.clock.held, event.lag_ms, event.spent_ms) == (run, None, 0, 0)
    assert scene.left("w") == (177_000 if run == "b" else 180_000)


def test_draw_is_offered_with_a_move() -> None:
    scene = Scene(moves="e2e4 e7e5")
    (event,) = scene.do(scene.move("g1f3", draw=True))
    assert isinstance(event, Moved)
    assert event.draw
    assert scene.game.offers.draw == "w"


# What `draw` on a move is worth. Columns: what happened before White's move with `draw`, then whether the event says so
# and whose offer stands after it.
DRAWS: dict[str, tuple[list[c.Command], bool, Color | None]] = {
    "nothing else": ([], True, "w"),
    "their own stands: it goes on standing, and is not told twice": ([c.Draw(by="w", do="offer")], False, "w"),
    "the opponent's stands: moving refuses it, their own takes its place": ([c.Draw(by="b", do="offer")], True, "w"),
    "refused just now: the flag is void, the move is not": (
        [c.Draw(by="w", do="offer"), c.Draw(by="b", do="decline")],
        False,
        None,
    ),
}


@pytest.mark.parametrize(("before", "told", "stands"), DRAWS.values(), ids=DRAWS)
def test_draw_offer_with_a_move_counts_only_if_allowed(
    before: list[c.Command], told: bool, stands: Color | None
) -> None:
    scene = Scene(moves="e2e4 e7e5")
    for command in before:
        scene.do(command)
    (event,) = scene.do(scene.move("g1f3", draw=True))
    assert isinstance(event, Moved)
    assert event.draw is told
    assert scene.game.offers.draw == stands


def test_final_move_offers_no_draw() -> None:
    scene = Scene(moves="f2f3 e7e5 g2g4")
    moved, _ = scene.do(scene.move("d8h4", draw=True))
    assert isinstance(moved, Moved)
    assert not moved.draw
