"""Leases by the database's clock, and games that change owner exactly once."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from realtime.journal import nodes
from realtime.journal.appends import Committed, Fenced, Outcome
from realtime.journal.journal import Journal
from realtime.journal.nodes import Node
from realtime.postgres import database
from tests.realtime.stored_games import append_of, make_games
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from realtime.postgres.database import Connection, Pool


@asynccontextmanager
async def node(url: str, pool: Pool, name: str) -> AsyncIterator[Node]:
    running = Node(url, pool, name)
    await running.start()
    try:
        yield running
    finally:
        await running.close()


@pytest.fixture(autouse=True)
async def _nothing_left_to_take(pool: Pool) -> None:
    await pool.execute("UPDATE game SET status = 'over'")
    await pool.execute("DELETE FROM node")


async def enter(pool: Pool, name: str, *, expires_in_s: float) -> None:
    """The row of a node that renews no more."""
    await pool.execute(
        "INSERT INTO node (id, expires_at) VALUES ($1, now() + make_interval(secs => $2)) "
        "ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at",
        name,
        expires_in_s,
    )


async def owner_of(pool: Pool, game: str) -> tuple[str | None, int]:
    row = await pool.fetchrow("SELECT owner, epoch FROM game WHERE id = $1", game)
    assert row is not None
    return row["owner"], row["epoch"]


@pytest.mark.parametrize(
    ("owner", "expires_in_s", "epoch"),
    [(None, None, 2), ("gone", None, 2), ("dead", -0.001, 2), ("alive", 60, None), ("b", None, 1)],
    ids=["no owner", "an owner without a row", "an expired owner", "a living owner", "ours already"],
)
async def test_game_is_not_taken_from_live_owner(
    database_url: str, pool: Pool, owner: str | None, expires_in_s: float | None, epoch: int | None
) -> None:
    (game,) = await make_games(pool, 1, owner=owner)
    if owner is not None and expires_in_s is not None:
        await enter(pool, owner, expires_in_s=expires_in_s)
    async with node(database_url, pool, "b") as b:
        assert await b.take_over_game(game) == epoch
    assert await owner_of(pool, game) == ((owner, 1) if epoch is None else ("b", epoch))


async def test_unknown_game_is_not_taken(database_url: str, pool: Pool) -> None:
    async with node(database_url, pool, "b") as b:
        assert await b.take_over_game("nowhere") is None


async def test_finished_game_is_taken_by_id_only(database_url: str, pool: Pool) -> None:
    (game,) = await make_games(pool, 1, owner=None, status="over")
    async with node(database_url, pool, "b") as b:
        assert await b.take_over(10) == []
        assert await b.take_over_game(game) == 2


async def test_expired_node_takes_no_games(database_url: str, pool: Pool) -> None:
    (game,) = await make_games(pool, 1, owner=None)
    b = Node(database_url, pool, "b")
    await enter(pool, "b", expires_in_s=-1)
    assert await b.take_over(10) == []
    assert await b.take_over_game(game) is None


async def test_draining_node_takes_no_games_and_keeps_its_own(database_url: str, pool: Pool) -> None:
    (ours,), (another,) = await make_games(pool, 1, owner="b"), await make_games(pool, 1, owner=None)
    async with node(database_url, pool, "b") as b:
        await b.drain()
        assert await b.take_over(10) == []
        assert await b.take_over_game(another) is None
        assert await b.take_over_game(ours) == 1


async def test_takeover_respects_the_limit(database_url: str, pool: Pool) -> None:
    games = await make_games(pool, 5, owner=None)
    async with node(database_url, pool, "b") as b:
        first, second = await b.take_over(3), await b.take_over(3)
        assert (len(first), len(second)) == (3, 2)
        assert {owned.id for owned in first + second} == set(games)
        assert {owned.epoch for owned in first + second} == {2}
        assert await b.take_over(3) == []


async def test_simultaneous_takeovers_share_the_games(database_url: str, pool: Pool) -> None:
    games = await make_games(pool, 60, owner="dead")
    async with node(database_url, pool, "b") as b, node(database_url, pool, "c") as c:

        async def take_all(taker: Node) -> list[str]:
            taken: list[str] = []
            while owned := await taker.take_over(7):
                taken += [game.id for game in owned]
            return taken

        shares = await asyncio.gather(take_all(b), take_all(c), take_all(b))
    taken = [game for share in shares for game in share]
    assert sorted(taken) == sorted(games)
    assert {(await owner_of(pool, game))[1] for game in games} == {2}


async def test_locked_row_is_skipped(database_url: str, pool: Pool) -> None:
    one, two = await make_games(pool, 2, owner=None)
    async with node(database_url, pool, "b") as b, pool.acquire() as busy, busy.transaction():
        await busy.execute("SELECT FROM game WHERE id = $1 FOR UPDATE", one)
        assert [owned.id for owned in await b.take_over(10)] == [two]


async def test_takeover_that_waited_for_another_fails(database_url: str, pool: Pool) -> None:
    (game,) = await make_games(pool, 1, owner="dead")
    await enter(pool, "c", expires_in_s=60)
    async with node(database_url, pool, "b") as b:
        async with pool.acquire() as c, c.transaction():
            await c.execute("UPDATE game SET owner = 'c', epoch = epoch + 1 WHERE id = $1", game)
            waiting = asyncio.create_task(b.take_over_game(game))
            waits = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%seen%' AND wait_event_type = 'Lock'"
            await until(lambda: pool.fetchval(waits))
        assert await waiting is None
    assert await owner_of(pool, game) == ("c", 2)


async def test_simultaneous_takeovers_of_a_node_take_game_once(database_url: str, pool: Pool) -> None:
    (game,) = await make_games(pool, 1, owner="dead")
    async with node(database_url, pool, "b") as b:
        async with pool.acquire() as other, other.transaction():
            await other.execute("UPDATE game SET owner = 'b', epoch = epoch + 1 WHERE id = $1", game)
            waiting = asyncio.create_task(b.take_over_game(game))
            waits = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%seen%' AND wait_event_type = 'Lock'"
            await until(lambda: pool.fetchval(waits))
        assert await waiting == 2
    assert await owner_of(pool, game) == ("b", 2)


async def test_released_games_are_free_at_once(database_url: str, pool: Pool) -> None:
    one, two = await make_games(pool, 2, owner=None)
    async with node(database_url, pool, "b") as b, node(database_url, pool, "c") as c:
        await b.take_over(2)
        await c.release({one: 0, two: 0})
        assert await c.take_over(2) == []
        await b.release({one: 0})
        assert [(owned.id, owned.epoch) for owned in await c.take_over(2)] == [(one, 3)]


async def test_closed_node_leaves_its_games_to_others(database_url: str, pool: Pool) -> None:
    (game,) = await make_games(pool, 1, owner=None)
    async with node(database_url, pool, "c") as c:
        async with node(database_url, pool, "b") as b:
            await b.take_over(1)
            assert await c.take_over_game(game) is None
        assert not b.is_leased()
        assert await c.take_over_game(game) == 3


async def test_single_node_expires_others_at_start(database_url: str, pool: Pool) -> None:
    (game,) = await make_games(pool, 1, owner="a")
    await enter(pool, "a", expires_in_s=60)
    b = Node(database_url, pool, "b")
    await b.start(expire_others=True)
    assert await b.take_over_game(game) == 2
    await b.close()


@pytest.mark.parametrize("table", ["game", "event"])
async def test_table_lock_is_detected_without_appends(
    database_url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch, table: str
) -> None:
    monkeypatch.setattr(nodes, "RENEW_S", 0.01)
    async with node(database_url, pool, "b") as b:
        async with pool.acquire() as reader, reader.transaction():
            await reader.execute(f"SELECT FROM {table} LIMIT 1")
            async with pool.acquire() as other, other.transaction():
                await other.execute(f"LOCK TABLE {table} IN ROW EXCLUSIVE MODE")
                await renewed(b)
                assert b.locked_ms() == 0, "a ROW EXCLUSIVE lock blocks nobody"
            waiting = asyncio.create_task(pool.execute(f"BEGIN; LOCK TABLE {table}; COMMIT"))
            await until(lambda: b.locked_ms() > 20)
            assert b.is_leased()
        await waiting
        await until(lambda: b.locked_ms() == 0)


async def renewed(of: Node) -> None:
    """It is renewed, and has looked for locks after this was called."""
    count = 0

    def counted(*_: int) -> None:
        nonlocal count
        count += 1

    of._on_clock = counted
    await until(lambda: count == 2)


async def test_node_id_is_new_at_every_start(pool: Pool) -> None:
    assert Node("", pool).id != Node("", pool).id


# The lease


async def test_lease_is_renewed_by_database_clock(
    database_url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nodes, "RENEW_S", 0.01)
    async with node(database_url, pool, "b") as b:
        assert b.is_leased()
        left = await pool.fetchval("SELECT expires_at - now() FROM node WHERE id = 'b'")
        assert 4 < left.total_seconds() < 5.5
        first = await pool.fetchval("SELECT expires_at FROM node WHERE id = 'b'")
        await until(lambda: pool.fetchval("SELECT expires_at > $1 FROM node WHERE id = 'b'", first))
        # A row that another node removed by mistake (expire_others) is inserted again.
        await pool.execute("DELETE FROM node WHERE id = 'b'")
        await until(lambda: pool.fetchval("SELECT EXISTS (SELECT FROM node WHERE id = 'b')"))
    assert await pool.fetchval("SELECT count(*) FROM node WHERE id = 'b' AND expires_at > now()") == 0


async def test_node_without_renewal_loses_and_regains_its_lease(
    database_url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("RENEW_S", 0.01), ("RENEW_TIMEOUT_S", 0.05), ("LEASE_S", 0.1), ("RETRY_S", 0.01)):
        monkeypatch.setattr(nodes, name, value)
    async with node(database_url, pool, "b") as b:
        async with pool.acquire() as stall, stall.transaction():
            await stall.execute("LOCK TABLE node IN EXCLUSIVE MODE")
            await until(lambda: not b.is_leased())
        await until(b.is_leased)


async def test_lease_counts_from_start_of_renewal(database_url: str, pool: Pool) -> None:
    """A renewal with a late answer may have been written early."""
    b = Node(database_url, pool, "b")
    loop = asyncio.get_running_loop()
    began = loop.time()
    async with pool.acquire() as stall, stall.transaction():
        await stall.execute("LOCK TABLE node IN EXCLUSIVE MODE")
        starting = asyncio.create_task(b.start())
        waits = "SELECT count(*) FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'"
        await until(lambda: pool.fetchval(waits, "zeitnot lease b"))
        released = loop.time()
    await starting
    assert began <= b._renewed_at < released
    await b.close()


async def test_two_owners_never_both_write(database_url: str, pool: Pool) -> None:
    """The old owner keeps appending during the takeover: exactly its appends before the takeover are stored."""
    (game,) = await make_games(pool, 1, owner="a")
    old = Journal(database_url, "a")
    await old.start()
    await enter(pool, "a", expires_in_s=-1)
    outcomes: list[Outcome] = []
    halfway, fenced = asyncio.Event(), asyncio.Event()

    def play(seq: int) -> None:
        def done(outcome: Outcome) -> None:
            outcomes.append(outcome)
            if isinstance(outcome, Committed):
                play(seq + 1)
                if seq == 20:
                    halfway.set()
            else:
                fenced.set()

        old.append(append_of(game, seq, done))

    async with node(database_url, pool, "b") as b:
        new = Journal(database_url, "b")
        await new.start()
        play(1)
        await halfway.wait()
        epoch = await b.take_over_game(game)
        assert epoch == 2
        stored = await pool.fetchval("SELECT last_seq FROM game WHERE id = $1", game)
        await fenced.wait()
        answer: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        new.append(append_of(game, stored + 1, answer.set_result, epoch=2))
        assert await answer == Committed()
        await new.close()
    await old.close()
    assert outcomes == [Committed()] * stored + [Fenced()]
    assert await pool.fetchval("SELECT count(*) FROM event WHERE game = $1", game) == stored + 1


async def test_every_renewal_reports_the_database_clock(database_url: str, pool: Pool) -> None:
    told: list[tuple[int, int, int]] = []
    running = Node(database_url, pool, "timekeeper", on_clock=lambda *times: told.append(times))
    before_ns = await pool.fetchval("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 1000")
    await running.start()
    try:
        assert len(told) == 1
        await until(lambda: len(told) == 2)
    finally:
        await running.close()
    after_ns = await pool.fetchval("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 1000")
    (first, first_asked, first_told), (second, second_asked, second_told) = told
    assert before_ns <= first <= second <= after_ns
    assert first_asked <= first_told < second_asked <= second_told


async def test_abandoned_renewals_leave_no_connections(
    database_url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another session has locked the row of the node, so each renewal waits until it is given up."""
    monkeypatch.setattr(nodes, "RENEW_TIMEOUT_S", 0.1)
    given_up: list[str] = []

    async def connect(url: str, *, name: str, settings: Mapping[str, str]) -> Connection:
        given_up.append(name)
        return await database.connect(url, name=name, settings=settings)

    async def waiting() -> int:
        count: int = await pool.fetchval(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'zeitnot lease stuck'"
        )
        return count

    async with node(database_url, pool, "stuck"), pool.acquire() as other, other.transaction():
        await other.execute("SELECT FROM node WHERE id = 'stuck' FOR UPDATE")
        monkeypatch.setattr(nodes, "connect", connect)
        await until(lambda: len(given_up) > 3)

        async def few() -> bool:
            return await waiting() == 0

        monkeypatch.setattr(nodes, "RETRY_S", 60.0)
        await until(few)
    await pool.execute("DELETE FROM node WHERE id = 'stuck'")  # it had no connection left to do so itself
