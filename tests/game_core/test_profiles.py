"""Rule profiles: the numbers of the online game flow."""

from __future__ import annotations

import pytest

from game_core.errors import UnknownProfile
from game_core.profiles import ONLINE, profile_named
from game_core.time_control import Period, TimeControl
from tests.game_core.scene import BLITZ, BULLET, CLASSICAL, DAY_MS, DAYS, RAPID

# Online game flow: "the first moves must come within 15/20/25/30 s (bullet/blitz/rapid/classical)"; "a player who left
# can be claimed against after 40 s (bullet), 80 s (blitz), 120 s (slower), 10 s after saying goodbye".
# Columns: control, first move, lost connection, goodbye; in ms.
LIMITS: dict[str, tuple[TimeControl | None, int | None, int | None, int | None]] = {
    "bullet": (BULLET, 15_000, 40_000, 10_000),
    "blitz": (BLITZ, 20_000, 80_000, 10_000),
    "rapid": (RAPID, 25_000, 120_000, 10_000),
    "classical": (CLASSICAL, 30_000, 120_000, 10_000),
    "the speed is that of the estimate, not of the base": (
        TimeControl((Period(None, 120_000, 2_000),)),
        20_000,
        80_000,
        10_000,
    ),
    "days a move: the days of a move, and nobody has to be there": (DAYS, 3 * DAY_MS, None, None),
    "no clock: no limit, but who is gone is gone": (None, None, 120_000, 10_000),
}


@pytest.mark.parametrize(("tc", "first_move_ms", "left_ms", "goodbye_ms"), LIMITS.values(), ids=LIMITS)
def test_limits_follow_the_speed(
    tc: TimeControl | None, first_move_ms: int | None, left_ms: int | None, goodbye_ms: int | None
) -> None:
    assert ONLINE.first_move_limit_ms(tc) == first_move_ms
    assert ONLINE.claimable_after_ms(tc, goodbye=False) == left_ms
    assert ONLINE.claimable_after_ms(tc, goodbye=True) == goodbye_ms


def test_profiles_are_found_by_name() -> None:
    assert profile_named("online") is ONLINE
    with pytest.raises(UnknownProfile, match="no rule profile 'house', known are online"):
        profile_named("house")
