"""How often somebody may try passwords, so that guessing is hopeless and nobody is locked out of his own account.

Three counts of failed tries:

- an address (an IPv6 /64): ``Limits.logins`` at once, then one in ``ADDRESS_EVERY_S``;
- a name: half as many at once, then one in ``NAME_EVERY_S``, wherever they come from;
- a name from an address: where there were fewer than ``OWN_TRIES`` lately, the count of the name does not matter.

So who attacks a name from everywhere gets some three tries an address, and its owner, at an address of his own, comes
in at the first, whatever goes on elsewhere.

A password that is right costs as much to check as one that is wrong, and a login leaves a session behind. So two more
counts, of tries that succeeded: an address as many at once as wrong ones, a name half as many, then one in
``RIGHT_EVERY_S``. And an address may have a sixth as many passwords under way, so that a few of them cannot fill the
queue in which everybody waits.

What is no member's name at all counts as one name: they are as many as one likes, and as long.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lobby.accounts.names import is_name
from lobby.errors import BadCredentials, WrongPassword
from realtime.http.guards.failures import TooMany
from realtime.net.handshake import client_network

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Now = Callable[[], float]

ADDRESS_EVERY_S = 10.0
NAME_EVERY_S = 60.0
OWN_TRIES = 3
OWN_EVERY_S = 1200.0

RIGHT_EVERY_S = 6.0
"""Ten logins a minute are more than anybody's devices need."""

HASHING = 6
"""Of the tries that an address has at once, one in this many may be under way: 3 of 20, a tenth of the queue."""

NOBODY = ""
"""The name that all names count as which nobody can have."""

KEPT = 20_000
"""Buckets remembered of each kind: an attacker needs as many addresses or names to have one forgotten."""


class _Buckets:
    """A bucket of tokens a key; a full one is not kept."""

    def __init__(self, size: int, every_s: float) -> None:
        self.spent: Callable[[str, float], None] = lambda key, count: None
        """Called with what was taken, or given back."""
        self._size = size
        self._every_s = every_s
        self._spent: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """Tokens gone at an instant."""

    def gone(self, key: str, now_s: float) -> float:
        """How many tokens are gone."""
        gone, at_s = self._spent.get(key, (0.0, now_s))
        return max(0.0, gone - (now_s - at_s) / self._every_s)

    def wait_s(self, key: str, now_s: float) -> float:
        """Until there is a token; 0 when there is one."""
        return max(0.0, (self.gone(key, now_s) - (self._size - 1)) * self._every_s)

    def add(self, key: str, count: float, now_s: float) -> None:
        """Take ``count`` tokens, or give them back."""
        self.take_in(key, count, now_s)
        self.spent(key, count)

    def take_in(self, key: str, count: float, now_s: float) -> None:
        """The same where it was at another node."""
        gone = self.gone(key, now_s) + count
        self._spent.pop(key, None)
        if gone > 0:
            self._spent[key] = (gone, now_s)
            if len(self._spent) > KEPT:
                self._spent.popitem(last=False)


class Try:
    """A password that is being looked at: counted as a wrong one until it turns out to be something else."""

    def __init__(
        self, wrong: Sequence[tuple[_Buckets, str]], right: Sequence[tuple[_Buckets, str]], now_s: Now
    ) -> None:
        self._wrong = wrong
        self._right = right
        self._now_s = now_s

    def take_back(self) -> None:
        """It was not looked at."""
        for buckets, key in self._wrong:
            buckets.add(key, -1, self._now_s())

    def succeed(self) -> None:
        """It was right."""
        self.take_back()
        for buckets, key in self._right:
            buckets.add(key, 1, self._now_s())


class LoginLimit:
    """The counts.

    Args:
        most: failed tries of an address at once.

    Attributes:
        buckets: all counts, by name.
    """

    def __init__(self, most: int, now_s: Now = time.monotonic) -> None:
        self._now_s = now_s
        self._addresses = _Buckets(most, ADDRESS_EVERY_S)
        self._names = _Buckets((most + 1) // 2, NAME_EVERY_S)
        self._own = _Buckets(OWN_TRIES, OWN_EVERY_S)
        self._right_addresses = _Buckets(most, RIGHT_EVERY_S)
        self._right_names = _Buckets((most + 1) // 2, RIGHT_EVERY_S)
        self.buckets = {
            "addresses": self._addresses,
            "names": self._names,
            "own": self._own,
            "right addresses": self._right_addresses,
            "right names": self._right_names,
        }
        self._most_hashing = max(1, most // HASHING)
        self._hashing: dict[str, int] = {}

    def spender(self, buckets: _Buckets) -> Callable[[str, float], None]:
        """What counts what was tried at another node."""
        return lambda key, count: buckets.take_in(key, count, self._now_s())

    @contextmanager
    def trying(self, address: str, name: str) -> Iterator[None]:
        """Around the check of a password or code of ``name``: a wrong one counts, and so does a right one.

        What fails for another reason does not, the server's own time limit among them: it tells nothing of the
        password.

        Raises:
            TooMany: with when to come back.
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
            TooMany: as many as it may have are under way.
        """
        network = client_network(address)
        under_way = self._hashing.get(network, 0)
        if under_way >= self._most_hashing:
            raise TooMany("several passwords of this address are being looked at; try again in a moment", 1)
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
            TooMany: with when to come back.
        """
        now_s = self._now_s()
        network, folded = client_network(address), name.lower() if is_name(name) else NOBODY
        own = f"{network} {folded}"
        wait_s = self._addresses.wait_s(network, now_s)
        if self._own.wait_s(own, now_s) > 0:
            wait_s = max(wait_s, self._names.wait_s(folded, now_s))
        if wait_s > 0:
            raise TooMany("too many passwords were wrong; wait a little", math.ceil(wait_s))
        right = ((self._right_addresses, network), (self._right_names, folded))
        wait_s = max(buckets.wait_s(key, now_s) for buckets, key in right)
        if wait_s > 0:
            raise TooMany("that were many logins; wait a little", math.ceil(wait_s))
        wrong = ((self._addresses, network), (self._names, folded), (self._own, own))
        for buckets, key in wrong:
            buckets.add(key, 1, now_s)
        return Try(wrong, right, self._now_s)
