"""How often somebody may try passwords, so that guessing is hopeless and no owner is locked out of their own account.

Three counts of failed tries:

- an address (an IPv6 /64): ``Limits.logins`` at once, then one in ``ADDRESS_EVERY_S``;
- a name: half as many at once, then one in ``NAME_EVERY_S``, wherever they come from;
- a name from an address: where there were fewer than ``OWN_TRIES`` lately, the count of the name does not matter.

So an attack on one name from many addresses gets some three tries per address. The owner, at another address, is let
in at the first try, whatever happens elsewhere.

A password that is right costs as much to check as one that is wrong, and a login leaves a session behind. So two more
counts, of tries that succeeded: an address as many at once as wrong ones, a name half as many, then one in
``RIGHT_EVERY_S``. And an address may have a sixth as many passwords under way, so that a few of them cannot fill the
queue in which everybody waits.

What is no member's name at all counts as one name: they are as many as one likes, and as long.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lobby.accounts.names import is_name
from lobby.errors import BadCredentials, RateLimited, WrongPassword
from realtime.net.handshake import client_network
from realtime.net.rate_limits import TokenBuckets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

ADDRESS_EVERY_S = 10
NAME_EVERY_S = 60
OWN_TRIES = 3
OWN_EVERY_S = 1200

RIGHT_EVERY_S = 6
"""Ten logins a minute are more than anybody's devices need."""

HASHING = 6
"""Of the tries that an address has at once, one in this many may be under way: 3 of 20, a tenth of the queue."""

NOBODY = ""
"""The name that all names count as which nobody can have."""

KEPT = 20_000
"""Buckets remembered of each kind: an attacker needs as many addresses or names to have one forgotten."""


class Try:
    """A password that is being looked at: counted as a wrong one until it turns out to be something else."""

    def __init__(
        self,
        wrong: Sequence[tuple[TokenBuckets, str]],
        right: Sequence[tuple[TokenBuckets, str]],
        now_ms: Callable[[], int],
    ) -> None:
        self._wrong = wrong
        self._right = right
        self._now_ms = now_ms

    def take_back(self) -> None:
        """It was not looked at."""
        for buckets, key in self._wrong:
            buckets.add(key, -1, self._now_ms())

    def succeed(self) -> None:
        """It was right."""
        self.take_back()
        for buckets, key in self._right:
            buckets.add(key, 1, self._now_ms())


class LoginLimit:
    """The counts.

    Args:
        most: failed tries of an address at once.

    Attributes:
        buckets: all counts, by name.
    """

    def __init__(self, most: int, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._addresses = _buckets(most, ADDRESS_EVERY_S)
        self._names = _buckets((most + 1) // 2, NAME_EVERY_S)
        self._own = _buckets(OWN_TRIES, OWN_EVERY_S)
        self._right_addresses = _buckets(most, RIGHT_EVERY_S)
        self._right_names = _buckets((most + 1) // 2, RIGHT_EVERY_S)
        self.buckets = {
            "addresses": self._addresses,
            "names": self._names,
            "own": self._own,
            "right addresses": self._right_addresses,
            "right names": self._right_names,
        }
        self._most_hashing = max(1, most // HASHING)
        self._hashing: dict[str, int] = {}

    def now_ms(self) -> int:
        """Return the time by which is counted."""
        return int(self._now_s() * 1000)

    @contextmanager
    def trying(self, address: str, name: str) -> Iterator[None]:
        """Around the check of a password or code of ``name``: a wrong one counts, and so does a right one.

        What fails for another reason does not, the server's own time limit among them: it tells nothing of the
        password.

        Raises:
            RateLimited: with when to come back.
        """
        with self.hashing(address):
            attempt = self.take(address, name)
            try:
                yield
            except (BadCredentials, WrongPassword):
                raise
            except BaseException:
                attempt.take_back()
                raise
            attempt.succeed()

    @contextmanager
    def hashing(self, address: str) -> Iterator[None]:
        """Around whatever has a password hashed for ``address``.

        Raises:
            RateLimited: as many as it may have are under way.
        """
        network = client_network(address)
        under_way = self._hashing.get(network, 0)
        if under_way >= self._most_hashing:
            raise RateLimited("several passwords of this address are being looked at; try again in a moment")
        self._hashing[network] = under_way + 1
        try:
            yield
        finally:
            self._hashing[network] -= 1
            if not self._hashing[network]:
                del self._hashing[network]

    def take(self, address: str, name: str) -> Try:
        """Count a try of ``name`` as a wrong one.

        Counted before the password is looked at, so that a hundred at once are a hundred tries.

        Raises:
            RateLimited: with when to come back.
        """
        now_ms = self.now_ms()
        network, folded = client_network(address), name.lower() if is_name(name) else NOBODY
        own = f"{network} {folded}"
        wait_ms = self._addresses.wait_ms(network, now_ms)
        if self._own.wait_ms(own, now_ms) > 0:
            wait_ms = max(wait_ms, self._names.wait_ms(folded, now_ms))
        if wait_ms > 0:
            raise RateLimited("too many passwords were wrong; wait a little", wait_ms / 1000)
        right = ((self._right_addresses, network), (self._right_names, folded))
        wait_ms = max(buckets.wait_ms(key, now_ms) for buckets, key in right)
        if wait_ms > 0:
            raise RateLimited("that were many logins; wait a little", wait_ms / 1000)
        wrong = ((self._addresses, network), (self._names, folded), (self._own, own))
        for buckets, key in wrong:
            buckets.add(key, 1, now_ms)
        return Try(wrong, right, self.now_ms)


def _buckets(burst: int, every_s: int) -> TokenBuckets:
    return TokenBuckets(burst, 1, 1000 * every_s, KEPT)
