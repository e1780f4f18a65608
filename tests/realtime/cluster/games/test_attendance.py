"""Attendance: what the owner of a game knows of listeners at other nodes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from game_core.time_control import parse_time_control
from realtime.clock.sliced_work import SlicedWork
from realtime.cluster.bus.bus import Exchange
from realtime.cluster.games import messages as w
from realtime.cluster.games.game_replica import GameReplica
from realtime.games.clocks.attendance import Attendance, SeatThere
from tests.realtime.cluster.fleet import Member, Socket, fleet
from tests.realtime.cluster.meeting import end_lease
from tests.realtime.fake_time import FakeTime
from tests.realtime.until import until

if TYPE_CHECKING:
    import pytest

    from lobby.pairing import NewGame
    from realtime.postgres.database import Pool

MOVES = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6")

TEN_MINUTES = parse_time_control({"base_s": 600, "inc_s": 0})


async def status_after(node: Member, time: FakeTime, game: str, ms: int) -> str:
    """How the game stands when ``ms`` have passed, and whatever was due by then was done."""
    time.advance(ms)
    node.timers._wake()
    for _ in range(10):  # it rings some turns of the loop later
        await asyncio.sleep(0)
    table = node.table(game)
    await until(lambda: not table.is_busy)
    return table.game.status


async def test_outdated_attendance_is_corrected(database_url: str, pool: Pool) -> None:
    async with fleet(database_url, pool, "a", "b") as (a, b):
        new = await a.new_game()
        black = Socket(b, new.black)
        await black.sub(new.id)
        await until(lambda: a.table(new.id).seats.black.is_here)
        attends = a.cluster._handlers["game.attach"].handle
        attends("b", w.Attach(new.id, Attendance()))  # it had waited for the game to be loaded
        assert not a.table(new.id).seats.black.is_here
        await until(lambda: a.table(new.id).seats.black.is_here)


async def test_game_waits_for_first_move_of_unreached_player(
    database_url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    exchange, time = Exchange(), FakeTime(5_000_000)
    async with fleet(database_url, pool, "a", "b", exchange=exchange, times={"a": time}) as (a, b):
        exchange.is_lost = lambda sender, node, data: True
        monkeypatch.setattr(a.cluster, "is_reached", lambda node: node == "a")
        new = await a.new_game(TEN_MINUTES)
        for _ in range(30):
            a.games.owned.look()
            assert await status_after(a, time, new.id, 1_000) == "created"
        monkeypatch.undo()
        exchange.is_lost = lambda sender, node, data: False
        assert await status_after(a, time, new.id, 18_000) == "created"
        white = Socket(b, new.white)
        await white.sub(new.id)
        await white.ask("move", g=new.id, ply=0, move="e2e4")


async def test_player_of_dead_node_gets_new_time_for_first_move(database_url: str, pool: Pool) -> None:
    time = FakeTime(5_000_000)
    async with fleet(database_url, pool, "a", "b", times={"a": time}) as (a, b):
        new = await a.new_game(TEN_MINUTES)
        time.advance(18_000)
        await end_lease(b.node, pool)
        await a.cluster.look()
        assert await status_after(a, time, new.id, 18_000) == "created"
        assert await status_after(a, time, new.id, 8_000) == "over"


async def test_time_for_first_move_is_told_to_those_who_want_ticks(database_url: str, pool: Pool) -> None:
    async with fleet(database_url, pool, "a", "b") as (a, b):
        new = await a.new_game(TEN_MINUTES)
        white, quiet = Socket(b, new.white), Socket(b, new.black)
        await asyncio.gather(quiet.sub(new.id, ticks=False), white.sub(new.id))
        replica = b.table(new.id).source
        assert isinstance(replica, GameReplica)
        replica.attach()
        await until(lambda: "tick" in white.kinds())
        assert "tick" not in quiet.kinds()


async def held_after(node: Member, sockets: tuple[Socket, Socket], new: NewGame, plies: range) -> list[str | None]:
    """Why the clock is held by the server after each of these moves."""
    held = []
    for ply in plies:
        answer = await sockets[ply % 2].ask("move", g=new.id, ply=ply, move=MOVES[ply])
        assert answer["t"] == "ok"
        clock = node.table(new.id).game.clock
        assert clock is not None
        held.append(clock.held)
    return held


async def test_no_player_is_missing_from_a_new_game(database_url: str, pool: Pool) -> None:
    """The game begins at another node than the one that paired the players; one player does not subscribe."""
    async with fleet(database_url, pool, "a", "b") as (a, b):
        new = await a.new_game(TEN_MINUTES, owner="b")
        await until(lambda: b.tables.has(new.id))
        white, black = Socket(b, new.white), Socket(b, new.black)
        await white.sub(new.id)
        assert await held_after(b, (white, black), new, range(6)) == [None] * 6


async def test_player_who_moves_without_subscription_is_not_missing(database_url: str, pool: Pool) -> None:
    async with fleet(database_url, pool, "a", "b") as (a, b):
        new = await a.new_game(TEN_MINUTES)
        white, black = Socket(b, new.white), Socket(b, new.black)
        await white.sub(new.id)
        for ply in range(2):
            await (white, black)[ply % 2].ask("move", g=new.id, ply=ply, move=MOVES[ply])
        await end_lease(a.node, pool)
        assert await b.node.take_over_game(new.id)
        await b.tables.adopt_all((new.id,))
        waits = await held_after(b, (white, black), new, range(2, 8))
        assert waits == ["restart", None, None, None, None, None], "for him once, until he is known to be here"


async def test_loss_of_node_counts_for_all_its_games_at_once(
    database_url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The result is as if all games had been examined at the instant at which the node was lost."""

    def one(some: SlicedWork[str]) -> None:
        if not some.is_over:
            some.hurry(next(iter(some._left)))

    monkeypatch.setattr(SlicedWork, "_go", one)
    time = FakeTime(5_000_000)
    async with fleet(database_url, pool, "a", "b", times={"a": time}) as (a, b):
        games = [await a.new_game(TEN_MINUTES) for _ in range(5)]
        sockets = [(Socket(a, new.white), Socket(b, new.black)) for new in games]
        for new, (white, black) in zip(games, sockets, strict=True):
            for socket in (white, black):
                await socket.sub(new.id)
            await white.ask("move", g=new.id, ply=0, move=MOVES[0])
            await black.ask("move", g=new.id, ply=1, move=MOVES[1])
        owned = a.games.owned
        _first, back, moved, lost, gone = (new.id for new in games)
        owned._gone("b")
        assert [a.table(new.id).seats.black.is_here for new in games] == [False, True, True, True, True]
        # The node is heard again: its messages count after its loss, whichever games have been examined.
        here, says = Attendance(black=SeatThere(1, 0, goodbye=False)), a.cluster._handlers
        says["game.attach"].handle("b", w.Attach(back, here))
        # A replica that has not attached since is ignored.
        says["game.here"].handle("b", w.ListenerCount(lost, here))
        assert not a.table(lost).seats.black.is_here
        # It becomes the turn of a player whose node is lost: none of that time is charged.
        table = a.table(moved)
        await sockets[2][0].ask("move", g=moved, ply=2, move=MOVES[2])
        clock = table.game.clock
        assert clock is not None
        assert clock.held is None
        before_ms = clock.reading(time.now_ms()).b
        time.advance(700)
        # Another node owns this game by now.
        owned.release(gone)
        rest = owned._losing["b"]
        while not rest.is_over:
            rest._go()
        assert not table.seats.black.is_here
        assert table.is_held
        held = table.game.clock
        assert held is not None
        assert held.reading(time.now_ms()).b == before_ms
        assert a.table(back).seats.black.is_here
        assert not a.table(back).is_held
