"""Rule profiles: what one community's rules say where the Laws leave a choice.

All that are built are online ones: illegal moves are refused, offers may be made at any time, neither first move is
charged. ``official`` and ``fmjd`` differ from ``online`` in the rules of the game alone (``Rules.under``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.errors import UnknownProfile
from game_core.time_control import DAY_MS, speed

if TYPE_CHECKING:
    from game_core.time_control import TimeControl


class Profile(msgspec.Struct, frozen=True):
    """The numbers of one profile, in milliseconds or moves."""

    name: str
    first_move_ms: dict[str, int]
    """By speed: how long a player may take for his first move before the game is aborted."""
    left_ms: dict[str, int]
    """By speed: how long a player must have been away before the opponent may claim."""
    goodbye_ms: int
    """The same after he closed the page himself."""
    moves_between_draw_offers: int
    """How many moves of one's own must follow a refused draw offer before the next."""
    most_left_ms: int
    """No clock is given more than this; a gift above it is refused."""
    most_gifts: int
    """How often a side may give time in a game."""
    most_refused_takebacks: int
    """How many of a side's offers may be refused; then it offers no more, until moves are taken back all the same."""
    most_refused_rematches: int
    """How many of a side's offers may be refused in all."""

    def first_move_limit_ms(self, tc: TimeControl | None) -> int | None:
        """Time for either first move under ``tc``; None: no limit (games without a clock)."""
        if tc is None:
            return None
        if tc.days is not None:
            return tc.days * DAY_MS
        return self.first_move_ms[speed(tc)]

    def claimable_after_ms(self, tc: TimeControl | None, *, goodbye: bool) -> int | None:
        """How long the opponent must be away before the game may be claimed; None: never (days a move)."""
        if tc is not None and tc.days is not None:
            return None
        return self.goodbye_ms if goodbye else self.left_ms[speed(tc)]


ONLINE = Profile(
    name="online",
    first_move_ms={"bullet": 15_000, "blitz": 20_000, "rapid": 25_000, "classical": 30_000},
    left_ms={"bullet": 40_000, "blitz": 80_000, "rapid": 120_000, "classical": 120_000, "unlimited": 120_000},
    goodbye_ms=10_000,
    moves_between_draw_offers=10,
    most_left_ms=DAY_MS,
    most_gifts=60,  # a quarter of an hour by 15 s; each is an event that is kept for ever
    most_refused_takebacks=5,
    most_refused_rematches=3,
)

OFFICIAL = msgspec.structs.replace(ONLINE, name="official")

FMJD = msgspec.structs.replace(ONLINE, name="fmjd")

PROFILES: dict[str, Profile] = {profile.name: profile for profile in (ONLINE, OFFICIAL, FMJD)}


def profile_named(name: str) -> Profile:
    """The profile ``name``. Raises ``UnknownProfile``."""
    profile = PROFILES.get(name)
    if profile is None:
        raise UnknownProfile(f"no rule profile {name!r}, known are {', '.join(PROFILES)}")
    return profile
