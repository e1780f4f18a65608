"""A UCI engine as a ``MoveEngine``, by the ``chess.engine`` module of python-chess.

The Universal Chess Interface is that of S. Meyer-Kahlen (2006), with ``UCI_Variant`` for antichess as Fairy-Stockfish
has it. The engine gets a fixed number of nodes, and an empty hash table for every move, so that its answers do not
depend on what it was asked before.
"""

from __future__ import annotations

import asyncio
import contextlib
from asyncio.subprocess import DEVNULL
from typing import TYPE_CHECKING, Any

import chess
import chess.engine

from game_core.chess.variants import BY_NAME
from robots.engines.engine import MEMORY_MB, FoundMoves, limited
from robots.jobs import BadJob, EngineFailed
from robots.levels import MOST_PLIES, SEES_MATE_FROM, WIN, Candidate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robots.jobs import Job
    from robots.levels import Level

HASH_MB = 8
"""Of an engine: a move of level 8 fills less, and the table is emptied before every move."""

QUIT_S = 1.0
"""How long an engine may take to quit."""

MOST_SCORE = WIN - 1
"""Engines score tablebase wins by 20,000 and more; these are not as certain as a mate."""


class UciEngine:
    """A running UCI engine."""

    def __init__(self, transport: asyncio.SubprocessTransport, protocol: chess.engine.UciProtocol) -> None:
        self._transport, self._protocol = transport, protocol
        self._thinking: asyncio.Task[Sequence[chess.engine.InfoDict]] | None = None
        """The search that goes on."""

    @classmethod
    async def start(cls, command: Sequence[str], memory_mb: int = MEMORY_MB) -> UciEngine:
        """Start ``command``, nice and with limited memory. Raises ``EngineFailed``."""
        try:
            transport, protocol = await chess.engine.UciProtocol.popen(
                limited(command, memory_mb), stderr=DEVNULL, start_new_session=True
            )
        except OSError as error:
            raise EngineFailed(f"{command[0]} cannot be started: {error}") from error
        engine = cls(transport, protocol)
        try:
            await protocol.initialize()
            await engine._configure()
        except (OSError, chess.engine.EngineError) as error:
            await engine.close()
            raise EngineFailed(f"{command[0]} does not run as a UCI engine: {error}") from error
        except BaseException:
            await engine.close()
            raise
        return engine

    async def _configure(self) -> None:
        # Contempt makes a score better for whoever moves: both sides would be told that they are ahead.
        wanted = {"Threads": 1, "Hash": HASH_MB, "Contempt": 0}
        await self._protocol.configure(
            {name: value for name, value in wanted.items() if name in self._protocol.options}
        )

    @property
    def pid(self) -> int:
        return self._transport.get_pid()

    @property
    def name(self) -> str:
        """The name that it gives itself."""
        return self._protocol.id.get("name", "an engine without a name")

    @property
    def variants(self) -> tuple[str, ...]:
        """Variants of chess that it plays, by our names."""
        options = self._protocol.options
        known = options["UCI_Variant"].var or [] if "UCI_Variant" in options else []
        found = ["standard"]
        if "UCI_Chess960" in options:
            found.append("chess960")
        return (*found, *(name for name in BY_NAME if name not in ("standard", "chess960") and name in known))

    async def search(self, job: Job, number: int, level: Level) -> FoundMoves:
        board = board_of(job)
        moves = list(board.legal_moves)
        if not moves:
            raise BadJob("the game is over: no legal moves")
        mate = _mate_in_one(board, moves) if number >= SEES_MATE_FROM else None
        if mate is not None:
            return FoundMoves([mate], len(moves), len(moves), 1)
        self._thinking = asyncio.create_task(self._analyse(board, level, min(level.breadth, len(moves))))
        # Neither is cancelled with the caller: the library cannot end an engine whose search nobody waits for. Nor does
        # it end a search that has not begun when the process dies.
        either: tuple[asyncio.Future[Any], ...] = (self._thinking, self._protocol.returncode)
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if not self._thinking.done():
            raise EngineFailed(f"{self.name}: the process has ended")
        try:
            infos = self._thinking.result()
        except chess.engine.EngineError as error:
            raise EngineFailed(f"{self.name}: {error}") from error
        return _result(infos, moves)

    async def _analyse(self, board: chess.Board, level: Level, lines: int) -> Sequence[chess.engine.InfoDict]:
        return await self._protocol.analyse(
            board,
            chess.engine.Limit(nodes=level.nodes, depth=level.depth),
            multipv=lines,
            game=object(),  # another game: clears the hash table
        )

    async def close(self) -> None:
        """End the process, by force if it does not quit."""
        with contextlib.suppress(TimeoutError, chess.engine.EngineError):
            async with asyncio.timeout(QUIT_S):
                await self._protocol.quit()
        with contextlib.suppress(ProcessLookupError):
            self._transport.kill()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(QUIT_S):
                await asyncio.shield(self._protocol.returncode)
        if self._thinking is not None:
            self._thinking.cancel()
            await asyncio.gather(self._thinking, return_exceptions=True)
        self._transport.close()


def board_of(job: Job) -> chess.Board:
    """Return the board after the moves of ``job``. Raises ``BadJob``."""
    rules = BY_NAME.get(job.variant)
    if rules is None:
        raise BadJob(f"no variant of chess: {job.variant}")
    try:
        board = rules.board(rules.initial if job.fen is None else job.fen)
        for move in job.moves:
            board.push_uci(move)
    except ValueError as error:
        raise BadJob(str(error)) from error
    return board


def _mate_in_one(board: chess.Board, moves: Sequence[chess.Move]) -> Candidate | None:
    """Return a move that gives mate: an engine with few nodes may not have looked at it."""
    for move in moves:
        board.push(move)
        mates = board.is_checkmate()
        board.pop()
        if mates:
            return Candidate(move.uci(), WIN + MOST_PLIES - 1)
    return None


def _result(infos: Sequence[chess.engine.InfoDict], moves: Sequence[chess.Move]) -> FoundMoves:
    candidates: list[Candidate] = []
    nodes = depth = 0
    for info in infos:
        line, score = info.get("pv"), info.get("score")
        nodes = max(nodes, info.get("nodes", 0))
        if not line or score is None:
            continue
        depth = max(depth, info.get("depth", 0))
        worth = _score(score.relative)
        if candidates:
            # Lines that the budget interrupted have scores of the depth before.
            worth = min(worth, candidates[-1].score)
        candidates.append(Candidate(line[0].uci(), worth))
    legal = {move.uci() for move in moves}
    candidates = [one for one in candidates if one.move in legal]
    if not candidates:
        raise EngineFailed("the engine returned no move")
    return FoundMoves(candidates, len(moves), nodes, depth)


def _score(score: chess.engine.Score) -> int:
    """Return an engine's score in our unit."""
    mate = score.mate()
    if mate is None:
        return max(-MOST_SCORE, min(MOST_SCORE, score.score() or 0))
    return WIN + MOST_PLIES - (2 * mate - 1) if mate > 0 else -(WIN + MOST_PLIES) - 2 * mate
