"""``kill -9`` of an engine, the robots and the server in the middle of games: each goes on and ends as it should."""

from __future__ import annotations

import asyncio
import sys
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from game_core.registry import registered, rules_for
from tests.integration.conftest import served
from tests.realtime.until import until
from tests.robots.programs import write_program
from tests.server_process import ROOT
from tests.wire_client import Client, Refusal, guest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.server_process import ServerProcess

pytestmark = [pytest.mark.timeout(300), pytest.mark.lone_node("it is killed and restarted")]

KINDS = (
    ("chess", "antichess"), ("draughts", "russian"), ("draughts", "losing-english"), ("chinese-checkers", "fifteen"),
)  # fmt: skip

GAMES = 6

MANY = 50

THOUGHT_S = 0.05
"""Of an opponent."""

PLIES = 40
"""After so many half-moves opponents resign: on the star random moves lead nowhere."""

ENDED_BY_PEOPLE = {"resignation", "agreement"}


class RobotsProgram:
    """A process of the robots, which tests kill and start again."""

    def __init__(self, server: ServerProcess, token_file: Path, engine: Path | None, log: Path) -> None:
        self._command = (server.url, str(token_file), *(() if engine is None else (str(engine),)))
        self._log = log
        self._process: asyncio.subprocess.Process

    async def start(self) -> None:
        program = Path(__file__).with_name("robots_program.py")
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, str(program), *self._command, env={"PYTHONPATH": str(ROOT)}, stdout=log, stderr=log
            )

    @property
    def engines(self) -> list[psutil.Process]:
        return psutil.Process(self._process.pid).children()

    async def kill9(self) -> None:
        """Kill it, and see its engines end by themselves."""
        engines = self.engines
        self._process.kill()
        await self._process.wait()
        await until(lambda: not any(engine.is_running() for engine in engines))

    async def stop(self) -> None:
        if self._process.returncode is None:
            self._process.terminate()
            await self._process.wait()


class Opponent:
    """Plays random moves in one game against a robot, on one socket after the other.

    Attributes:
        moves: all that were seen on the board.
        end: result and reason, once the game is over.
    """

    def __init__(self, url: str, token: str, number: int, kind: tuple[str, str]) -> None:
        self.url, self.token, self.kind, self.level = url, token, kind, number % 8 + 1
        self.moves: list[str] = []
        self.end: tuple[str, str] | None = None
        self._chance = Random(number)
        self._key = f"begin-{number}"
        self._game = ""
        self._start: str | None = None
        self._you = ""
        self._rules: Any = rules_for(*kind)

    async def run(self) -> None:
        while self.end is None:
            try:
                async with Client(self.url, self.token) as client:
                    await (self._play(client) if self._game else self._begin(client))
            except (OSError, Refusal, TimeoutError):  # the server is away, or the lobby waits for robots
                await asyncio.sleep(0.2)
            except Exception as error:
                if "websockets" not in type(error).__module__:
                    raise
                await asyncio.sleep(0.2)

    async def _begin(self, client: Client) -> None:
        game, variant = self.kind
        terms = {"tc": {"base_s": 600}, "to": "robot", "level": self.level, "game": game, "variant": variant}
        self._game = (await client.request("challenge", **terms, key=self._key))["g"]

    async def _play(self, client: Client) -> None:
        snapshot = await client.sub(self._game)
        self._you = snapshot["you"]
        assert snapshot["moves"][: len(self.moves)] == self.moves, "a move that was seen is gone"
        self.moves, self._start = list(snapshot["moves"]), snapshot["fen"]
        position = self._position()
        seq: int = snapshot["seq"]
        if snapshot["status"] == "over":
            self.end = snapshot["result"], snapshot["reason"]
        while self.end is None:
            if self._rules.turn(position) == self._you and self._rules.outcome(position) is None:
                await asyncio.sleep(THOUGHT_S)
                if len(self.moves) >= PLIES:
                    await client.request("resign", g=self._game)
                else:
                    move = self._chance.choice(self._rules.legal_moves(position))
                    await client.request("move", g=self._game, move=move, ply=len(self.moves))
            seq += 1
            event = await client.event(self._game, seq)
            if event["t"] == "move":
                self.moves.append(event["move"])
                position = self._rules.play(position, event["move"]).position
            elif event["t"] == "end":
                self.end = event["result"], event["reason"]

    def check(self) -> None:
        """Assert that the game is over, as the rules or the players have it."""
        assert self.end is not None
        result, reason = self.end
        position = self._position()
        outcome = self._rules.outcome(position)
        if reason in ENDED_BY_PEOPLE:
            assert outcome is None
        elif outcome is None:
            assert (result, reason) == ("1/2-1/2", self._rules.claimable(position)), "a claim"
        else:
            winner = {"1-0": "w", "0-1": "b"}.get(result)
            assert (winner, reason) == (outcome.winner, outcome.reason)

    def _position(self) -> Any:
        position = self._rules.start(self._start)
        for move in self.moves:
            position = self._rules.play(position, move).position
        return position


@pytest.fixture
def token_file(tmp_path: Path) -> Path:
    return tmp_path / "token"


@pytest.fixture
def server(tmp_path: Path, token_file: Path) -> Iterator[ServerProcess]:
    with served(tmp_path / "data", "--token-file", str(token_file)) as server:
        yield server


async def play_and_kill(server: ServerProcess, robots: RobotsProgram, kinds: Sequence[tuple[str, str]]) -> None:
    """Play one game of each kind, and kill everything once while they are played."""
    tokens = [(await asyncio.to_thread(guest, server.url))[0] for _ in kinds]
    opponents = [
        Opponent(server.url, token, number, kind)
        for number, (token, kind) in enumerate(zip(tokens, kinds, strict=True))
    ]
    await robots.start()
    playing = [asyncio.create_task(opponent.run(), name=f"opponent in {opponent.kind}") for opponent in opponents]

    async def played(plies: int) -> None:
        """Wait until each game has so many half-moves, or is over."""

        def have() -> bool:
            for task in playing:
                if task.done():
                    task.result()  # raises
            return all(one.end is not None or len(one.moves) >= plies for one in opponents)

        await until(have)

    try:
        await played(6)
        engines = robots.engines
        assert engines
        for engine in engines:
            engine.kill()
        await played(12)
        await robots.kill9()
        await robots.start()
        await played(18)
        assert sum(one.end is None for one in opponents) > len(opponents) / 4, "the games are too short"
        server.kill9()
        await asyncio.to_thread(server.start)
        await asyncio.gather(*playing)
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        await robots.stop()
    for opponent in opponents:
        opponent.check()


async def test_games_go_on_after_engine_robots_and_server_are_killed(
    server: ServerProcess, token_file: Path, tmp_path: Path
) -> None:
    engine = write_program(tmp_path / "engine", "fake_engine.py", "variants")
    robots = RobotsProgram(server, token_file, engine, tmp_path / "robots.log")
    await play_and_kill(server, robots, list(islice(cycle(KINDS), GAMES)))


@pytest.mark.slow("fifty games at once")
async def test_fifty_games_of_every_variant_survive_the_same(
    server: ServerProcess, token_file: Path, tmp_path: Path
) -> None:
    engine = write_program(tmp_path / "engine", "fake_engine.py", "variants")
    robots = RobotsProgram(server, token_file, engine, tmp_path / "robots.log")
    await play_and_kill(server, robots, list(islice(cycle(registered()), MANY)))
