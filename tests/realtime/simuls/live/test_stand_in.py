"""A stand-in plays for the host: on a real database, with a fake clock."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from lobby.accounts.identity import create_guest
from lobby.accounts.user import User
from lobby.errors import Unavailable
from realtime.fanout.subscription import Subscription
from realtime.games.chat_rooms import ChatRooms
from realtime.games.seats import Seats
from realtime.games.table_view import send_legal
from realtime.simuls.live import acting_hosts
from realtime.simuls.store import archive, leadership
from simul import commands as c
from simul.draft import Draft
from simul.setup import draft_of
from simul.state import AWAY_AFTER_MS
from tests.realtime.fake_time import FakeTime
from tests.realtime.simul_harness import House, house, refusal, settled
from tests.realtime.table_harness import Ear
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

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
    assert [table.seats.chat_room(user.id) for user in (host, deputy, players[0])] == ["players", None, "players"]
    clock = table.game.clock
    assert clock is not None
    assert clock.held is None
    assert server.simuls.acting_hosts.absence(actor.id) is None


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


async def test_who_plays_for_the_host_has_no_chat(server: House) -> None:
    actor, _ = await server.start(2)
    table, deputy, stranger = server.table(actor, 1), await named(server, actor), User("stranger", "Stranger", "guest")
    ears: list[Any] = [Ear(deputy), Ear(stranger), Ear()]
    for ear in ears:
        table.join(ear, Subscription())
    rooms = ChatRooms(table.topic, table.seats)

    def heard(text: str) -> list[bool]:
        rooms.write("spectators", stranger, text, None, server.time.now_ms(), 0)
        return [text in [message.get("text") for message in ear.heard] for ear in ears]

    assert heard("who is better?") == [True, True, True]
    host = actor.state.host
    await actor.submit(c.HandOver(by=host.id), host, None, "simul.hand_over")
    await actor.submit(c.TakeOver(by=deputy.id), deputy, None, "simul.take_over")
    assert heard("Rxd5 wins") == [False, True, True]
    await actor.submit(c.HandOver(by=deputy.id), deputy, None, "simul.hand_over")
    assert heard("thanks") == [True, True, True]


async def test_a_stand_in_is_told_that_they_are_named(server: House) -> None:
    actor, _ = await server.start(2)
    deputy, host = await named(server, actor), actor.state.host

    def told() -> list[tuple[str, str]]:
        return [(user, body["simul"]) for user, body in server.people.sent if body["t"] == "simul.stand_in"]

    assert told() == [(deputy.id, actor.id)]
    draft = msgspec.structs.replace(draft_of(actor.state.setup), name="Another name")
    await actor.submit(c.Edit(by=host.id, draft=draft), host, None, "simul.edit")
    assert len(told()) == 1
    new = (await server.simuls.create(host, Draft(name="The next", tc=None), (), None, deputy))["simul"]
    assert told() == [(deputy.id, actor.id), (deputy.id, new)]
    # Whoever is away is told when they come, once.
    server.people.here.discard(deputy.id)
    later = (await server.simuls.create(host, Draft(name="Later", tc=None), (), None, deputy))["simul"]
    server.simuls.tick()
    assert len(told()) == 2
    server.people.here.add(deputy.id)
    for _ in range(2):
        server.simuls.tick()
    assert told()[2:] == [(deputy.id, later)]


async def test_seats_change_only_with_who_plays(server: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A simul may have a thousand boards."""
    actor, _ = await server.start(2)
    changed: list[Seats] = []
    monkeypatch.setattr(Seats, "change_host", lambda seats, subscribers: changed.append(seats))
    deputy, host = await named(server, actor), actor.state.host
    server.leave(actor)
    await server.wait(actor, AWAY_AFTER_MS)
    server.come(actor)
    await settled(actor)
    await actor.submit(c.HandOver(by=host.id), host, None, "simul.hand_over")
    assert changed == []
    await actor.submit(c.TakeOver(by=deputy.id), deputy, None, "simul.take_over")
    assert len(changed) == 2


def listener(actor: SimulActor) -> Callable[[], list[bool]]:
    """Let somebody listen to the simul; return what they are told, once a second, of whoever plays for the host."""
    ear: Any = Ear()
    actor.topic.add(ear, Subscription(player=True))  # so that messages are not sent in one write

    def told() -> list[bool]:
        ear.heard.clear()
        actor.audience.publish_crowd()
        return [message["host_online"] for message in ear.heard if message["t"] == "simul.crowd"]

    assert told() == [True]
    return told


async def test_all_are_told_whether_whoever_plays_is_connected(server: House) -> None:
    actor, _ = await server.start(2)
    deputy, told = await named(server, actor), listener(actor)
    server.leave(actor)
    assert told() == [False]
    await server.wait(actor, AWAY_AFTER_MS)
    assert told() == []
    await actor.submit(c.TakeOver(by=deputy.id), deputy, None, "simul.take_over")
    assert told() == [True]
    server.simuls.presence(deputy.id, False)
    assert told() == [False]
    await actor.submit(c.TakeOver(by=actor.state.host.id), actor.state.host, None, "simul.take_over")
    server.come(actor)
    assert told() == [True]


async def test_nobody_is_told_whether_the_other_of_the_two_is_connected(server: House) -> None:
    actor, _ = await server.start(2)
    told = listener(actor)
    deputy, host = await named(server, actor), actor.state.host
    for here in (False, True):
        server.simuls.presence(deputy.id, here)
        assert told() == []
    await actor.submit(c.HandOver(by=host.id), host, None, "simul.hand_over")
    await actor.submit(c.TakeOver(by=deputy.id), deputy, None, "simul.take_over")
    told()
    for here in (False, True):
        server.simuls.presence(host.id, here)
        assert told() == []


async def test_a_board_is_shown_without_a_replica_that_does_not_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acting_hosts, "SYNC_S", 0.01)
    replica = SimpleNamespace(live=None, until_known=lambda user: asyncio.Event().wait())
    replicas: Any = SimpleNamespace(peek=lambda simul: replica)
    no_load: Any = None  # not asked for a board of another node
    with pytest.raises(Unavailable):
        await acting_hosts.ActingHosts({}, {}, replicas, no_load, lambda: 0).find_acting_host("s1", owned=False)


@pytest.mark.parametrize("status", ["created", "running", "acting"])
async def test_a_closed_account_is_no_stand_in(server: House, status: str) -> None:
    actor, _ = await (server.announce(1) if status == "created" else server.start(1))
    deputy = await (taken_over if status == "acting" else named)(server, actor)
    await server.pool.execute("UPDATE person SET closed_at = now(), kind = 'member' WHERE id = $1", deputy.id)
    server.simuls.rename(User(deputy.id, "gone", "member"))
    await until(lambda: actor.state.stand_in is None)
    assert actor.state.acting_host == actor.state.host


async def test_account_closed_without_a_leader_is_no_stand_in(pool: Pool, database_url: str) -> None:
    time = FakeTime(1_000_000)
    async with house(pool, database_url, time) as server:
        actor, _ = await server.start(1)
        deputy = await taken_over(server, actor)
    await pool.execute("UPDATE person SET closed_at = now(), kind = 'member' WHERE id = $1", deputy.id)
    async with house(pool, database_url, time) as server:
        again = await server.taken(actor.id)
        await until(lambda: again.state.stand_in is None)
        assert again.state.acting_host == again.state.host


async def test_a_stand_in_who_drops_out_counts_as_the_host(server: House) -> None:
    actor, _ = await server.start(2)
    deputy = await taken_over(server, actor)
    server.people.here.discard(deputy.id)
    server.simuls.presence(deputy.id, False)
    await server.wait(actor, AWAY_AFTER_MS)
    assert server.simuls.acting_hosts.absence(actor.id) == (AWAY_AFTER_MS, 600_000)


async def test_it_survives_a_crash(pool: Pool, database_url: str) -> None:
    time = FakeTime(1_000_000)
    async with house(pool, database_url, time) as server:
        actor, _ = await server.start(2)
        deputy = await taken_over(server, actor)
    async with house(pool, database_url, time) as server:
        server.people.here.add(deputy.id)
        actor = await server.taken(actor.id)
        assert actor.state.acting_host.id == deputy.id
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
        known = [seats.knows_side(user.id, table.game, owned=True) for user in (host, deputy, *players)]
        assert known == [False, False, True, False]
        assert seats.knows_side(None, table.game, owned=True)
        waiting = [asyncio.create_task(seats.until_side_known(owned=True)) for _ in range(3)]
        await asyncio.sleep(0)
        assert not any(task.done() for task in waiting)
        may_read.set()
        await asyncio.gather(*waiting)
        assert [seats.acts_for(user.id) for user in (host, deputy)] == [None, "w"]
        actor = await loading
        assert actor.state.acting_host.id == deputy.id
        assert seats.knows_side(host.id, table.game, owned=True)
        with pytest.raises(Unavailable):
            await server.simuls.acting_hosts.find_acting_host("nosuch", owned=True)


async def test_a_board_without_its_simul_loads_it(pool: Pool, database_url: str) -> None:
    time = FakeTime(1_000_000)
    async with house(pool, database_url, time) as server:
        actor, _ = await server.start(2)
        deputy, game = await taken_over(server, actor), actor.state.boards[0].game
    async with house(pool, database_url, time) as server:
        await leadership.take_boards(pool, server.node.id, actor.id)
        table = await server.tables.own(game)
        assert not table.seats.knows_side(deputy.id, table.game, owned=True)
        await table.seats.until_side_known(owned=True)
        assert server.simuls.peek(actor.id) is not None
        assert table.seats.acts_for(deputy.id) == "w"


async def test_those_who_may_play_for_the_host_are_told(server: House) -> None:
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
