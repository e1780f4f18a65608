"""How many may do something at once that takes its time, and how many for one person or address."""

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
    """How many do something at once."""

    def __init__(self, what: str, most: int, most_of_one: int) -> None:
        self._what = what
        self._most = most
        self._most_of_one = most_of_one
        self._running: Counter[str] = Counter()

    @contextmanager
    def taken(self, who: str) -> Iterator[None]:
        """Hold a place. Raises ``RateLimited``: ``who`` has too many; ``Unavailable``: all together have."""
        if self._running[who] >= self._most_of_one:
            raise RateLimited(f"{self._most_of_one} {self._what} at once are enough for one", RETRY_AFTER_S)
        if self._running.total() >= self._most:
            raise Unavailable(f"too many {self._what} are under way; try again a little later")
        self._running[who] += 1
        try:
            yield
        finally:
            self._running[who] -= 1
            if not self._running[who]:
                del self._running[who]


def taker(request: Request, user: User | None) -> str:
    """Whose turn it is: a person's, or, of strangers and guests, an address's: one makes ten guests a minute."""
    return client_network(address_of(request)) if user is None or user.kind == "guest" else user.id
