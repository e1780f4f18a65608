"""A kill of server and PostgreSQL during pairing: one game for each request."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from realtime.postgres.database import connect
from tests.realtime.until import PAUSE_S, until
from tests.wire_client import Client, Refusal, guest

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from tests.server_process import ServerProcess

    Fault = Callable[[ServerProcess], Awaitable[None]]

pytestmark = pytest.mark.timeout(180)

PEOPLE = 30
ROUNDS = 4

POOL = "30+20"
"""Its games wait longest for a first move: they are there until the round is over."""


async def kill_server(server: ServerProcess) -> None:
    server.kill9()
    server.start()


async def kill_postgres(server: ServerProcess) -> None:
    postgres = server.postgres_pid()
    os.kill(postgres, signal.SIGKILL)
    await until(lambda: not psutil.pid_exists(postgres))


async def join(url: str, token: str, key: str, known: set[str]) -> str:
    """Ask with ``key`` until there is an answer, and wait for a game that is not ``known``, whatever breaks."""
    while True:
        try:
            async with Client(url, token) as client:
                while True:
                    try:
                        await client.request("pool.join", pool=POOL, key=key)
                        break
                    except Refusal as refusal:
                        if refusal.code != "unavailable":
                            raise
                        await asyncio.sleep(PAUSE_S)
                new = [game for game in client.welcome["games"] if game not in known]
                if new:
                    return str(new[0])
                paired = await client.wait(lambda m: m["t"] == "paired" and m["g"] not in known)
                return str(paired["g"])
        except OSError:
            await asyncio.sleep(PAUSE_S)  # the server is not there; it comes back on the same port


async def resign(url: str, token: str, game: str) -> None:
    """End ``game``, whatever breaks: who plays waits in no pool."""
    while True:
        try:
            async with Client(url, token) as client:
                await client.request("resign", g=game, key="resign")
                return
        except Refusal as refusal:
            if refusal.code not in ("unavailable", "not_found"):
                raise
        except OSError:
            pass
        await asyncio.sleep(PAUSE_S)


@pytest.mark.parametrize("fault", [kill_server, kill_postgres], ids=["server", "postgres"])
@pytest.mark.slow("many crashes in one evening")
async def test_every_request_for_a_pool_gets_exactly_one_game(
    server: ServerProcess, database: str, fault: Fault
) -> None:
    people = {user["id"]: token for token, user in (guest(server.url) for _ in range(PEOPLE))}
    known: dict[str, set[str]] = {person: set() for person in people}
    for number in range(ROUNDS):
        asking = [
            asyncio.create_task(join(server.url, token, f"{fault.__name__}-{number}", known[person]))
            for person, token in people.items()
        ]
        # The fault comes in the middle: some have their game, some wait, of some the server does not know yet.
        await asyncio.wait(asking, return_when=asyncio.FIRST_COMPLETED)
        await fault(server)
        playing: dict[str, str] = {}
        for person, game in zip(people, await asyncio.gather(*asking), strict=True):
            assert game not in known[person]
            known[person].add(game)
            playing[game] = people[person]
        await asyncio.gather(*(resign(server.url, token, game) for game, token in playing.items()))
    games = Counter(game for mine in known.values() for game in mine)
    assert set(games.values()) == {2}
    stored = await rows(database, list(people))
    assert {row["id"] for row in stored} == set(games)
    for row in stored:
        assert row["id"] in known[row["white"]] & known[row["black"]]
    waiting = await fetch(database, "SELECT person FROM waiting WHERE person = ANY($1)", list(people))
    assert waiting == []


async def rows(database: str, people: Sequence[str]) -> list[Any]:
    """The games of ``people``."""
    return await fetch(database, "SELECT id, white, black FROM game WHERE white = ANY($1) OR black = ANY($1)", people)


async def fetch(database: str, query: str, *arguments: Any) -> list[Any]:
    connection = await connect(database, name="checker")
    try:
        return list(await connection.fetch(query, *arguments))
    finally:
        await connection.close()
