"""A stand-in over sockets: named, takes over, plays, gives back; what players and spectators see of it."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from tests.integration.lobby.test_people import ask
from tests.integration.running_simul import ANNOUNCED, RunningSimul, announced, fetch, listen, running
from tests.wire_client import Client, Refusal, guest, member

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@contextlib.asynccontextmanager
async def with_stand_in(url: str, boards: int = 1) -> AsyncIterator[tuple[RunningSimul, Client]]:
    """A running simul whose host has named a stand-in, who is subscribed to it."""
    async with running(url, boards) as x, Client(url, guest(url)[0]) as deputy:
        await listen(deputy, x.id)
        await x.ask("edit", stand_in=deputy.welcome["user"]["name"])
        await x.event("you", deputy, you="stand_in")
        yield x, deputy


async def taken_over(x: RunningSimul, deputy: Client) -> None:
    """Let the host hand over and the stand-in take over."""
    await x.ask("hand_over")
    await x.event("away", deputy, offered=True)
    await x.ask("take_over", deputy)
    for socket in (x.host, deputy, *x.players):
        await x.event("away", socket, acting=True)


async def test_stand_in_is_named_before_or_after_the_start(url: str) -> None:
    async with announced(url, 1) as x, Client(url, guest(url)[0]) as deputy:
        name = deputy.welcome["user"]["name"]
        await listen(deputy, x.id)
        assert await x.refused("edit", stand_in=x.player(1).welcome["user"]["name"]) == "conflict"
        assert await x.refused("edit", stand_in="nobody at all") == "not_found"
        assert await x.refused("edit", stand_in=x.host.welcome["user"]["name"]) == "conflict"
        await x.ask("edit", stand_in=name)
        for socket in (deputy, x.player(1)):
            assert (await x.event("edited", socket))["stand_in"]["name"] == name
        assert await x.refused("edit", rated=True, guests=False) == "forbidden"
        assert await x.refused("join", deputy) == "forbidden"
        await x.start()
        assert await x.refused("take_over", deputy) == "conflict"
        assert await x.refused("hand_over", deputy) == "conflict"
        for kind in ("take_over", "hand_over"):
            assert await x.refused(kind, x.player(1)) == "forbidden"
        assert await deputy.refused("move", g=x.boards[1], move="e2e4", ply=0) == "forbidden"
        shown = await asyncio.to_thread(x.shown)
        assert (shown["stand_in"]["name"], shown["acting"], shown["offered"]) == (name, False, False)
        # A person may refuse the part.
        await x.ask("leave", deputy)
        await x.event("you", deputy, you=None)
        assert "stand_in" not in await asyncio.to_thread(x.shown)
        assert await x.refused("hand_over") == "conflict"
    async with Client(url, guest(url)[0]) as host:
        terms = {**ANNOUNCED, "stand_in": name}
        simul = (await host.request("simul.create", **terms))["simul"]
        assert (await listen(host, simul))["stand_in"]["name"] == name
        assert await host.refused("simul.create", **terms, delay_s=60) == "conflict"


async def test_people_who_have_blocked_each_other_do_not_stand_in(url: str) -> None:
    (token, host), (other, user) = member(url), member(url)
    await asyncio.to_thread(ask, url, "PUT", f"blocks/{host['name']}", None, other)
    async with Client(url, token) as giver:
        assert await giver.refused("simul.create", **ANNOUNCED, stand_in=user["name"]) == "forbidden"
        simul = (await giver.request("simul.create", **ANNOUNCED))["simul"]
        assert await giver.refused("simul.edit", simul=simul, stand_in=user["name"]) == "forbidden"
        await giver.request("simul.cancel", simul=simul)


async def test_a_block_between_the_stand_in_and_a_player_is_told_to_nobody(url: str) -> None:
    """It counts for those who join while the stand-in plays."""
    (token, _), (other, user) = member(url), member(url)
    await asyncio.to_thread(ask, url, "PUT", f"blocks/{user['name']}", None, token)
    async with (
        announced(url, 1, late_join={"minutes": 60}) as x,
        Client(url, token) as player,
        Client(url, other) as deputy,
    ):
        await x.ask("join", player)
        await x.ask("edit", stand_in=user["name"])
        await x.ask("leave", player)
        await x.ask("join", player)
        await x.ask("leave", player)
        await listen(deputy, x.id)
        await x.start()
        await taken_over(x, deputy)
        assert await x.refused("join", player) == "forbidden"
        await x.ask("take_over")
        await x.ask("join", player)


async def test_only_the_host_learns_whether_somebody_can_be_the_stand_in(url: str) -> None:
    async with announced(url, 0) as x, Client(url, guest(url)[0]) as stranger:
        assert await x.refused("edit", stand_in="nobody at all") == "not_found"
        assert await x.refused("edit", stranger, stand_in="nobody at all") == "forbidden"


async def test_a_block_since_the_naming_refuses_no_edit(url: str) -> None:
    (token, host), (other, user) = member(url), member(url)
    async with Client(url, token) as giver:
        simul = (await giver.request("simul.create", **ANNOUNCED, stand_in=user["name"]))["simul"]
        await asyncio.to_thread(ask, url, "PUT", f"blocks/{host['name']}", None, other)
        await giver.request("simul.edit", simul=simul, text="Bring a friend.", stand_in=user["name"])
        assert (await listen(giver, simul))["stand_in"]["id"] == user["id"]
        await giver.request("simul.cancel", simul=simul)


async def test_stand_in_finds_the_simul_among_theirs(url: str) -> None:
    async with with_stand_in(url) as (x, deputy):

        def theirs() -> list[str]:
            return [card["simul"] for card in fetch(url, "simuls?status=mine", deputy)["simuls"]]

        assert await asyncio.to_thread(theirs) == [x.id]
        await x.ask("edit", name="Another name")
        assert await asyncio.to_thread(theirs) == [x.id]
        await x.ask("edit", stand_in=None)
        assert await asyncio.to_thread(theirs) == []
        async with Client(url, guest(url)[0]) as host:
            simul = (await host.request("simul.create", **ANNOUNCED, stand_in=deputy.welcome["user"]["name"]))["simul"]
            assert await asyncio.to_thread(theirs) == [simul]
            await host.request("simul.cancel", simul=simul)
            assert await asyncio.to_thread(theirs) == []


async def test_stand_in_plays_for_the_host(url: str) -> None:
    async with with_stand_in(url, 2) as (x, deputy), Client(url, deputy.token) as tab:
        before = await deputy.sub(x.boards[1])
        assert before["you"] is None
        await x.move(1, 0)
        await taken_over(x, deputy)
        # The same message twice, and from another tab.
        for socket in (deputy, tab):
            await x.ask("take_over", socket)
        await deputy.wait(lambda m: m["t"] == "simul.hosting" and m["simuls"] == [x.id])
        assert (await deputy.sub(x.boards[1]))["you"] == "w"
        assert (await x.host.sub(x.boards[1]))["you"] is None
        assert (await x.player(1).sub(x.boards[1]))["you"] == "b"
        async with Client(url) as spectator:
            assert (await spectator.sub(x.boards[1]))["you"] is None, "their snapshot is not the stand-in's"
        # One person plays.
        assert await x.host.refused("move", g=x.boards[2], move="e2e4", ply=0) == "forbidden"
        assert await x.refused("at", board=2) == "conflict"
        assert await x.refused("end") == "conflict"
        assert await x.refused("end", deputy) == "forbidden"
        await x.ask("at", deputy, board=2)
        await x.move(2, 0, who=tab)
        await x.move(1, 1)
        await x.move(1, 2, who=deputy)
        await x.player(1).request("draw", g=x.boards[1], do="offer")
        await deputy.wait(lambda m: m["t"] == "offer" and m["g"] == x.boards[1])
        assert await x.host.refused("draw", g=x.boards[1], do="accept") == "forbidden"
        await deputy.request("draw", g=x.boards[1], do="accept")
        over = await x.event("board", board=1, status="over")
        assert over["result"] == "1/2-1/2"
        # The game is the host's.
        game = fetch(url, f"games/{x.boards[1]}")
        assert game["players"]["w"]["user"]["id"] == x.host.welcome["user"]["id"]
        await x.ask("adjudicate", deputy, g=x.boards[2], result="1/2-1/2")
        finished = await x.event("finished", deputy)
        assert (finished["acting"], finished["score"]["draws"]) == (False, 2)


async def test_chat_of_host_and_player_is_not_the_stand_ins(url: str) -> None:
    async with with_stand_in(url) as (x, deputy):
        topic = f"game:{x.boards[1]}"
        for socket in (x.host, x.player(1)):
            await socket.sub(x.boards[1])
        await x.player(1).request("chat", topic=topic, text="between us")
        await taken_over(x, deputy)
        await deputy.sub(x.boards[1])
        await x.player(1).request("chat", topic=topic, text="still between us")
        await x.host.wait(lambda m: m["t"] == "chat" and m["text"] == "still between us")
        await x.move(1, 0, who=deputy)
        await deputy.wait(lambda m: m["t"] == "move")
        assert not [m for m in deputy.messages if m["t"] in ("chat", "chat.lines")]


async def test_chat_of_the_spectators_is_closed_to_who_plays(url: str) -> None:
    async with with_stand_in(url) as (x, deputy), Client(url, guest(url)[0]) as friend:
        topic = f"game:{x.boards[1]}"
        for socket in (friend, deputy):
            await socket.sub(x.boards[1])
        await taken_over(x, deputy)
        await friend.request("chat", topic=topic, text="Rxd5 wins")
        await deputy.sub(x.boards[1])
        assert await deputy.refused("chat", topic=topic, text="really?") == "forbidden"
        assert not [m for m in deputy.messages if m["t"] in ("chat", "chat.lines")]
        await x.ask("take_over")
        start = len(deputy.messages)
        await deputy.sub(x.boards[1])
        lines = await deputy.wait(lambda m: m["t"] == "chat.lines", start)
        assert [line["text"] for line in lines["lines"]] == ["Rxd5 wins"]


async def test_host_takes_it_back(url: str) -> None:
    async with with_stand_in(url) as (x, deputy):
        await taken_over(x, deputy)
        await x.move(1, 0, who=deputy)
        await x.ask("take_over")
        await x.event("away", deputy, acting=False, offered=False)
        await x.move(1, 1)
        assert await deputy.refused("move", g=x.boards[1], move="g1f3", ply=2) == "forbidden"
        await x.move(1, 2)
        # The stand-in may give it back too, and again only when they are asked.
        assert await x.refused("take_over", deputy) == "conflict"
        start = len(deputy.messages)
        await x.ask("hand_over")
        await x.ask("take_over", deputy)
        await x.ask("hand_over", deputy)
        await deputy.wait(lambda m: m["t"] == "simul.away" and not m["acting"] and not m["offered"], start)
        await x.move(1, 3)
        await x.move(1, 4)


async def test_only_one_of_two_plays_a_move_at_the_same_moment(url: str) -> None:
    """The host takes the simul back while the stand-in moves: the move is of one of them, once."""
    async with with_stand_in(url) as (x, deputy):
        await taken_over(x, deputy)

        async def played(who: Client, move: str) -> str:
            try:
                await who.request("move", g=x.boards[1], move=move, ply=0)
            except Refusal as refusal:
                return refusal.code
            return "ok"

        _, *done = await asyncio.gather(x.ask("take_over"), played(deputy, "e2e4"), played(x.host, "d2d4"))
        shown = await asyncio.to_thread(x.shown)
        assert done.count("ok") == shown["boards"][0]["ply"]
        assert set(done) <= {"ok", "forbidden", "stale_ply", "not_your_turn"}
        assert shown["acting"] is False
