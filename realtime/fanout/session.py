"""A session: what one open socket is subscribed to and what it still waits for."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from game_core.errors import Refusal
from lobby.errors import RateLimited, Unavailable
from realtime.postgres.database import FAILURES, classify
from realtime.protocol.errors import error_message

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from lobby.accounts.user import User
    from realtime.fanout.spectator_queue import FanOut
    from realtime.net.connection import Connection

TOPICS = 1000
"""Subscriptions of a socket: the boards of the largest exhibition. What they cost a socket is a table entry each."""

WAITING = 16
"""Requests of one socket that may wait for the database at a time; a person never has that many under way."""

REQUEST_S = 10.0
"""A request that waits longer is answered ``unavailable``."""

log = logging.getLogger(__name__)


class Session:
    """One socket's state beside the socket itself.

    Args:
        count_error: called with the code of every error that it answers, at once or later.
        fan_out: of the games; what a socket is still to be told of them comes before an answer.

    Attributes:
        topics: names of the topics it is subscribed to, with what ends the subscription.
        catch_ups: by topic, what sends what has happened and waits for others: an answer comes after what follows from
            the request.
    """

    def __init__(
        self,
        connection: Connection,
        count_error: Callable[[str], None] = lambda _code: None,
        fan_out: FanOut | None = None,
    ) -> None:
        self.connection: Connection = connection
        self._fan_out = fan_out
        self._count_error = count_error
        self.topics: dict[str, Callable[[], None]] = {}
        self.catch_ups: dict[str, Callable[[], None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def user(self) -> User | None:
        """Who it is."""
        return self.connection.user

    @property
    def person(self) -> User:
        """Who it is, in a verb that ``authority.NEEDS`` keeps strangers from."""
        assert self.connection.user is not None, "strangers do not get here (permissions.py)"
        return self.connection.user

    def ok(self, request_id: int | None, fields: dict[str, Any]) -> None:
        """Answer a request that has succeeded; one without ``id`` gets nothing."""
        if request_id is not None:
            for catch_up in self.catch_ups.values():
                catch_up()
            if self._fan_out is not None:
                self._fan_out.catch_up(self.connection)
            self.connection.send({"t": "ok", "id": request_id, **fields})

    def error(self, request_id: int | None, error: Refusal) -> None:
        """Answer a request that has failed, whether it has an ``id`` or not."""
        self._count_error(error.code)
        self.connection.send(error_message(error, request_id))

    def answer(self, request_id: int | None, outcome: dict[str, Any] | Refusal) -> None:
        """Answer with whatever came out."""
        if isinstance(outcome, Refusal):
            self.error(request_id, outcome)
        else:
            self.ok(request_id, outcome)

    def later(self, request_id: int | None, work: Coroutine[Any, Any, None]) -> None:
        """Go on with a request that has to wait for the database; what it raises becomes its answer."""
        if len(self._tasks) >= WAITING:
            work.close()
            self.error(request_id, RateLimited(f"more than {WAITING} requests are under way"))
            return
        task = asyncio.create_task(self._guarded(request_id, work), name=f"request of {self.connection.number}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        """The socket is gone: no more subscriptions. What is under way is finished, its answer goes nowhere."""
        for leave in self.topics.values():
            leave()
        self.topics.clear()

    async def finish(self) -> None:
        """Wait for what is under way."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _guarded(self, request_id: int | None, work: Coroutine[Any, Any, None]) -> None:
        try:
            async with asyncio.timeout(REQUEST_S):
                await work
        except Refusal as error:
            self.error(request_id, error)
        except FAILURES as error:
            if classify(error) is None:
                log.exception("a query failed")
            self.error(request_id, Unavailable("the database does not answer; ask again"))
        except Exception:
            log.exception("a request failed")
            self.error(request_id, Unavailable("the server failed; ask again"))
