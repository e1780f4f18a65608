"""Ledger: a change is made completely and once, or not at all, under database faults."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import asyncpg
import pytest
from asyncpg.transaction import Transaction

from lobby import commit_marker, ledger, store
from lobby.challenges.challenges import DAY_MS, DIRECT_MS
from lobby.errors import Unavailable
from lobby.pools.pools import PoolKey
from tests.lobby.conftest import World, wanted
from tests.realtime.until import until

if TYPE_CHECKING:
    from lobby.commit_marker import CommitMarker
    from lobby.ports import Connection, Pool

pytestmark = pytest.mark.timeout(60)


class Cable:
    """Breaks once the server has carried out a commit: its answer is lost."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.broken = 0
        commit = Transaction.commit

        async def commit_and_break(transaction: Transaction) -> None:
            await commit(transaction)
            self.broken += 1
            raise ConnectionResetError("cable cut")

        monkeypatch.setattr(Transaction, "commit", commit_and_break)
        monkeypatch.setattr(ledger, "CHECK_AFTER_S", (0.0, 0.0))


async def test_change_with_unanswered_commit_is_found_committed(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await world.guest()
    with monkeypatch.context() as patched:
        cable = Cable(patched)
        reply = await world.lobby.seek(anna, wanted())
        assert cable.broken == 1
    assert world.listed() == await world.stored() == {reply["seek"]}
    assert [event["t"] for event in world.server.events] == ["lobby.add"]


async def test_doubtful_commit_is_checked_again_when_the_database_is_back(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bert = await world.guest(), await world.guest()
    seek = (await world.lobby.seek(anna, wanted()))["seek"]

    async def away(pool: Pool, mark: CommitMarker) -> bool | None:
        raise ConnectionRefusedError("away")

    with monkeypatch.context() as patched:
        Cable(patched)
        patched.setattr(commit_marker, "is_committed", away)
        with pytest.raises(Unavailable):
            await world.lobby.accept(bert, seek, key="k")
        assert world.listed() == {seek}
        await world.lobby.tick()
        assert not world.server.opened_games
    await world.lobby.tick()
    assert world.listed() == set()
    (game,) = world.server.opened_games
    assert [len(world.messages(user, "paired")) for user in (anna, bert)] == [1, 1]
    await world.lobby.tick()
    assert len(world.server.opened_games) == 1
    assert await world.lobby.accept(bert, seek, key="k") == {"g": game.id}


async def test_transaction_still_in_progress_is_waited_for(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await world.guest()
    answers: list[bool | None] = [None, True]

    async def asked(pool: Pool, mark: CommitMarker) -> bool | None:
        return answers.pop(0)

    with monkeypatch.context() as patched:
        Cable(patched)
        patched.setattr(commit_marker, "is_committed", asked)
        await world.lobby.seek(anna, wanted())
    assert len(world.listed()) == 1


async def test_change_on_a_killed_connection_is_not_made(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await world.guest()
    insert = store.insert_seek

    async def insert_and_die(connection: Connection, seek: Any) -> None:
        await insert(connection, seek)
        pid = await connection.fetchval("SELECT pg_backend_pid()")
        await world.pool.execute("SELECT pg_terminate_backend($1, 5000)", pid)

    with monkeypatch.context() as patched:
        patched.setattr(store, "insert_seek", insert_and_die)
        patched.setattr(ledger, "CHECK_AFTER_S", (0.0,))
        with pytest.raises(Unavailable):
            await world.lobby.seek(anna, wanted(), key="k")
    assert world.listed() == await world.stored() == set()
    await world.lobby.tick()
    assert world.listed() == set()
    # The key was not used up, and the place in the limit was given back.
    reply = await world.lobby.seek(anna, wanted(), key="k")
    assert world.listed() == {reply["seek"]}
    assert world.lobby._seeks._arriving == {}


async def test_full_disk_of_the_database_is_unavailable_and_logged(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def full(connection: Connection, seek: Any) -> None:
        raise asyncpg.DiskFullError("no space left")

    monkeypatch.setattr(store, "insert_seek", full)
    with pytest.raises(Unavailable):
        await world.lobby.seek(await world.guest(), wanted())
    assert "no space left" in caplog.text
    assert world.listed() == await world.stored() == set()


async def test_reads_while_the_database_is_down_are_unavailable(world: World) -> None:
    anna = await world.guest()
    await world.pool.close()
    with pytest.raises(Unavailable):
        await world.lobby.challenges_of(anna)
    with pytest.raises(Unavailable):
        await world.lobby.seek(anna, wanted())


async def test_tick_continues_while_the_database_is_down(world: World, caplog: pytest.LogCaptureFixture) -> None:
    await world.pool.close()
    await world.lobby.tick()
    assert "trying again in a second" in caplog.text


async def test_seek_is_listed_although_a_later_pairing_fails(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, bert = await world.guest(), await world.guest()

    async def fail(connection: Connection, people: Any) -> Any:
        raise ConnectionResetError("cable cut")

    with monkeypatch.context() as patched:
        patched.setattr(store, "lock_seeks", fail)
        # Neither finds the other before both are stored; then the one listed later tries to pair them.
        replies = await asyncio.gather(*(world.lobby.seek(user, wanted()) for user in (anna, bert)))
    assert world.listed() == {reply["seek"] for reply in replies}
    assert not any("g" in reply for reply in replies)


async def test_returning_owner_stays_listed_while_the_database_is_down(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    anna, bert = await world.guest(), await world.guest()
    await world.lobby.seek(anna, wanted())
    world.lobby.left(anna.id)
    await world.lobby.seek(bert, wanted())

    async def fail(connection: Connection, people: Any) -> Any:
        raise ConnectionResetError("cable cut")

    monkeypatch.setattr(store, "lock_seeks", fail)
    world.lobby.came(anna.id)
    await world.lobby.close()
    assert "could not process" in caplog.text
    assert len(world.listed()) == 2


async def test_old_challenges_and_keys_are_deleted(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    challenge = (await world.lobby.challenge(anna, wanted(), to=bert.name, key="k"))["challenge"]
    await world.lobby.challenge_decline(bert, challenge)
    await world.lobby.tick()
    assert await world.lobby.challenge_card(challenge) is not None
    await world.pool.execute("UPDATE request SET at = now() - interval '2 days'")
    world.now_ms += 60 * DAY_MS
    await world.restart()
    await world.lobby.tick()
    assert await world.lobby.challenge_card(challenge) is None
    assert await world.pool.fetchval("SELECT count(*) FROM request") == 0


async def test_fault_in_one_step_of_a_tick_does_not_stop_the_others(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    anna, bert, carl = [await world.guest() for _ in range(3)]
    await world.lobby.challenge(anna, wanted(), to=bert.name)
    await world.lobby.pool_join(bert, PoolKey("3+2", rated=False))
    await world.lobby.pool_join(carl, PoolKey("3+2", rated=False))

    async def broken() -> None:
        raise KeyError("a fault")

    monkeypatch.setattr(world.lobby._seeks, "expire", broken)
    world.now_ms += DIRECT_MS
    await world.tick(2)
    assert len(world.server.opened_games) == 1
    assert await world.lobby.challenges_of(anna) == []
    assert "a fault" in caplog.text


async def test_concurrent_changes_leave_connections_for_other_work(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For any number of concurrent changes; one that waits too long is refused and nothing is done."""
    people = [await world.guest() for _ in range(ledger.CHANGES_AT_ONCE + 3)]
    insert, may_go, under_way = store.insert_seek, asyncio.Event(), list[Any]()

    async def insert_slowly(connection: Connection, seek: Any) -> None:
        under_way.append(seek)
        await may_go.wait()
        await insert(connection, seek)

    monkeypatch.setattr(store, "insert_seek", insert_slowly)
    first, late = people[:-1], people[-1]
    asked = [asyncio.create_task(world.lobby.seek(person, wanted(color="w"))) for person in first]
    await until(lambda: len(under_way) == ledger.CHANGES_AT_ONCE)
    idle = world.pool.get_max_size() - ledger.CHANGES_AT_ONCE
    assert idle > 0
    assert await asyncio.gather(*(world.pool.fetchval("SELECT 1") for _ in range(2 * idle))) == [1] * 2 * idle
    with monkeypatch.context() as patched:
        patched.setattr(ledger, "QUEUE_S", 0.0)
        with pytest.raises(Unavailable, match="nothing was done"):
            await world.lobby.seek(late, wanted(color="w"), key="k")
    assert len(under_way) == ledger.CHANGES_AT_ONCE
    may_go.set()
    made = {reply["seek"] for reply in await asyncio.gather(*asked)}
    assert world.listed() == await world.stored() == made
    # The key is free, and the place was given back.
    reply = await world.lobby.seek(late, wanted(color="w"), key="k")
    assert world.listed() == {*made, reply["seek"]}
