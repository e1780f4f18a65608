"""Rule profiles: the choices of one community where the Laws leave one.

``online``, ``official`` and ``fmjd`` are for online play: illegal moves are refused, offers may be made at any time,
and neither first move is charged. They differ in the rules of the game only (``Rules.under``). ``fide`` and ``uscf``,
and ``official`` if it is agreed, follow the Laws as played over a board: ``laws.articles`` has what they differ in.
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
    """By speed: time for a player's first move before the game is aborted."""
    left_ms: dict[str, int]
    """By speed: absence of a player after which the opponent may claim."""
    goodbye_ms: int
    """The same after the player has closed the page."""
    moves_between_draw_offers: int
    """Own moves between a declined draw offer and the next one."""
    most_left_ms: int
    """Highest time on a clock: a gift above it is refused."""
    most_gifts: int
    """How often a side may give time in a game."""
    most_refused_takebacks: int
    """Offers of a side that may be declined until moves are taken back; then it may make no more."""
    most_refused_rematches: int
    """Offers of a side that may be declined in a game."""

    def first_move_limit_ms(self, tc: TimeControl | None) -> int | None:
        """Return the time for either first move under ``tc``; None: no limit (games without a clock, or by the
        Laws)."""
        if tc is None:
            return None
        if tc.days is not None:
            return tc.days * DAY_MS
        return self.first_move_ms.get(speed(tc))

    def claimable_after_ms(self, tc: TimeControl | None, *, goodbye: bool) -> int | None:
        """Return the absence of the opponent after which the game may be claimed; None: never (days a move; by the
        Laws wherever there is a clock, which runs on)."""
        left_ms = self.left_ms.get(speed(tc))
        return self.goodbye_ms if goodbye and left_ms is not None else left_ms


ONLINE = Profile(
    name="online",
    first_move_ms={"bullet": 15_000, "blitz": 20_000, "rapid": 25_000, "classical": 30_000},
    left_ms={"bullet": 40_000, "blitz": 80_000, "rapid": 120_000, "classical": 120_000, "unlimited": 120_000},
    goodbye_ms=10_000,
    moves_between_draw_offers=10,
    most_left_ms=DAY_MS,
    most_gifts=60,  # a quarter of an hour by 15 s; each is an event that is stored for ever
    most_refused_takebacks=5,
    most_refused_rematches=3,
)

OFFICIAL = msgspec.structs.replace(ONLINE, name="official")

FMJD = msgspec.structs.replace(ONLINE, name="fmjd")

# By the Laws nobody gives time, takes moves back or makes a first move in time: what limits that is not read.
FIDE = msgspec.structs.replace(ONLINE, name="fide", first_move_ms={}, left_ms={"unlimited": 120_000})

USCF = msgspec.structs.replace(FIDE, name="uscf")

PROFILES: dict[str, Profile] = {profile.name: profile for profile in (ONLINE, OFFICIAL, FMJD, FIDE, USCF)}


def profile_named(name: str) -> Profile:
    """Return the profile ``name``. Raises ``UnknownProfile``."""
    profile = PROFILES.get(name)
    if profile is None:
        raise UnknownProfile(f"no rule profile {name!r}, known are {', '.join(PROFILES)}")
    return profile
