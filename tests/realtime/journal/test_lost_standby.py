"""Synchronous standby: a commit counts once the standby has it, also after an unknown outcome."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from lobby import commit_marker, standby
from lobby.accounts.identity import create_guest
from realtime.journal.appends import Committed, Outcome
from realtime.journal.journal import Journal
from realtime.journal.nodes import Node
from realtime.journal.rated_ends import RatedEnds
from realtime.journal.rated_transaction import Rated
from realtime.ops.metrics import Metrics
from realtime.postgres import database
from realtime.postgres.embedded import EmbeddedPostgres
from realtime.postgres.migrate import migrate
from tests.realtime.postgres_harness import parent
from tests.realtime.rated_harness import end_of, make_member, make_rated_game
from tests.realtime.stored_games import NODE, append_of, make_games
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from realtime.postgres.database import Pool

__all__ = ["parent"]

pytestmark = pytest.mark.timeout(60)


class Primary:
    """A database whose commits wait for a standby, which is away from ``lose`` until ``done``."""

    def __init__(self, url: str, pool: Pool) -> None:
        self.url = url
        self.pool = pool

    async def lose(self) -> None:
        """From now on nobody's commit ends. PostgreSQL takes the setting into use a moment after it was told."""
        await self._say("SET synchronous_standby_names = 'nobody'")
        await until(self._commit_waits)

    async def _commit_waits(self) -> bool:
        commit = asyncio.create_task(self.pool.execute("SELECT pg_logical_emit_message(true, 'probe', '')"))
        waiting = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"

        async def waits_or_ends() -> bool:
            return commit.done() or await self.pool.fetchval(waiting) is not None

        await until(waits_or_ends)
        was_over = commit.done()
        await commit
        return not was_over

    async def done(self) -> None:
        """The standby has everything."""
        await self._say("RESET synchronous_standby_names")

    async def _say(self, what: str) -> None:
        await self.pool.execute(f"ALTER SYSTEM {what}")
        await self.pool.execute("SELECT pg_reload_conf()")

    async def waiting(self, name: str) -> int | None:
        """The backend of the connection called ``name`` whose commit waits for the standby."""
        pid: int | None = await self.pool.fetchval(
            "SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND wait_event = 'SyncRep'", name
        )
        return pid

    async def lose_once(self, name: str, answered: Callable[[], object]) -> None:
        """End the backend of the connection called ``name`` while its commit waits, and wait until another commit of
        it does, or it has ``answered``."""
        waiting: list[int] = []

        async def waits() -> bool:
            pid = await self.waiting(name)
            if answered() or (pid is not None and pid not in waiting):
                waiting.append(pid or 0)
                return True
            return False

        await until(waits)
        await self.pool.execute("SELECT pg_terminate_backend($1, 5000)", waiting[0])
        await until(waits)


class Failures:
    """Counts the tries of a journal that failed."""

    failed = 0

    def batch_stored(self, *, rows: int, waited_s: float, took_s: float) -> None:
        pass

    def batch_failed(self, trouble: database.Trouble | None) -> None:
        self.failed += 1


@pytest.fixture
async def primary(parent: Path) -> AsyncIterator[Primary]:
    settings = {"wal_level": "replica", "max_wal_senders": "2"}
    async with EmbeddedPostgres(parent / "data", settings=settings) as postgres:
        await migrate(postgres.url)
        pool = await database.create_pool(postgres.url)
        yield Primary(postgres.url, pool)
        pool.terminate()


async def test_move_in_doubt_counts_once_standby_has_it(primary: Primary) -> None:
    """The move is on the primary's disk only, where the next connection sees it."""
    (game,) = await make_games(primary.pool, 1)
    journal = Journal(primary.url, NODE)
    await journal.start()
    outcomes: list[Outcome] = []
    await primary.lose()
    journal.append(append_of(game, 1, outcomes.append))
    await primary.lose_once(f"zeitnot journal {NODE}", lambda: outcomes)
    assert await primary.pool.fetchval("SELECT count(*) FROM event WHERE game = $1", game) == 1, "it can be seen"
    assert outcomes == []
    await primary.done()
    await journal.flush()
    assert outcomes == [Committed()]
    await journal.close()


@pytest.mark.slow("a standby is away for seconds")
async def test_lost_standby_does_not_exhaust_connections(primary: Primary, monkeypatch: pytest.MonkeyPatch) -> None:
    """PostgreSQL does not notice a closed client while a commit waits for a standby."""
    monkeypatch.setattr(standby, "WAIT_S", 0.1)
    (game,) = await make_games(primary.pool, 1)
    metrics = Failures()
    journal = Journal(primary.url, NODE, metrics)
    await journal.start()
    outcomes: list[Outcome] = []
    await primary.lose()
    journal.append(append_of(game, 1, outcomes.append))
    await primary.lose_once(f"zeitnot journal {NODE}", lambda: outcomes)
    before = metrics.failed
    await until(lambda: metrics.failed >= before + 3)
    here = "SELECT count(*) FROM pg_stat_activity WHERE application_name = $1"
    assert await primary.pool.fetchval(here, f"zeitnot journal {NODE}") == 1
    assert outcomes == []
    await primary.done()
    await journal.flush()
    assert outcomes == [Committed()]
    await journal.close()


async def test_rated_end_in_doubt_counts_once_standby_has_it(primary: Primary) -> None:
    game = await make_rated_game(primary.pool, *[await make_member(primary.pool) for _ in "wb"])
    ends = RatedEnds(primary.url, NODE, Metrics())
    ends.start()
    outcomes: list[Outcome] = []
    await primary.lose()
    ends.append(end_of(game, "1-0", outcomes.append))
    await primary.lose_once(f"zeitnot rated ends {NODE}", lambda: outcomes)
    assert await primary.pool.fetchval("SELECT status FROM game WHERE id = $1", game) == "over", "it can be seen"
    assert outcomes == []
    await primary.done()
    await ends.flush()
    assert [type(outcome) for outcome in outcomes] == [Rated]
    await ends.close()


async def test_commit_marker_counts_once_standby_has_it(primary: Primary) -> None:
    user, _ = await create_guest(primary.pool)
    mark, pool = commit_marker.new_marker(user.id), await database.create_pool(primary.url, name="lobby")
    await primary.lose()

    async def change() -> None:
        async with pool.acquire() as connection, connection.transaction():
            await commit_marker.put(connection, mark)

    async def waits() -> bool:
        return await primary.waiting("lobby") is not None

    changing = asyncio.create_task(change())
    await until(waits)
    await primary.pool.execute("SELECT pg_cancel_backend($1)", await primary.waiting("lobby"))
    await changing  # like a commit whose wait was cancelled by asyncpg, without an error
    asking = asyncio.create_task(commit_marker.is_committed(pool, mark))

    async def waits_or_knows() -> bool:
        return asking.done() or await waits()

    await until(waits_or_knows)
    assert not asking.done()
    await primary.done()
    assert await asking is True
    pool.terminate()


@pytest.mark.slow("a standby is away for seconds")
async def test_leases_are_renewed_without_the_standby(primary: Primary) -> None:
    """Otherwise each node would take all others for dead and send its clients to them."""
    node = Node(primary.url, primary.pool, NODE)
    await node.start()
    await primary.lose()
    lost_at = asyncio.get_running_loop().time()
    await until(lambda: node._renewed_at > lost_at)
    assert await primary.pool.fetchval("SELECT expires_at > now() FROM node WHERE id = $1", NODE)
    await primary.done()
    await node.close()
