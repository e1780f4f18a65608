"""The people who wait in pools, and which of them are connected. A pure model; the database decides."""

from __future__ import annotations

from collections import OrderedDict
from heapq import nsmallest
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from lobby.accounts.user import user_wire
from lobby.pools.pools import WAVE_SIZE
from lobby.seeks.seeks import AWAY_MS, RESTART_AWAY_MS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lobby.accounts.user import User
    from lobby.pools.pools import PoolKey, Waiter
    from lobby.wire.lobby import PoolWire, WaiterWire

STOPPED_REMEMBERED = 1000
"""Number of recent ends that are kept, so that a late message about an earlier beginning is ignored."""


def pool_wire(waiter: Waiter) -> PoolWire:
    """Return the ``pool`` message."""
    place = waiter.place
    return {
        "t": "pool",
        "pool": place.pool,
        "game": place.game,
        "variant": place.variant,
        "rated": place.rated,
        "since": waiter.since_ms,
    }


def waiter_wire(waiter: Waiter) -> WaiterWire:
    """Return the card of a person who waits in a casual pool."""
    place = waiter.place
    return {
        "user": user_wire(waiter.user),
        "rating": waiter.rating,
        "provisional": waiter.provisional,
        "pool": place.pool,
        "game": place.game,
        "variant": place.variant,
        "since": waiter.since_ms,
    }


class PoolBook:
    """At most one place a person. Changes may arrive out of order; their numbers decide."""

    def __init__(self) -> None:
        self._places: dict[PoolKey, dict[str, Waiter]] = {}
        self._waiting: dict[str, Waiter] = {}
        self._here: set[str] = set()
        self._away_until: dict[str, int] = {}
        """Waiting people without a socket, and until when (ms) their place is kept."""
        self._stopped: OrderedDict[str, int] = OrderedDict()
        """The last change by which each person stopped."""
        self._set_aside: OrderedDict[str, int] = OrderedDict()
        """People whose row is gone although the change that removed or moved it is not applied yet."""

    def __len__(self) -> int:
        return len(self._waiting)

    def get(self, person: str) -> Waiter | None:
        """Return the place of ``person``."""
        return self._waiting.get(person)

    def load(self, waiters: Iterable[Waiter], now_ms: int) -> None:
        """Load the stored places at the start. Everybody has some time to come back."""
        for waiter in waiters:
            self._insert(waiter)
            if waiter.user.id not in self._here:
                self._away_until[waiter.user.id] = now_ms + RESTART_AWAY_MS

    def add(self, waiter: Waiter, now_ms: int) -> bool:
        """Add ``waiter`` in place of any other place of theirs. False if a later change is known."""
        person = waiter.user.id
        known = self._waiting.get(person)
        if (known is not None and known.n >= waiter.n) or self._stopped.get(person, 0) >= waiter.n:
            return False
        self._set_aside.pop(person, None)
        self._discard(person)
        self._insert(waiter)
        if person not in self._here:
            # They may have left while it was stored.
            self._away_until.setdefault(person, now_ms + AWAY_MS)
        return True

    def stop(self, person: str, n: int) -> bool:
        """Remove ``person`` as of change ``n``. False if a later change is known or they had no place."""
        self._stopped[person] = max(n, self._stopped.pop(person, 0))
        if len(self._stopped) > STOPPED_REMEMBERED:
            self._stopped.popitem(last=False)
        known = self._waiting.get(person)
        if known is None:
            if self._set_aside.get(person, n + 1) > n:
                return False
            del self._set_aside[person]
            return True
        if known.n > n:
            return False
        self._discard(person)
        self._away_until.pop(person, None)
        return True

    def set_aside(self, person: str, n: int) -> None:
        """Do not pair ``person`` any more: the row of change ``n`` is gone. A ``stop`` or a later ``add`` follows."""
        if self.stop(person, n):
            self._set_aside[person] = n
            if len(self._set_aside) > STOPPED_REMEMBERED:
                self._set_aside.popitem(last=False)

    def rename(self, user: User) -> None:
        """Update the name or kind of ``user``. The rating they are paired by stays as it was when they joined."""
        known = self._waiting.get(user.id)
        if known is not None:
            self._insert(msgspec.structs.replace(known, user=user))

    def places(self) -> Iterator[tuple[PoolKey, list[Waiter]]]:
        """Yield each place with two or more connected people: at most ``WAVE_SIZE``, longest waiting first."""
        for place, waiting in tuple(self._places.items()):
            present = (waiter for person, waiter in waiting.items() if person in self._here)
            here = list(islice(present, WAVE_SIZE))
            if len(here) > 1:
                yield place, here

    def is_listed(self, waiter: Waiter, now_ms: int) -> bool:
        """Return whether ``waiter`` is connected, and may be known not to play."""
        return waiter.user.id in self._here and waiter.hidden_until_ms <= now_ms

    def counts(self, now_ms: int, is_shown: Callable[[str], bool]) -> dict[PoolKey, int]:
        """Return the number of people listed in each place that has any; the arguments are as in ``casual``."""
        counts = ((place, sum(1 for _ in self._listed(place, now_ms, is_shown))) for place in self._places)
        return {place: count for place, count in counts if count}

    def casual(self, most: int, now_ms: int, is_shown: Callable[[str], bool]) -> list[Waiter]:
        """Return the people listed in casual places, longest waiting first, at most ``most``.

        Args:
            is_shown: whether a person is shown online.
        """
        places = (place for place in self._places if not place.rated)
        waiters = (waiter for place in places for waiter in self._listed(place, now_ms, is_shown))
        return nsmallest(most, waiters, key=lambda waiter: (waiter.since_ms, waiter.n))

    def _listed(self, place: PoolKey, now_ms: int, is_shown: Callable[[str], bool]) -> Iterator[Waiter]:
        for person, waiter in self._places[place].items():
            if self.is_listed(waiter, now_ms) and is_shown(person):
                yield waiter

    def came(self, person: str) -> None:
        """Note that ``person`` has a socket."""
        self._here.add(person)
        self._away_until.pop(person, None)

    def left(self, person: str, now_ms: int) -> None:
        """Note that the last socket of ``person`` is closed."""
        self._here.discard(person)
        if person in self._waiting:
            self._away_until[person] = now_ms + AWAY_MS

    def due(self, now_ms: int) -> list[str]:
        """Return the people who have been away for too long."""
        return [person for person, until_ms in self._away_until.items() if until_ms <= now_ms]

    def _insert(self, waiter: Waiter) -> None:
        self._waiting[waiter.user.id] = waiter
        self._places.setdefault(waiter.place, {})[waiter.user.id] = waiter

    def _discard(self, person: str) -> None:
        waiter = self._waiting.pop(person, None)
        if waiter is not None:
            place = self._places[waiter.place]
            del place[person]
            if not place:
                del self._places[waiter.place]
