"""This process as a node: its lease, and the games it owns.

A node is a row whose ``expires_at`` it renews. Once that has passed, by the database's clock, other nodes may take its
games. Taking a game increments its epoch, so whatever the old owner still has on the way is fenced.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from typing import TYPE_CHECKING, Any

import msgspec

from realtime.ops.log import name_process
from realtime.postgres.database import FAILURES, connect

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from realtime.postgres.database import Connection, Pool

    OnClock = Callable[[int, int, int], None]
    """Called whenever the database's clock was read: with its time in Unix ns, and the monotonic times in ns before and
    after."""

EXPIRY_S = 5.0
"""How long a node owns its games after its last renewal."""

RENEW_S = 1.0

LEASE_S = 3.0
"""A node that could not renew for this long decides nothing more: two seconds before others may take over."""

RENEW_TIMEOUT_S = 2.0
"""Timeout of a renewal; its connection is then closed."""

RETRY_S = 0.1

SETTINGS = {
    # A lease is a matter of seconds and need not survive a failover. If it waited for a standby, all nodes would be
    # dead in the database while that is away, and each would send its clients to the others.
    "synchronous_commit": "local",
    # A renewal that is abandoned while it waits for our row's lock must not leave a backend: there would be another one
    # every two seconds.
    "client_connection_check_interval": "1s",
}
"""Settings of the lease's own connection."""

CLOSE_S = 0.5
"""How long a stopping server waits for its row to expire; otherwise that happens by itself."""

MOST_TAKEN = 500
"""Correspondence games taken over with one statement: some tenths of a second."""

SLEPT_MS = 1000
"""The machine was suspended if the database's clock has advanced by so much more than ours."""

KEPT_S = 3600.0
"""How long the row of a dead node without games is kept: an append of it may still be on its way."""

# $3 is by how much game time is behind the database's clock, in ms; null while clocks are held.
_RENEW = """
INSERT INTO node (id, expires_at) VALUES ($1, now() + make_interval(secs => $2))
ON CONFLICT (id) DO UPDATE SET
    expires_at = excluded.expires_at,
    -- Not after a time in which the lease had run out, such as one of a suspended machine.
    ran_until = CASE WHEN node.expires_at < now() THEN node.ran_until
        ELSE greatest(node.ran_until, now() - make_interval(secs => $3::bigint / 1000.0)) END
RETURNING (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
"""

# Locks of others that keep events from being stored, held or requested: a request for a lock waits behind earlier ones.
# The query itself waits for nobody.
_LOCKED = """
SELECT EXISTS (
    SELECT FROM pg_locks
    WHERE locktype = 'relation' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND relation IN (to_regclass('game'), to_regclass('event'))
        AND mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
)
"""

# The row stays until nobody needs `ran_until` any more.
_EXPIRE = """
UPDATE node SET expires_at = now(), ran_until = coalesce(now() - make_interval(secs => $2::bigint / 1000.0), ran_until)
WHERE id = $1
"""

_FORGET_DEAD = """
DELETE FROM node WHERE expires_at <= now() - make_interval(secs => $1)
    AND NOT EXISTS (SELECT FROM game WHERE owner = node.id AND status <> 'over')
"""

# $1 is the id of the taker, which must be alive and not draining. A game that changed hands after it was seen has
# another epoch. The comparison is not redundant: a row that was waited for is checked again, but against the node rows
# as they were before, so the new owner would count as dead. A board of a running simul belongs to the simul's leader
# (simuls/).
_SEEN = """
seen AS MATERIALIZED (
    SELECT id, epoch, created_at FROM game
    WHERE {which}
        AND NOT EXISTS (SELECT FROM node WHERE id = game.owner AND id <> $1 AND expires_at > now())
        AND EXISTS (SELECT FROM node WHERE id = $1 AND expires_at > now() AND NOT is_draining)
        AND (simul IS NULL OR EXISTS (
            SELECT FROM simul WHERE id = game.simul AND (owner = $1 OR status NOT IN ('created', 'running'))
        ))
)
"""

# Its clocks have been stopped since the previous node ended or released it. Without a record of when that was nobody is
# charged. A correspondence clock runs on at once.
TAKEN = """
    owner = $1, epoch = game.epoch + 1,
    stopped_at = CASE WHEN game.deadline IS NULL THEN
        coalesce(game.stopped_at, (SELECT least(now(), ran_until) FROM node WHERE id = game.owner), game.created_at)
    END,
    deadline = game.deadline + (
        now() - coalesce(game.stopped_at, (SELECT least(now(), ran_until) FROM node WHERE id = game.owner), now())
    )
"""

_TAKE_OVER = f"""
WITH {_SEEN.format(which="status <> 'over' AND owner IS DISTINCT FROM $1")}, free AS MATERIALIZED (
    SELECT game.id FROM game JOIN seen ON game.id = seen.id AND game.epoch = seen.epoch
    ORDER BY seen.created_at DESC LIMIT $2 FOR UPDATE OF game SKIP LOCKED
)
UPDATE game SET {TAKEN} FROM free WHERE game.id = free.id
RETURNING game.id, game.epoch, game.deadline IS NOT NULL AS is_correspondence
"""  # noqa: S608  constants only

_TAKE_OVER_GAME = f"""
WITH {_SEEN.format(which="id = $2 AND owner IS DISTINCT FROM $1")}
UPDATE game SET {TAKEN} FROM seen
WHERE game.id = seen.id AND game.epoch = seen.epoch RETURNING game.epoch
"""  # noqa: S608  constants only

_ANOTHERS_CORRESPONDENCE = "status <> 'over' AND deadline IS NOT NULL AND owner IS DISTINCT FROM $1"

_TAKE_OVER_CORRESPONDENCE = f"""
WITH {_SEEN.format(which=_ANOTHERS_CORRESPONDENCE)}, free AS MATERIALIZED (
    SELECT game.id FROM game JOIN seen ON game.id = seen.id AND game.epoch = seen.epoch
    LIMIT $2 FOR UPDATE OF game SKIP LOCKED
)
UPDATE game SET {TAKEN} FROM free WHERE game.id = free.id
"""  # noqa: S608  constants only

# Charged is the table's own measurement since the last event with a clock: without gaps of the loop and holds.
_RELEASE = """
UPDATE game SET owner = NULL, stopped_at = coalesce(stopped_at, (
    SELECT at + make_interval(secs => freed.ms / 1000.0) FROM event
    WHERE event.game = freed.id AND payload ? 'clock' ORDER BY seq DESC LIMIT 1
))
FROM unnest($1::text[], $3::bigint[]) AS freed (id, ms) WHERE game.id = freed.id AND game.owner = $2
"""

# Only games without a later event.
_HOLD = """
UPDATE game SET stopped_at = now() - make_interval(secs => held.ms_ago / 1000.0)
FROM unnest($2::text[], $3::bigint[], $4::bigint[]) AS held (id, last_seq, ms_ago)
WHERE game.id = held.id AND game.owner = $1 AND game.last_seq = held.last_seq AND game.stopped_at IS NULL
"""

_EPOCH_OF = "SELECT epoch FROM game WHERE id = $1 AND owner = $2"

log = logging.getLogger(__name__)


def new_node_id() -> str:
    """Return a new, unique node id."""
    return f"node-{secrets.token_hex(6)}"


class OwnedGame(msgspec.Struct, frozen=True):
    """A game that we have taken over, and the fencing token for appending to it."""

    id: str
    epoch: int
    is_correspondence: bool = False
    """Whether its clock runs on without a table, so that it need not be rebuilt now."""


class Node:
    """This process among those that share the database.

    Attributes:
        id: new with every start, so a restarted process is never mistaken for the one before.
        slept_ms: total time for which the machine was suspended.
        on_back: called when a lost lease is held again, with the number of seconds the database was away.
    """

    def __init__(self, url: str, pool: Pool, node_id: str | None = None, *, on_clock: OnClock | None = None) -> None:
        self.id = node_id or new_node_id()
        self.on_back: list[Callable[[float], None]] = []
        self._url = url
        self._pool = pool
        self._loop = asyncio.get_running_loop()
        self._renewed_at = -LEASE_S
        self._locked_at: float | None = None
        """When the games' tables were first seen locked, since they were last seen free."""
        self.slept_ms = 0
        self._clocks: tuple[int, float] | None = None
        """The database's clock in µs and ours in s, as of the last renewal."""
        self._connection: Connection | None = None
        self._task: asyncio.Task[None] | None = None
        self._on_clock = on_clock
        self._clocks_behind_ms: Callable[[], int | None] = lambda: 0
        self._stopped_at: float | None = None
        """When clocks ran last, if they were stopped for good."""

    def follow_clocks(self, behind_ms: Callable[[], int | None]) -> None:
        """Charge clocks by ``behind_ms`` at every renewal: by how much game time may be behind the database's clock
        since a move was made; None while clocks are held."""
        self._clocks_behind_ms = behind_ms

    def stop_clocks(self) -> None:
        """Note that no clock runs from now on: later renewals charge nothing."""
        behind_ms = self._clocks_behind_ms()
        if behind_ms is not None:
            self._stopped_at = self._loop.time() - behind_ms / 1000
        self._clocks_behind_ms = lambda: None

    async def start(self, *, expire_others: bool = False) -> None:
        """Insert the node's row and start renewing it. Raises connection errors.

        ``expire_others``: the caller knows that no other server uses this database (it holds the lock file of an
        embedded one), so other nodes are dead and need not be waited for.
        """
        await self._renew()
        name_process(node=self.id)
        log.info("this node is %s", self.id)
        if expire_others:
            await self.expire_others()
        await self._pool.execute(_FORGET_DEAD, KEPT_S)
        self._task = asyncio.create_task(self._keep(), name="node lease")

    async def close(self) -> None:
        """Give up the lease, which frees all our games at once. After ``stop_clocks`` time is charged up to that."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._renewed_at = -LEASE_S
        stopped_ms_ago = None if self._stopped_at is None else int((self._loop.time() - self._stopped_at) * 1000)
        try:
            await self._query(_EXPIRE, self.id, stopped_ms_ago, timeout_s=CLOSE_S)
        except FAILURES as error:
            log.warning("the node's row stays until it expires: %s", error)
        self._drop_connection()

    async def drain(self) -> None:
        """Take over nothing any more, and tell others that we are about to stop. Raises database errors."""
        await self._pool.execute("UPDATE node SET is_draining = true WHERE id = $1", self.id)

    def is_leased(self) -> bool:
        """Return whether the lease is valid, so that this node may decide anything."""
        return self.unheard_s() < LEASE_S

    def unheard_s(self) -> float:
        """Return the time since the last renewal; after ``EXPIRY_S`` others may own our games."""
        return self._loop.time() - self._renewed_at

    def locked_ms(self) -> int:
        """Return for how long another session's lock has kept events from being stored, as far as was seen, even if
        none waits."""
        return 0 if self._locked_at is None else int((self._loop.time() - self._locked_at) * 1000)

    async def expire_others(self) -> None:
        """Declare all other nodes dead."""
        await self._pool.execute("UPDATE node SET expires_at = now() WHERE id <> $1 AND expires_at > now()", self.id)

    async def take_over(self, limit: int) -> list[OwnedGame]:
        """Take over at most ``limit`` unfinished games without a live owner, newest first.

        Call again until it returns fewer. Nodes that do so concurrently share the games.
        """
        rows = await self._pool.fetch(_TAKE_OVER, self.id, limit)
        return [OwnedGame(row["id"], row["epoch"], row["is_correspondence"]) for row in rows]

    async def take_over_correspondence(self) -> None:
        """Take over all correspondence games without a live owner, in batches. Their deadlines are moved by the time
        without an owner; no table is rebuilt."""
        taken = f"UPDATE {MOST_TAKEN}"
        while taken == f"UPDATE {MOST_TAKEN}":
            taken = await self._pool.execute(_TAKE_OVER_CORRESPONDENCE, self.id, MOST_TAKEN)

    async def take_over_game(self, game_id: str) -> int | None:
        """Take over a game, finished or not, that has no live owner; return its epoch.

        None if another node owns it (or there is no such game, or our own lease is out): ask that node, or retry. A
        game that is ours keeps its epoch, even if it became so just now (``take_over``): its table may be in memory,
        and another epoch would fence its appends.
        """
        epoch: int | None = await self._pool.fetchval(_TAKE_OVER_GAME, self.id, game_id)
        if epoch is None:
            epoch = await self._pool.fetchval(_EPOCH_OF, game_id, self.id)
        return epoch

    async def release(self, thought_ms: Mapping[str, int]) -> None:
        """Release these games; their last appends must have been answered.

        ``thought_ms``: by game, the thinking time of the side to move since the last event with a clock.
        """
        await self._pool.execute(_RELEASE, list(thought_ms), self.id, list(thought_ms.values()))

    async def note_held(self, held: Sequence[tuple[str, int, int]]) -> None:
        """Store for games of ours (id, number of the last event) for how many ms their clocks have been held."""
        games, seqs, ms_ago = zip(*held, strict=True)
        await self._pool.execute(_HOLD, self.id, games, seqs, ms_ago)

    # The lease

    async def _keep(self) -> None:
        lost = False
        while True:
            pause_s = RENEW_S
            last = self._renewed_at
            try:
                await self._renew()
            except FAILURES as error:
                self._drop_connection()
                pause_s = RETRY_S
                if not lost and not self.is_leased():
                    lost = True
                    log.warning("the lease is lost (%s): nothing is decided until it is back", error)
            else:
                lost = False
                if self._renewed_at - last > LEASE_S:
                    for call in self.on_back:
                        call(self._renewed_at - last)
                    log.warning("the lease had expired for %.1f s", self._renewed_at - last - LEASE_S)
            await asyncio.sleep(pause_s)

    async def _renew(self) -> None:
        if self._connection is None or self._connection.is_closed():
            self._connection = await connect(self._url, name=f"zeitnot lease {self.id}", settings=SETTINGS)
        asked_at = self._loop.time()  # the lease counts from before the query: the answer may have been slow
        # A node without a lease has held the clocks since, or is about to.
        behind_ms = self._clocks_behind_ms() if self.is_leased() else None
        unix_us = await self._query(_RENEW, self.id, EXPIRY_S, behind_ms, timeout_s=RENEW_TIMEOUT_S)
        self._renewed_at = asked_at
        if self._clocks is not None:
            more_ms = (unix_us - self._clocks[0]) // 1000 - int((self._loop.time() - self._clocks[1]) * 1000)
            self.slept_ms += more_ms if more_ms > SLEPT_MS else 0
        self._clocks = unix_us, self._loop.time()
        if self._on_clock is not None:
            self._on_clock(unix_us * 1000, int(asked_at * 1e9), int(self._loop.time() * 1e9))
        is_locked = await self._query(_LOCKED, timeout_s=RENEW_TIMEOUT_S)
        self._locked_at = (self._locked_at or self._loop.time()) if is_locked else None

    async def _query(self, statement: str, *arguments: object, timeout_s: float) -> Any:
        """Run a statement on the lease's own connection, which is closed if the answer does not come in time."""
        if self._connection is None:
            raise ConnectionError("not connected")
        watchdog = self._loop.call_later(timeout_s, self._connection.terminate)
        try:
            return await self._connection.fetchval(statement, *arguments)
        finally:
            watchdog.cancel()

    def _drop_connection(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None
