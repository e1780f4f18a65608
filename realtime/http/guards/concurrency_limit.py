"""Limits of concurrent long-running requests, in total and per user or address."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lobby.errors import RateLimited, Unavailable
from realtime.http.accounts.routes import address_of
from realtime.net.handshake import client_network

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.requests import Request

    from lobby.accounts.user import User

RETRY_AFTER_S = 10


class Turns:
    """A limit of concurrent requests of one kind."""

    def __init__(self, what: str, most: int, most_of_one: int) -> None:
        self._what = what
        self._most = most
        self._most_of_one = most_of_one
        self._running: Counter[str] = Counter()

    @contextmanager
    def taken(self, who: str) -> Iterator[None]:
        """Hold a slot in this context. Raises ``RateLimited`` if ``who`` has too many, ``Unavailable`` if there are too
        many in total."""
        if self._running[who] >= self._most_of_one:
            raise RateLimited(f"at most {self._most_of_one} {self._what} at once are allowed", RETRY_AFTER_S)
        if self._running.total() >= self._most:
            raise Unavailable(f"too many {self._what} are in progress; try again later")
        self._running[who] += 1
        try:
            yield
        finally:
            self._running[who] -= 1
            if not self._running[who]:
                del self._running[who]


def taker(request: Request, user: User | None) -> str:
    """Return the key that the limit counts by: the id of a member, or the network of guests and anonymous users,
    because one client can create ten guests per minute."""
    return client_network(address_of(request)) if user is None or user.kind == "guest" else user.id
