"""Score of a table for television, and the channels that can show it."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from game_core.color import COLORS
from game_core.registry import USUAL, games, registered
from game_core.time_control import Speed, speed
from realtime.watching.game_lists import ALL, GameFilter

if TYPE_CHECKING:
    from game_core.game import Setup
    from realtime.games.seats import Seat
    from realtime.games.table import Table
    from realtime.protocol.wire_events import ClockWire

BEST = "best"

UNRATED = 800
"""Rating assumed for a guest or a program: lower than that of nearly every rated user."""

PROVISIONAL = 200
"""Deduction for a provisional rating."""

TITLE = 100
"""Bonus for a title."""

RATED = 100
"""Bonus for a rated game."""

PROGRAM = 2_000
"""Deduction for a game with a program: any game between people comes before it, however many watch."""

LEAST_PLIES = 10
"""Half-moves of a game that is shown again after a start."""

SHORT_MS = 20_000
"""Time below which a side is in a scramble: the last moves of a game are what viewers wait for."""

NOT_SHOWN = ("correspondence", "unlimited")
"""Speeds at which nothing may happen for days."""

_SPEEDS = tuple(name for name in get_args(Speed) if name not in NOT_SHOWN)

_VARIANTS = tuple(dict.fromkeys(variant for game, variant in registered() if (game, variant) != USUAL))

SIMUL = "simul"
"""The board of a simul where the host is."""

CHANNELS = (BEST, SIMUL, *games(), *_SPEEDS, *_VARIANTS)
"""Channels in their order: the best game of all, a simul, the best of each family, of each speed in standard chess, of
each other variant."""


def channels_of(setup: Setup) -> tuple[str, ...]:
    """Return the channels that can show a game; none if it has no clock."""
    name = speed(setup.pace)
    if name in NOT_SHOWN:
        return ()
    return (BEST, setup.game, name if (setup.game, setup.variant) == USUAL else setup.variant)


def filter_of(channel: str) -> GameFilter:
    """Return the approximate filter for the games of a channel; ``channels_of`` is exact."""
    if channel == BEST:
        return ALL
    if channel in games():
        return GameFilter(games=(channel,))
    name = next((name for name in _SPEEDS if name == channel), None)
    return GameFilter(variant=channel) if name is None else GameFilter(variant=USUAL[1], speed=name)


def is_public(table: Table) -> bool:
    """Return whether everyone may see the game live: not a game against oneself, nor one with a delayed view."""
    return table.game.status == "live" and not table.seats.is_self and table.delayed is None


def may_be_shown(table: Table) -> bool:
    """Return whether it is public and no board of a simul, where the host is mostly at another board."""
    return is_public(table) and table.game.setup.simul_board is None


def strength_of(table: Table) -> int:
    """Return the mean of both players' strengths; more for a rated game, much less for one with a program."""
    seats = [table.seats[color] for color in COLORS]
    mean = sum(_worth(seat) for seat in seats) // 2
    has_program = any(seat.user.kind == "bot" for seat in seats)
    return mean + (RATED if table.game.setup.rated else 0) - (PROGRAM if has_program else 0)


def is_scramble(table: Table, now_ms: int) -> bool:
    """Return whether a clock runs and a side is short of time."""
    clock = table.game.clock
    if clock is None or clock.run is None or clock.held is not None:
        return False
    reading = clock.reading(now_ms)
    return min(reading.w, reading.b) < SHORT_MS


def is_clock_short(clock: ClockWire | None) -> bool:
    """Return the same for a clock in wire form, which is up to a second old."""
    return (
        clock is not None
        and clock["run"] is not None
        and "held" not in clock
        and min(clock["w"], clock["b"]) < SHORT_MS
    )


def _worth(seat: Seat) -> int:
    if seat.rating is None or seat.user.kind == "bot":
        return UNRATED
    worth = seat.rating.rating - (PROVISIONAL if seat.rating.provisional else 0)
    return max(UNRATED, worth) + (TITLE if seat.user.title is not None else 0)
