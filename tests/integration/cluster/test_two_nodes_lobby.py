"""One lobby on two servers with one database and NATS between them."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from tests.realtime.until import until
from tests.wire_client import Client, Message, Refusal, guest

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.integration.two_nodes import Pair

BLITZ = {"base_s": 180, "inc_s": 2}


@contextlib.asynccontextmanager
async def two(pair: Pair) -> AsyncIterator[tuple[Client, Client]]:
    """A guest at each node."""
    async with contextlib.AsyncExitStack() as stack:
        yield (
            await stack.enter_async_context(Client(pair.a.url, guest(pair.a.url)[0])),
            await stack.enter_async_context(Client(pair.b.url, guest(pair.b.url)[0])),
        )


async def ask(client: Client, kind: str, **fields: Any) -> Message:
    """Ask until it is answered: with the same key, as a page does."""
    key = f"{kind} {len(client.messages)}"
    while True:
        try:
            return await client.request(kind, key=key, **fields)
        except Refusal as refusal:
            if refusal.code != "unavailable":
                raise
            await asyncio.sleep(0.05)


async def paired(client: Client) -> str:
    game: str = (await client.wait(lambda message: message["t"] == "paired"))["g"]
    return game


async def play(one: Client, other: Client, game: str) -> None:
    """Both sit down, move, and hear of each other's moves."""
    shown = [await client.sub(game) for client in (one, other)]
    white, black = (one, other) if shown[0]["you"] == "w" else (other, one)
    for ply, (client, move) in enumerate(((white, "e2e4"), (black, "e7e5"), (white, "g1f3"), (black, "b8c6"))):
        await ask(client, "move", g=game, move=move, ply=ply)
        for hearer in (white, black):
            await hearer.wait(
                lambda m, move=move: m["t"] == "move" and m["g"] == game and m["move"] == move  # type: ignore[misc]
            )


def seeks_of(client: Client) -> set[str]:
    """The open seeks as a client knows them that watches the lobby."""
    seeks: set[str] = set()
    for message in client.messages:
        if message["t"] == "lobby":
            seeks = {seek["seek"] for seek in message["seeks"]}
        elif message["t"] == "lobby.add":
            seeks.add(message["seek"])
        elif message["t"] == "lobby.gone":
            seeks.discard(message["seek"])
    return seeks


async def test_seek_of_one_node_is_accepted_at_the_other(pair: Pair) -> None:
    async with two(pair) as (anna, bert):
        for client in (anna, bert):
            await client.request("sub", topic="lobby")
        seek = (await ask(anna, "seek", tc=BLITZ, color="w"))["seek"]
        await until(lambda: seek in seeks_of(bert))
        game = (await ask(bert, "accept", seek=seek))["g"]
        assert {await paired(anna), await paired(bert)} == {game}
        await until(lambda: not seeks_of(anna) and not seeks_of(bert))
        await play(anna, bert, game)
    async with two(pair) as (anna, bert):  # and the other way round
        seek = (await ask(bert, "seek", tc=BLITZ, color="w"))["seek"]
        game = (await ask(anna, "accept", seek=seek))["g"]
        assert {await paired(anna), await paired(bert)} == {game}
        await play(anna, bert, game)


async def test_challenge_reaches_player_at_other_node(pair: Pair) -> None:
    async with two(pair) as (anna, bert):
        name = bert.welcome["user"]["name"]
        challenge = (await ask(anna, "challenge", tc=BLITZ, to=name))["challenge"]
        await bert.wait(lambda message: message["t"] == "challenge" and message["challenge"] == challenge)
        game = (await ask(bert, "challenge.accept", challenge=challenge))["g"]
        assert {await paired(anna), await paired(bert)} == {game}
        await play(anna, bert, game)


async def test_pools_span_both_nodes(pair: Pair) -> None:
    async with two(pair) as (anna, bert):
        await ask(anna, "pool.join", pool="3+2")
        await ask(bert, "pool.join", pool="3+2")
        game = await paired(anna)
        assert await paired(bert) == game
        await play(anna, bert, game)


async def test_killed_hub_is_replaced(pair: Pair) -> None:
    a, b, _ = pair
    tokens = [await asyncio.to_thread(guest, b.url) for _ in range(3)]
    async with contextlib.AsyncExitStack() as stack:
        anna, bert, carl = [await stack.enter_async_context(Client(b.url, token)) for token, _ in tokens]
        await bert.request("sub", topic="lobby")
        seek = (await ask(anna, "seek", tc=BLITZ, color="w"))["seek"]
        await ask(bert, "pool.join", pool="3+2")
        await until(lambda: seek in seeks_of(bert))
        a.kill9()
        # Asked for while there is no hub: it waits for one.
        await ask(carl, "pool.join", pool="3+2")
        assert await paired(bert) == await paired(carl)
        await bert.wait(lambda message: message["t"] == "lobby", after=bert.messages.index(bert.welcome) + 2)
        assert seeks_of(bert) == {seek}
        dora = await stack.enter_async_context(Client(b.url, (await asyncio.to_thread(guest, b.url))[0]))
        game = (await ask(dora, "accept", seek=seek))["g"]
        assert {await paired(anna), await paired(dora)} == {game}
        await play(anna, dora, game)


async def test_stopping_hub_hands_over_at_once(pair: Pair) -> None:
    a, b, _ = pair
    token, _ = await asyncio.to_thread(guest, b.url)
    async with Client(b.url, token) as anna:
        await anna.request("sub", topic="lobby")
        seeks = {(await ask(anna, "seek", tc=BLITZ, color="w"))["seek"]}
        stopping = asyncio.create_task(asyncio.to_thread(a.stop))
        for _ in range(3):
            seeks.add((await ask(anna, "seek", tc=BLITZ, color="w"))["seek"])
        await stopping
        seeks.add((await ask(anna, "seek", tc=BLITZ, color="w"))["seek"])
        await until(lambda: seeks_of(anna) == seeks)
