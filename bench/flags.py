"""Delay of flag falls, and whether the mating chances were known in time.

    python -m bench.flags [--games 40] [--plies 30] [--base 2] [--every 0.25]

Opens games at a fixed interval. Each is played from a script without thinking time for about ``--plies`` half-moves;
then no player moves any more. The result is the time from the running clock's zero until the end of the game was
published, by the server's own clock. It consists of the lag compensation for a late move (15 ms plus the measured lag
of the connection), the timer, the answer to who can still win, and the commit.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import urllib.request
from pathlib import Path
from typing import Any

import msgspec

from bench.load.guests import new_guests
from bench.load.script import scripts
from bench.load.socket import RawWebSocket, connect
from bench.server.process import SERVER_LIMITS, started


class FlagPlayer:
    """One player's socket; ``received`` are the messages that it received."""

    def __init__(self) -> None:
        self.received: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.socket: RawWebSocket

    async def connect(self, url: str, token: str) -> None:
        self.socket = await connect(
            url, token, lambda payload: self.received.put_nowait(msgspec.msgpack.decode(payload))
        )

    async def next(self, *kinds: str) -> dict[str, Any]:
        """Return the next message of one of these types. An error is raised."""
        while (message := await self.received.get())["t"] not in kinds:
            if message["t"] == "error":
                raise RuntimeError(f"refused: {message}")
        return message

    async def request(self, kind: str, **fields: Any) -> dict[str, Any]:
        self.socket.request({"t": kind, "id": 1, **fields})
        return await self.next("ok")


async def lose_on_time(url: str, tokens: list[str], moves: tuple[str, ...], base_s: int) -> int:
    """Play ``moves`` and wait for the flag; return how many ms after zero the end was published."""
    players = [FlagPlayer(), FlagPlayer()]
    for player, token in zip(players, tokens, strict=True):
        await player.connect(url, token)
    white, black = players
    offer = await white.request("challenge", tc={"base_s": base_s, "inc_s": 0}, color="w")
    game = (await black.request("challenge.accept", challenge=offer["challenge"]))["g"]
    for player in players:
        await player.request("sub", topic=f"game:{game}")
    event: dict[str, Any] = {}
    for ply, move in enumerate(moves):
        players[ply % 2].socket.request({"t": "move", "id": 2, "g": game, "move": move, "ply": ply})
        while event.get("ply") != ply:
            event = await players[1 - ply % 2].next("move")
    clock = event["clock"]
    end = await white.next("end")
    if end["reason"] != "timeout":
        raise RuntimeError(f"no flag fell: {end}")
    for player in players:
        player.socket.transport.close()
        await player.socket.closed
    late_ms: int = end["clock"]["at"] - clock["at"] - clock[clock["run"]]
    return late_ms


def chance_metrics(url: str) -> list[str]:
    with urllib.request.urlopen(f"{url}/metrics") as response:  # noqa: S310  our own server's
        lines = response.read().decode().splitlines()
    return [line for line in lines if line.startswith("zeitnot_verdict") and "_bucket" not in line]


async def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--plies", type=int, default=30, help="half-moves played before a flag falls (default: 30)")
    parser.add_argument("--base", type=int, default=2, help="seconds for each player (default: 2)")
    parser.add_argument("--every", type=float, default=0.25, help="seconds between two games (default: 0.25)")
    arguments = parser.parse_args()
    played = scripts()
    with tempfile.TemporaryDirectory(prefix="zeitnot-bench-", ignore_cleanup_errors=True) as directory:
        options = ("--port", "0", "--data", f"{directory}/data", "--limit", SERVER_LIMITS, "--log-level", "warning")
        async with started("bench.server.observed", None, Path(directory), *options) as server:
            tokens = await new_guests(server.url, 2 * arguments.games)
            games = []
            for number in range(arguments.games):
                # No position twice: a cached answer would not be a measurement.
                moves = played[number % len(played)][: arguments.plies + number // len(played)]
                pair = tokens[2 * number : 2 * number + 2]
                games.append(asyncio.create_task(lose_on_time(server.url, pair, moves, arguments.base)))
                await asyncio.sleep(arguments.every)
            late = sorted(await asyncio.gather(*games))
            counted = await asyncio.to_thread(chance_metrics, server.url)
    sys.stdout.write(
        f"{len(late)} flags: end published {late[0]} to {late[-1]} ms after zero, "
        f"median {statistics.median(late):.0f}, nine of ten within {late[len(late) * 9 // 10]} ms\n"
    )
    sys.stdout.write("\n".join(counted) + "\n")


if __name__ == "__main__":
    asyncio.run(main())
