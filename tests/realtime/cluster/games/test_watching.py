"""Lists, television, streams and mini boards show the games of all nodes at each node."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec

from game_core.public_delay import PublicDelay
from game_core.simul_board import SimulBoard
from lobby.accounts.identity import create_guest
from realtime.cluster.bus.bus import Exchange
from realtime.cluster.games.live_exchange import LiveCardsReport
from realtime.watching.live_index import LiveFilter
from realtime.watching.tv.chooser import SEEN_MS
from tests.realtime.cluster.fleet import Socket, tick
from tests.realtime.cluster.meeting import end_lease
from tests.realtime.cluster.viewers import TvSet, Viewer, viewers
from tests.realtime.until import until

if TYPE_CHECKING:
    import pytest

    from realtime.postgres.database import Pool
    from realtime.watching.feeds import EventFeed


async def test_list_shows_games_of_all_nodes_once(database_url: str, pool: Pool) -> None:
    async with viewers(database_url, pool, "a", "b", "c") as (a, b, c):
        of_a, of_b, of_c = await a.begun(), await b.begun(), await c.begun()
        await until(lambda: c.knows(of_a, of_b))
        assert sorted(await c.listed()) == sorted((of_a.id, of_b.id, of_c.id))
        assert await c.listed(speed="bullet") == []
        assert await c.listed(people=frozenset({of_b.white.id})) == [of_b.id]
        lines = {line["g"]: line for line in await c.reader.live(10)}
        assert lines.keys() == {of_a.id, of_b.id, of_c.id}
        assert lines[of_a.id]["position"] == lines[of_c.id]["position"]
        assert lines[of_a.id]["players"]["w"]["user"]["id"] == of_a.white.id
        clock = lines[of_a.id]["clock"]
        assert clock is not None
        assert clock["run"] == "w"
        assert len(c.tables) == 1, "nobody has looked at the others"

        await a.resign(of_a)
        await until(lambda: c.knows(of_b))
        assert sorted(await c.listed()) == sorted((of_b.id, of_c.id))


async def test_watchers_at_other_nodes_raise_rank_of_game(database_url: str, pool: Pool) -> None:
    async with viewers(database_url, pool, "a", "b", "c") as (a, b, c):
        first, _ = await a.begun(), await a.begun()
        for _ in range(2):
            await Socket(b, None).sub(first.id)
        tick(b)  # sends its count to the owner
        await until(lambda: a.table(first.id).topic.watching == 2)
        tick(a)  # sends the total to all nodes
        await until(lambda: (card := c.watching.remote_games.card(first.id)) is not None and card.watching == 2)
        for node in (a, b, c):
            assert (await node.listed())[0] == first.id
            lines = await node.reader.live(10)
            assert (lines[0]["g"], lines[0]["watchers"]) == (first.id, 2)


async def test_delayed_and_unstarted_games_are_not_listed_elsewhere(database_url: str, pool: Pool) -> None:
    async with viewers(database_url, pool, "a", "b") as (a, b):
        delayed = await a.begun(delay=PublicDelay(seconds=600))
        waits = await a.new_game()
        seen = await a.begun()
        await until(lambda: b.knows(seen))
        await b.watching.remote_games.fetch([delayed.id])
        assert b.watching.remote_games.line(delayed.id) is None
        told = await b.watching.remote_games._request_entries("a", [delayed.id, waits.id, seen.id])
        assert [line.g for line in told if line.line["status"] == "live"] == [seen.id]
        assert delayed.id not in [line.g for line in told]
        assert await b.listed() == [seen.id]


async def test_lost_list_changes_are_repeated(database_url: str, pool: Pool) -> None:
    exchange = Exchange()
    async with viewers(database_url, pool, "a", "b", exchange=exchange) as (a, b):
        over, goes_on = await a.begun(), await a.begun()
        await until(lambda: b.knows(over, goes_on))
        exchange.is_lost = lambda sender, node, data: True
        new = await a.begun()
        await a.resign(over)
        a.watching._exchange._feed.flush()
        exchange.is_lost = lambda sender, node, data: False
        await until(lambda: b.knows(goes_on, new))


async def test_full_report_to_one_node_does_not_hide_ends_from_others(
    database_url: str, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("realtime.cluster.bus.replicated_feed.BATCH_INTERVAL_S", 0.5)
    async with viewers(database_url, pool, "a", "b", "c") as (a, b, c):
        over = await a.begun()
        await until(lambda: b.knows(over) and c.knows(over))
        await a.resign(over)
        a.watching._exchange._feed._report_all("c")
        await until(lambda: c.knows() and b.knows())


async def test_list_shows_games_of_dead_node_after_takeover(database_url: str, pool: Pool) -> None:
    async with viewers(database_url, pool, "a", "b", "c") as (a, b, c):
        new = await b.begun()
        await until(lambda: a.knows(new) and c.knows(new))
        await b.close()
        for node in (a, c):
            await node.cluster.look()
            assert node.knows()
        await until(lambda: (a.knows(new) and not c.knows(new)) or c.knows(new))
        for node in (a, c):
            assert await node.listed() == [new.id]


def on_channels(game: str) -> dict[str, str]:
    """Return what television shows of a single game of blitz."""
    return dict.fromkeys(("best", "chess", "blitz"), game)


async def shows(node: Viewer, game: str) -> None:
    """Wait until television shows ``game`` at ``node``."""
    await until(lambda: node.director.shown() == on_channels(game))


async def test_all_nodes_show_the_television_game_of_the_leader(database_url: str, pool: Pool) -> None:
    async with viewers(database_url, pool, "a", "b", "c") as (a, b, c):
        viewer = TvSet(c, None)
        await viewer.tune()
        await until(lambda: all(node.direct() == {} for node in (a, b, c)))
        of_b = await b.begun()
        await until(lambda: a.knows(of_b))
        assert a.direct() == on_channels(of_b.id)
        for node in (b, c):
            await shows(node, of_b.id)
            cards = await node.director.look()
            assert {channel: card["g"] for channel, card in cards.items()} == node.director.shown()
            assert cards["best"]["position"].startswith("rnbqkbnr/pppp1ppp/8/4p3/4P3")
        assert viewer.shown() == on_channels(of_b.id)

        await b.resign(of_b)
        of_c = await c.begun()
        await until(lambda: a.knows(of_c))
        assert a.direct() == on_channels(of_b.id), "its end is to be seen"
        a.watching.remote_games._lines[of_b.id].got_at_ms -= 1000
        card = (await a.director.look())["best"]
        assert card["status"] == "over"
        assert card["ended"] is not None
        for shown in a.director._chooser._shown.values():
            shown.over_ms = a.time.now_ms() - SEEN_MS
        a.direct()
        await shows(c, of_c.id)
        assert viewer.shown() == on_channels(of_c.id)


async def test_lost_television_event_is_repaired(database_url: str, pool: Pool) -> None:
    exchange = Exchange()
    async with viewers(database_url, pool, "a", "b", exchange=exchange) as (a, b):
        viewer = TvSet(b, None)
        await viewer.tune()
        await until(lambda: b.direct() == {} and b.television.relay._is_synced)
        new = await a.begun()
        exchange.is_lost = lambda sender, node, data: True
        a.direct()
        await a.cluster.look()
        exchange.is_lost = lambda sender, node, data: False
        await shows(b, new.id)
        assert viewer.shown() == on_channels(new.id)


async def test_new_leader_continues_the_shown_game(database_url: str, pool: Pool) -> None:
    async with viewers(database_url, pool, "a", "b", "c") as (a, b, c):
        viewer = TvSet(c, None)
        await viewer.tune()
        new = await c.begun()
        await until(lambda: a.knows(new) and b.knows(new))
        a.direct()
        for node in (b, c):
            await shows(node, new.id)
        better = await c.begun()
        await until(lambda: b.knows(new, better))
        seq = a.director.topic.seq
        await a.leader.release()
        await until(lambda: b.leader.is_here or c.leader.is_here)  # whoever was first
        leader, other = (b, c) if b.leader.is_here else (c, b)
        assert leader.direct() == on_channels(new.id), "nobody is torn away"
        assert leader.director.topic.seq > seq
        await until(lambda: a.director.topic.seq == other.director.topic.seq == leader.director.topic.seq)
        assert not a.television.relay.leads
        await c.resign(new)
        await until(lambda: a.knows(better) and b.knows(better))
        for shown in leader.director._chooser._shown.values():
            shown.over_ms = leader.time.now_ms() - SEEN_MS
        leader.direct()
        for node in (a, b, c):
            await shows(node, better.id)
        assert viewer.shown() == on_channels(better.id)


async def test_board_of_a_simul_stays_shown_when_its_node_or_the_director_goes(database_url: str, pool: Pool) -> None:
    async with viewers(database_url, pool, "a", "b", "c") as (a, b, c):
        host = (await create_guest(pool))[0].id
        await pool.execute("INSERT INTO simul (id, host, name, setup) VALUES ('simul1', $1, 'Friday', '{}')", host)
        board = await b.begun(simul_board=SimulBoard("simul1", 1, "w"))
        b.watching.lists.visit("simul1", board.id)
        await until(lambda: a.direct() == {"simul": board.id})
        await b.close()
        await end_lease(b.node, pool)
        for node in (a, c):
            await node.cluster.look()
        await pool.execute("UPDATE simul SET owner = 'c'")  # which takes over the boards with the simul
        await c.tables.own(board.id)
        c.watching.lists.visit("simul1", board.id)
        await until(lambda: a.direct() == {"simul": board.id})
        await a.leader.release()
        await until(lambda: c.leader.is_here)
        await until(lambda: c.direct() == {"simul": board.id})


async def test_stream_follows_channel_to_game_of_another_node(database_url: str, pool: Pool) -> None:
    async with viewers(database_url, pool, "a", "b") as (a, b):
        feed: EventFeed = b.feeds.of_channel("blitz", await b.feeds.shown_on("blitz"), None)
        await until(lambda: b.television.relay._is_synced or b.direct() != {})
        new = await a.begun()
        a.direct()
        await until(lambda: feed.game == new.id)
        white = Socket(a, new.white)
        await white.ask("move", g=new.id, ply=2, move="g1f3")
        told: list[str] = []

        async def heard() -> None:
            while "move" not in told:
                lines = await feed.next(5)
                assert lines is not None
                told.extend(json.loads(line)["t"] for line in lines.splitlines() if line)

        await heard()
        assert told == ["game", "move"]
        b.feeds.close(feed)


def _told(socket: Socket, field: str) -> Any:
    """What a socket was told last of a field of the lobby."""
    return [body[field] for body in socket.heard if body["t"] in ("lobby", "lobby.count")][-1]


async def test_mini_boards_and_lobby_show_games_of_other_nodes(database_url: str, pool: Pool) -> None:
    async with viewers(database_url, pool, "a", "b", "c") as (a, b, c):
        new = await b.begun()
        small = Socket(c, None)
        await small.sub(new.id, position=True)
        await Socket(b, new.white).ask("move", g=new.id, ply=2, move="g1f3")
        await until(lambda: [body["ply"] for body in small.heard if body["t"] == "mini"] == [2, 3])

        in_lobby = Socket(c, None)
        assert (await in_lobby.ask("sub", topic="lobby"))["t"] == "ok"
        await until(lambda: a.knows(new))
        await a.television.look()
        a.lobby.relay.tick()
        await until(lambda: "lobby.game" in in_lobby.kinds())
        card = next(body["card"] for body in in_lobby.heard if body["t"] == "lobby.game")
        assert (card["g"], card["last"]) == (new.id, "g1f3")
        await until(lambda: _told(in_lobby, "games") == 1)


async def test_single_node_exchanges_no_lists(database_url: str, pool: Pool) -> None:
    async with viewers(database_url, pool, "a") as (a,):
        new = await a.begun()
        assert a.direct() == on_channels(new.id)
        assert await a.listed() == [new.id]
        assert a.watching._exchange._feed._timer is None
        assert a.watching._exchange._sent == set()
        assert a.watching.book.find(LiveFilter(), 24) == await a.watching.book.look(LiveFilter(), 24)


def test_messages_have_the_fields_of_older_versions() -> None:
    assert msgspec.to_builtins(LiveCardsReport()) == {"put": [], "gone": [], "first": False, "last": False}
