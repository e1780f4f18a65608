"""A delayed simul board, observed by a stranger in every public place."""

from __future__ import annotations

import asyncio
import re
import time
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any

import asyncpg

from tests.integration.match import snapshot
from tests.integration.running_simul import MATE, fetch, listen, running
from tests.realtime.until import until
from tests.wire_client import WAIT_S, Client

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.server_process import ServerProcess

DELAY_S = 2

TICK_S = 0.001
"""The server's time is in whole milliseconds: what it rounds off may be as much early."""

END = len(MATE) + 1
"""What is told: so many half-moves, and then the end."""


def text(url: str) -> str:
    with urllib.request.urlopen(url, timeout=WAIT_S) as response:
        body: str = response.read().decode()
    return body


def told_of(game: dict[str, Any]) -> int:
    """How much a snapshot or a line of a list tells."""
    if game["status"] == "over":
        return END
    plies: int = len(game["moves"]) if "moves" in game else game["plies"] if "plies" in game else game["ply"]
    return plies


def told_in(score: str, game: str) -> int:
    """How much a file of scores tells of a game."""
    score = next((part for part in score.split("[Event ") if game in part), "")
    if '[Result "0-1"]' in score:
        return END
    return len(re.findall(r"%clk", score))


def looks(url: str, simul: str, game: str, host: str, player: str) -> dict[str, Callable[[], int]]:
    """Every address that could tell something, by its name: how much it does. Each asks, and blocks."""

    def page() -> int:
        found = re.search(r'"moves":\[([^\]]*)\]', text(f"{url}/game/{game}"))
        assert found is not None
        return END if '"status":"over"' in text(f"{url}/game/{game}") else found[1].count('"') // 2

    def listed(query: str) -> Callable[[], int]:
        def look() -> int:
            games = fetch(url, f"games?{query}")["games"]
            return max((told_of(line) for line in games if line["g"] == game), default=0)

        return look

    def profile() -> int:
        shown = fetch(url, f"users/{host}")
        assert shown["playing"] is None
        return END if shown["games"]["total"] else 0

    def card() -> int:
        (card,) = (card for card in fetch(url, "simuls")["simuls"] if card["simul"] == simul)
        return END if card["score"]["losses"] else 0

    def boards() -> int:
        boards = fetch(url, f"simuls/{simul}")["boards"]
        return max((told_of(board) for board in boards if board["g"] == game), default=0)

    return {
        "simul": boards,
        "simuls": card,
        "simul's scores": lambda: told_in(text(f"{url}/api/v1/simuls/{simul}/pgn"), game),
        "snapshot": lambda: told_of(snapshot(url, game)),
        "score": lambda: told_in(text(f"{url}/api/v1/games/{game}/pgn"), game) if known(url, game) else 0,
        "page": page,
        "list": listed("limit=50"),
        "host's games": listed(f"user={host}"),
        "player's games": listed(f"user={player}"),
        "host's lost games": listed(f"user={host}&result=lost"),
        "player's won games": listed(f"user={player}&opponent={host}&result=won"),
        "host's scores": lambda: told_in(text(f"{url}/api/v1/users/{host}/pgn"), game),
        "player's scores": lambda: told_in(text(f"{url}/api/v1/users/{player}/pgn"), game),
        "host": profile,
        "versus": lambda: END if fetch(url, f"users/{host}/versus/{player}")["games"]["total"] else 0,
    }


def code_of(url: str) -> int:
    try:
        with urllib.request.urlopen(url, timeout=WAIT_S) as response:
            code: int = response.status
    except urllib.error.HTTPError as error:
        return error.code
    return code


def known(url: str, game: str) -> bool:
    return bool(fetch(url, f"search?q={game}")["game"] == game)


IN_TIME = {"snapshot", "page", "simul", "simuls"}
"""Told from memory; the others from the database, which is ten seconds surer of itself."""

NEVER = {"host's lost games", "player's won games", "host", "versus", "simuls"}
"""These tell nothing but the end."""


class Looker:
    """Looks everywhere, again and again, and notes when it saw how much."""

    def __init__(self, looks: dict[str, Callable[[], int]]) -> None:
        self._looks = looks
        self.seen: dict[str, list[tuple[int, float]]] = {name: [] for name in looks}

    async def look(self) -> None:
        """Once everywhere."""
        for name, look in self._looks.items():
            told = await asyncio.to_thread(look)
            seen = self.seen[name]
            if not seen or told > seen[-1][0]:
                seen.append((told, time.monotonic()))

    def has_seen(self, names: set[str]) -> bool:
        return all(self.seen[name] and self.seen[name][-1][0] == END for name in names)


async def test_nothing_is_revealed_before_the_delay(server: ServerProcess) -> None:
    url = server.url
    async with running(url, 2, delay_s=900) as x, Client(url) as stranger:
        game = x.boards[1]
        host, player = (socket.welcome["user"]["name"] for socket in (x.host, x.player(1)))
        looker = Looker(looks(url, x.id, game, host, player))
        shown = await stranger.sub(game)
        assert (shown["moves"], shown["you"]) == ([], None)
        assert (await listen(stranger, x.id))["status"] == "created"
        neighbour = x.player(2)
        for socket in (x.host, x.player(1), neighbour):
            await socket.sub(game)
        for ply, move in enumerate(MATE):
            await looker.look()
            await x.move(1, ply, move)
            for inside in (x.host, x.player(1), neighbour):
                assert (await inside.event(game, ply + 1))["move"] == move
        await x.event("board", board=1, status="over")
        await looker.look()
        for name, seen in looker.seen.items():
            assert [much for much, _ in seen] == [0], name
        assert [line["g"] for line in fetch(url, "games?live=1")["games"]] == []
        for inside in (x.host, neighbour):
            assert snapshot(url, game, inside)["status"] == "over"
        for kind in ("csv", "json"):
            assert await asyncio.to_thread(code_of, f"{url}/api/v1/simuls/{x.id}/table.{kind}") == 409

        async with Client(url) as back:
            assert (await back.request("sub", topic=f"game:{game}", **{"from": 0}))["seq"] == 0
            assert (await back.wait(lambda m: m["t"] == "crowd"))["left"] == {"w": None, "b": None}
            assert not [m for m in back.messages if m["t"] == "game"]
        # Everything that was on its way to them when this answer was sent has come before it.
        await stranger.request("ping")
        assert stranger.events(game) == []
        assert not [m for m in stranger.messages if m["t"].startswith("simul.") and "seq" in m]


async def test_everything_is_revealed_after_the_delay(server: ServerProcess) -> None:
    url = server.url
    async with running(url, 2, delay_s=DELAY_S) as x, Client(url) as stranger:
        game = x.boards[1]
        host, player = (socket.welcome["user"]["name"] for socket in (x.host, x.player(1)))
        looker = Looker(looks(url, x.id, game, host, player))
        await stranger.sub(game)
        await listen(stranger, x.id)
        await x.host.sub(game)
        asked_at: dict[int, float] = {0: 0.0}
        for ply, move in enumerate(MATE):
            asked_at[ply + 1] = time.monotonic()
            await x.move(1, ply, move)
        asked_at[END] = asked_at[END - 1]

        heard_at: dict[int, float] = {}

        async def hear() -> None:
            for seq in range(1, END + 1):
                await stranger.event(game, seq)
                heard_at[seq] = time.monotonic()
            await x.event("board", stranger, board=1, status="over")
            heard_at[END] = time.monotonic()

        hearing = asyncio.create_task(hear(), name="hear")

        async def is_seen() -> bool:
            await looker.look()
            return looker.has_seen(IN_TIME)

        await until(is_seen)
        await hearing

        for seq, at in heard_at.items():
            assert at >= asked_at[seq] + DELAY_S - TICK_S
        players, public = ([m["t"] for m in socket.events(game)] for socket in (x.host, stranger))
        assert public == players == ["move"] * len(MATE) + ["end"]
        told_ms = stranger.events(game)[0]["clock"]["at"] - x.host.events(game)[0]["clock"]["at"]
        assert told_ms >= DELAY_S * 1000 - 10  # the wall clock's own slack, twice

        # What is told from the database comes later still; turn its clock.
        async with server.opened() as database:
            connection = await asyncpg.connect(database)
            await connection.execute("UPDATE event SET at = at - interval '12 s' WHERE game = $1", game)
            await connection.execute(
                """
                UPDATE game SET created_at = created_at - interval '12 s', ended_at = ended_at - interval '12 s'
                WHERE id = $1
                """,
                game,
            )
            await connection.close()

        async def all_is_seen() -> bool:
            await looker.look()
            return looker.has_seen(set(looker.seen))

        await until(all_is_seen)  # lists may be a second old
        for name, seen in looker.seen.items():
            for much, at in seen:
                assert at >= asked_at[much] + DELAY_S, (name, much)
                assert name not in NEVER or much in (0, END)
