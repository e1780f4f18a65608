"""The limit of new guests, or new members, per address: each one is stored permanently."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from typing import TYPE_CHECKING

from lobby.errors import RateLimited
from realtime.net.handshake import client_network

if TYPE_CHECKING:
    from collections.abc import Callable

WINDOW_S = 60.0

GUESTS = "new guests per minute are allowed for each address; keep the token of the last one"
MAILS = "codes per minute are allowed for each address; check whether one has arrived"
MEMBERS = "new members per minute are allowed for each address; try again later"


class GuestLimit:
    """A sliding window of one minute. Only addresses with a guest in that minute are remembered.

    A token bucket would let nearly twice as many pass within one minute.

    Args:
        most: new guests per minute and address.
        what: the unit that is counted and advice for the client; part of the error message.

    Attributes:
        on_spent: called with a network and 1 for each new guest, or -1 for each that was undone.
    """

    def __init__(self, most: int, now_s: Callable[[], float] = time.monotonic, what: str = GUESTS) -> None:
        self._most = most
        self._what = what
        self._now_s = now_s
        self._made: OrderedDict[str, deque[float]] = OrderedDict()
        """By network: the times of its new guests. The most recently used network comes last."""
        self.on_spent: list[Callable[[str, float], None]] = []

    def __len__(self) -> int:
        return len(self._made)

    def take(self, address: str) -> Callable[[], None]:
        """Count a new guest of ``address``; return a function that undoes the count. Raises ``RateLimited``."""
        now_s = self._now_s()
        self._forget(now_s)
        network = client_network(address)
        made = self._made.setdefault(network, deque())
        while made and made[0] <= now_s - WINDOW_S:
            made.popleft()
        if len(made) >= self._most:
            wait_s = made[len(made) - self._most] + WINDOW_S - now_s
            raise RateLimited(f"{self._most} {self._what}", wait_s)
        made.append(now_s)
        self._made.move_to_end(network)
        self._count(network, 1)

        def take_back() -> None:
            if now_s in made:
                made.remove(now_s)
                self._count(network, -1)

        return take_back

    def _count(self, network: str, count: float) -> None:
        for call in self.on_spent:
            call(network, count)

    def now_ms(self) -> float:
        """Return the time of the counter, in ms."""
        return self._now_s() * 1000

    def spend(self, network: str, count: float, now_ms: float) -> None:
        """Add ``count`` guests that were made, or if negative undone, on another node."""
        now_s = now_ms / 1000
        self._forget(now_s)
        made = self._made.setdefault(network, deque())
        for _ in range(min(self._most, round(abs(count)))):
            if count > 0:
                made.append(now_s)
            elif made:
                made.pop()
        self._made.move_to_end(network)

    def _forget(self, now_s: float) -> None:
        while self._made:
            network, made = next(iter(self._made.items()))
            if made and made[-1] > now_s - WINDOW_S:
                break
            del self._made[network]
