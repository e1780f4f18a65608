"""A stand-in plays for the host: on a real database, with a fake clock."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from lobby.accounts.identity import create_guest
from lobby.accounts.user import User
from lobby.errors import Unavailable
from realtime.fanout.subscription import Subscription
from realtime.games.table_view import send_legal
from realtime.simuls.store import archive
from simul import commands as c
from simul.setup import draft_of
from simul.state import AWAY_AFTER_MS
from tests.realtime.fake_time import FakeTime
from tests.realtime.simul_harness import House, house, refusal, settled
from tests.realtime.table_harness import Ear
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from realtime.postgres.database import Pool
    from realtime.simuls.live.simul_actor import SimulActor
    from simul.state import Simul


@pytest.fixture
async def server(pool: Pool, database_url: str) -> AsyncIterator[House]:
    async with house(pool, database_url) as server:
        yield server


async def named(server: House, actor: SimulActor) -> User:
    """Name a connected stand-in."""
    deputy, _ = await create_guest(server.pool)
    server.people.here.add(deputy.id)
    host = actor.state.host
    edit = c.Edit(by=host.id, draft=draft_of(actor.state.setup), stand_in=deputy)
    await actor.submit(edit, host, None, "simul.edit")
    return deputy


async def taken_over(server: House, actor: SimulActor) -> User:
    deputy = await named(server, actor)
    server.leave(actor)
    await server.wait(actor, AWAY_AFTER_MS)
    await actor.submit(c.TakeOver(by=deputy.id), deputy, None, "simul.take_over")
    await settled(actor)
    return deputy


async def test_the_stand_in_plays_the_hosts_side_and_the_host_does_not(server: House) -> None:
    actor, players = await server.start(2)
    host, table = actor.state.host, server.table(actor, 1)
    deputy = await named(server, actor)
    assert [table.seats.acts_for(user.id) for user in (host, deputy, players[0])] == ["w", None, "b"]
    server.leave(actor)
    await server.wait(actor, AWAY_AFTER_MS)
    assert await refusal(actor, c.TakeOver(by=players[0].id), players[0]) == "forbidden"
    await actor.submit(c.TakeOver(by=deputy.id), deputy, None, "simul.take_over")
    await settled(actor)
    assert [table.seats.acts_for(user.id) for user in (host, deputy, players[0])] == [None, "w", "b"]
    assert table.seats.speaker(table.game, host.id) is None
    # The private chat of the players stays theirs, and the game the host's.
    assert table.seats.color_of(deputy.id) is None
    clock = table.game.clock
    assert clock is not None
    assert clock.held is None
    assert server.simuls.host_side.absence(actor.id) is None


async def test_the_host_gets_it_back(server: House) -> None:
    actor, _ = await server.start(2)
    deputy = await taken_over(server, actor)
    server.come(actor)
    await server.wait(actor, AWAY_AFTER_MS)
    host, seats = actor.state.host, server.table(actor, 1).seats
    assert [seats.acts_for(user.id) for user in (host, deputy)] == [None, "w"]
    await actor.submit(c.TakeOver(by=host.id), host, None, "simul.take_over")
    assert [seats.acts_for(user.id) for user in (host, deputy)] == ["w", None]


async def test_only_the_sockets_of_who_plays_are_at_the_seat(server: House) -> None:
    """They get the legal moves, and their lag counts. Others see a snapshot that is nobody's."""
    actor, players = await server.start(2)
    host, table = actor.state.host, server.table(actor, 1)
    deputy = await named(server, actor)
    ears: dict[str, Any] = {user.id: Ear(user) for user in (host, deputy, players[0])}
    for user, ear in ears.items():
        table.join(ear, Subscription(legal=True, player=user != deputy.id))

    def at_seat() -> set[str]:
        return {connection.user.id for connection in table.seats.white.connections if connection.user is not None}

    assert at_seat() == {host.id}
    await actor.submit(c.HandOver(by=host.id), host, None, "simul.hand_over")
    assert at_seat() == {host.id}
    await actor.submit(c.TakeOver(by=deputy.id), deputy, None, "simul.take_over")
    assert at_seat() == {deputy.id}
    table.join(ears[host.id], Subscription(player=True))
    assert at_seat() == {deputy.id}
    send_legal(table)
    assert [ear.user.id for ear in ears.values() if "legal" in ear.kinds()] == [deputy.id]
    await actor.submit(c.HandOver(by=deputy.id), deputy, None, "simul.hand_over")
    assert at_seat() == {host.id}


async def test_a_closed_account_is_no_stand_in(server: House) -> None:
    actor, _ = await server.announce(1)
    deputy = await named(server, actor)
    await server.pool.execute("UPDATE person SET closed_at = now(), kind = 'member' WHERE id = $1", deputy.id)
    server.simuls.rename(User(deputy.id, "gone", "member"))
    await until(lambda: actor.state.stand_in is None)


async def test_a_stand_in_who_drops_out_counts_as_the_host(server: House) -> None:
    actor, _ = await server.start(2)
    deputy = await taken_over(server, actor)
    server.people.here.discard(deputy.id)
    server.simuls.presence(deputy.id, False)
    await server.wait(actor, AWAY_AFTER_MS)
    assert server.simuls.host_side.absence(actor.id) == (AWAY_AFTER_MS, 600_000)


async def test_it_survives_a_crash(pool: Pool, database_url: str) -> None:
    time = FakeTime(1_000_000)
    async with house(pool, database_url, time) as server:
        actor, _ = await server.start(2)
        deputy = await taken_over(server, actor)
    async with house(pool, database_url, time) as server:
        server.people.here.add(deputy.id)
        actor = await server.taken(actor.id)
        assert actor.state.conductor.id == deputy.id
        assert actor.state.gone_since is None
        assert server.table(actor, 1).seats.acts_for(deputy.id) == "w"
        assert server.table(actor, 1).seats.acts_for(actor.state.host.id) is None


async def test_nobody_acts_for_the_host_before_it_is_known_who_does(
    pool: Pool, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a crash a board may be in memory before its simul."""
    time, may_read, read_state = FakeTime(1_000_000), asyncio.Event(), archive.read_state

    async def read_late(pool: Pool, simul_id: str) -> Simul:
        await may_read.wait()
        return await read_state(pool, simul_id)

    async with house(pool, database_url, time) as server:
        actor, players = await server.start(2)
        deputy, host, game = await taken_over(server, actor), actor.state.host, actor.state.boards[0].game
    monkeypatch.setattr(archive, "read_state", read_late)
    async with house(pool, database_url, time) as server:
        loading = asyncio.create_task(server.taken(actor.id))
        await until(lambda: server.tables.has(game))
        table = server.tables.peek(game)
        assert table is not None
        seats = table.seats
        unsure = [seats.is_unsure(user.id, table.game, owned=True) for user in (host, deputy, *players)]
        assert unsure == [True, True, False, True]
        assert not seats.is_unsure(None, table.game, owned=True)
        waiting = [asyncio.create_task(seats.until_sure(owned=True)) for _ in range(3)]
        await asyncio.sleep(0)
        assert not any(task.done() for task in waiting)
        may_read.set()
        await asyncio.gather(*waiting)
        assert [seats.acts_for(user.id) for user in (host, deputy)] == [None, "w"]
        actor = await loading
        assert actor.state.conductor.id == deputy.id
        assert not seats.is_unsure(host.id, table.game, owned=True)
        with pytest.raises(Unavailable):
            await server.simuls.host_side.find_conductor("nosuch", owned=True)


async def test_a_board_without_its_simul_loads_it(pool: Pool, database_url: str) -> None:
    time = FakeTime(1_000_000)
    async with house(pool, database_url, time) as server:
        actor, _ = await server.start(2)
        deputy, game = await taken_over(server, actor), actor.state.boards[0].game
    async with house(pool, database_url, time) as server:
        await archive.take_boards(pool, server.node.id, actor.id)
        table = await server.tables.own(game)
        assert table.seats.is_unsure(deputy.id, table.game, owned=True)
        await table.seats.until_sure(owned=True)
        assert server.simuls.peek(actor.id) is not None
        assert table.seats.acts_for(deputy.id) == "w"


async def test_those_who_conduct_it_are_told(server: House) -> None:
    actor, _ = await server.start(2)
    host = actor.state.host
    server.simuls.tick()
    assert server.simuls.hosting.of(host.id) == [actor.id]
    assert (host.id, {"t": "simul.hosting", "simuls": [actor.id]}) in server.people.sent
    told = len(server.people.sent)
    server.simuls.tick()
    assert len(server.people.sent) == told
    deputy = await named(server, actor)
    server.simuls.tick()
    assert server.simuls.hosting.of(deputy.id) == []
    server.leave(actor)
    await server.wait(actor, AWAY_AFTER_MS)
    server.simuls.tick()
    assert (deputy.id, {"t": "simul.hosting", "simuls": [actor.id]}) in server.people.sent
