"""Commit marker: proof that one transaction was committed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import asyncpg
import pytest
from asyncpg.transaction import Transaction

from lobby import commit_marker, ledger, store
from lobby.accounts.closing import delete_account
from lobby.accounts.export import PARTS
from lobby.accounts.identity import create_guest
from lobby.commit_marker import is_committed, new_marker, put
from lobby.errors import Unavailable
from realtime.postgres import database, embedded
from realtime.postgres.embedded import EmbeddedPostgres
from tests.lobby.conftest import World, wanted
from tests.realtime.postgres_harness import parent

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from lobby.commit_marker import CommitMarker
    from lobby.ports import Pool

__all__ = ["parent"]

pytestmark = pytest.mark.timeout(60)


@pytest.fixture
async def mark(pool: Pool) -> CommitMarker:
    user, _ = await create_guest(pool)
    return new_marker(user.id)


async def test_marker_exists_if_and_only_if_its_transaction_was_committed(pool: Pool, mark: CommitMarker) -> None:
    other = new_marker(mark.person)
    async with pool.acquire() as connection:
        async with connection.transaction():
            await put(connection, mark)
            assert await is_committed(pool, mark) is None, "it is at work"
            assert await is_committed(pool, other) is False
        assert await is_committed(pool, mark) is True
        transaction = connection.transaction()
        await transaction.start()
        await put(connection, other)
        await transaction.rollback()
    assert await is_committed(pool, other) is False
    assert await is_committed(pool, mark) is True


async def test_transaction_of_a_dead_backend_is_not_committed(
    pool: Pool, database_url: str, mark: CommitMarker
) -> None:
    connection: Any = await database.connect(database_url, name="lost")
    await connection.transaction().start()
    await put(connection, mark)
    assert await is_committed(pool, mark) is None
    await pool.execute("SELECT pg_terminate_backend($1, 5000)", connection.get_server_pid())
    assert await is_committed(pool, mark) is False
    with pytest.raises((asyncpg.PostgresError, asyncpg.InterfaceError, OSError)):
        await connection.execute("COMMIT")
    await connection.close()


async def test_marker_can_be_read_concurrently(pool: Pool, mark: CommitMarker) -> None:
    async with pool.acquire() as connection, connection.transaction():
        await put(connection, mark)
    assert await asyncio.gather(*(is_committed(pool, mark) for _ in range(20))) == [True] * 20


async def test_marker_key_cannot_be_sent_by_a_client(mark: CommitMarker, pool: Pool) -> None:
    assert len(mark.key) > store.MAX_KEY
    assert len({new_marker(mark.person) for _ in range(1000)}) == 1000
    assert await pool.fetchval(f"SELECT {commit_marker.IS_REQUEST} FROM (SELECT $1::text AS key)", "k" * store.MAX_KEY)
    assert not await pool.fetchval(f"SELECT {commit_marker.IS_REQUEST} FROM (SELECT $1::text AS key)", mark.key)


async def test_marker_survives_account_deletion_and_ends_after_a_day(world: World) -> None:
    anna = await world.member()
    mark = new_marker(anna.id)
    async with world.pool.acquire() as connection, connection.transaction():
        assert await commit_marker.claim_key(connection, mark, "k") is None
    assert [row["key"] for row in await told_requests(world.pool, anna.id)] == ["k"]
    await delete_account(world.pool, anna)
    assert await world.pool.fetchval("SELECT key FROM request WHERE person = $1", anna.id) == mark.key
    assert await is_committed(world.pool, mark)
    await world.pool.execute("UPDATE request SET at = now() - interval '2 days'")
    await world.lobby.tick()
    assert await world.pool.fetchval("SELECT count(*) FROM request") == 0


async def told_requests(pool: Pool, person: str) -> list[Any]:
    rows = await pool.fetch(PARTS["requests"].query(is_first=True), person)
    return list(rows)


async def test_standby_gives_no_answer_about_a_commit(parent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may lag behind: a missing marker does not mean that the transaction was not committed."""
    monkeypatch.setitem(embedded.SETTINGS, "wal_level", "replica")
    async with EmbeddedPostgres(parent / "data") as primary:
        pool = await database.create_pool(primary.url)
        await pool.execute("CREATE TABLE request (person text, key text, reply jsonb)")
        mark, lost = new_marker("anna"), new_marker("anna")
        async with pool.acquire() as connection, connection.transaction():
            await put(connection, mark)
        assert [await is_committed(pool, one) for one in (mark, lost)] == [True, False]
        await pool.close()
    (parent / "data" / "cluster" / "standby.signal").touch()
    async with EmbeddedPostgres(parent / "data") as standby:
        pool = await database.create_pool(standby.url)
        assert await pool.fetchval("SELECT pg_is_in_recovery()")
        assert [await is_committed(pool, one) for one in (mark, lost)] == [None, None]
        assert await pool.fetchval("SELECT pg_promote()")
        assert [await is_committed(pool, one) for one in (mark, lost)] == [True, False]
        await pool.close()


async def test_repeated_request_is_distinguished_from_the_one_in_doubt(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its commit failed. A second request with the same key and the same reply does not prove it committed."""
    anna, bert = await world.guest(), await world.guest()
    challenge = (await world.lobby.challenge(anna, wanted(), to=bert.name))["challenge"]

    async def lose(transaction: Transaction) -> None:
        await transaction.rollback()
        raise ConnectionResetError("cable cut")

    async def away(pool: Pool, mark: CommitMarker) -> bool | None:
        raise ConnectionRefusedError("away")

    with monkeypatch.context() as patched:
        patched.setattr(ledger, "CHECK_AFTER_S", (0.0,))
        patched.setattr(commit_marker, "is_committed", away)
        with pytest.MonkeyPatch.context() as cut:
            cut.setattr(Transaction, "commit", lose)
            with pytest.raises(Unavailable):
                await world.lobby.challenge_decline(bert, challenge, key="k")
        assert await world.lobby.challenge_decline(bert, challenge, key="k") == {}
        told = len(world.server.told)
    assert len(world.lobby._ledger._in_doubt) == 1
    await world.lobby.tick()
    assert not world.lobby._ledger._in_doubt
    assert len(world.server.told) == told
