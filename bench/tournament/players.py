"""Who plays a match: a level of the robots, or a UCI engine that limits its strength."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Protocol

import chess.engine
import msgspec

from robots.engines.chess.uci import board_of
from robots.engines.search.process import SearchProcess
from robots.jobs import EngineFailed, NoEngine
from robots.levels import Level, draw_move, level_of

if TYPE_CHECKING:
    from pathlib import Path

    from robots.engines.available import Engines
    from robots.engines.engine import MoveEngine
    from robots.jobs import Job

ANCHOR_NODES = 20_000
"""Of a move of the anchor. A limited Stockfish takes its move from a depth that depends on its Elo points alone; with
so many nodes it reaches depth 8, which 2,000 points need."""

STRONG_ANCHOR = 2_050
"""Elo points from which the anchor gets ``STRONG_ANCHOR_NODES``: depth 11, which 2,250 points need."""

STRONG_ANCHOR_NODES = 100_000


class MatchSide(msgspec.Struct, frozen=True, kw_only=True):
    """What a player is. Results of two matches belong together only if their sides are equal."""

    name: str
    """``3`` for level 3, ``UCI_Elo 1500`` for an anchor."""
    engine: str
    level: Level | None = None
    """None: no level of the robots."""


class BenchPlayer(Protocol):
    """Who makes the moves of a side."""

    async def move(self, job: Job) -> str:
        """Return a move in wire notation. Raises ``EngineFailed``."""

    async def close(self) -> None:
        """End its process."""


class Entrant(Protocol):
    """Starts equal players, one for each game that is played at the same time."""

    @property
    def side(self) -> MatchSide: ...

    async def start(self) -> BenchPlayer:
        """Raises ``EngineFailed``."""


class LevelPlayer:
    """A level of the robots, as of ``robots.pool`` but without limits on time."""

    def __init__(self, engine: MoveEngine, number: int, level: Level) -> None:
        self._engine, self._number, self._level = engine, number, level

    async def move(self, job: Job) -> str:
        found = await self._engine.search(job, self._number, self._level)
        drawn = draw_move(found.candidates, self._number, self._level, game_id=job.game_id, ply=len(job.moves))
        return drawn.move

    async def close(self) -> None:
        await self._engine.close()


class LevelEntrant:
    """Level ``number`` in a variant. Raises ``NoEngine`` if none of ``engines``, which are probed, plays it."""

    def __init__(self, engines: Engines, variant: tuple[str, str], number: int) -> None:
        kind = engines.kind_for(*variant, number)
        if kind is None:
            raise NoEngine("; ".join((f"no engine plays {variant[1]}", *engines.failures.values())))
        self._engines, self._kind, self._number = engines, kind, number
        self._level = level_of(variant[0], number)
        self.side = MatchSide(name=str(number), engine=engines.name_of(kind), level=self._level)

    async def start(self) -> LevelPlayer:
        if self._kind == "search":
            return LevelPlayer(await SearchProcess.start(longest_s=None), self._number, self._level)
        return LevelPlayer(await self._engines.start(self._kind), self._number, self._level)


class AnchorPlayer:
    """A UCI engine that limits itself to a strength in Elo points."""

    def __init__(self, protocol: chess.engine.UciProtocol, elo: int) -> None:
        self._protocol = protocol
        self._limit = chess.engine.Limit(nodes=ANCHOR_NODES if elo < STRONG_ANCHOR else STRONG_ANCHOR_NODES)
        self.name = protocol.id.get("name", "an engine without a name")

    async def move(self, job: Job) -> str:
        thinking = asyncio.create_task(self._protocol.play(board_of(job), self._limit, game=job.game_id))
        # The library does not end a search that has not begun when the process dies.
        either: tuple[asyncio.Future[Any], ...] = (thinking, self._protocol.returncode)
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if not thinking.done():
            raise EngineFailed("the anchor: the process has ended")
        try:
            played = thinking.result().move
        except chess.engine.EngineError as error:
            raise EngineFailed(f"the anchor: {error}") from error
        if played is None:
            raise EngineFailed("the anchor returned no move")
        return played.uci()

    async def close(self) -> None:
        if not self._protocol.returncode.done():
            await self._protocol.quit()


class AnchorEntrant:
    """A program at a strength. ``find`` makes one."""

    def __init__(self, path: Path, elo: int, engine: str) -> None:
        self._path, self._elo = path, elo
        self.side = MatchSide(name=f"UCI_Elo {elo}", engine=engine)

    @classmethod
    async def find(cls, path: Path, elo: int) -> AnchorEntrant:
        """Start the program once, for its name. Raises ``EngineFailed``."""
        player = await cls(path, elo, "").start()
        await player.close()
        return cls(path, elo, player.name)

    async def start(self) -> AnchorPlayer:
        try:
            _, protocol = await chess.engine.popen_uci(str(self._path))
            await protocol.configure({"UCI_LimitStrength": True, "UCI_Elo": self._elo, "Threads": 1})
        except (OSError, chess.engine.EngineError) as error:
            raise EngineFailed(f"{self._path} cannot be the anchor: {error}") from error
        return AnchorPlayer(protocol, self._elo)
