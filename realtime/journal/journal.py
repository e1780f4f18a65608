"""The journal: every event is in the database before anybody sees it.

    table ── append() ──► queue ──► one task: a batch, one statement, one commit ──► done(Committed | Fenced | Failed)

The task takes whatever has accumulated while the last batch was being written, so batches grow with the load and
nothing waits for a timer. It writes on a connection of its own.

If the connection is lost during a batch, it is unknown whether it was committed. The batch is sent again: the
compare-and-set accepts each append only if it is not stored yet, even while the lost statement may still be running. A
rejected append is read back and compared, event by event and with its cause, before it is called fenced. So nothing is
stored twice and nothing stored is denied.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import TYPE_CHECKING, Protocol

from lobby.standby import wait_for_standby
from realtime.journal.appends import Append, Cause, Committed, Failed, Fenced, GameSummary, Outcome
from realtime.journal.journal_sql import SETTINGS, STORE, decode_cause, decode_event, read_back, rows_of
from realtime.postgres.database import FAILURES, NoAnswer, classify, connect, cut_off_after
from realtime.protocol.errors import Overloaded

if TYPE_CHECKING:
    import asyncpg

    from realtime.postgres.database import Connection, Trouble

__all__ = [
    "Append", "Cause", "Committed", "Failed", "Fenced", "GameSummary", "Journal", "JournalObserver", "Outcome",
    "Overloaded", "decode_cause", "decode_event",
]  # fmt: skip

MAX_BATCH_ROWS = 500
"""Largest batch: beyond this, twice the rows take twice the time, and all of it is added to everybody's latency."""

MAX_WAITING = 20_000
"""Appends in the queue. A table has one in flight, so this is the number of live games on a stalled database."""

WRITE_TIMEOUT_S = 10.0
"""Timeout of a statement. Its connection is then closed (a network may have lost it), and its batch is in doubt.
Players are told of a slow database long before."""

RETRY_FIRST_S, RETRY_MOST_S = 0.02, 0.5
"""Delays between attempts, doubling: an embedded PostgreSQL is back in a tenth of a second."""

CLOSE_S = 1.0
"""Time that a stopping server gives its last appends."""

COMMITTED, FENCED = Committed(), Fenced()

log = logging.getLogger(__name__)


class JournalObserver(Protocol):
    """Counts the journal's work."""

    def batch_stored(self, *, rows: int, waited_s: float, took_s: float) -> None:
        """Count a batch: its rows, how long its oldest append waited, how long the writing took."""

    def batch_failed(self, trouble: Trouble | None) -> None:
        """Count a failed attempt; None if the batch is at fault and not the database."""


class _NoObserver:
    def batch_stored(self, *, rows: int, waited_s: float, took_s: float) -> None:
        pass

    def batch_failed(self, trouble: Trouble | None) -> None:
        pass


class Journal:
    """Appends events of the games that this node owns."""

    def __init__(self, url: str, node: str, observer: JournalObserver | None = None) -> None:
        """``node``: the id under which this process owns games (``game.owner``)."""
        self._url = url
        self._node = node
        self._observer: JournalObserver = observer or _NoObserver()
        self._queue: deque[Append] = deque()
        self._queued_at = 0.0  # loop time at which the oldest of the queue may have come
        self._batch: dict[str, Append] = {}  # what is being written and has no answer yet, by game
        self._batch_at = 0.0  # the same as _queued_at for the batch
        self._began_at = 0.0  # loop time at which its writing began
        self._work = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._closed = False
        self._connection: Connection | None = None
        self._statement: asyncpg.prepared_stmt.PreparedStatement[asyncpg.Record] | None = None
        self._task: asyncio.Task[None] | None = None
        self._loop = asyncio.get_running_loop()

    async def start(self) -> None:
        """Connect and start writing. Raises connection errors."""
        await self._connected()
        self._task = asyncio.create_task(self._run(), name="journal")

    def append(self, append: Append) -> None:
        """Queue events; ``append.done`` is called with the outcome. Never blocks.

        Raises ``Overloaded`` if the queue is full or the journal is closed; nothing is queued then.
        """
        if self._closed or len(self._queue) >= MAX_WAITING:
            raise Overloaded("the database is overloaded: too many events are waiting")
        if not self._queue:
            self._queued_at = self._loop.time()
            self._work.set()
            self._idle.clear()
        self._queue.append(append)

    @property
    def depth(self) -> int:
        """Number of appends without an answer."""
        return len(self._queue) + len(self._batch)

    def oldest_wait_ms(self) -> int:
        """Return roughly how long the oldest append has been without an answer; 0 without any."""
        if self._batch:
            return int((self._loop.time() - self._batch_at) * 1000)
        if self._queue:
            return int((self._loop.time() - self._queued_at) * 1000)
        return 0

    def stuck_ms(self) -> int:
        """Return how long the present statement has been waiting for the database: this is a stall, a long queue is
        not."""
        return int((self._loop.time() - self._began_at) * 1000) if self._batch else 0

    async def flush(self) -> None:
        """Wait until every append has its answer."""
        await self._idle.wait()

    async def close(self, deadline_s: float = CLOSE_S) -> None:
        """Accept no more, write what is queued for at most ``deadline_s``, and fail the rest."""
        self._closed = True
        try:
            async with asyncio.timeout(deadline_s):
                await self._idle.wait()
        except TimeoutError:
            log.error("%d appends could not be stored before the end", self.depth)  # noqa: TRY400  no trace to show
        self._drop_connection()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        while self._batch or self._queue:
            if not self._batch:
                self._gather()
            for append in list(self._batch.values()):
                self._answer(append, Failed("the server stopped before the database answered"))
        self._idle.set()

    # The writer

    async def _run(self) -> None:
        while True:
            await self._work.wait()
            batch = self._gather()
            try:
                await self._write(batch)
            except Exception:
                log.exception("a batch of %d appends failed with an internal error", len(batch))
                for append in list(self._batch.values()):
                    self._answer(append, Failed("a fault of the journal"))
            if not self._queue:
                self._work.clear()
                self._idle.set()

    def _gather(self) -> list[Append]:
        """Take a batch from the queue: in order, at most one append a game."""
        queue, batch = self._queue, self._batch
        later: list[Append] = []
        rows = 0
        while queue:
            append = queue.popleft()
            if append.game in batch:
                later.append(append)
                continue
            rows += len(append.events)
            if rows > MAX_BATCH_ROWS and batch:
                queue.appendleft(append)
                break
            batch[append.game] = append
        queue.extendleft(reversed(later))
        self._batch_at = self._queued_at
        self._began_at = self._loop.time()
        if not queue:
            self._queued_at = 0.0
        return list(batch.values())

    async def _write(self, batch: list[Append]) -> None:
        """Write ``batch``, retrying until each of its appends has its answer.

        Invalid data fails the whole statement. It is found by bisection, so it affects only its own game.
        """
        parts = deque([batch])
        in_doubt = troubled = False
        pause_s = RETRY_FIRST_S
        began = self._loop.time()
        while parts:
            part = parts[0]
            connection = None
            try:
                connection = await self._connected()
                stored = await self._store(connection, part, in_doubt=in_doubt)
            except Exception as error:
                # asyncpg reports a connection cut during a call in many ways. None of them is a fault of the batch,
                # which may have been stored.
                is_cut = connection is not None and connection.is_closed()
                if not is_cut and not isinstance(error, FAILURES):
                    raise
                trouble = "gone" if connection is None or is_cut else classify(error)
                self._observer.batch_failed(trouble)
                if trouble is None:
                    parts.popleft()
                    if len(part) == 1:
                        log.error("game %s: events refused by the database: %s", part[0].game, error)  # noqa: TRY400
                        self._answer(part[0], Failed(str(error)))
                    else:
                        middle = len(part) // 2
                        parts.extendleft((part[middle:], part[:middle]))
                    continue
                if not troubled:
                    troubled = True
                    cause = "stalled" if isinstance(error, NoAnswer) else trouble
                    log.warning("the database is %s (%s); %d appends wait", cause, error, self.depth)
                if trouble == "gone" and connection is not None:
                    self._drop_connection()
                    in_doubt = True
                await asyncio.sleep(pause_s)
                pause_s = min(2 * pause_s, RETRY_MOST_S)
                continue
            parts.popleft()
            for append in part:
                self._answer(append, COMMITTED if append.game in stored else FENCED)
        now = self._loop.time()
        if troubled:
            log.warning("the database is back after %.1f s; %d appends wait", now - began, self.depth)
        rows = sum([len(append.events) for append in batch])
        self._observer.batch_stored(rows=rows, waited_s=now - self._batch_at, took_s=now - began)

    async def _store(self, connection: Connection, part: list[Append], *, in_doubt: bool) -> set[str]:
        """Make one attempt; return the games of ``part`` whose events are in the database now."""
        with cut_off_after(connection, WRITE_TIMEOUT_S):
            assert self._statement is not None, "_connected prepares it"
            records = await self._statement.fetch(self._node, rows_of(part))
            stored = {record[0] for record in records}
            if in_doubt and len(stored) < len(part):
                found = await read_back(connection, [append for append in part if append.game not in stored])
                if found:
                    await wait_for_standby(connection)
                stored |= found
        return stored

    def _answer(self, append: Append, outcome: Outcome) -> None:
        del self._batch[append.game]
        try:
            append.done(outcome)
        except Exception:
            log.exception("game %s: a callback after an append failed", append.game)

    async def _connected(self) -> Connection:
        connection = self._connection
        if connection is None or connection.is_closed():
            connection = await connect(self._url, name=f"zeitnot journal {self._node}", settings=SETTINGS)
            self._connection = connection
            self._statement = None
        if self._statement is None:
            with cut_off_after(connection, WRITE_TIMEOUT_S):
                statement = await connection.prepare(STORE)
                # Preparing leaves a transaction open, with its locks and its time, until something is executed.
                await statement.fetch(self._node, [])
                self._statement = statement
        return connection

    def _drop_connection(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None
