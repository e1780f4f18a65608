"""Simulation of quick pairing: waiting times and rating gaps. ``pytest -s`` prints them.

Nothing here takes time: a wave is a function of who waits and of the instant.
"""

from __future__ import annotations

import random
from statistics import median, quantiles
from typing import TYPE_CHECKING

import pytest

from lobby.accounts.user import User
from lobby.pools.pools import POOLS, WAVE_MS, PoolKey, Waiter, wave

if TYPE_CHECKING:
    from lobby.wire.lobby import PoolName

HOUR_MS = 3_600_000

POPULAR: dict[PoolName, int] = {
    "1+0": 14, "2+1": 8, "3+0": 16, "3+2": 14, "5+0": 12, "5+3": 8, "10+0": 16, "10+5": 5, "15+10": 5, "30+20": 2,
}  # fmt: skip
"""How many of a hundred choose each pool, about as on the large servers."""


class Hall:
    """People come at random, for hours; whoever has been paired goes.

    Attributes:
        waits_s: of each who was paired.
        gaps: in rating points, of each pair.
        colors: by person, who come back again and again: games with White less those with Black.
    """

    def __init__(self, an_hour: int, pools: dict[PoolName, int], seed: int = 1) -> None:
        self._die = random.Random(seed)
        self._pools = pools
        self._rate = an_hour / HOUR_MS
        self._waiting: dict[str, Waiter] = {}
        self._people = [(f"p{number}", self._rating()) for number in range(2 * an_hour)]
        self.colors = dict.fromkeys((name for name, _ in self._people), 0)
        self.came = 0
        self.waits_s: list[float] = []
        self.gaps: list[int] = []

    @property
    def left(self) -> int:
        """How many wait still."""
        return len(self._waiting)

    def run(self, hours: int) -> None:
        """So many hours of it."""
        next_ms = 0.0
        for now_ms in range(WAVE_MS, hours * HOUR_MS, WAVE_MS):
            while next_ms <= now_ms:
                self._come(int(next_ms))
                next_ms += self._die.expovariate(self._rate)
            self._pair(now_ms)

    def _rating(self) -> int:
        return min(2800, max(600, round(self._die.gauss(1500, 300))))

    def _come(self, now_ms: int) -> None:
        name, rating = self._die.choice(self._people)
        if name not in self._waiting:
            (pool,) = self._die.choices(list(self._pools), list(self._pools.values()))
            self.came += 1
            self._waiting[name] = Waiter(
                user=User(name, name, "member"), place=PoolKey(pool, rated=True), since_ms=now_ms, rating=rating,
                balance=self.colors[name],
            )  # fmt: skip

    def _pair(self, now_ms: int) -> None:
        places: dict[PoolKey, list[Waiter]] = {}
        for waiter in self._waiting.values():
            places.setdefault(waiter.place, []).append(waiter)
        for waiters in places.values():
            for pairing in wave(waiters, now_ms, set(), self._die.randrange):
                self.gaps.append(abs(pairing.white.strength - pairing.black.strength))
                for seat, color in ((pairing.white, 1), (pairing.black, -1)):
                    self.colors[seat.user.id] += color
                    self.waits_s.append((now_ms - seat.since_ms) / 1000)
                    del self._waiting[seat.user.id]


@pytest.mark.parametrize(
    ("title", "an_hour", "pools", "wait_s", "gap"),
    [
        ("500 players an hour in one pool", 500, {"3+2": 1}, 10, 120),
        ("500 players an hour in ten pools", 500, POPULAR, 40, 240),
        ("5,000 players an hour in ten pools", 5_000, POPULAR, 10, 120),
    ],
)
def test_simulated_players_wait_seconds_for_a_close_rating(
    title: str, an_hour: int, pools: dict[PoolName, int], wait_s: int, gap: int
) -> None:
    hall = Hall(an_hour, pools)
    hall.run(4)
    waits, gaps = quantiles(hall.waits_s, n=10), quantiles(hall.gaps, n=10)
    print(  # noqa: T201  the point of it
        f"\n{title}: wait {median(hall.waits_s):.0f} s (nine of ten within {waits[8]:.0f} s), "
        f"rating gap {median(hall.gaps):.0f} (nine of ten within {gaps[8]:.0f}), {hall.left} of {hall.came} wait still"
    )
    assert median(hall.waits_s) <= wait_s
    assert median(hall.gaps) <= gap
    assert hall.came == len(hall.waits_s) + hall.left
    assert hall.left <= len(pools) * 6
    assert max(map(abs, hall.colors.values())) <= 3


def test_simulation_covers_every_pool() -> None:
    assert POPULAR.keys() == POOLS.keys()
    assert sum(POPULAR.values()) == 100
