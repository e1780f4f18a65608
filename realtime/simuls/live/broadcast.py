"""Simuls as a stream of games: each changed game is sent again as a whole, as broadcast tools expect.

    actor ──(board changed)──► queue by due time ──► one database reader ──► followers

A game that changes again before its turn is sent once. Followers share what was read. For each, only the newest text of
every game is queued, so a slow follower costs at most one copy of the simul until its connection is cut.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import TYPE_CHECKING

import msgspec

from realtime.games.delay.delayed_reads import DOUBT_MS
from realtime.games.scores.score_text import form_of
from realtime.journal.game_rows import find_game
from realtime.postgres.database import FAILURES
from realtime.simuls.store.scores import board_score

if TYPE_CHECKING:
    from collections.abc import Callable

    import asyncpg

    from realtime.games.scores.score_text import Form
    from realtime.simuls.live.simul_actor import SimulActor

    Pool = asyncpg.Pool[asyncpg.Record]

PACE_S = 0.02
"""Interval between two reads of a game: a read takes half a millisecond, so many changes do not block the loop."""

RETRY_INTERVAL_S = 1.0
"""Delay before the database is queried again after an error."""

RECENT_S = 2 * DOUBT_MS / 1000
"""Time for which sent texts are kept for new followers: their first view may be ``DOUBT_MS`` old."""

_LATELY = """
SELECT game.id, max(event.seq) AS seq, extract(epoch FROM clock_timestamp() - max(event.at)) AS age_s
FROM game JOIN event ON event.game = game.id
WHERE game.simul = $1 AND event.at > now() - hidden_for(game.delay_s)
GROUP BY game.id
"""
"""Games changed since the public state: 25 to 32 ms for a thousand boards with a hundred events each (EXPLAIN ANALYZE),
once for all followers.
"""

log = logging.getLogger(__name__)


class Due(msgspec.Struct, frozen=True):
    """From ``at_s`` (loop time), ``game`` is public up to event ``seq``; an empty game marks the end."""

    at_s: float
    game: str | None
    seq: int


class BroadcastReader:
    """A follower and the texts queued for it."""

    def __init__(self) -> None:
        self._waiting: dict[str, bytes] = {}
        self._news = asyncio.Event()
        self._is_over = False

    def put(self, game: str, text: bytes) -> None:
        """Queue the new text of a game."""
        self._waiting.pop(game, None)
        self._waiting[game] = text
        self._news.set()

    def end(self) -> None:
        """Mark the end of the stream."""
        self._is_over = True
        self._news.set()

    async def next(self, patience_s: float) -> bytes | None:
        """Return the next changed game, an empty text after ``patience_s`` without one, or None at the end."""
        if not self._waiting and not self._is_over:
            self._news.clear()
            try:
                async with asyncio.timeout(patience_s):
                    await self._news.wait()
            except TimeoutError:
                return b""
        if not self._waiting:
            return None
        return self._waiting.pop(next(iter(self._waiting)))


class Broadcast:
    """The stream of one simul in one score format: as for the host and players or, ``delayed``, for everyone else."""

    def __init__(self, pool: Pool, actor: SimulActor, form: Form, games: str, *, delayed: bool) -> None:
        self.readers: set[BroadcastReader] = set()
        self._pool = pool
        self._actor = actor
        self._form = form
        self._games = games
        self._delayed = delayed
        self._line: deque[Due] = deque()
        self._wanted: dict[str, int] = {}
        """Games that are due, each with its last public event."""
        self._recent: deque[tuple[float, str, bytes]] = deque()
        self._news = asyncio.Event()
        self._task = asyncio.create_task(self._run(), name=f"broadcast {actor.id}")

    @property
    def _delay_s(self) -> int:
        """Return the delay; the host may change it until the simul starts."""
        return self._actor.state.setup.delay_s if self._delayed else 0

    def join(self) -> BroadcastReader:
        """Add a follower."""
        reader = BroadcastReader()
        for _, game, text in self._recent:
            reader.put(game, text)
        if self._task.done():
            reader.end()
        self.readers.add(reader)
        return reader

    def changed(self, game: str, seq: int) -> None:
        """Handle event ``seq`` of a game, or its beginning."""
        self._line.append(Due(asyncio.get_running_loop().time() + self._delay_s, game, seq))
        self._news.set()

    def end(self) -> None:
        """Handle the end of the simul."""
        self._line.append(Due(asyncio.get_running_loop().time() + self._delay_s, None, 0))
        self._news.set()

    def stop(self) -> asyncio.Task[None]:
        """Stop at once and return the task that is ending."""
        self._task.cancel()
        for reader in self.readers:
            reader.end()
        return self._task

    async def _run(self) -> None:
        try:
            await self._read()
        except Exception:
            log.exception("sending a simul's broadcast failed", extra={"simul": self._actor.id})
        for reader in self.readers:
            reader.end()

    async def _read(self) -> None:
        if self._delay_s:
            await self._begin_delayed()
        if self._actor.is_over:
            self.end()
        is_over = False
        while self._wanted or not is_over:
            is_over = self._look() or is_over
            if not self._wanted:
                if not is_over:
                    await self._wait()
                continue
            game = next(iter(self._wanted))
            try:
                await self._send(game, self._wanted[game])
            except FAILURES as error:
                log.warning("the database is in trouble (%r); a broadcast waits", error)
                await asyncio.sleep(RETRY_INTERVAL_S)
            else:
                await asyncio.sleep(PACE_S)

    def _look(self) -> bool:
        """Move what is due out of the queue. Return whether the end was reached."""
        now_s = asyncio.get_running_loop().time()
        while self._line and self._line[0].at_s <= now_s:
            due = self._line.popleft()
            if due.game is None:
                return True
            self._wanted[due.game] = max(due.seq, self._wanted.get(due.game, 0))
        return False

    async def _wait(self) -> None:
        """Wait until an entry is due or one is added."""
        loop = asyncio.get_running_loop()
        self._news.clear()
        wait_s = self._line[0].at_s - loop.time() if self._line else None
        try:
            async with asyncio.timeout(wait_s):
                await self._news.wait()
        except TimeoutError:
            return

    async def _begin_delayed(self) -> None:
        """Queue what is stored already but due later. Each is due by the time the database makes it public."""
        while True:
            try:
                rows = await self._pool.fetch(_LATELY, self._actor.id)
            except FAILURES as error:
                log.warning("the database is in trouble (%r); a broadcast waits", error)
                await asyncio.sleep(RETRY_INTERVAL_S)
            else:
                break
        now_s = asyncio.get_running_loop().time()
        late_s = self._delay_s + DOUBT_MS / 1000
        known = [Due(now_s + max(0.0, late_s - float(row["age_s"])), row["id"], row["seq"]) for row in rows]
        self._line = deque(sorted([*known, *self._line], key=lambda due: due.at_s))

    async def _send(self, game: str, seq: int) -> None:
        row = await find_game(self._pool, game)
        text = b""
        if row is not None and form_of(row.setup.game) == self._form:
            text = await board_score(self._pool, row, self._actor.state.setup.name, self._games, seq)
        if self._wanted.get(game) == seq:
            del self._wanted[game]  # otherwise it has changed again meanwhile
        if not text:
            return
        now_s = asyncio.get_running_loop().time()
        if self._delay_s:
            self._recent.append((now_s, game, text))
            while self._recent[0][0] < now_s - RECENT_S:
                self._recent.popleft()
        for reader in self.readers:
            reader.put(game, text)


class Broadcasts:
    """The streams of all simuls with followers."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._broadcasts: dict[tuple[str, Form, bool, str], Broadcast] = {}
        """By simul, score format, whether delayed, and the follower's address of this server."""

    def follow(
        self, actor: SimulActor, form: Form, games: str, *, delayed: bool
    ) -> tuple[BroadcastReader, Callable[[], None]]:
        """Follow the stream of ``actor`` in this format. The returned callback ends the subscription.

        Args:
            games: base address of game pages, as the follower writes it.
            delayed: the follower is neither host nor player.
        """
        key = (actor.id, form, delayed, games)
        broadcast = self._broadcasts.get(key)
        if broadcast is None:
            broadcast = self._broadcasts[key] = Broadcast(self._pool, actor, form, games, delayed=delayed)
        reader = broadcast.join()

        def leave() -> None:
            broadcast.readers.discard(reader)
            if not broadcast.readers and self._broadcasts.get(key) is broadcast:
                del self._broadcasts[key]
                broadcast.stop()

        return reader, leave

    def changed(self, simul: str, game: str, seq: int) -> None:
        """Handle a change at a board."""
        for broadcast in self._of(simul):
            broadcast.changed(game, seq)

    def over(self, simul: str) -> None:
        """Handle the end of a simul."""
        for broadcast in self._of(simul):
            broadcast.end()

    def stop(self) -> None:
        """End all streams, because the server stops."""
        for broadcast in self._broadcasts.values():
            broadcast.stop()

    async def close(self) -> None:
        """End all streams and wait for their tasks."""
        await asyncio.gather(*(one.stop() for one in self._broadcasts.values()), return_exceptions=True)

    def _of(self, simul: str) -> list[Broadcast]:
        return [broadcast for (of, *_), broadcast in self._broadcasts.items() if of == simul]
