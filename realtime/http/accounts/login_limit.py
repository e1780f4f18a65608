"""Rate limits of password checks. They stop guessing and never lock owners out of their own accounts.

Three token buckets count failed attempts:

- per address (an IPv6 /64): a burst of ``Limits.logins``, then one per ``ADDRESS_EVERY_S``;
- per name, from all addresses: half that burst, then one per ``NAME_EVERY_S``;
- per name and address: if fewer than ``OWN_TRIES`` failed recently, the bucket of the name is ignored.

So an attack on one name from many addresses gets about three attempts per address. The owner, at another address, is
let in at the first attempt, whatever happens elsewhere.

Checking a correct password costs as much as checking a wrong one, and each login stores a session. So two more buckets
count successful attempts: per address with the same burst as for failed ones, per name with half of it, then one per
``RIGHT_EVERY_S``. Passwords of one address that are being hashed at the same time are limited to a sixth of the burst,
so that a few addresses cannot fill the queue that everybody shares.

All texts that are not valid names share one bucket, because there is no limit to their number and length.
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
"""Ten logins per minute are enough for all devices of a person."""

HASHING = 6
"""The burst of an address divided by this may be hashed at once: 3 of 20, a tenth of the queue."""

NOBODY = ""
"""The key of all texts that are not valid names."""

KEPT = 20_000
"""Buckets kept of each kind. To have one evicted, an attacker needs that many addresses or names."""


class Try:
    """A password check in progress. It counts as failed until it succeeds or is undone."""

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
        """Undo the count: the password was not checked."""
        for buckets, key in self._wrong:
            buckets.add(key, -1, self._now_ms())

    def succeed(self) -> None:
        """Count the attempt as successful: the password was correct."""
        self.take_back()
        for buckets, key in self._right:
            buckets.add(key, 1, self._now_ms())


class LoginLimit:
    """The rate limits of password checks.

    Args:
        most: burst of failed attempts per address.

    Attributes:
        buckets: all token buckets, by name.
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
        """Return the time of the buckets, in ms."""
        return int(self._now_s() * 1000)

    @contextmanager
    def trying(self, address: str, name: str) -> Iterator[None]:
        """Count the check of a password or code of ``name`` that runs in this context, as failed or successful.

        A check that fails for another reason, such as the server's own time limit, is not counted: it says nothing
        about the password.

        Raises:
            RateLimited: with the time to wait.
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
        """Limit how many passwords are hashed for ``address`` at once; use it around the hashing.

        Raises:
            RateLimited: the limit of the address is reached.
        """
        network = client_network(address)
        under_way = self._hashing.get(network, 0)
        if under_way >= self._most_hashing:
            raise RateLimited("too many passwords are being checked for this address; try again in a moment")
        self._hashing[network] = under_way + 1
        try:
            yield
        finally:
            self._hashing[network] -= 1
            if not self._hashing[network]:
                del self._hashing[network]

    def take(self, address: str, name: str) -> Try:
        """Count an attempt at ``name`` as failed.

        It is counted before the password is checked, so that a hundred concurrent attempts count as a hundred.

        Raises:
            RateLimited: with the time to wait.
        """
        now_ms = self.now_ms()
        network, folded = client_network(address), name.lower() if is_name(name) else NOBODY
        own = f"{network} {folded}"
        wait_ms = self._addresses.wait_ms(network, now_ms)
        if self._own.wait_ms(own, now_ms) > 0:
            wait_ms = max(wait_ms, self._names.wait_ms(folded, now_ms))
        if wait_ms > 0:
            raise RateLimited("too many wrong passwords; try again later", wait_ms / 1000)
        right = ((self._right_addresses, network), (self._right_names, folded))
        wait_ms = max(buckets.wait_ms(key, now_ms) for buckets, key in right)
        if wait_ms > 0:
            raise RateLimited("too many logins; try again later", wait_ms / 1000)
        wrong = ((self._addresses, network), (self._names, folded), (self._own, own))
        for buckets, key in wrong:
            buckets.add(key, 1, now_ms)
        return Try(wrong, right, self.now_ms)


def _buckets(burst: int, every_s: int) -> TokenBuckets:
    return TokenBuckets(burst, 1, 1000 * every_s, KEPT)
