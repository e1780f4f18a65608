"""Quick pairing: the pools, the people who wait in them, and the wave that pairs them.

Every ``WAVE_MS`` a wave looks at each pool as a whole. Each person has a *window*, the rating gap they accept, which
widens while they wait. Two people can be paired if their rating gap is at most the mean of their windows. The *room*
of a pair is that mean minus the gap: close ratings and long waits increase it. Pairs with the most room are made
first. So a beginner is not paired with a master just because both have joined in the same second, and a person who has
waited for a minute is not passed over for two newcomers.

Each person is compared only with their next ``NEIGHBOURS`` by rating, so a wave costs n log n.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.color import Color
from game_core.registry import USUAL, registered, rules_for
from game_core.time_control import Period, TimeControl
from lobby.accounts.user import User
from lobby.proposals import UNRATED, Terms
from lobby.wire.lobby import PoolName

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from lobby.pairing import RandomBelow

WAVE_MS = 2_000
"""Interval between waves: long enough to gather candidates, short enough to feel immediate."""

WINDOW = 80
"""Initial window in rating points: the stronger player then scores three of five."""

WIDENS_PER_S = 8
"""Rating points by which a window widens in a second of waiting."""

WIDEST = 1_000
"""Widest window: with a larger gap the result is hardly in doubt."""

NEIGHBOURS = 8
"""Candidates considered for each person, upwards by rating."""

WAVE_SIZE = 1_000
"""People of one place that a wave considers, longest waiting first: about 9 ms of CPU time. Nearly all of them are
paired, and the next wave follows soon."""

BALANCE_GAMES = 10
"""Number of recent games that count for a person's colour balance."""


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

_NAMES: Mapping[str, PoolName] = {pool: pool for pool in POOLS}

GAMES = {variant: game for game, variant in registered()}
"""The game of each variant. No two games have a variant of the same name."""


class PoolKey(msgspec.Struct, frozen=True):
    """A pool of one variant, rated or casual. People in the same place can be paired with each other."""

    pool: PoolName
    rated: bool
    game: str = USUAL[0]
    variant: str = USUAL[1]

    @property
    def terms(self) -> Terms:
        """The terms of the games of this place."""
        rules = rules_for(self.game, self.variant).profiles[0]
        return Terms(game=self.game, variant=self.variant, tc=POOLS[self.pool], rated=self.rated, rules=rules)

    @property
    def name(self) -> str:
        """The name in the database and between nodes: ``5+0``, for other variants ``russian 5+0``.

        Earlier versions of the server know only the first form and leave the others alone.
        """
        return self.pool if (self.game, self.variant) == USUAL else f"{self.variant} {self.pool}"


_BY_CONTROL: Mapping[TimeControl, PoolName] = {control: pool for pool, control in POOLS.items()}


def pool_name(tc: TimeControl | None, game: str, variant: str) -> str | None:
    """Return the ``PoolKey.name`` of games under ``tc``; None: no pool has them."""
    pool = None if tc is None else _BY_CONTROL.get(tc)
    return None if pool is None else PoolKey(pool, rated=False, game=game, variant=variant).name


def named_pool(name: str, *, rated: bool) -> PoolKey:
    """Return the pool of ``PoolKey.name``. Raises ``KeyError`` if there is none."""
    variant, _, time = name.rpartition(" ")
    game, variant = (GAMES[variant], variant) if variant else USUAL
    return PoolKey(_NAMES[time], rated, game, variant)


class Waiter(msgspec.Struct, frozen=True, kw_only=True):
    """A person who waits in a pool."""

    user: User
    place: PoolKey
    since_ms: int
    """Unix ms."""
    n: int = 0
    """Number of the last change of their row: the greater is the later."""
    rating: int | None = None
    """Their rating in this speed; None for guests, who count as ``UNRATED``."""
    provisional: bool | None = None
    """Whether it is provisional; None for guests, and after a restart."""
    balance: int = 0
    """Colour balance of their last ``BALANCE_GAMES`` games: those with White less those with Black."""
    last: Color | None = None
    """Their colour in the last of them."""
    hidden_until_ms: int = 0
    """Until when they are not listed, Unix ms: the public does not know yet that their last game is over."""

    @property
    def strength(self) -> int:
        """The rating they are paired by."""
        return UNRATED if self.rating is None else self.rating

    def window(self, now_ms: int) -> int:
        """Return the rating gap they accept at ``now_ms``."""
        waited_ms = max(0, now_ms - self.since_ms)
        return min(WIDEST, WINDOW + WIDENS_PER_S * waited_ms // 1000)


class Pairing(msgspec.Struct, frozen=True):
    """Two people to be paired."""

    white: Waiter
    black: Waiter


def wave(
    waiters: Iterable[Waiter], now_ms: int, excluded: Collection[frozenset[str]], randbelow: RandomBelow
) -> list[Pairing]:
    """Pair ``waiters``, who wait in one place. Those who do not fit anybody go on waiting.

    Two who are alone in a casual pool are paired whatever their ratings.

    Args:
        now_ms: Unix ms.
        excluded: pairs of person ids that must not be paired.
        randbelow: chooses colours where balance and last colour are equal.
    """
    left = sorted(waiters, key=lambda waiter: (waiter.strength, waiter.since_ms, waiter.user.id))
    if len(left) == 2 and not left[0].place.rated and frozenset(waiter.user.id for waiter in left) not in excluded:
        return [seated(left[0], left[1], randbelow)]
    pairings: list[Pairing] = []
    while chosen := _choose(left, now_ms, excluded):
        pairings += (seated(one, other, randbelow) for one, other in chosen)
        taken = {waiter.user.id for pair in chosen for waiter in pair}
        left = [waiter for waiter in left if waiter.user.id not in taken]
    return pairings


def seated(one: Waiter, other: Waiter, randbelow: RandomBelow) -> Pairing:
    """Assign colours: White goes to the lower balance, else to the one who had Black last, else by chance."""
    first, second = _claim_to_white(one), _claim_to_white(other)
    if first == second:
        return Pairing(one, other) if randbelow(2) == 0 else Pairing(other, one)
    return Pairing(one, other) if first < second else Pairing(other, one)


def _claim_to_white(waiter: Waiter) -> tuple[int, int]:
    return waiter.balance, {"b": 0, None: 1, "w": 2}[waiter.last]


def _choose(left: Sequence[Waiter], now_ms: int, excluded: Collection[frozenset[str]]) -> list[tuple[Waiter, Waiter]]:
    """Return disjoint pairs of ``left``, which is sorted by strength, in the order of their room."""
    windows = [waiter.window(now_ms) for waiter in left]
    found: list[tuple[int, int, int, int]] = []
    for i, one in enumerate(left):
        neighbours = 0
        for j in range(i + 1, len(left)):
            other = left[j]
            gap = other.strength - one.strength
            if neighbours == NEIGHBOURS or gap > WIDEST:
                break
            if frozenset((one.user.id, other.user.id)) in excluded:
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
