"""Storage of simuls: each decision is written in one transaction before it takes effect.

Append is compare-and-set on (owner, epoch, number of the last event), as for games, so two servers never both write.
The client's key is claimed in the same transaction, so a repeated request gets the same answer.

If the connection breaks during a commit, the transaction's marker (``lobby/commit_marker.py``) tells afterwards whether
it was committed. The simul waits until then: its next decision depends on it.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from lobby import commit_marker
from lobby import store as lobby_store
from lobby.accounts.profile import with_countries
from lobby.errors import Conflict, Unavailable
from lobby.ledger import DATABASE_ERRORS
from lobby.pairing import NewGame
from realtime.journal.appends import Cause
from realtime.journal.game_rows import insert_games
from realtime.simuls.store.names import without_names
from realtime.simuls.store.ratings import with_ratings
from simul import events as e
from simul.events import AnySimulEvent, encode_event

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    import asyncpg
    from asyncpg.pool import PoolConnectionProxy

    from game_core.errors import Refusal
    from lobby.accounts.user import User
    from simul.setup import SimulSetup
    from simul.state import Simul

    Pool = asyncpg.Pool[asyncpg.Record]
    Connection = PoolConnectionProxy[asyncpg.Record]

OPEN_OF_ONE = 5
"""Maximum number of announced or running simuls of one host."""

RETRY_S = (0.05, 0.2, 0.5, 1.0)
"""Delays before asking for the outcome of a doubtful commit; after these, once a second."""

# $4 is the number of the last event; $6 holds the columns changed by an event, the others keep their value.
_APPEND = """
WITH ours AS (
    UPDATE simul SET
        last_n = last_n + jsonb_array_length($5::jsonb),
        status = coalesce($6::jsonb ->> 'status', status),
        name = coalesce($6::jsonb ->> 'name', name),
        setup = coalesce($6::jsonb -> 'setup', setup),
        score = coalesce($6::jsonb -> 'score', score),
        applicants = coalesce(($6::jsonb ->> 'applicants')::int, applicants),
        players = coalesce(($6::jsonb ->> 'players')::int, players),
        boards = coalesce(($6::jsonb ->> 'boards')::int, boards),
        start_at = CASE WHEN $6::jsonb ? 'setup'
                   THEN to_timestamp(($6::jsonb #>> '{setup,start_at}')::bigint / 1000.0) ELSE start_at END,
        started_at = coalesce(to_timestamp(($6::jsonb ->> 'started_ms')::bigint / 1000.0), started_at),
        ended_at = coalesce(to_timestamp(($6::jsonb ->> 'ended_ms')::bigint / 1000.0), ended_at)
    WHERE id = $1 AND owner = $2 AND epoch = $3 AND last_n = $4 RETURNING id
), stored AS (
    INSERT INTO simul_event (simul, n, kind, payload, cause)
    SELECT ours.id, $4 + place, payload ->> 'kind', payload - 'kind', CASE WHEN place = 1 THEN $7::jsonb END
    FROM ours, jsonb_array_elements($5::jsonb) WITH ORDINALITY AS listed (payload, place)
)
SELECT id FROM ours
"""

_OURS = "SELECT id FROM simul WHERE id = $1 AND owner = $2 AND epoch = $3 FOR SHARE"

_CREATE = """
INSERT INTO simul (id, host, name, setup, owner, epoch, created_at, start_at)
VALUES ($1, $2, $3, $4, $5, 1, to_timestamp($6 / 1000.0), to_timestamp($7 / 1000.0))
RETURNING (extract(epoch FROM clock_timestamp()) * 1000)::bigint
"""

log = logging.getLogger(__name__)


class SimulFenced(Exception):
    """Another server leads the simul, or its log has moved on: nothing was written."""


class SimulAppend(msgspec.Struct, frozen=True, kw_only=True):
    """One atomic write."""

    simul: str
    host: str
    epoch: int
    last_n: int
    events: tuple[AnySimulEvent, ...]
    row: dict[str, Any]
    """Changed columns of the simul's row."""
    games: tuple[NewGame, ...] = ()
    prepared: tuple[tuple[str, e.Prepared], ...] = ()
    """Prepared moves, with the ids of their games."""
    cause: Cause | None = None


class Written(msgspec.Struct, frozen=True):
    """The outcome of a write."""

    reply: dict[str, Any] | None = None
    """The stored answer to the same key; nothing was written in that case."""
    games: tuple[NewGame, ...] = ()
    """The games, with their players' initial ratings."""
    now_ms: int = 0
    """For a new simul: the present by the database's clock, in Unix ms."""


class SimulStore:
    """Writer of simuls, on the connections of the pool, for one node."""

    def __init__(self, pool: Pool, node: str) -> None:
        self.pool = pool
        self.node = node

    async def write(self, page: SimulAppend, reply: dict[str, Any]) -> Written:
        """Store ``page``; ``reply`` is kept for its key.

        Raises:
            Fenced: this node does not lead the simul.
            Refusal: ``unavailable``, the database failed and nothing was written.
        """

        async def work(connection: Connection) -> Written:
            await self._append(connection, page)
            games = await with_countries(connection, await with_ratings(connection, page.games))
            if games:
                await insert_games(connection, games, owner=self.node, epoch=1)
            for game, prepared in page.prepared:
                await _keep_prepared(connection, game, prepared)
            return Written(games=games)

        return await self._commit(page.host, page.cause, reply, work)

    async def write_new(self, created: e.Created, cause: Cause) -> Written:
        """Store a new simul, which this node leads.

        Raises:
            Refusal: ``conflict``, its host has ``OPEN_OF_ONE``; ``unavailable``.
        """
        reply = {"simul": created.id}

        async def work(connection: Connection) -> Written:
            await _check_open(connection, created.host.id)
            setup = created.setup
            now_ms = await connection.fetchval(
                _CREATE,
                created.id,
                created.host.id,
                setup.name,
                _setup_column(setup, created.stand_in),
                self.node,
                float(created.at_ms),
                None if setup.start_at is None else float(setup.start_at),
            )
            page = SimulAppend(
                simul=created.id, host=created.host.id, epoch=1, last_n=0, events=(created,), row={}, cause=cause
            )
            await self._append(connection, page)
            return Written(now_ms=now_ms)

        return await self._commit(created.host.id, cause, reply, work)

    async def reply_to(self, user: str, key: str) -> dict[str, Any] | None:
        """Return the stored answer to the user's request with ``key``; None: the key is new. Raises ``Refusal``."""
        try:
            return await lobby_store.find_reply(self.pool, user, key)
        except DATABASE_ERRORS as error:
            raise _unavailable() from error

    async def _append(self, connection: Connection, page: SimulAppend) -> None:
        logged = [event for event in page.events if event.kept == "log"]
        if not logged:
            # The host's prepared moves are not in the log, so no other node may take over the simul before they are
            # stored.
            if await connection.fetchval(_OURS, page.simul, self.node, page.epoch) is None:
                raise SimulFenced(page.simul)
            return
        rows = []
        for event in logged:
            kind, payload = encode_event(event)
            rows.append({**without_names(payload), "kind": kind})
        cause = None if page.cause is None else msgspec.to_builtins(page.cause)
        found = await connection.fetchval(
            _APPEND, page.simul, self.node, page.epoch, page.last_n, rows, page.row, cause
        )
        if found is None:
            raise SimulFenced(page.simul)
        came = [event.person.user.id for event in logged if isinstance(event, e.Joined)]
        went = [event.user for event in logged if isinstance(event, e.Left | e.Rejected | e.Kicked)]
        if came:
            await connection.execute(
                "INSERT INTO simul_player (simul, person) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING",
                page.simul,
                came,
            )
        if went:
            await connection.execute(
                "DELETE FROM simul_player WHERE simul = $1 AND person = ANY ($2::text[])", page.simul, went
            )
        if any(isinstance(event, e.Finished) for event in logged):
            await connection.execute(
                "DELETE FROM simul_prepared WHERE game IN (SELECT id FROM game WHERE simul = $1)", page.simul
            )

    async def _commit(
        self, host: str, cause: Cause | None, reply: dict[str, Any], work: Callable[[Connection], Awaitable[Written]]
    ) -> Written:
        mark = commit_marker.new_marker(host if cause is None else cause.user)
        written: Written | None = None
        try:
            async with self.pool.acquire() as connection:
                transaction = connection.transaction()
                await transaction.start()
                try:
                    done = await _once(connection, mark, None if cause is None else cause.key, reply, work)
                except BaseException:
                    with suppress(*DATABASE_ERRORS):
                        await transaction.rollback()
                    raise
                written = done
                await transaction.commit()
                return written
        except DATABASE_ERRORS as error:
            if written is None:
                log.warning("events of a simul could not be stored: %r", error)
                raise _unavailable() from error
            # At the commit, or when the connection was returned after it.
            log.warning("connection lost during the commit of a simul's events: %r", error)
        if not await self._is_committed(mark):
            raise _unavailable()
        return written

    async def _is_committed(self, mark: commit_marker.CommitMarker) -> bool:
        pauses = iter(RETRY_S)
        while True:
            await asyncio.sleep(next(pauses, 1.0))
            try:
                committed = await commit_marker.is_committed(self.pool, mark)
            except DATABASE_ERRORS:
                continue
            if committed is not None:
                return committed


async def _once(
    connection: Connection,
    mark: commit_marker.CommitMarker,
    key: str | None,
    reply: dict[str, Any],
    work: Callable[[Connection], Awaitable[Written]],
) -> Written:
    if key is None:
        written = await work(connection)
        await commit_marker.put(connection, mark)
        return written
    said = await commit_marker.claim_key(connection, mark, key)
    if said is not None:
        return Written(said)
    await lobby_store.set_reply(connection, mark.person, key, reply)
    return await work(connection)


async def _check_open(connection: Connection, host: str) -> None:
    """Refuse another simul if the host has reached the limit. A concurrent creation on another node waits until this
    one counts.
    """
    await connection.execute("SELECT FROM person WHERE id = $1 FOR NO KEY UPDATE", host)
    count = await connection.fetchval(
        "SELECT count(*) FROM simul WHERE host = $1 AND status IN ('created', 'running')", host
    )
    if count >= OPEN_OF_ONE:
        raise Conflict(f"you have {OPEN_OF_ONE} simuls that are not over: end or cancel one first")


async def _keep_prepared(connection: Connection, game: str, prepared: e.Prepared) -> None:
    if prepared.move is None:
        await connection.execute("DELETE FROM simul_prepared WHERE game = $1", game)
    else:
        await connection.execute(
            """
            INSERT INTO simul_prepared (game, ply, move) VALUES ($1, $2, $3)
            ON CONFLICT (game) DO UPDATE SET ply = excluded.ply, move = excluded.move
            """,
            game,
            prepared.ply,
            prepared.move,
        )


def row_after(state: Simul, events: Sequence[AnySimulEvent]) -> dict[str, Any]:
    """Return the columns of the row of ``state`` after ``events``, which have not been applied: the list entry of a
    simul that is in no node's memory. Attendance is as before the events.
    """
    row: dict[str, Any] = {"applicants": len(state.applicants), "players": len(state.players)}
    for event in events:
        if isinstance(event, e.Edited):
            stand_in = state.stand_in if event.stand_in is msgspec.UNSET else event.stand_in
            row |= {"name": event.setup.name, "setup": _setup_column(event.setup, stand_in)}
        elif isinstance(event, e.Started):
            row |= {"status": "running", "started_ms": event.at_ms, "boards": len(event.seats), "players": 0}
        elif isinstance(event, e.BoardAdded):
            row["boards"] = event.seat.board
        elif isinstance(event, e.Cancelled):
            row |= {"status": "cancelled", "ended_ms": event.at_ms}
        elif isinstance(event, e.Finished):
            score = {"score": msgspec.to_builtins(event.score), "final": msgspec.to_builtins(event.final)}
            row |= {"status": "finished", "ended_ms": event.at_ms, "score": score}
    return row


def _setup_column(setup: SimulSetup, stand_in: User | None) -> dict[str, Any]:
    """Return the column ``setup``, with the stand-in's id for their list of simuls."""
    column: dict[str, Any] = msgspec.to_builtins(setup)
    return column if stand_in is None else {**column, "stand_in": stand_in.id}


def _unavailable() -> Refusal:
    return Unavailable("the database is not responding; try again")
