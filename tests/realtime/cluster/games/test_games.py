"""Games with players and spectators at different nodes."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import pytest

from game_core.time_control import parse_time_control
from lobby import chat
from lobby.accounts.identity import create_guest
from lobby.errors import Unavailable
from realtime.cluster.bus.bus import Exchange
from realtime.cluster.games import forward
from realtime.cluster.games.game_replica import GameReplica
from realtime.games.moderation import lines_in
from realtime.journal.nodes import LEASE_S
from realtime.simuls.store.loading import _urgency
from tests.realtime.cluster.fleet import Socket, fleet, tick
from tests.realtime.until import until

if TYPE_CHECKING:
    import pytest

    from realtime.postgres.database import Pool


async def test_moves_are_forwarded_and_shown_at_all_nodes(database_url: str, pool: Pool) -> None:
    async with fleet(database_url, pool, "a", "b", "c") as (a, b, c):
        new = await a.new_game()
        white, black, watcher = Socket(a, new.white), Socket(b, new.black), Socket(c, None)
        for socket in (white, black, watcher):
            await socket.sub(new.id)
        assert b.table(new.id).epoch is None
        for ply, move in enumerate(("e2e4", "e7e5", "g1f3", "b8c6")):
            mover = (white, black)[ply % 2]
            answer = await mover.ask("move", g=new.id, ply=ply, move=move)
            assert answer == {"t": "ok", "id": answer["id"], "seq": ply + 1}
            # Its own event comes before the answer, at whichever node.
            assert mover.heard.index(answer) > next(
                place for place, body in enumerate(mover.heard) if body.get("t") == "move" and body["seq"] == ply + 1
            )
        await until(lambda: all(socket.seqs() == [1, 2, 3, 4] for socket in (white, black, watcher)))
        assert {node.table(new.id).game.moves for node in (a, b, c)} == {("e2e4", "e7e5", "g1f3", "b8c6")}


async def test_request_of_node_taken_for_dead_is_refused(
    database_url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The owner sends that node no events: its player would not see the result, and would be charged."""
    monkeypatch.setattr(forward, "REQUEST_TIMEOUT_S", 0.5)
    async with fleet(database_url, pool, "a", "b") as (a, b):
        new = await a.new_game()
        white, black = Socket(a, new.white), Socket(b, new.black)
        for socket in (white, black):
            await socket.sub(new.id)
        await white.ask("move", g=new.id, ply=0, move="e2e4")
        known = a.cluster.others

        async def look() -> None:
            """The node's own, once a second, would find the other again."""

        monkeypatch.setattr(a.cluster, "look", look)
        a.cluster.others = frozenset()
        answer = await black.ask("move", g=new.id, ply=1, move="e7e5", key="k")
        assert (answer["t"], answer["code"]) == ("error", "unavailable")
        assert a.table(new.id).game.moves == ("e2e4",)
        a.cluster.others = known
        answer = await black.ask("move", g=new.id, ply=1, move="e7e5", key="k")
        assert (answer["t"], answer["seq"]) == ("ok", 2)


async def test_presence_at_a_game_is_known_at_all_nodes(database_url: str, pool: Pool) -> None:
    async with fleet(database_url, pool, "a", "b", "c") as (a, b, c):
        new = await a.new_game()
        white, black, watcher = Socket(b, new.white), Socket(c, new.black), Socket(c, None)
        for socket in (white, black, watcher):
            await socket.sub(new.id)
        nodes = (a, b, c)
        await until(lambda: all(node.table(new.id).seats.online() == {"w": True, "b": True} for node in nodes))
        tick(c)  # sends its count to the owner
        await until(lambda: a.table(new.id).topic.watching == 1)
        tick(a)  # sends the total to all nodes
        await until(lambda: all(node.table(new.id).topic.watching == 1 for node in nodes))

        white.leave()
        await until(lambda: all(node.table(new.id).seats.online() == {"w": False, "b": True} for node in nodes))
        assert black.heard[-1]["t"] == "crowd"
        assert black.heard[-1]["online"] == {"w": False, "b": True}

        again = Socket(a, new.white)
        await again.sub(new.id)
        await until(lambda: all(node.table(new.id).seats.online() == {"w": True, "b": True} for node in nodes))


def _has_heard(socket: Socket, kind: str, count: int) -> bool:
    return socket.kinds().count(kind) == count


async def test_chat_is_written_at_owner_and_shown_at_all_nodes(database_url: str, pool: Pool) -> None:
    async with fleet(database_url, pool, "a", "b", "c") as (a, b, c):
        new = await a.new_game()
        white, black = Socket(a, new.white), Socket(b, new.black)
        await white.sub(new.id)
        await black.sub(new.id)
        said = await black.ask("chat", topic=f"game:{new.id}", text="hello", key="k")
        assert said["t"] == "ok"
        assert (await black.ask("chat", topic=f"game:{new.id}", text="hello", key="k"))["at"] == said["at"]
        await white.ask("chat", topic=f"game:{new.id}", text="good luck")
        for socket in (white, black):
            await until(partial(_has_heard, socket, "chat", 2))
            assert [body["text"] for body in socket.heard if body["t"] == "chat"] == ["hello", "good luck"]
        delayed = Socket(c, new.black)
        await delayed.sub(new.id)
        await until(lambda: "chat.lines" in delayed.kinds())
        lines = next(body for body in delayed.heard if body["t"] == "chat.lines")
        assert [line["text"] for line in lines["lines"]] == ["hello", "good luck"]


async def test_report_at_any_node_includes_chat_lines(database_url: str, pool: Pool) -> None:
    async with fleet(database_url, pool, "a", "b") as (a, b):
        new = await a.new_game()
        white, black, watcher = Socket(a, new.white), Socket(a, new.black), Socket(a, (await create_guest(pool))[0])
        for socket in (white, black, watcher):
            await socket.sub(new.id)
        await black.ask("chat", topic=f"game:{new.id}", text="you are a cheat")
        await watcher.ask("chat", topic=f"game:{new.id}", text="is he?")
        assert b.tables.peek(new.id) is None
        lines = lines_in(b.tables)
        assert [line["text"] for line in await lines(new.id, new.white.id)] == ["you are a cheat"]
        assert [line["text"] for line in await lines(new.id, "a stranger")] == ["is he?"]
        assert await lines("nothing", new.white.id) == []


async def test_chat_rate_counts_listeners_of_all_nodes(
    database_url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat, "DELIVERIES_PER_MS", 0.0001)
    async with fleet(database_url, pool, "a", "b") as (a, b):
        new = await a.new_game()
        writers = [Socket(b, (await create_guest(pool))[0]) for _ in range(3)]
        for writer in writers:
            await writer.sub(new.id)
        tick(b, a)
        await until(lambda: a.table(new.id).topic.remote_watching == 3)
        told = [await writer.ask("chat", topic=f"game:{new.id}", text="hello") for writer in writers]
        assert [answer.get("code") for answer in told] == [None, "rate_limited", "rate_limited"]


async def test_rematch_is_agreed_between_two_nodes(database_url: str, pool: Pool) -> None:
    async with fleet(database_url, pool, "a", "b") as (a, b):
        new = await a.new_game()
        white, black = Socket(a, new.white), Socket(b, new.black)
        await white.sub(new.id)
        await black.sub(new.id)
        assert (await black.ask("resign", g=new.id))["t"] == "ok"
        assert [body["t"] for body in black.heard if "seq" in body and body["t"] != "ok"] == ["game", "end"]
        assert (await black.ask("rematch", g=new.id, do="offer"))["t"] == "ok"
        await until(lambda: "offer" in white.kinds())
        assert (await white.ask("rematch", g=new.id, do="decline"))["t"] == "ok"
        await until(lambda: black.kinds().count("offer") == 2)
        assert (await white.ask("move", g=new.id, ply=0, move="e2e4"))["code"] == "game_over"
        assert (await black.ask("move", g=new.id, ply=0, move="e2e4"))["code"] == "game_over"


async def test_command_of_a_stranger_is_refused_at_any_node(database_url: str, pool: Pool) -> None:
    async with fleet(database_url, pool, "a", "b") as (a, b):
        new, other = await a.new_game(), await a.new_game()
        stranger = Socket(b, other.white)
        assert (await stranger.ask("resign", g=new.id))["code"] == "forbidden"
        assert (await stranger.ask("resign", g="nothing1"))["code"] == "not_found"


async def test_strangers_do_not_take_the_places_of_forwarded_moves(
    database_url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forward, "MOST", 1)
    async with fleet(database_url, pool, "a", "b") as (a, b):
        new, other = await a.new_game(), await a.new_game()
        white, stranger = Socket(b, new.white), Socket(b, other.white)
        await white.sub(new.id)
        assert (await stranger.ask("chat", topic=f"game:{new.id}", text="hello"))["code"] == "unavailable"
        assert (await white.ask("move", g=new.id, ply=0, move="e2e4"))["t"] == "ok"


async def test_game_is_opened_at_another_node(database_url: str, pool: Pool) -> None:
    async with fleet(database_url, pool, "a", "b") as (a, b):
        new = await a.new_game(owner="b")
        await until(lambda: b.tables.peek(new.id) is not None)
        assert b.table(new.id).epoch == 1
        white = Socket(a, new.white)
        await white.sub(new.id)
        assert a.table(new.id).epoch is None
        assert (await white.ask("move", g=new.id, ply=0, move="e2e4"))["seq"] == 1
        assert a.tables.live_games.of(new.white.id) == b.tables.live_games.of(new.white.id) == [new.id]
        assert (await white.ask("abort", g=new.id))["t"] == "ok"
        await until(lambda: not a.tables.live_games.of(new.white.id))


async def test_lost_events_are_read_from_the_journal(database_url: str, pool: Pool) -> None:
    exchange = Exchange()
    async with fleet(database_url, pool, "a", "b", exchange=exchange) as (a, b):
        new = await a.new_game()
        white, black, watcher = Socket(a, new.white), Socket(a, new.black), Socket(b, None)
        for socket in (white, black, watcher):
            await socket.sub(new.id)
        moves = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6")
        for ply, move in enumerate(moves):
            if ply in (1, 2, 4):
                exchange.is_lost = lambda sender, node, data: True
            await (white, black)[ply % 2].ask("move", g=new.id, ply=ply, move=move)
            await asyncio.sleep(0.01)
            exchange.is_lost = lambda sender, node, data: False
        await until(lambda: watcher.seqs() == [1, 2, 3, 4, 5, 6])
        assert b.table(new.id).game.moves == moves


async def test_game_continues_after_death_of_owner(database_url: str, pool: Pool) -> None:
    async with fleet(database_url, pool, "a", "b", "c") as (a, b, c):
        new = await a.new_game(parse_time_control({"base_s": 60, "inc_s": 0}))
        white, black, watcher = Socket(b, new.white), Socket(c, new.black), Socket(c, None)
        for socket in (white, black, watcher):
            await socket.sub(new.id)
        for ply, move in enumerate(("e2e4", "e7e5", "g1f3")):
            await (white, black)[ply % 2].ask("move", g=new.id, ply=ply, move=move)
        await a.close()
        assert (await black.ask("move", g=new.id, ply=3, move="b8c6"))["t"] == "ok"
        await until(lambda: all(socket.seqs()[-1:] == white.seqs()[-1:] for socket in (white, black, watcher)))
        for socket in (white, black, watcher):
            assert socket.seqs() == list(range(1, len(socket.seqs()) + 1))
        assert {node.table(new.id).game.moves for node in (b, c)} == {("e2e4", "e7e5", "g1f3", "b8c6")}
        assert sorted(node.table(new.id).epoch is None for node in (b, c)) == [False, True]


async def test_new_owner_is_learned_while_the_database_hangs(
    database_url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new owner runs the clock of the player as soon as the node of the player has attached."""
    async with fleet(database_url, pool, "a", "b", "c") as (a, b, c):
        new = await a.new_game(parse_time_control({"base_s": 60, "inc_s": 0}))
        white, black = Socket(b, new.white), Socket(c, new.black)
        for socket in (white, black):
            await socket.sub(new.id)

        async def never(game: str) -> None:
            await asyncio.Event().wait()

        monkeypatch.setattr(b.tables, "own", never)
        await a.close()
        move = asyncio.create_task(white.ask("move", g=new.id, ply=0, move="e2e4"))
        while c.table(new.id).epoch is None:
            with suppress(Unavailable):
                await c.tables.own(new.id)
            await asyncio.sleep(0.05)
        assert (await move)["t"] == "ok"
        assert c.table(new.id).game.moves == ("e2e4",)
        source = b.table(new.id).source
        assert source is not None
        assert not source.is_waited_for


async def test_node_releases_its_games_during_play(database_url: str, pool: Pool) -> None:
    async with fleet(database_url, pool, "a", "b") as (a, b):
        new = await a.new_game(parse_time_control({"base_s": 60, "inc_s": 0}))
        white, black = Socket(a, new.white), Socket(b, new.black)
        for socket in (white, black):
            await socket.sub(new.id)
        for ply, move in enumerate(("e2e4", "e7e5", "g1f3")):
            await (white, black)[ply % 2].ask("move", g=new.id, ply=ply, move=move)
        spent = a.table(new.id).game.clock
        assert spent is not None
        release = asyncio.create_task(a.games.release_all())
        assert (await black.ask("move", g=new.id, ply=3, move="b8c6"))["t"] == "ok"
        assert (await white.ask("move", g=new.id, ply=4, move="f1b5"))["t"] == "ok"
        await release
        assert a.table(new.id).epoch is None
        assert b.table(new.id).epoch == 2
        await until(lambda: white.seqs() == black.seqs())
        assert white.seqs() == list(range(1, len(white.seqs()) + 1))


async def test_replica_with_waiting_request_attaches_first(database_url: str, pool: Pool) -> None:
    async with fleet(database_url, pool, "a", "b") as (a, b):
        new = await a.new_game()
        assert _urgency(None) == _urgency(await b.tables.get(new.id)) == 2
        table = b.table(new.id)
        black = Socket(b, new.black)
        await black.sub(new.id)
        assert _urgency(table) == 1
        replica = table.source
        assert isinstance(replica, GameReplica)
        waiting = asyncio.create_task(replica.wait_moved(60.0))
        await until(lambda: replica.is_waited_for)
        assert _urgency(table) == 0
        replica.attach()
        await waiting
        assert _urgency(table) == 1


async def test_game_of_live_node_is_not_taken_over(
    database_url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client of this node saves two queries; the game is taken over when its owner is lost."""
    async with fleet(database_url, pool, "a", "b") as (a, b):
        new = await a.new_game()
        tries: list[str] = []
        take = b.node.take_over_game

        async def counted(game: str) -> int | None:
            tries.append(game)
            return await take(game)

        monkeypatch.setattr(b.node, "take_over_game", counted)
        table = await b.tables.get(new.id)
        assert table is not None
        assert table.source is not None
        assert table.source.owner == "a"
        assert tries == []
        await a.close()
        await b.cluster.look()
        assert (await b.tables.own(new.id)).epoch == 2


async def test_replicas_attach_only_while_the_lease_is_valid(database_url: str, pool: Pool) -> None:
    async with fleet(database_url, pool, "a", "b") as (a, _):
        assert a.games.replicas.may_attach()
        a.node._renewed_at -= LEASE_S
        assert not a.games.replicas.may_attach()
