"""Games of guests against robots, played beside a measurement.

The process ``zeitnot robots`` runs as it does for users, on any core. The guests are in a process of their own, at idle
priority: elsewhere they would be on other machines. It is run as ``python -m bench.load.robot_games URL GAMES``, prints
a line when all games have begun and, after the end of its input, the number of moves that robots have made.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import sys
from random import Random
from typing import TYPE_CHECKING, Any

from bench.load.guests import new_guests
from bench.machine import on_any
from bench.server.process import announce, raise_file_limit, use_idle_priority
from game_core.registry import rules_for
from robots.client import BotClient, BotRefused
from robots.levels import HIGHEST

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from bench.machine import Cores

ROBOTS = "from realtime.commands.cli import main; main()"

KINDS = (
    ("draughts", "international"),
    ("chess", "standard"),
    ("draughts", "russian"),
    ("chinese-checkers", "fifteen"),
)

TC = {"base_s": 300, "inc_s": 3}

THOUGHT_S = 2.0
"""Mean time of a guest's move."""

RETRY_S = 1.0
"""Pause after robots were busy, or not there yet."""

BEGIN_S = 120.0
"""Timeout until all games have begun."""

STOP_S = 10.0


@contextlib.asynccontextmanager
async def robot_games(
    url: str, token_file: Path, games: int, cores: Cores, write: Callable[[str], None]
) -> AsyncIterator[None]:
    """Play ``games`` games against robots inside the block, one after the other at each board. 0: none.

    Args:
        url, token_file: of the server.
        write: gets a line about the moves made.
    """
    if games == 0:
        yield
        return
    python, pipe = sys.executable, asyncio.subprocess.PIPE
    options = ("robots", "--server", url, "--token-file", str(token_file), "--log-level", "warning")
    with on_any(cores):
        robots = await asyncio.create_subprocess_exec(python, "-c", ROBOTS, *options)
        guests = await asyncio.create_subprocess_exec(
            *(python, "-m", "bench.load.robot_games", url, str(games)), stdin=pipe, stdout=pipe
        )
    assert guests.stdin is not None, "it was started with a pipe"
    assert guests.stdout is not None, "it was started with a pipe"
    try:
        async with asyncio.timeout(BEGIN_S):
            if not await guests.stdout.readline():
                raise RuntimeError("the guests who play against robots have failed")
        yield
        guests.stdin.close()
        async with asyncio.timeout(STOP_S):
            write(f"robots have made {int(await guests.stdout.readline())} moves")
    finally:
        for process in (guests, robots):
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
            await process.wait()


class RobotGuests:
    """The guests, each with one game at a time.

    Attributes:
        moves: of robots.
        have_begun: set when the first games of all have begun.
    """

    def __init__(self, url: str, games: int) -> None:
        self._url = url
        self._games = games
        self._numbers = itertools.count()
        self._playing: set[int] = set()
        self.moves = 0
        self.have_begun = asyncio.Event()

    async def play(self, token: str) -> None:
        """Play one game after the other."""
        number = next(self._numbers)
        chance = Random(number)  # noqa: S311  moves of a measurement
        game, variant = KINDS[number % len(KINDS)]
        level = number % HIGHEST + 1
        async with BotClient(self._url, token) as client:
            while True:
                try:
                    began = await client.request(
                        "challenge", to="robot", level=level, game=game, variant=variant, tc=TC, color="w"
                    )
                except BotRefused as refused:
                    if refused.code not in ("unavailable", "rate_limited"):
                        raise
                    await asyncio.sleep(RETRY_S)
                    continue
                self._playing.add(number)
                if len(self._playing) == self._games:
                    self.have_begun.set()
                await client.request("sub", topic=f"game:{began['g']}")
                await self._finish(client, began["g"], chance)

    async def _finish(self, client: BotClient, game_id: str, chance: Random) -> None:
        """Play random moves to the end of the game."""
        you, ply = "", 0
        rules: Any = None
        position: Any = None
        async for message in client:
            if message.get("g") != game_id:
                continue
            if message["t"] == "game":
                you, ply = message["you"], len(message["moves"])
                rules = rules_for(message["game"], message["variant"], message["rules"])
                position = rules.start(message["fen"])
                for move in message["moves"]:
                    position = rules.play(position, move).position
            elif message["t"] == "move" and message["ply"] == ply:
                position, ply = rules.play(position, message["move"]).position, ply + 1
                self.moves += message["by"] != you
            elif message["t"] == "end":
                return
            else:
                continue
            if rules.outcome(position) is None and rules.turn(position) == you:
                await asyncio.sleep(chance.expovariate(1 / THOUGHT_S))
                try:
                    await client.request("move", g=game_id, move=chance.choice(rules.legal_moves(position)), ply=ply)
                except BotRefused:  # the robot has resigned, or a flag has fallen
                    continue
        raise RuntimeError("the server has closed a guest's socket")


async def _serve(url: str, games: int) -> None:
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    guests = RobotGuests(url, games)
    playing = [asyncio.create_task(guests.play(token), name="a guest") for token in await new_guests(url, games)]
    begun = asyncio.create_task(guests.have_begun.wait(), name="the first games")
    ended = asyncio.create_task(reader.read(), name="the end of the measurement")
    await asyncio.wait((*playing, begun, ended), return_when=asyncio.FIRST_COMPLETED)
    if begun.done():
        announce("playing")
        await asyncio.wait((*playing, ended), return_when=asyncio.FIRST_COMPLETED)
    for task in playing:
        if task.done():
            task.result()  # raises
    announce(str(guests.moves))
    begun.cancel()
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)


def main() -> None:
    """Run the guests."""
    raise_file_limit()
    use_idle_priority()
    asyncio.run(_serve(sys.argv[1], int(sys.argv[2])))


if __name__ == "__main__":
    main()
