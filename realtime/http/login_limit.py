"""How often somebody may try passwords, so that guessing is hopeless and nobody is locked out of his own account.

Three counts, of failed tries alone:

- an address (an IPv6 /64): ``Limits.logins`` at once, then one in ``ADDRESS_EVERY_S``;
- a name: half as many at once, then one in ``NAME_EVERY_S``, wherever they come from;
- a name from an address: where there were fewer than ``OWN_TRIES`` lately, the count of the name does not matter.

So who attacks a name from everywhere gets some three tries an address, and its owner, at an address of his own, comes
in at the first, whatever goes on elsewhere.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lobby.errors import BadCredentials, WrongPassword
from realtime.handshake import client_network
from realtime.http.failures import TooMany

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ADDRESS_EVERY_S = 10.0
NAME_EVERY_S = 60.0
OWN_TRIES = 3
OWN_EVERY_S = 1200.0

KEPT = 20_000
"""Buckets remembered of each kind: an attacker needs as many addresses or names to have one forgotten."""


class _Buckets:
    """A bucket of tokens a key; a full one is not kept."""

    def __init__(self, size: int, every_s: float) -> None:
        self._size = size
        self._every_s = every_s
        self._spent: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """Tokens gone at an instant."""

    def spent(self, key: str, now_s: float) -> float:
        """How many tokens are gone."""
        gone, at_s = self._spent.get(key, (0.0, now_s))
        return max(0.0, gone - (now_s - at_s) / self._every_s)

    def wait_s(self, key: str, now_s: float) -> float:
        """Until there is a token; 0 when there is one."""
        return max(0.0, (self.spent(key, now_s) - (self._size - 1)) * self._every_s)

    def add(self, key: str, count: float, now_s: float) -> None:
        """Take ``count`` tokens, or give them back."""
        gone = self.spent(key, now_s) + count
        self._spent.pop(key, None)
        if gone > 0:
            self._spent[key] = (gone, now_s)
            if len(self._spent) > KEPT:
                self._spent.popitem(last=False)


class LoginLimit:
    """The three counts.

    Args:
        most: failed tries of an address at once.
    """

    def __init__(self, most: int, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._addresses = _Buckets(most, ADDRESS_EVERY_S)
        self._names = _Buckets((most + 1) // 2, NAME_EVERY_S)
        self._own = _Buckets(OWN_TRIES, OWN_EVERY_S)

    @contextmanager
    def trying(self, address: str, name: str) -> Iterator[None]:
        """Around the check of a password or code of ``name``: counts unless it succeeds, or fails for another reason.

        Whoever hangs up meanwhile has tried, too.

        Raises:
            TooMany: with when to come back.
        """
        take_back = self.take(address, name)
        try:
            yield
        except (BadCredentials, WrongPassword):
            raise
        except Exception:
            take_back()
            raise
        take_back()

    def take(self, address: str, name: str) -> Callable[[], None]:
        """Count a try of ``name``; what is returned takes it back.

        Counted before the password is looked at, so that a hundred at once are a hundred tries.

        Raises:
            TooMany: with when to come back.
        """
        now_s = self._now_s()
        network, folded = client_network(address), name.lower()
        own = f"{network} {folded}"
        wait_s = self._addresses.wait_s(network, now_s)
        if self._own.wait_s(own, now_s) > 0:
            wait_s = max(wait_s, self._names.wait_s(folded, now_s))
        if wait_s > 0:
            raise TooMany("too many passwords were wrong; wait a little", math.ceil(wait_s))
        counts = ((self._addresses, network), (self._names, folded), (self._own, own))
        for buckets, key in counts:
            buckets.add(key, 1, now_s)

        def take_back() -> None:
            for buckets, key in counts:
                buckets.add(key, -1, self._now_s())

        return take_back
