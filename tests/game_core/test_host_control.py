"""Time control of a simul host: read, refused, written."""

from __future__ import annotations

import pytest

from game_core.errors import BadTimeControl
from game_core.host_control import (
    LONGEST_S,
    MAX_MOVE_S,
    UNTIMED,
    format_board_control,
    move_control,
    parse_board_control,
    parse_host_control,
)
from game_core.time_control import Period, TimeControl, parse_time_control

GOOD: dict[str, tuple[object, TimeControl | None]] = {
    "no clock": (None, None),
    "seconds a move": ({"move_s": 30}, move_control(30_000)),
    "an hour a move": ({"move_s": MAX_MOVE_S}, move_control(3_600_000)),
    "one clock": ({"base_s": 3600, "inc_s": 0}, TimeControl((Period(None, 3_600_000),))),
    "one clock with a delay": (
        {"base_s": 3600, "delay_s": 5},
        TimeControl((Period(None, 3_600_000),), delay_ms=5_000),
    ),
}


@pytest.mark.parametrize(("wire", "tc"), GOOD.values(), ids=GOOD)
def test_host_control_round_trips(wire: object, tc: TimeControl | None) -> None:
    assert parse_host_control(wire) == parse_board_control(wire) == tc
    assert format_board_control(tc) == wire


BAD: dict[str, object] = {
    "no seconds": {"move_s": 0},
    "too many": {"move_s": MAX_MOVE_S + 1},
    "a fraction": {"move_s": 1.5},
    "a truth": {"move_s": True},
    "with more": {"move_s": 30, "base_s": 60},
    "several periods": {"periods": [{"moves": 40, "base_s": 60}, {"base_s": 60}]},
    "a period that repeats": {"periods": [{"moves": 40, "base_s": 60}]},
    "days": {"days": 1},
    "nothing": {},
    "no map": 30,
}


@pytest.mark.parametrize("wire", BAD.values(), ids=BAD)
def test_invalid_host_control_is_refused(wire: object) -> None:
    with pytest.raises(BadTimeControl):
        parse_host_control(wire)


def test_player_control_of_a_board_may_be_any_control() -> None:
    for wire in ({"days": 1}, {"periods": [{"moves": 40, "base_s": 60}, {"base_s": 60, "inc_s": 0}]}):
        assert format_board_control(parse_board_control(wire)) in (
            wire,
            {"periods": [{"moves": 40, "base_s": 60, "inc_s": 0}, {"base_s": 60, "inc_s": 0}]},
        )


def test_untimed_control_has_no_step_and_increment() -> None:
    assert UNTIMED.step_ms == UNTIMED.period(0).inc_ms == 0


def test_host_control_with_very_long_times_round_trips() -> None:
    for tc in (
        TimeControl((Period(None, LONGEST_S * 1000, 30_000),)),
        TimeControl((Period(None, LONGEST_S * 1000),), delay_ms=5_000),
        TimeControl((Period(40, LONGEST_S * 1000), Period(None, 900_000))),
    ):
        assert parse_board_control(format_board_control(tc)) == tc
        with pytest.raises(BadTimeControl):
            parse_time_control(format_board_control(tc))
