"""What a table is worth on television, and where it can be shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from game_core.color import COLORS
from game_core.registry import USUAL, registered
from game_core.time_control import Speed, speed
from realtime.watching.game_lists import ALL, GameFilter

if TYPE_CHECKING:
    from game_core.game import Setup
    from realtime.games.seats import Seat
    from realtime.games.table import Table
    from realtime.protocol.wire_types import ClockWire

BEST = "best"

UNRATED = 800
"""What a guest or a program counts as: less than nearly everybody who has a rating."""

PROVISIONAL = 200
"""So much less counts a rating of which little is known."""

TITLE = 100
"""So much more counts a title."""

SHORT_MS = 20_000
"""Who has less is in a scramble: the last moves of a game are what one has watched it for."""

NOT_SHOWN = ("correspondence", "unlimited")
"""Speeds at which nothing may happen for days."""

_SPEEDS = tuple(name for name in get_args(Speed) if name not in NOT_SHOWN)

_VARIANTS = tuple(dict.fromkeys(variant for game, variant in registered() if (game, variant) != USUAL))

CHANNELS = (BEST, *_SPEEDS, *_VARIANTS)
"""In the order in which they are told: the best game of all, of each speed in standard chess, of each other variant."""


def channels_of(setup: Setup) -> tuple[str, ...]:
    """Where a game can be shown; nowhere if it has no clock."""
    name = speed(setup.pace)
    if name in NOT_SHOWN:
        return ()
    return (BEST, name if (setup.game, setup.variant) == USUAL else setup.variant)


def filter_of(channel: str) -> GameFilter:
    """The kind of games of a channel, nearly: ``channels_of`` says exactly."""
    if channel == BEST:
        return ALL
    name = next((name for name in _SPEEDS if name == channel), None)
    return GameFilter(variant=channel) if name is None else GameFilter(variant=USUAL[1], speed=name)


def is_public(table: Table) -> bool:
    """Whether everybody may know that the game goes on, and see it as it is: not one against oneself, nor one that the
    public sees later."""
    return table.game.status == "live" and not table.seats.is_self and table.late is None


def may_be_shown(table: Table) -> bool:
    """Whether it is public and no board of an exhibition, where the host is mostly elsewhere."""
    return is_public(table) and table.game.setup.exhibition is None


def strength_of(table: Table) -> int:
    """The mean of the two players."""
    return sum(_worth(table.seats[color]) for color in COLORS) // 2


def is_scramble(table: Table, now_ms: int) -> bool:
    """Whether a clock runs and a side is short of time."""
    clock = table.game.clock
    if clock is None or clock.run is None or clock.held is not None:
        return False
    reading = clock.reading(now_ms)
    return min(reading.w, reading.b) < SHORT_MS


def is_clock_short(clock: ClockWire | None) -> bool:
    """The same of a clock as it is told: a second old."""
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
