"""The ends of rated games, each in a transaction of its own (``rated_transaction.py``).

    table ── append() ──► queue ──► a few workers: one transaction each ──► done(Rated | Fenced | Failed)

They do not go through the journal's batches: a whole batch would wait for the ratings' locks. A game ends once in about
eighty moves, so a few connections suffice.

As in the journal nothing is stored twice and nothing stored is denied: if the connection is lost at the commit, the
same transaction is tried again. The compare-and-set accepts it only if it is not stored yet, and a rejected one is read
back.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Protocol

import msgspec

from lobby.standby import wait_for_standby
from realtime.journal.appends import Append, Failed
from realtime.journal.journal import CLOSE_S, MAX_WAITING, RETRY_FIRST_S, RETRY_MOST_S, WRITE_TIMEOUT_S
from realtime.journal.rated_transaction import SETTINGS, Rated, end_rated, read_back
from realtime.postgres.database import FAILURES, NoAnswer, classify, connect, cut_off_after
from realtime.protocol.errors import Overloaded

if TYPE_CHECKING:
    from realtime.journal.appends import Outcome
    from realtime.postgres.database import Connection, Trouble

WORKERS = 4
"""Concurrent ends, each on a connection of its own that is opened when first needed. One handles some hundreds a
second; the others are for those that wait for a lock."""

STOPPED = Failed("the server stopped before the database answered")

log = logging.getLogger(__name__)


class RatedEndsObserver(Protocol):
    """Counts rated ends."""

    def rated_end_stored(self, *, took_s: float) -> None:
        """Count a rated end, with how long the table has waited for it."""

    def batch_failed(self, trouble: Trouble | None) -> None:
        """Count a failed attempt; None if the end is at fault and not the database."""


class _Waiting(msgspec.Struct, eq=False):
    append: Append
    queued_at: float
    """Loop time."""


class RatedEnds:
    """Ends the rated games that this node owns."""

    def __init__(self, url: str, node: str, observer: RatedEndsObserver) -> None:
        """``node``: the id under which this process owns games (``game.owner``)."""
        self._url = url
        self._node = node
        self._observer = observer
        self._queue: asyncio.Queue[_Waiting] = asyncio.Queue()
        self._waiting: dict[int, _Waiting] = {}
        """Appends without an answer, in order."""
        self._began: dict[int, float] = {}
        """Loop time at which each worker began its present end."""
        self._connections: dict[int, Connection] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._closed = False
        self._given_up = False
        self._loop = asyncio.get_running_loop()

    def start(self) -> None:
        """Start the workers."""
        self._tasks = [
            asyncio.create_task(self._work(number), name=f"rated ends {number}") for number in range(WORKERS)
        ]

    def append(self, append: Append) -> None:
        """End a rated game: the last of ``append``'s events is its end, with a result. ``append.done`` is called with
        the outcome. Never blocks.

        Raises ``Overloaded`` if the queue is full or this is closed; nothing is queued then.
        """
        if self._closed or len(self._waiting) >= MAX_WAITING:
            raise Overloaded("the database is overloaded: too many games are waiting to end")
        waiting = _Waiting(append, self._loop.time())
        self._waiting[id(waiting)] = waiting
        self._queue.put_nowait(waiting)

    @property
    def depth(self) -> int:
        """Number of ends without an answer."""
        return len(self._waiting)

    def oldest_wait_ms(self) -> int:
        """Return how long the oldest has been without an answer; 0 without any."""
        oldest = next(iter(self._waiting.values()), None)
        return 0 if oldest is None else self._since_ms(oldest.queued_at)

    def stuck_ms(self) -> int:
        """Return how long the longest statement under way has been waiting for the database: this is a stall."""
        return max(map(self._since_ms, self._began.values()), default=0)

    async def flush(self) -> None:
        """Wait until every end has its answer."""
        await self._queue.join()

    async def close(self, deadline_s: float = CLOSE_S) -> None:
        """Accept no more, write what is queued for at most ``deadline_s``, and fail the rest."""
        self._closed = True
        try:
            async with asyncio.timeout(deadline_s):
                await self.flush()
        except TimeoutError:
            log.error("%d rated games could not be ended before the end", self.depth)  # noqa: TRY400  no trace to show
        self._given_up = True
        for number in tuple(self._connections):
            self._drop_connection(number)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for waiting in tuple(self._waiting.values()):
            self._answer(waiting, STOPPED)

    def _since_ms(self, at: float) -> int:
        return int((self._loop.time() - at) * 1000)

    # A worker

    async def _work(self, number: int) -> None:
        while not self._given_up:
            waiting = await self._queue.get()
            self._began[number] = self._loop.time()
            try:
                outcome = await self._write(number, waiting.append)
            except Exception:
                log.exception("game %s could not be ended because of an internal error", waiting.append.game)
                self._drop_connection(number)
                outcome = Failed("a fault of the rated ends")
            del self._began[number]
            self._answer(waiting, outcome)
            self._queue.task_done()

    async def _write(self, number: int, append: Append) -> Outcome:
        """Retry until there is an answer."""
        in_doubt = False
        pause_s = RETRY_FIRST_S
        while True:
            connection = None
            try:
                connection = await self._connected(number)
                return await self._try(connection, append, in_doubt=in_doubt)
            except Exception as error:
                if self._given_up:
                    # The cancellation has become this error on its way out of the transaction.
                    return STOPPED
                # Whatever a connection reports that is cut during a call, it is not a fault of the end.
                is_cut = connection is not None and connection.is_closed()
                if not is_cut and not isinstance(error, FAILURES):
                    raise
                trouble = "gone" if connection is None or is_cut else classify(error)
                self._observer.batch_failed(trouble)
                if trouble is None:
                    log.error("game %s: its end was refused by the database: %s", append.game, error)  # noqa: TRY400
                    return Failed(str(error))
                if pause_s == RETRY_FIRST_S:
                    cause = "stalled" if isinstance(error, NoAnswer) else trouble
                    log.warning("the database is %s (%s); %d rated games wait to end", cause, error, self.depth)
                if trouble == "gone" and connection is not None:
                    self._drop_connection(number)
                    in_doubt = True
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, RETRY_MOST_S)

    async def _try(self, connection: Connection, append: Append, *, in_doubt: bool) -> Outcome:
        with cut_off_after(connection, WRITE_TIMEOUT_S):
            outcome = await end_rated(connection, self._node, append)
            if in_doubt and not isinstance(outcome, Rated):
                found = await read_back(connection, append)
                if found is not None:
                    await wait_for_standby(connection)
                return found or outcome
        return outcome

    def _answer(self, waiting: _Waiting, outcome: Outcome) -> None:
        del self._waiting[id(waiting)]
        # The public reads the metrics too.
        if isinstance(outcome, Rated) and not outcome.is_hidden:
            self._observer.rated_end_stored(took_s=self._loop.time() - waiting.queued_at)
        try:
            waiting.append.done(outcome)
        except Exception:
            log.exception("game %s: a callback after its end failed", waiting.append.game)

    async def _connected(self, number: int) -> Connection:
        connection = self._connections.get(number)
        if connection is None or connection.is_closed():
            connection = await connect(self._url, name=f"zeitnot rated ends {self._node}", settings=SETTINGS)
            self._connections[number] = connection
        return connection

    def _drop_connection(self, number: int) -> None:
        connection = self._connections.pop(number, None)
        if connection is not None:
            connection.terminate()
