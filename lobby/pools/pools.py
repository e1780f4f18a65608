"""Quick pairing: the pools, who waits in them, and the wave that pairs those who fit.

Every ``WAVE_MS`` each pool is looked at as a whole. Whoever waits has a *window*: the rating gap he is ready for, which
widens while he waits. Two may meet when the gap between them is within the mean of their windows, and the *room* of
such a pair is what is left of that mean: near ratings and long waits both make room. The pairs with the most room are
taken first. So a beginner and a master do not meet just because both have come in this second, and who has waited for
a minute is not left for later because somebody fresh fits a fresh one better.

Two of one wave have never the choice of all others, only of their next ``NEIGHBOURS`` up and down the ratings: a wave
costs n log n, and in a crowd the nearest are what everybody wants anyway.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.color import Color
from game_core.registry import USUAL
from game_core.time_control import Period, TimeControl
from lobby.accounts.user import User
from lobby.proposals import UNRATED, Terms
from lobby.wire.lobby import PoolName

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from lobby.pairing import RandomBelow

WAVE_MS = 2_000
"""Between two waves: long enough that some have gathered to choose from, short enough to feel like at once."""

WINDOW = 80
"""Rating points of a window at first: the better one then scores three of five."""

WIDENS_PER_S = 8
"""Rating points that a window widens in a second of waiting."""

WIDEST = 1_000
"""No window is wider: with more between them a game is decided before it begins."""

NEIGHBOURS = 8
"""Opponents looked at, up the ratings, for each who waits."""

CROWD = 1_000
"""Those of one place that a wave looks at, who have waited longest: some 9 ms of the server's time. Nearly all of them
are paired, and the next wave is soon."""

BALANCE_GAMES = 10
"""The last games of somebody that count for his colour."""


def _control(minutes: int, inc_s: int) -> TimeControl:
    return TimeControl((Period(None, minutes * 60_000, inc_s * 1000),))


POOLS: Mapping[PoolName, TimeControl] = {
    "1+0": _control(1, 0),
    "2+1": _control(2, 1),
    "3+0": _control(3, 0),
    "3+2": _control(3, 2),
    "5+0": _control(5, 0),
    "5+3": _control(5, 3),
    "10+0": _control(10, 0),
    "10+5": _control(10, 5),
    "15+10": _control(15, 10),
    "30+20": _control(30, 20),
}
"""The time control of each pool."""


class Place(msgspec.Struct, frozen=True):
    """Where somebody waits: those in one place can be paired with each other."""

    pool: PoolName
    rated: bool

    @property
    def terms(self) -> Terms:
        """What is played there."""
        game, variant = USUAL
        return Terms(game=game, variant=variant, tc=POOLS[self.pool], rated=self.rated, rules="online")


class Waiter(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who waits."""

    user: User
    place: Place
    since_ms: int
    """Unix ms."""
    n: int = 0
    """Number of his row's last change: of two the greater is the later."""
    rating: int | None = None
    """His, in this speed; None for guests, who count as ``UNRATED``."""
    balance: int = 0
    """Of his last ``BALANCE_GAMES`` games: those with White less those with Black."""
    last: Color | None = None
    """His colour in the last of them."""

    @property
    def strength(self) -> int:
        """What he is paired by."""
        return UNRATED if self.rating is None else self.rating

    def window(self, now_ms: int) -> int:
        """The rating gap he is ready for."""
        waited_ms = max(0, now_ms - self.since_ms)
        return min(WIDEST, WINDOW + WIDENS_PER_S * waited_ms // 1000)


class Pairing(msgspec.Struct, frozen=True):
    """Two who are to play."""

    white: Waiter
    black: Waiter


def wave(
    waiters: Iterable[Waiter], now_ms: int, apart: Collection[frozenset[str]], randbelow: RandomBelow
) -> list[Pairing]:
    """Pair those of ``waiters``, who wait in one place, that fit; the others go on waiting.

    Args:
        now_ms: Unix ms.
        apart: pairs of people, by their ids, who must not meet.
        randbelow: decides the colours where nothing else does.
    """
    left = sorted(waiters, key=lambda waiter: (waiter.strength, waiter.since_ms, waiter.user.id))
    pairings: list[Pairing] = []
    while chosen := _choose(left, now_ms, apart):
        pairings += (seated(one, other, randbelow) for one, other in chosen)
        taken = {waiter.user.id for pair in chosen for waiter in pair}
        left = [waiter for waiter in left if waiter.user.id not in taken]
    return pairings


def seated(one: Waiter, other: Waiter, randbelow: RandomBelow) -> Pairing:
    """White is who has had it less; else who had Black last; else a coin is thrown."""
    first, second = _claim_to_white(one), _claim_to_white(other)
    if first == second:
        return Pairing(one, other) if randbelow(2) == 0 else Pairing(other, one)
    return Pairing(one, other) if first < second else Pairing(other, one)


def _claim_to_white(waiter: Waiter) -> tuple[int, int]:
    return waiter.balance, {"b": 0, None: 1, "w": 2}[waiter.last]


def _choose(left: Sequence[Waiter], now_ms: int, apart: Collection[frozenset[str]]) -> list[tuple[Waiter, Waiter]]:
    """Pairs of ``left``, which is sorted by strength, the most room first; nobody in two of them."""
    windows = [waiter.window(now_ms) for waiter in left]
    found: list[tuple[int, int, int, int]] = []
    for i, one in enumerate(left):
        neighbours = 0
        for j in range(i + 1, len(left)):
            other = left[j]
            gap = other.strength - one.strength
            if neighbours == NEIGHBOURS or gap > WIDEST:
                break
            if frozenset((one.user.id, other.user.id)) in apart:
                continue
            neighbours += 1
            room = (windows[i] + windows[j]) // 2 - gap
            if room >= 0:
                found.append((-room, min(one.since_ms, other.since_ms), i, j))
    found.sort()
    taken: set[int] = set()
    chosen = []
    for _, _, i, j in found:
        if i not in taken and j not in taken:
            taken |= {i, j}
            chosen.append((left[i], left[j]))
    return chosen
