"""The process of the robots beside a server: started with it, killed, restarted."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import psutil
import pytest

from game_core.registry import rules_for
from tests.realtime.until import until
from tests.robots.programs import write_program
from tests.server_process import ServerProcess
from tests.wire_client import Client, Message, guest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.timeout(240)

TERMS = {"game": "draughts", "variant": "russian", "tc": {"base_s": 60}, "to": "robot", "level": 1}

START_S = 90.0
"""Until robots play, on a machine that is busy with other tests."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    # A chess engine that starts at once: each start of the robots starts it too.
    engine = write_program(tmp_path / "engine", "fake_engine.py")
    environment = {"ZEITNOT_NO_ROBOTS": "no", "ZEITNOT_WORKERS": "1", "ZEITNOT_ENGINE": str(engine)}
    with ServerProcess(tmp_path / "data", environment=environment) as server:
        yield server


def robots_of(server: ServerProcess) -> list[int]:
    """Return the process ids of the robots of ``server``: one, or none between two."""
    return [process.pid for process in psutil.Process(server.pid).children() if "robots" in process.cmdline()]


class Opponent:
    """Plays the first legal move at one game."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.token = guest(url)[0]
        self.game = ""

    async def begin(self, client: Client) -> None:
        """Start a game as soon as robots play."""
        await client.request("sub", topic="lobby")
        async with asyncio.timeout(START_S):
            await until(lambda: any((m.get("robots") or {}).get("busy") is False for m in client.messages))
        self.game = (await client.request("challenge", color="w", **TERMS))["g"]

    async def play(self, client: Client, moves: int) -> None:
        """Make ``moves`` moves, each after the robot's answer to the one before."""
        rules = rules_for("draughts", "russian")
        start = len(client.messages)
        snapshot = await client.sub(self.game)
        played = list(snapshot["moves"])

        def take(message: Message) -> bool:
            wanted = {"t": "move", "g": self.game, "ply": len(played)}
            return all(message.get(name) == value for name, value in wanted.items())

        position = rules.start(None)
        for move in played:
            position = rules.play(position, move).position
        for _ in range(moves):
            if rules.turn(position) == "b":
                async with asyncio.timeout(START_S):
                    await until(lambda: any(map(take, client.messages[start:])))
                move = next(message["move"] for message in client.messages[start:] if take(message))
                position = rules.play(position, move).position
                played.append(move)
            move = rules.legal_moves(position)[0]
            await client.request("move", g=self.game, move=move, ply=len(played))
            position = rules.play(position, move).position
            played.append(move)


async def test_game_goes_on_after_robots_or_server_are_killed(server: ServerProcess) -> None:
    assert (server.data / "robots-token").stat().st_mode & 0o777 == 0o600
    opponent = Opponent(server.url)
    async with Client(server.url, opponent.token) as client:
        await opponent.begin(client)
        await opponent.play(client, 1)
        (first,) = robots_of(server)
        psutil.Process(first).kill()
        await opponent.play(client, 2)
        (second,) = robots_of(server)
        assert second != first
    server.kill9()
    await until(lambda: not psutil.pid_exists(second))
    server.start()
    async with Client(server.url, opponent.token) as client:
        assert client.welcome["games"] == [opponent.game]
        await opponent.play(client, 2)
        await client.request("resign", g=opponent.game)
    (third,) = robots_of(server)
    server.stop()
    assert not psutil.pid_exists(third)


async def test_server_without_robots_has_neither_accounts_nor_a_process(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "data", "--no-robots") as server:
        assert robots_of(server) == []
        assert not (server.data / "robots-token").exists()
        async with Client(server.url, guest(server.url)[0]) as client:
            assert await client.refused("challenge", to="robot-1", tc=None) == "not_found"
