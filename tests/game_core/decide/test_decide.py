"""Properties of ``decide`` for any commands, order and time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given

from game_core.color import COLORS, Color, of, other
from game_core.events import AnyEvent, ClockEvent, ClockReading, ClockSet, Ended, Moved, TakenBack
from tests.game_core.courses import Course, courses, run, setups
from tests.game_core.scene import DAY_MS

if TYPE_CHECKING:
    from game_core.game import Game, Setup
    from game_core.rules import Rules
    from game_core.time_control import TimeControl

CODES = {"illegal_move", "not_your_turn", "stale_ply", "game_over", "conflict", "forbidden"}

# The protocol's reasons that games played online can have.
REASONS = {
    "checkmate",
    "stalemate",
    "dead_position",
    "resignation",
    "timeout",
    "timeout_draw",
    "agreement",
    "threefold",
    "fivefold",
    "fifty_moves",
    "seventyfive_moves",
    "no_moves",
    "all_captured",
    "draw_rule",
    "goal",
    "abandoned",
    "aborted",
}


@given(setups, courses())
def test_only_refusals_with_protocol_codes_are_raised(setup: Setup, course: Course) -> None:
    for stage in run(setup, course):
        if stage.refused is not None:
            assert stage.refused.code in CODES
            assert stage.events in ((), stage.refused.events)
        for event in stage.events:
            if isinstance(event, Ended):
                assert event.reason in REASONS
                assert (event.result == "*") == (event.reason == "aborted")


def reading_of(event: AnyEvent) -> ClockReading | None:
    """The clocks in ``event``, if it has any."""
    return event.clock if isinstance(event, ClockEvent) else None


def may_rise_ms(tc: TimeControl, game: Game, event: AnyEvent, color: Color) -> int:
    """By how much ``event`` lets ``color``'s clock go up."""
    if isinstance(event, ClockSet):
        return DAY_MS if event.why == "moretime" and event.by == other(color) else 0
    if tc.days is not None:
        return tc.days * DAY_MS if isinstance(event, Moved | TakenBack) else 0
    if not isinstance(event, Moved) or event.by != color or event.clock is None:
        return 0
    rise_ms = event.lag_ms + tc.bronstein_ms
    # Neither first move is charged, nor does it earn anything but a period.
    if game.clock is not None and game.clock.run is not None:
        rise_ms += tc.period(of(game.clock.period, color)).inc_ms
    if event.clock.period is not None and game.clock is not None:
        before, after = of(game.clock.period, color), of(event.clock.period, color)
        rise_ms += sum(tc.period(number).base_ms for number in range(before + 1, after + 1))
    return rise_ms


@given(setups, courses())
def test_clocks_increase_only_with_a_stated_reason(setup: Setup, course: Course) -> None:
    for stage in run(setup, course):
        game = stage.before
        if setup.tc is None or game.clock is None:
            continue
        shown = [game.clock.left_ms(color, stage.received_ms) for color in COLORS]
        for event in stage.events:
            reading = reading_of(event)
            if reading is None:
                continue
            told = [reading.w, reading.b]
            for color, shown_ms, told_ms in zip(COLORS, shown, told, strict=True):
                assert 0 <= told_ms <= shown_ms + may_rise_ms(setup.tc, game, event, color)
                if game.clock.run != color and not isinstance(event, Moved | ClockSet) and setup.tc.days is None:
                    assert told_ms == shown_ms
            shown = told


@given(setups, courses())
def test_charge_never_exceeds_elapsed_time(setup: Setup, course: Course) -> None:
    stages = run(setup, course)
    if not stages or setup.tc is None:
        return
    charged_ms = 0
    for stage in stages:
        before, after = stage.before.clock, stage.after.clock
        assert before is not None
        assert after is not None
        # A day's clock is whole again after each move, which hides nothing: what was used is in the event.
        moved = [event.spent_ms for event in stage.events if isinstance(event, Moved)]
        lost = sum(max(0, of(before.left, color) - of(after.left, color)) for color in COLORS)
        charged_ms += max(lost, sum(moved))
    assert charged_ms <= stages[-1].now_ms - 1_000_000


@given(setups, courses())
def test_end_matches_the_board_and_the_clock(setup: Setup, course: Course) -> None:
    for stage in run(setup, course):
        game = stage.before
        rules: Rules = game.rules
        for event in stage.events:
            if not isinstance(event, Ended):
                continue
            if event.reason in ("timeout", "timeout_draw"):
                assert game.clock is not None
                assert game.clock.is_flagged(stage.received_ms)
                winner = other(game.turn)
                won = "1-0" if winner == "w" else "0-1"
                assert event.result == (won if rules.can_win(game.position, winner) else "1/2-1/2")
            if event.clock is not None:
                assert (event.clock.run, event.clock.held) == (None, None)
