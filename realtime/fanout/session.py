"""A session: the subscriptions and pending requests of one socket."""

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
    from realtime.fanout.topics import Topic
    from realtime.net.connection import Connection

TOPICS = 1000
"""Subscriptions of a socket: the boards of the largest simul. Each costs a socket one dict entry."""

WAITING = 16
"""Requests of one socket that may wait for the database at a time. A person never has as many."""

REQUEST_S = 10.0
"""Timeout of a request, which is then answered ``unavailable``."""

log = logging.getLogger(__name__)


class Session:
    """One socket's state apart from the socket itself.

    Args:
        count_error: called with the code of every error reply.
        fan_out: delivers pending messages of games before a reply.

    Attributes:
        topics: the callback that ends each subscription, by topic name.
        catch_ups: the callback that delivers a topic's pending events, which come before a reply.
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
        """The user of the socket; None if anonymous."""
        return self.connection.user

    @property
    def person(self) -> User:
        """The user, in a verb whose permission excludes anonymous sockets."""
        assert self.connection.user is not None, "strangers do not get here (permissions.py)"
        return self.connection.user

    def knows_laws(self, topic: Topic) -> bool:
        """Return whether the socket is subscribed to ``topic``, of a game that it plays, by a client that knows the
        Laws as played over a board."""
        return topic.knows_laws(self.connection)

    def ok(self, request_id: int | None, fields: dict[str, Any]) -> None:
        """Reply to a successful request, if it has an ``id``."""
        if request_id is not None:
            for catch_up in self.catch_ups.values():
                catch_up()
            if self._fan_out is not None:
                self._fan_out.catch_up(self.connection)
            self.connection.send({"t": "ok", "id": request_id, **fields})

    def error(self, request_id: int | None, error: Refusal) -> None:
        """Reply to a failed request, with or without an ``id``."""
        self._count_error(error.code)
        self.connection.send(error_message(error, request_id))

    def answer(self, request_id: int | None, outcome: dict[str, Any] | Refusal) -> None:
        """Reply with either outcome."""
        if isinstance(outcome, Refusal):
            self.error(request_id, outcome)
        else:
            self.ok(request_id, outcome)

    def later(self, request_id: int | None, work: Coroutine[Any, Any, None]) -> None:
        """Continue a request that waits for the database. An exception becomes its reply."""
        if len(self._tasks) >= WAITING:
            work.close()
            self.error(request_id, RateLimited(f"more than {WAITING} requests are in progress"))
            return
        task = asyncio.create_task(self._guarded(request_id, work), name=f"request of {self.connection.number}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        """End all subscriptions: the socket is closed. Pending requests are completed without a reply."""
        for leave in self.topics.values():
            leave()
        self.topics.clear()

    async def finish(self) -> None:
        """Wait for pending requests."""
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
            self.error(request_id, Unavailable("the database is not responding; try again"))
        except Exception:
            log.exception("a request failed")
            self.error(request_id, Unavailable("internal server error; try again"))
