"""Every mode of the clock, played: Article 6 and its later editions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from game_core import commands as c
from game_core.control_text import short_control
from game_core.decide import next_deadline_ms
from game_core.time_control import parse_time_control
from tests.game_core.chess.library import STANDARD, random_game
from tests.game_core.scene import Scene

if TYPE_CHECKING:
    from collections.abc import Sequence

MINUTE = 60_000
DAY = 86_400_000

KNIGHTS = ("g1f3", "g8f6", "f3g1", "f6g8", "b1c3", "b8c6", "c3b1", "c6b8", "e2e4", "e7e5", "g1f3", "g8f6")
"""A game that nobody may end by a claim yet."""

TWO_THEN_ONE = {"periods": [{"moves": 2, "base_s": 120}, {"base_s": 60}]}
TWICE = {"periods": [{"moves": 2, "base_s": 60, "inc_s": 5}, {"moves": 1, "base_s": 30}]}
FORTY = {"periods": [{"moves": 40, "base_s": 5400, "inc_s": 30}, {"base_s": 1800, "inc_s": 30}]}

# The half-moves take so many seconds each, one after the other from the first; the first two are free. Columns: the
# control, the seconds, what White and Black have left then, in ms.
Case = tuple[object, "Sequence[float]", int, int]

MODES: dict[str, Case] = {
    "sudden death: no addition": ({"base_s": 180}, [9, 9, 10, 20, 5], 165_000, 160_000),
    "increment: added on every move, and it accumulates": (
        *({"base_s": 180, "inc_s": 2}, [9, 9, 1, 10, 1]),
        *(182_000, 172_000),
    ),
    "increment: a base of 0 begins with one": ({"base_s": 0, "inc_s": 5}, [9, 9, 4, 1], 6_000, 9_000),
    "delay: main time runs only after it": ({"base_s": 60, "delay_s": 3}, [9, 9, 3, 10, 3.5], 59_500, 53_000),
    "delay: what is not used of it is lost": ({"base_s": 60, "delay_s": 3}, [9, 9, 0, 0, 4], 59_000, 60_000),
    "Bronstein: the time used comes back, at most the delay": (
        *({"base_s": 60, "bronstein_s": 3}, [9, 9, 2, 10, 3]),
        *(60_000, 53_000),
    ),
    "Bronstein: nothing is gained": ({"base_s": 60, "bronstein_s": 3}, [9, 9, 0, 0, 0], 60_000, 60_000),
    "days a move: all of them for every move": ({"days": 1}, [9, 9, 86_000, 50_000], DAY, DAY),
    "6.2 periods: unused time carries to the next": (TWO_THEN_ONE, [9, 9, 20, 30, 10], 150_000, 150_000),
    "6.2 the moves of a period are counted from the first": (TWO_THEN_ONE, [9, 9, 20], 160_000, 120_000),
    "6.2 each period has its own increment": (
        *({"periods": [{"moves": 2, "base_s": 60, "inc_s": 5}, {"base_s": 30, "inc_s": 1}]}, [9, 9, 10, 0, 10]),
        *(60_000 - 10_000 + 5_000 + 30_000 - 10_000 + 1_000, 60_000 + 5_000 + 30_000),
    ),
    "6.2 a last period with moves repeats": (
        *(TWICE, [9, 9, 10, 0, 10, 0, 10]),
        *(60_000 - 5_000 + 30_000 - 10_000 + 30_000 - 10_000 + 30_000, 60_000 + 5_000 + 30_000 + 30_000),
    ),
    "6.5 online: neither first move is charged": ({"base_s": 180, "inc_s": 2}, [12, 12], 180_000, 180_000),
    "6.5 online: the first clock starts from the base": ({"base_s": 180, "inc_s": 2}, [12, 12, 2], 180_000, 180_000),
}


@pytest.mark.parametrize(("form", "seconds", "white", "black"), MODES.values(), ids=MODES)
def test_moves_are_charged_and_credited_by_the_clock_mode(
    form: object, seconds: Sequence[float], white: int, black: int
) -> None:
    scene = Scene(parse_time_control(form))
    for move, wait_s in zip(KNIGHTS, seconds, strict=False):
        scene.play(move, each_ms=round(wait_s * 1000))
    assert scene.game.ply == len(seconds)
    assert (scene.left("w"), scene.left("b")) == (white, black)


# When the flag of the side to move falls, in ms after the last of these half-moves. Columns as above, then that.
ZEROS: dict[str, tuple[object, Sequence[float], int]] = {
    "6.1 sudden death: at zero": ({"base_s": 60}, [0, 0, 10, 20], 50_000),
    "6.1 increment: with what has accumulated": ({"base_s": 60, "inc_s": 5}, [0, 0, 1, 20], 64_000),
    "6.1 delay: after the delay": ({"base_s": 60, "delay_s": 5}, [0, 0, 10, 20], 60_000),
    "6.1 Bronstein: at zero, nothing is given back to who has not moved": (
        *({"base_s": 60, "bronstein_s": 5}, [0, 0, 10, 20]),
        55_000,
    ),
    "6.3 periods: the moves of the first not made": (TWO_THEN_ONE, [0, 0], 120_000),
    "6.3 periods: they are made, the next period's time too": (TWO_THEN_ONE, [0, 0, 20, 20], 160_000),
    "6.3 a period that repeats": (TWICE, [0, 0, 0, 0], 60_000 + 5_000 + 30_000),
    "days a move": ({"days": 2}, [0, 0, 50], 2 * DAY),
}


@pytest.mark.parametrize(("form", "seconds", "zero_ms"), ZEROS.values(), ids=ZEROS)
def test_flag_falls_at_zero_and_not_before(form: object, seconds: Sequence[float], zero_ms: int) -> None:
    scene = Scene(parse_time_control(form))
    for move, wait_s in zip(KNIGHTS, seconds, strict=False):
        scene.play(move, each_ms=round(wait_s * 1000))
    loser, clock = scene.game.turn, scene.game.clock
    assert clock is not None
    assert not clock.is_flagged(scene.now_ms + zero_ms - 1)
    assert clock.is_flagged(scene.now_ms + zero_ms)
    # The server waits a few milliseconds more for a move that may be on its way.
    due_ms = next_deadline_ms(scene.game, 0)
    assert due_ms is not None
    scene.do(c.Expire(), after_ms=due_ms - scene.now_ms)
    assert scene.end == ("0-1" if loser == "w" else "1-0", "timeout")


def test_6_3_forty_moves_in_ninety_minutes_then_thirty() -> None:
    tc = parse_time_control(FORTY)
    assert tc is not None
    assert short_control(tc) == "40/90+30, 30+30"
    scene = Scene(tc)
    # A minute each, but for the first two half-moves, which are free: 39 moves cost 39 minutes and earn 39 half ones.
    for _, move in random_game(STANDARD, seed=1, plies=79):
        scene.play(move.uci(), each_ms=MINUTE)
    clock = scene.game.clock
    assert clock is not None
    assert (clock.moves, clock.period) == ((40, 39), (1, 0))
    assert (tc.moves_to_go(0, 39), tc.moves_to_go(1, 40)) == (1, None)
    assert scene.left("w") == (90 + 30) * MINUTE - 39 * MINUTE // 2
    assert scene.left("b") == 90 * MINUTE - 38 * MINUTE // 2


def test_untimed_game_has_no_flag_fall() -> None:
    scene = Scene(None, moves="e2e4 e7e5")
    scene.do(c.Expire(), after_ms=1_000 * DAY)
    assert scene.end == ("*", None)
    assert scene.game.clock is None
    scene.refused(c.ClaimFlag(by="b"), "conflict")
