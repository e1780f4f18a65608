"""``kill -9`` of server and PostgreSQL around the ends of rated games: each counts once, and says what it has done."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import random
import signal
from typing import TYPE_CHECKING, Any

import pytest

from game_core.events import Ended
from harness.chaos.clients import AGAIN_S, BACK_S
from harness.chaos.socket import GONE
from realtime.journal.journal_sql import decode_event
from realtime.journal.recomputation import check
from realtime.postgres.database import connect
from tests.realtime.until import until
from tests.server_process import NO_PAIR_LIMIT
from tests.wire_client import Client, Message, Refusal, member

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from game_core.color import Color
    from tests.server_process import ServerProcess

pytestmark = pytest.mark.timeout(300)

PEOPLE, BOARDS, GAMES_EACH = 6, 8, 30
CRASHES = 8
ENDS_BETWEEN = (5, 25)

OPENING = ("e2e4", "e7e5", "g1f3", "b8c6")

PREPARE = NO_PAIR_LIMIT

_keys = itertools.count(1)


class Rival:
    """A member who repeats each request under a key of its own until it is answered."""

    def __init__(self, url: str, token: str, chance: random.Random) -> None:
        self._url = url
        self._token = token
        self._chance = chance

    async def ask(self, kind: str, **fields: Any) -> Message:
        """The ``ok``, however often the server dies meanwhile."""
        key = f"k{next(_keys)}"
        return await self._try(lambda client: client.request(kind, key=key, **fields))

    async def snapshot(self, game: str) -> Message:
        """Return the snapshot of the game as this member gets it."""
        return await self._try(lambda client: client.sub(game))

    async def _try(self, do: Callable[[Client], Awaitable[Message]]) -> Message:
        while True:
            try:
                async with Client(self._url, self._token) as client:
                    return await do(client)
            except GONE:
                await asyncio.sleep(self._chance.uniform(*BACK_S))
            except Refusal as refusal:
                if refusal.code != "unavailable":
                    raise
                await asyncio.sleep(self._chance.uniform(*AGAIN_S))


class Evening:
    """Some people who play short rated games against each other on several boards.

    Attributes:
        told: by game: what its end has said of the ratings.
    """

    def __init__(self, url: str, tokens: list[str], seed: int) -> None:
        self.told: dict[str, dict[Color, int]] = {}
        self._chance = random.Random(seed)
        self._people = [Rival(url, token, self._chance) for token in tokens]

    async def board(self) -> None:
        """Games, one after the other."""
        for _ in range(GAMES_EACH):
            white, black = self._chance.sample(self._people, 2)
            offer = await white.ask("challenge", tc={"base_s": 300, "inc_s": 3}, color="w", rated=True)
            game = (await black.ask("challenge.accept", challenge=offer["challenge"]))["g"]
            for ply, (player, move) in enumerate(zip((white, black) * 2, OPENING, strict=True)):
                await player.ask("move", g=game, move=move, ply=ply)
            loser = self._chance.choice((white, black))
            await loser.ask("resign", g=game)
            over = await (black if loser is white else white).snapshot(game)
            assert (over["status"], over["reason"]) == ("over", "resignation")
            self.told[game] = over["ratings"]


@pytest.mark.slow("many crashes in one evening")
async def test_every_rated_game_counts_once(server: ServerProcess, database: str) -> None:
    chance = random.Random(5)
    tokens = [(await asyncio.to_thread(member, server.url))[0] for _ in range(PEOPLE)]
    evening = Evening(server.url, tokens, seed=6)
    boards = [asyncio.create_task(evening.board()) for _ in range(BOARDS)]

    def more(than: int) -> bool:
        for task in boards:
            if task.done():
                task.result()
        return len(evening.told) >= than or all(task.done() for task in boards)

    for number in range(CRASHES):
        aim = len(evening.told) + chance.randint(*ENDS_BETWEEN)
        await until(lambda aim=aim: more(aim))
        if number % 2:
            os.kill(server.postgres_pid(), signal.SIGKILL)
            continue
        if number % 4 == 2:  # both, as when the machine itself goes down
            with contextlib.suppress(ProcessLookupError):
                os.kill(server.postgres_pid(), signal.SIGKILL)
        server.kill9()
        await asyncio.to_thread(server.start)
    await asyncio.gather(*boards)
    assert len(evening.told) == BOARDS * GAMES_EACH
    await every_end_counted_once(database, evening)


async def every_end_counted_once(database: str, evening: Evening) -> None:
    connection = await connect(database, name="checker")
    try:
        marks = await connection.fetch("SELECT game, person, rating FROM rated_game")
        games = {row["id"]: row for row in await connection.fetch("SELECT id, white, black FROM game")}
        ends = {
            row["game"]: decode_event("end", row["payload"])
            for row in await connection.fetch("SELECT game, payload FROM event WHERE kind = 'end'")
        }
        total = await connection.fetchval("SELECT sum(games) FROM rating")
        count = await connection.fetchval("SELECT count(*) FROM event WHERE kind = 'end'")
        report = await check(connection)
    finally:
        await connection.close()
    assert count == len(ends) == len(evening.told)
    assert len(marks) == total == 2 * len(evening.told)
    for mark in marks:
        side: Color = "w" if games[mark["game"]]["white"] == mark["person"] else "b"
        end = ends[mark["game"]]
        assert isinstance(end, Ended)
        assert end.ratings is not None
        assert end.ratings[side] == round(mark["rating"]) == evening.told[mark["game"]][side]
    assert (report.games, report.count) == (len(evening.told), 0), list(report.lines(written=False))


async def test_locked_rating_delays_only_its_games(server: ServerProcess, database: str) -> None:
    """While the end of a game waits for a lock, its clocks are held and its subscribers receive ``hold``.

    The request is answered ``unavailable`` after 10 s. Other games continue.
    """
    tokens = [(await asyncio.to_thread(member, server.url))[0] for _ in range(4)]
    endless = {"idle_in_transaction_session_timeout": "0"}  # somebody's who has no such limit
    stranger = await connect(database, name="stranger", settings=endless)
    try:
        async with contextlib.AsyncExitStack() as stack:
            held, holder, free, other = [await stack.enter_async_context(Client(server.url, token)) for token in tokens]
            await ended_game(held, holder, rated=True)  # so that they have ratings
            waits = await begun_game(held, holder, rated=True)
            goes_on = await begun_game(free, other, rated=True)
            async with stranger.transaction():
                await stranger.execute("SELECT FROM rating WHERE person = $1 FOR UPDATE", held.welcome["user"]["id"])
                resigning = asyncio.create_task(held.refused("resign", g=waits, key="slow"))
                hold = await holder.wait(lambda m: m["t"] == "hold")
                assert (hold["g"], hold["why"]) == (waits, "storage")
                await free.request("move", g=goes_on, move="f1c4", ply=4)
                await other.request("resign", g=goes_on)
                assert (await end_of(free, goes_on))["ratings"] is not None
                assert await resigning == "unavailable"
                assert not any(m["t"] == "end" and m["g"] == waits for m in holder.messages)
            end = await end_of(holder, waits)
            assert end["ratings"] is not None
            again = await held.request("resign", g=waits, key="slow")
            assert again["seq"] == end["seq"], "asked again, it has been done"
        assert (await check(stranger)).count == 0
    finally:
        await stranger.close()


async def end_of(client: Client, game: str) -> Message:
    """The end of a game, whatever its number: where the database stalls for a second clocks stand, and go on by an
    event."""
    return await client.wait(lambda m: m["t"] == "end" and m["g"] == game)


async def begun_game(white: Client, black: Client, **terms: Any) -> str:
    offer = await white.request("challenge", tc={"base_s": 300, "inc_s": 3}, color="w", **terms)
    game: str = (await black.request("challenge.accept", challenge=offer["challenge"]))["g"]
    for player in (white, black):
        await player.sub(game)
    for ply, (player, move) in enumerate(zip((white, black) * 2, OPENING, strict=True)):
        await player.request("move", g=game, move=move, ply=ply)
    return game


async def ended_game(white: Client, black: Client, **terms: Any) -> None:
    await white.request("resign", g=await begun_game(white, black, **terms))
