"""Simul actor: the one writer of a simul, on a real database, with a fake clock."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from asyncpg.transaction import Transaction

from game_core import commands as g
from game_core.errors import Refusal
from lobby.ledger import DATABASE_ERRORS
from realtime.dispatch.verbs.games import BUILDERS
from realtime.fanout.message import Message
from realtime.fanout.spectator_queue import FanOut
from realtime.fanout.subscription import Subscription
from realtime.journal import game_rows
from realtime.protocol import requests as r
from realtime.simuls.live import audience, publication
from simul import commands as c
from simul.draft import Draft, LateJoin
from tests.realtime.fake_time import FakeTime
from tests.realtime.simul_harness import House, house, refusal, settled
from tests.realtime.table_harness import Ear
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from realtime.postgres.database import Pool


@pytest.fixture
async def server(pool: Pool, database_url: str) -> AsyncIterator[House]:
    async with house(pool, database_url) as server:
        yield server


def clock(server: House, actor: Any, board: int) -> str | None:
    game_clock = server.table(actor, board).game.clock
    assert game_clock is not None
    return game_clock.held


async def test_clocks_are_held_after_host_is_away_for_a_minute(server: House) -> None:
    actor, _ = await server.start(2)
    server.leave(actor)
    await server.wait(actor, 59_999)
    assert clock(server, actor, 1) is None
    await server.wait(actor, 1)
    assert [clock(server, actor, board) for board in (1, 2)] == ["host_away", "host_away"]
    assert server.simuls.acting_hosts.absence(actor.id) == (60_000, 600_000)
    server.come(actor)
    await settled(actor)
    assert [clock(server, actor, board) for board in (1, 2)] == [None, None]
    assert server.simuls.acting_hosts.absence(actor.id) is None


async def test_host_is_noticed_after_a_lost_actor_has_stored_its_last_decision(
    server: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    actor, _ = await server.start(2)
    host, store, stored, may_go_on = actor.state.host, actor._services.store, asyncio.Event(), asyncio.Event()
    write = store.write

    async def write_late(page: Any, reply: dict[str, Any]) -> Any:
        written = await write(page, reply)
        stored.set()
        await may_go_on.wait()
        return written

    monkeypatch.setattr(store, "write", write_late)
    pause = c.TakeBreak(by=host.id, until=server.time.wall_ms(server.time.now_ms()) + 600_000)
    asking = asyncio.create_task(actor.submit(pause, host, None, "simul.break"))
    await stored.wait()
    server.simuls.lose(actor.id)
    may_go_on.set()
    await asking
    await until(lambda: server.simuls.peek(actor.id) not in (None, actor))
    successor = await server.taken(actor.id)
    server.leave(successor)
    assert successor.state.host_gone_since is not None


async def test_board_held_by_the_server_is_shown_held(server: House) -> None:
    """The game has no event for it; the grid takes clocks from the messages of the simul."""
    actor, _ = await server.start(2)
    ear = Ear()
    actor.audience.topic.add(ear, Subscription())  # type: ignore[arg-type]  # as much of a connection as it takes
    table = server.table(actor, 2)
    before = actor.feed.seq
    server.time.advance(5_000)
    table.hold_for_storage(server.time.now_ms() - 1_000)
    assert actor.feed.boards[1]["clock"] == {
        "w": 596_000, "b": 600_000, "run": None, "at": server.time.wall_ms(server.time.now_ms()), "held": "storage",
    }  # fmt: skip
    actor.audience.topic.catch_up(ear)  # type: ignore[arg-type]  # as above
    assert [(m["t"], m["board"], m["clock"]["held"]) for m in ear.heard] == [("simul.board", 2, "storage")]
    assert actor.feed.seq == before + 1
    server.time.advance(5_000)
    table.resume_after_storage()
    await until(lambda: not table.is_held)
    clock = actor.feed.boards[1]["clock"]
    assert clock is not None
    assert ("held" in clock, clock["w"]) == (False, 596_000)


async def test_players_may_claim_after_absence_limit_of_host(server: House) -> None:
    actor, _ = await server.start(2, away_limit_s=120)
    table = server.table(actor, 1)

    def claim() -> g.Command:
        request = r.Claim(g=table.id, what="win")
        return BUILDERS[r.Claim](request, table, "b", None, server.time.now_ms())  # type: ignore[arg-type]  # no socket

    def left() -> int | None:
        return table.seats.claimable_in_ms(table.game, server.time.now_ms())["w"]

    assert left() is None
    server.leave(actor)
    table.topic.crowd_dirty = False
    await server.wait(actor, 60_000)
    assert (left(), table.topic.crowd_dirty) == (60_000, True)
    assert (await server.play(actor, 1, claim())).code == "conflict"
    await server.wait(actor, 60_000)
    assert left() == 0
    assert "seq" in await server.play(actor, 1, claim())
    assert table.game.result == "0-1"
    assert actor.state.score.losses == 1
    server.come(actor)
    await settled(actor)
    other = server.table(actor, 2)
    assert other.seats.claimable_in_ms(other.game, server.time.now_ms())["w"] is None


async def test_simul_starts_at_its_scheduled_time(server: House) -> None:
    start_at = server.time.wall_ms(server.time.now_ms()) + 60_000
    actor, users = await server.announce(2, start_at=start_at)
    server.people.looking |= {users[0].id, actor.state.host.id, "somebody"}
    await server.wait(actor, 59_999)
    assert actor.state.status == "created"
    await server.wait(actor, 1)
    assert actor.state.started_ms == start_at
    paired = [(user, body["t"]) for user, body in server.people.sent]
    assert paired == [(user.id, "paired") for user in users]
    await asyncio.sleep(0)
    assert server.people.looking == {"somebody"}


async def test_countdown_ends_after_its_time(server: House) -> None:
    actor, users = await server.start(1, mode="round", countdown_s=5)
    await server.play(actor, 1, g.PlayMove(by="w", move="e2e4", ply=0))
    assert clock(server, actor, 1) == "countdown"
    await server.wait(actor, 5000)
    assert clock(server, actor, 1) is None
    await server.wait(actor, 1000)
    await server.play(actor, 1, g.PlayMove(by="b", move="e7e5", ply=1))
    assert server.table(actor, 1).game.times[1] == 599_000
    del users


async def test_equal_keys_are_one_request(server: House, pool: Pool, database_url: str) -> None:
    actor, (user, *_) = await server.announce(1)
    host = actor.state.host
    await actor.submit(c.Kick(by=host.id, user=user.id), host, "once", "simul.kick")
    last_n = actor._last_n
    await actor.submit(c.Invite(by=host.id, user=user), host, None, "simul.invite")
    assert await actor.submit(c.Kick(by=host.id, user="nobody"), host, "once", "simul.kick") == {}
    assert actor._last_n == last_n + 1
    again = await server.simuls.create(host, Draft(name="Once", tc=None), (), "new")
    assert await server.simuls.create(host, Draft(name="Twice", tc=None), (), "new") == again


async def test_failed_store_changes_nothing(server: House, monkeypatch: pytest.MonkeyPatch) -> None:
    actor, (user,) = await server.announce(1)
    host, before = actor.state.host, actor.feed.seq

    async def fail(*_: Any) -> None:
        raise ConnectionResetError("cut")

    with monkeypatch.context() as patch:
        patch.setattr(actor._services.store, "_append", fail)
        assert isinstance(ConnectionResetError(), DATABASE_ERRORS)
        assert await refusal(actor, c.Start(by=host.id), host, "start") == "unavailable"
        assert await refusal(actor, c.Leave(by=user.id), user) == "unavailable"
    assert (actor.state.status, actor.feed.seq, len(actor.state.players)) == ("created", before, 1)
    await actor.submit(c.Start(by=host.id), host, "start", "simul.start")
    assert actor.state.status == "running"


@pytest.mark.parametrize("is_committed", [True, False])
async def test_commit_in_doubt_is_looked_up(server: House, monkeypatch: pytest.MonkeyPatch, is_committed: bool) -> None:
    actor, _ = await server.announce(1)
    host = actor.state.host
    with monkeypatch.context() as patch:
        cut_once(patch, commits=is_committed)
        if is_committed:
            await actor.submit(c.Start(by=host.id), host, None, "simul.start")
        else:
            assert await refusal(actor, c.Start(by=host.id), host) == "unavailable"
    assert actor.state.status == ("running" if is_committed else "created")
    draft = Draft(name="Then", tc={"base_s": 600}, host_color="w", auto_accept=True)
    await actor.submit(c.Edit(by=host.id, draft=draft), host, None, "simul.edit")
    assert actor.state.setup.name == "Then"


def cut_once(patch: pytest.MonkeyPatch, *, commits: bool) -> None:
    """The next transaction's commit loses its connection, after or before it counts."""
    commit = Transaction.commit
    is_done = False

    async def cut(self: Any) -> None:
        nonlocal is_done
        if is_done:
            await commit(self)
            return
        is_done = True
        if commits:
            await commit(self)
        else:
            await self.rollback()
        raise ConnectionResetError("cut at the commit")

    patch.setattr(Transaction, "commit", cut)


@pytest.mark.parametrize("what", ["rest", "withdraw"])
async def test_another_server_takes_over_the_simul(pool: Pool, database_url: str, what: str) -> None:
    time = FakeTime(1_000_000)
    async with house(pool, database_url, time) as first:
        actor, users = await first.start(2, mode="round")
        await first.play(actor, 1, g.PlayMove(by="w", move="e2e4", ply=0))
        board = actor.state.boards[0]
        await actor.submit(
            c.Prepare(by=users[0].id, game=board.game, ply=1, move="e7e5"), users[0], None, "simul.prepare"
        )
        async with house(pool, database_url, time) as second:
            again = await second.taken(actor.id)
            assert (again.state.at, again.state.boards[0].prepared_move()) == (2, "e7e5")
            assert again.state.host_ms == actor.state.host_ms
            host = actor.state.host
            # The first server does not know of the takeover yet: none of its decisions is stored.
            rest = c.TakeBreak(by=host.id, until=time.wall_ms(time.now_ms()) + 1000)
            withdraw = c.Prepare(by=users[0].id, game=board.game, ply=1, move=None)
            command, by = (rest, host) if what == "rest" else (withdraw, users[0])
            assert await refusal(actor, command, by) == "unavailable"
            assert await pool.fetchval("SELECT move FROM simul_prepared WHERE game = $1", board.game) == "e7e5"
            assert actor.lost
            with pytest.raises(Refusal, match="another node"):
                await first.simuls.get(actor.id)


async def test_loaded_simul_shows_current_names(pool: Pool, database_url: str) -> None:
    async with house(pool, database_url) as first:
        actor, (user,) = await first.start(1)
    stored = await pool.fetch("SELECT payload::text AS payload FROM simul_event WHERE simul = $1", actor.id)
    assert not [row for row in stored if user.name in row["payload"] or actor.state.host.name in row["payload"]]
    await pool.execute("UPDATE person SET name = 'Renamed' WHERE id = $1", user.id)
    async with house(pool, database_url) as second:
        again = await second.taken(actor.id)
        assert again.state.boards[0].person.user.name == "Renamed"
        assert again.state.host == actor.state.host


async def test_finished_simul_is_read_from_its_rows(pool: Pool, database_url: str) -> None:
    async with house(pool, database_url) as first:
        actor, _ = await first.start(3)
        await first.play(actor, 1, g.PlayMove(by="w", move="e2e4", ply=0))
        await first.play(actor, 1, g.PlayMove(by="b", move="e7e5", ply=1))
        await first.play(actor, 1, g.Resign(by="b"))
        await first.play(actor, 2, g.Resign(by="w"))
        await first.play(actor, 3, g.Adjudicate("1/2-1/2"))
        before = actor.feed.snapshot(None, 0)
        assert before["status"] == "finished"
    async with house(pool, database_url) as second:
        after = (await second.taken(actor.id)).feed.snapshot(None, 0)
        assert not len(second.tables)
        for shown in (before, after):
            for board in shown["boards"]:
                board["clock"]["at"] = 0  # type: ignore[index]  # boards have clocks
        assert {**after, "seq": 0, "host_online": True} == {**before, "seq": 0}


@pytest.mark.parametrize("mode", ["clock", "round"])
async def test_break_ends_on_time_after_server_outage(pool: Pool, database_url: str, mode: Any) -> None:
    time = FakeTime(1_000_000)
    async with house(pool, database_url, time) as first:
        actor, _ = await first.start(2, mode=mode)
        host = actor.state.host
        await actor.submit(
            c.TakeBreak(by=host.id, until=time.wall_ms(time.now_ms()) + 60_000), host, None, "simul.break"
        )
        await settled(actor)
        assert clock(first, actor, 1) == "break"
    time.advance(30_000)
    async with house(pool, database_url, time) as second:
        again = await second.taken(actor.id)
        await settled(again)
        assert clock(second, again, 1) == "break"
        second.come(again)
        await second.wait(again, 30_000)
        assert again.state.break_until is None
        assert clock(second, again, 1) is None


@pytest.mark.parametrize("delayed", [False, True])
async def test_start_of_many_boards_runs_in_slices(
    server: House, monkeypatch: pytest.MonkeyPatch, *, delayed: bool
) -> None:
    """Rows, tables and people are processed in bounded groups, whatever the number of boards."""
    players = 60
    actor, users = await server.announce(players, late_join=LateJoin(minutes=9), auto_accept=not delayed)
    done: list[str] = []
    most: dict[str, int] = {}

    def turn() -> None:
        for kind in set(done):
            most[kind] = max(most.get(kind, 0), done.count(kind))
        done.clear()
        if running:
            asyncio.get_running_loop().call_soon(turn)

    def counted(kind: str, call: Any) -> Any:
        def count(*arguments: Any) -> Any:
            done.append(kind)
            return call(*arguments)

        return count

    monkeypatch.setattr(game_rows, "ROWS_AT_ONCE", 10)
    monkeypatch.setattr(publication, "OPENED_AT_ONCE", 10)
    monkeypatch.setattr(audience, "TOLD_AT_ONCE", 10)
    monkeypatch.setattr(game_rows, "_values", counted("rows", game_rows._values))
    monkeypatch.setattr(server.tables, "opened", counted("tables", server.tables.opened))
    monkeypatch.setattr(actor.audience, "send_own", counted("people", actor.audience.send_own))
    running = True
    asyncio.get_running_loop().call_soon(turn)
    host = actor.state.host
    if delayed:
        await actor.submit(c.Accept(by=host.id, user=users[0].id), host, None, "simul.accept")
    await actor.submit(c.Start(by=host.id), host, None, "simul.start")
    if delayed:
        await actor.submit(c.AcceptAll(by=host.id), host, None, "simul.accept_all")
    await settled(actor)
    running = False
    assert len(actor.state.boards) == actor.state.score.live == players
    assert most["rows"] <= 10
    assert most["tables"] <= 10
    assert most["people"] <= 11 or delayed
    assert [user for user, body in server.people.sent if body["t"] == "paired"] == [user.id for user in users]


async def test_audiences_of_all_simuls_share_slices(pool: Pool, database_url: str) -> None:
    """This includes delayed audiences: all topics share the slices of one fan-out."""
    soon: list[Callable[[], None]] = []
    async with house(pool, database_url, fan_out=FanOut(soon.append, at_once=2)) as server:
        simuls = [(await server.announce(0))[0] for _ in range(3)]
        topics = [*(actor.topic for actor in simuls), simuls[0].topic.open_delayed()]
        sockets = [Ear() for _ in range(3 * len(topics))]
        for number, socket in enumerate(sockets):
            topics[number % len(topics)].add(socket, Subscription(ticks=False))  # type: ignore[arg-type]  # a socket
        for topic in topics:
            topic.publish(Message({"t": "e", "seq": topic.seq + 1}, topic.seq + 1))
        assert len(soon) == 1
        soon.pop()()
        assert sum(len(socket.heard) for socket in sockets) == 2
        while soon:
            soon.pop()()
        assert all(len(socket.heard) == 1 for socket in sockets)
