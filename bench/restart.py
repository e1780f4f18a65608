"""Time until a killed server is back: ``python -m bench.restart [--games 1000] [--plies 40] [--rounds 3]``.

The database holds many live games. The server is killed (``kill -9``) and restarted on the same directory, where
PostgreSQL was left running. The results are the times from the kill until it serves, until the first move in the game
that it rebuilds last, and until all games are in memory.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import statistics
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

import msgspec

from bench.load.script import scripts
from bench.load.socket import connect
from bench.server.process import SERVER_LIMITS, started
from game_core.commands import PlayMove
from game_core.decide import decide
from game_core.evolve import evolve
from game_core.game import Setup
from game_core.start import new_game
from game_core.time_control import parse_time_control
from lobby.accounts.identity import create_guest
from lobby.ids import new_id
from lobby.pairing import NewGame
from realtime.journal.game_rows import insert_game
from realtime.postgres.database import create_pool
from realtime.postgres.embedded import EmbeddedPostgres
from realtime.postgres.migrate import migrate

PAIRS = 50
"""Pairs of players; each plays several games."""

MOVE_MS = 3000
"""Thinking time of every move."""

AGAIN_S = 0.02
"""Delay between two attempts."""

TC = parse_time_control({"base_s": 600, "inc_s": 5})


class Stored(msgspec.Struct):
    """The filled database: the oldest game, which is rebuilt last, and the next move in it."""

    game: str
    token: str
    ply: int
    move: str


def log_of(script: tuple[str, ...], plies: int) -> list[tuple[str, dict[str, Any]]]:
    """Return the rows of a game of ``plies`` moves: kind and payload."""
    game = new_game(Setup(id="template", tc=TC), 0)
    rows = []
    for ply, move in enumerate(script[:plies]):
        (event,) = decide(game, PlayMove(by=game.turn, move=move, ply=ply), ply * MOVE_MS)
        game = evolve(game, event, ply * MOVE_MS)
        payload = msgspec.to_builtins(event)
        rows.append((payload.pop("kind"), payload))
    return rows


async def fill(url: str, games: int, plies: int) -> Stored:
    """Write live games to the database."""
    await migrate(url)
    played = scripts()
    logs = [log_of(script, plies) for script in played]
    pool = await create_pool(url, max_size=1)
    try:
        people = [await create_guest(pool) for _ in range(2 * PAIRS)]
        ids = [new_id() for _ in range(games)]
        async with pool.acquire() as connection:
            for number, game in enumerate(ids):
                pair = number % PAIRS
                white, black = people[2 * pair][0], people[2 * pair + 1][0]
                new = NewGame(
                    id=game, game="chess", variant="standard", profile="online", rated=False, tc=TC, fen=None,
                    pausable=False, white=white, black=black,
                )  # fmt: skip
                async with connection.transaction():
                    await insert_game(connection, new, owner="nobody", epoch=1)
                    await connection.execute(
                        "UPDATE game SET status = 'live', last_seq = $2, plies = $2::bigint WHERE id = $1", game, plies
                    )
                    await connection.executemany(
                        "INSERT INTO event (game, seq, kind, payload) VALUES ($1, $2, $3, $4)",
                        [(game, seq, *row) for seq, row in enumerate(logs[number % len(logs)], 1)],
                    )
    finally:
        await pool.close()
    return Stored(ids[0], people[plies % 2][1], plies, played[0][plies])


async def first_move(url: str, stored: Stored) -> None:
    """Reconnect and move, repeating until it is done."""
    answers: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    socket = await connect(url, stored.token, lambda payload: answers.put_nowait(msgspec.msgpack.decode(payload)))
    move = {"t": "move", "id": 1, "g": stored.game, "move": stored.move, "ply": stored.ply, "key": "first"}
    while True:
        socket.request(move)
        while (answer := await answers.get()).get("id") != 1:
            pass
        if answer["t"] == "ok":
            break
        if answer["code"] != "unavailable":
            raise RuntimeError(f"the move was refused: {answer}")
        await asyncio.sleep(AGAIN_S)
    socket.transport.close()
    await socket.closed


async def all_loaded(url: str, games: int) -> None:
    """Wait until the server has ``games`` tables."""

    def tables() -> float:
        with urllib.request.urlopen(f"{url}/metrics") as response:  # noqa: S310  our own server's
            lines = response.read().decode().splitlines()
        return next(float(line.split()[1]) for line in lines if line.startswith("zeitnot_tables "))

    while await asyncio.to_thread(tables) < games:  # noqa: ASYNC110  another process's state: only asking tells
        await asyncio.sleep(AGAIN_S)


async def measure(directory: Path, games: int, plies: int) -> dict[str, float]:
    """Return the seconds from the kill to each point."""
    data = directory / "data"
    async with EmbeddedPostgres(data) as postgres:
        stored = await fill(postgres.url, games, plies)
    options = ("--port", "0", "--data", str(data), "--limit", SERVER_LIMITS, "--log-level", "warning")
    async with started("bench.server.observed", None, directory, *options) as server:
        await all_loaded(server.url, games)
        os.kill(server.pid, signal.SIGKILL)
        killed = time.perf_counter()
    seconds = {}
    async with started("bench.server.observed", None, directory, *options) as server:
        seconds["serving"] = time.perf_counter() - killed
        await first_move(server.url, stored)
        seconds["first move"] = time.perf_counter() - killed
        await all_loaded(server.url, games)
        seconds["all in memory"] = time.perf_counter() - killed
    return seconds


async def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description="Time from a kill -9 to play.")
    parser.add_argument("--games", type=int, default=1000, help="live games")
    parser.add_argument("--plies", type=int, default=40, help="moves played in each, at most 79")
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    rounds = []
    for _ in range(asked.rounds):
        with tempfile.TemporaryDirectory(prefix="zeitnot-bench-", ignore_cleanup_errors=True) as directory:
            rounds.append(await measure(Path(directory), asked.games, asked.plies))
    for name in rounds[0]:
        values = [seconds[name] for seconds in rounds]
        listed = ", ".join(f"{value:.2f}" for value in values)
        sys.stdout.write(f"{asked.games} games  {name:14} {statistics.median(values):6.2f} s  ({listed})\n")


if __name__ == "__main__":
    asyncio.run(main())
