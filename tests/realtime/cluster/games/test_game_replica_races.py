"""Game replicas: races between reading the journal and other events."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from realtime.cluster.bus.bus import Exchange
from realtime.cluster.games import game_replica as mirror_module
from realtime.cluster.games import game_replicas as mirrors_module
from realtime.games import loading
from realtime.games.delay.delayed_reads import past_with, published_since
from tests.realtime.cluster.fleet import Socket, fleet
from tests.realtime.cluster.meeting import end_lease
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import Callable

    from realtime.journal.appends import Append, Outcome
    from realtime.postgres.database import Pool


async def test_replica_that_became_owner_shows_no_event_twice(
    database_url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    exchange, is_read, may_show = Exchange(), asyncio.Event(), asyncio.Event()

    async def slowly(*arguments: Any) -> Any:
        found = await published_since(*arguments)
        is_read.set()
        await may_show.wait()
        return found

    async with fleet(database_url, pool, "a", "b", exchange=exchange) as (a, b):
        new = await a.new_game()
        white, watcher = Socket(a, new.white), Socket(b, None)
        await watcher.sub(new.id)
        exchange.is_lost = lambda sender, node, data: True
        await white.ask("move", g=new.id, ply=0, move="e2e4")
        monkeypatch.setattr(mirror_module, "published_since", slowly)
        source = b.table(new.id).source
        assert isinstance(source, mirror_module.GameReplica)
        source.read()
        await is_read.wait()
        await end_lease(a.node, pool)
        assert await b.node.take_over_game(new.id)
        await b.tables.adopt_all((new.id,))
        assert watcher.seqs() == [1]
        may_show.set()
        for _ in range(20):
            await asyncio.sleep(0)
        assert watcher.seqs() == [1]


async def test_replica_does_not_show_older_state_than_client_has(database_url: str, pool: Pool) -> None:
    exchange = Exchange()
    async with fleet(database_url, pool, "a", "b", exchange=exchange) as (a, b):
        new = await a.new_game()
        white, watcher = Socket(a, new.white), Socket(b, None)
        await watcher.sub(new.id)
        exchange.is_lost = lambda sender, node, data: True
        await white.ask("move", g=new.id, ply=0, move="e2e4")
        comer = Socket(b, None)
        await comer.sub(new.id, **{"from": 1})
        assert next(body for body in comer.heard if body["t"] == "ok")["seq"] == 1
        assert "game" not in comer.kinds()
        assert (await comer.ask("sub", topic=f"game:{new.id}", **{"from": 9}))["seq"] == 1  # of no game that there is
        assert "game" in comer.kinds()


async def test_client_ahead_of_unreadable_journal_is_refused(
    database_url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*arguments: Any) -> Any:
        raise ConnectionResetError

    exchange = Exchange()
    async with fleet(database_url, pool, "a", "b", exchange=exchange) as (a, b):
        new = await a.new_game()
        white, watcher, comer = Socket(a, new.white), Socket(b, None), Socket(b, None)
        await watcher.sub(new.id)
        exchange.is_lost = lambda sender, node, data: True
        await white.ask("move", g=new.id, ply=0, move="e2e4")
        monkeypatch.setattr(mirror_module, "published_since", never)
        assert (await comer.ask("sub", topic=f"game:{new.id}", **{"from": 1}))["code"] == "unavailable"


async def test_answered_requests_are_forgotten(database_url: str, pool: Pool) -> None:
    async with fleet(database_url, pool, "a", "b") as (a, b):
        new = await a.new_game()
        white = Socket(b, new.white)
        await white.sub(new.id)
        a.tables.evict(a.table(new.id))
        assert (await white.ask("move", g=new.id, ply=0, move="e2e4"))["t"] == "ok"
        await until(lambda: not a.games.forwarder._sessions)


async def test_failed_journal_read_is_retried(database_url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    tries, may_read = 0, False

    async def unwillingly(*arguments: Any) -> Any:
        nonlocal tries
        tries += 1
        if not may_read:
            raise ConnectionResetError
        return await published_since(*arguments)

    exchange = Exchange()
    async with fleet(database_url, pool, "a", "b", exchange=exchange) as (a, b):
        new = await a.new_game()
        white, black, watcher = Socket(a, new.white), Socket(a, new.black), Socket(b, None)
        await watcher.sub(new.id)
        exchange.is_lost = lambda sender, node, data: True
        await white.ask("move", g=new.id, ply=0, move="e2e4")
        await asyncio.sleep(0)
        exchange.is_lost = lambda sender, node, data: False
        monkeypatch.setattr(mirror_module, "published_since", unwillingly)
        await black.ask("move", g=new.id, ply=1, move="e7e5")
        await until(lambda: tries >= 3)
        assert watcher.seqs() == []
        may_read = True
        await until(lambda: watcher.seqs() == [1, 2])


async def test_replica_keeps_retrying_after_hours(database_url: str, pool: Pool) -> None:
    async with fleet(database_url, pool, "a", "b") as (a, b):
        new = await a.new_game()
        await b.tables.get(new.id)
        source = b.table(new.id).source
        assert isinstance(source, mirror_module.GameReplica)
        source.tries = 5000
        source.attach()
        assert not source.is_attached
        await until(lambda: source.is_attached)


async def test_replicas_reattach_in_bounded_groups(
    database_url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mirrors_module, "ATTACHED_AT_ONCE", 2)
    async with fleet(database_url, pool, "a", "b") as (a, b):
        games = [(await a.new_game()).id for _ in range(7)]
        for game in games:
            await b.tables.get(game)
        sources = [b.table(game).source for game in games]
        b.games.replicas._missed("a")
        await asyncio.sleep(0)
        b.games.replicas._missed("a")  # once more while that is under way
        await asyncio.sleep(0)
        await until(lambda: not b.games.replicas._attaching)
        await until(lambda: all(source is not None and source.is_attached for source in sources))


async def test_journal_answer_after_loss_of_game_is_not_published(database_url: str, pool: Pool) -> None:
    async with fleet(database_url, pool, "a", "b") as (a, b):
        new = await a.new_game()
        white, watcher = Socket(a, new.white), Socket(a, None)
        await white.sub(new.id)
        await watcher.sub(new.id)
        table = a.table(new.id)
        done = table._done
        answers: list[Outcome] = []
        a.journal.append = _withheld(a.journal.append, answers)  # type: ignore[method-assign,assignment]  # as after a cut cable
        number = white.request("move", g=new.id, ply=0, move="e2e4")
        await until(lambda: bool(answers))
        await pool.execute("UPDATE game SET owner = 'b', epoch = epoch + 1 WHERE id = $1", new.id)
        await b.tables.adopt_all((new.id,))
        table.lose()
        await until(lambda: watcher.seqs() == [1])
        done(answers[0])
        assert watcher.seqs() == white.seqs() == [1]
        answer = next(body for body in white.heard if body.get("id") == number)
        assert answer["code"] == "unavailable"
        assert (await white.ask("move", g=new.id, ply=0, move="e2e4"))["seq"] == 1


def _withheld(append: Callable[[Append], None], answers: list[Outcome]) -> Callable[[Append], None]:
    return lambda one: append(msgspec.structs.replace(one, done=answers.append))


async def test_events_dropped_during_a_read_are_read_again(
    database_url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mirror_module, "PENDING", 0)
    exchange, is_read, may_show = Exchange(), asyncio.Event(), asyncio.Event()

    async def slowly(*arguments: Any) -> Any:
        found = await published_since(*arguments)
        is_read.set()
        await may_show.wait()
        return found

    async with fleet(database_url, pool, "a", "b", exchange=exchange) as (a, b):
        new = await a.new_game()
        white, black, watcher = Socket(a, new.white), Socket(a, new.black), Socket(b, None)
        await watcher.sub(new.id)
        exchange.is_lost = lambda sender, node, data: True
        await white.ask("move", g=new.id, ply=0, move="e2e4")
        exchange.is_lost = lambda sender, node, data: False
        monkeypatch.setattr(mirror_module, "published_since", slowly)
        source = b.table(new.id).source
        assert isinstance(source, mirror_module.GameReplica)
        source.read()
        await is_read.wait()
        await black.ask("move", g=new.id, ply=1, move="e7e5")
        await until(lambda: source._dropped == 2)
        may_show.set()
        await until(lambda: watcher.seqs() == [1, 2])


async def test_rows_read_before_lease_expiry_are_not_used(
    database_url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The node is suspended between the read of the rows and the rebuild: the game may have a new owner by then."""
    async with fleet(database_url, pool, "a", "b") as (a, b):
        new = await a.new_game()
        watcher = Socket(b, None)
        await watcher.sub(new.id)
        await end_lease(a.node, pool)
        assert await b.node.take_over_game(new.id)

        async def stopped(*arguments: Any) -> Any:
            found = await past_with(*arguments)
            monkeypatch.setattr(b.node, "is_leased", lambda: False)
            return found

        with monkeypatch.context() as patch:
            patch.setattr(loading, "past_with", stopped)
            await b.tables.adopt_all((new.id,))
        assert b.table(new.id).epoch is None
        monkeypatch.undo()
        await b.tables.adopt_all((new.id,))
        assert b.table(new.id).epoch == 2


async def test_partial_takeover_is_announced_to_other_nodes(
    database_url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A node with a replica of such a game attaches to the new owner at once."""
    async with fleet(database_url, pool, "a", "b", "c") as (a, b, c):
        games = [(await a.new_game()).id for _ in range(3)]
        for game in games:
            await Socket(c, None).sub(game)
        await pool.execute("UPDATE game SET owner = 'b', epoch = 2 WHERE id = ANY ($1::text[])", games)
        read: list[str] = []

        async def breaks(*arguments: Any) -> Any:
            read.append(arguments[1].id)
            if len(read) == 2:
                raise ConnectionResetError("cut")
            return await past_with(*arguments)

        monkeypatch.setattr(loading, "past_with", breaks)
        with pytest.raises(ConnectionResetError):
            await b.tables.adopt_all(games)
        assert [game for game in games if b.tables.has(game)] == read[:1]

        def owner_shown(game: str) -> str | None:
            source = c.table(game).source
            assert isinstance(source, mirror_module.GameReplica)
            return source.owner

        await until(lambda: owner_shown(read[0]) == "b")
