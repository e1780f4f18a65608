"""Time controls of the boards, and the host's one clock in ``round`` mode."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.clock import Clock
from game_core.host_control import is_move_control

if TYPE_CHECKING:
    from game_core.time_control import TimeControl
    from simul.setup import SimulSetup


def has_one_clock(setup: SimulSetup) -> bool:
    """Return whether the host has one clock for all boards, which runs while they are at a board."""
    own = _own(setup)
    return setup.mode == "round" and own is not None and not is_move_control(own)


def is_host_timed(setup: SimulSetup) -> bool:
    """Return whether the host has a clock at all."""
    return _own(setup) is not None


def player_control(setup: SimulSetup, extra_s: int = 0) -> TimeControl | None:
    """Return a player's time control, with ``extra_s`` of handicap; None without a clock."""
    return None if setup.tc is None else _longer(setup.tc, extra_s)


def host_control(setup: SimulSetup, boards: int, extra_s: int = 0) -> TimeControl | None:
    """Return the host's time control at one of ``boards`` boards, with ``extra_s`` more at this one.

    With one clock for all boards this is that clock. None if the host has no clock.
    """
    own = _own(setup)
    if own is None:
        return None
    return _longer(own, setup.host_extra_s + boards * setup.host_extra_per_board_s + extra_s)


def first_host_ms(setup: SimulSetup, boards: int) -> int | None:
    """Return the initial time of the host's one clock for ``boards`` boards; None if there is no such clock."""
    control = host_control(setup, boards) if has_one_clock(setup) else None
    return None if control is None else Clock.new(control).left[0]


def _own(setup: SimulSetup) -> TimeControl | None:
    if setup.host_tc is None:
        return setup.tc
    return None if setup.host_tc == "none" else setup.host_tc


def _longer(tc: TimeControl, extra_s: int) -> TimeControl:
    """Return ``tc`` with more initial time."""
    if not extra_s:
        return tc
    first, *others = tc.periods
    first = msgspec.structs.replace(first, base_ms=first.base_ms + extra_s * 1000)
    return msgspec.structs.replace(tc, periods=(first, *others))
