"""How many new guests, or members, an address may make: each costs rows for ever."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from typing import TYPE_CHECKING

from lobby.errors import RateLimited
from realtime.net.handshake import client_network

if TYPE_CHECKING:
    from collections.abc import Callable

WINDOW_S = 60.0

GUESTS = "new guests a minute are enough for one address; keep the token of the last one"
MAILS = "codes a minute are enough for one address; look whether one has come"
MEMBERS = "new members a minute are enough for one address; come back a little later"


class GuestLimit:
    """Counts exactly over the last minute. Remembers only addresses that had a guest in it.

    A sliding window and no token bucket, which would let nearly twice as many pass within one minute.

    Args:
        most: new guests a minute an address.
        what: what is counted, and what to do without more, as the refusal says it.

    Attributes:
        spent: called with a network and 1 for each that was made, or -1 for one that was taken back.
    """

    def __init__(self, most: int, now_s: Callable[[], float] = time.monotonic, what: str = GUESTS) -> None:
        self._most = most
        self._what = what
        self._now_s = now_s
        self._made: OrderedDict[str, deque[float]] = OrderedDict()
        """By network: when its last guests were made; the network that made one last comes last."""
        self.spent: Callable[[str, float], None] = lambda network, count: None

    def __len__(self) -> int:
        return len(self._made)

    def take(self, address: str) -> Callable[[], None]:
        """Count a new guest of ``address``; what is returned takes it back. Raises ``RateLimited``."""
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
        self.spent(network, 1)

        def take_back() -> None:
            if now_s in made:
                made.remove(now_s)
                self.spent(network, -1)

        return take_back

    def now_ms(self) -> float:
        """Return the time by which is counted."""
        return self._now_s() * 1000

    def spend(self, network: str, count: float, now_ms: float) -> None:
        """Count so many that were made at another node, or taken back there."""
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
