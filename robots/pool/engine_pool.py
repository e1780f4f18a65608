"""A few engine processes that do the jobs of all games, the most urgent first.

Each slot does one job at a time, so at most as many engines compute as there are slots. A slot keeps one process of
each kind that it has needed; those that wait use no processor.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections import defaultdict
from itertools import count
from typing import TYPE_CHECKING

from robots.jobs import BadJob, EngineFailed, JobAnswer, NoEngine, RobotError
from robots.levels import draw_move, level_of
from robots.pool.admission import MoveCosts, fits, reduced

if TYPE_CHECKING:
    from robots.engines.available import Engines, Kind
    from robots.engines.engine import FoundMoves, MoveEngine
    from robots.jobs import Job, Workload
    from robots.levels import Level

TRIES = 3
"""Times that a job is given to an engine: a process that dies twice in a row over one position will die again."""

PATIENCE = 20.0
"""Times the expected duration after which an engine counts as hung."""

LEAST_PATIENCE_S = 8.0
"""At least: a machine may be busy with something else, or swap."""

PAUSE_S = 0.5
"""Before another process is started, times the number of tries: programs that cannot run fail at once."""

OFF_S = 60.0
"""How long a kind of engine that did not start when it was probed, or of which ``TRIES`` could not be started in a row,
is not tried again, nor offered."""

MOST_WAITING = 2_000
"""Jobs in the queue. Each game has one; this bounds callers that do not wait for answers."""

MOST_BEFORE_HINT = 100
"""Jobs in the queue at which a hint is refused. It would come too late, and a hint that is no longer wanted stays in
the queue until all moves before it are found."""

CLEAR_LEAD = 100
"""Hundredths of a pawn by which the best move must lead for the choice to be easy."""

logger = logging.getLogger(__name__)


class _PendingJob:
    """A job in the queue, with the future of whoever waits for it."""

    def __init__(self, job: Job, kind: Kind, level: Level) -> None:
        self.job, self.kind, self.level = job, kind, level
        self.answer: asyncio.Future[JobAnswer] = asyncio.get_running_loop().create_future()


class EnginePool:
    """Does jobs. ``start`` makes one; ``close`` ends its processes."""

    def __init__(self, engines: Engines, slots: int) -> None:
        """
        Args:
            engines: probed.
            slots: engines that may compute at the same time, at least 1.
        """
        self.engines, self.slots = engines, slots
        self.costs = MoveCosts()
        self._games: dict[str, Workload] = {}
        self._queue: asyncio.PriorityQueue[tuple[bool, float, int, _PendingJob]] = asyncio.PriorityQueue()
        """Moves before hints, each in the order of their deadlines."""
        self._numbers = count()
        self._at_work = 0
        self._failed_starts: defaultdict[Kind, int] = defaultdict(int)
        self._off_until_s: dict[Kind, float] = {}
        self._slots = [_Slot(self) for _ in range(slots)]
        self._tasks = [
            asyncio.create_task(self._work(slot), name=f"robot engine {number}")
            for number, slot in enumerate(self._slots)
        ]

    @classmethod
    async def start(cls, engines: Engines, *, slots: int | None = None) -> EnginePool:
        """Probe the engines and return a pool of them. ``slots``: None for all cores but one, at least one."""
        await engines.probe()
        pool = cls(engines, slots or max(1, _cores() - 1))
        if engines.failures:
            pool._tasks.append(asyncio.create_task(pool._probe_again(), name="probe robot engines"))
        return pool

    def plays(self, game: str, variant: str) -> bool:
        """Return whether there is an engine for a variant, as far as is known."""
        kind = self.engines.kind_for(game, variant, 1)
        return kind is not None and not self._is_off(kind)

    def variants(self) -> list[tuple[str, str]]:
        """Return all (game, variant) that are played, in the order of the registry."""
        return [known for known in self.engines.variants() if self.plays(*known)]

    @property
    def waiting(self) -> int:
        """Jobs in the queue and at work."""
        return self._queue.qsize() + self._at_work

    def can_accept(self, game: Workload, number: int = 1) -> bool:
        """Return whether ``number`` more games like ``game`` can be had without too long a queue for any clock."""
        if not self.plays(game.game, game.variant):
            return False
        return fits((*self._games.values(), *[game] * number), self.costs, self.slots)

    def enter(self, game_id: str, game: Workload) -> None:
        """Count a game that is played from now on."""
        self._games[game_id] = game

    def leave(self, game_id: str) -> None:
        """Count a game no more."""
        self._games.pop(game_id, None)

    async def answer(self, job: Job) -> JobAnswer:
        """Return the move for ``job``. If the caller is cancelled, the job is dropped.

        Raises:
            NoEngine: no engine plays the variant.
            BadJob: the position cannot be reached, or the game is over.
            EngineFailed: engines died or hung several times. Ask again later.
        """
        try:
            level = level_of(job.game, job.level)
        except (KeyError, ValueError) as error:
            raise BadJob(f"no such level or game: {job.game!r}, {job.level}") from error
        kind = self.engines.kind_for(job.game, job.variant, job.level)
        if kind is None:
            raise NoEngine(f"no engine plays {job.game} {job.variant}")
        most = MOST_BEFORE_HINT if job.is_hint else MOST_WAITING
        if self._queue.qsize() >= most:
            raise EngineFailed(f"{most} jobs are waiting")
        waiting = _PendingJob(job, kind, level)
        self._queue.put_nowait((job.is_hint, job.deadline, next(self._numbers), waiting))
        return await waiting.answer

    async def close(self) -> None:
        """End all processes. Jobs that wait are cancelled."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        while not self._queue.empty():
            self._queue.get_nowait()[-1].answer.cancel()
        for slot in self._slots:
            await slot.close()

    async def _work(self, slot: _Slot) -> None:
        while True:
            *_, waiting = await self._queue.get()
            if waiting.answer.done():
                continue
            self._at_work += 1
            try:
                answer = await self._do(slot, waiting)
            except asyncio.CancelledError:
                waiting.answer.cancel()
                raise
            except RobotError as error:
                if not waiting.answer.done():
                    waiting.answer.set_exception(error)
            except Exception as error:
                # Whatever it was, the engine may be in the middle of something.
                logger.exception("a job of %s %s failed", waiting.job.game, waiting.job.variant)
                await slot.discard(waiting.kind)
                if not waiting.answer.done():
                    waiting.answer.set_exception(EngineFailed(f"unexpected: {error!r}"))
            else:
                if not waiting.answer.done():
                    waiting.answer.set_result(answer)
            finally:
                self._at_work -= 1

    async def _do(self, slot: _Slot, waiting: _PendingJob) -> JobAnswer:
        loop = asyncio.get_running_loop()
        job, level = waiting.job, waiting.level
        for tries in range(1, TRIES + 1):
            expected_s = self.costs.of(job.game, job.variant, job.level)
            fewer = reduced(level, expected_s, job.deadline - loop.time())
            patience_s = max(LEAST_PATIENCE_S, PATIENCE * expected_s)
            try:
                engine = await self._engine(slot, waiting.kind)
                began = loop.time()
                async with asyncio.timeout(patience_s):
                    result = await engine.search(job, job.level, fewer or level)
            except (EngineFailed, TimeoutError) as error:
                if isinstance(error, TimeoutError):  # it may only be slower than was thought
                    self.costs.measured(job.game, job.variant, job.level, patience_s)
                why = str(error) or "it did not answer in time"
                logger.warning("an engine failed at %s %s: %s", job.game, job.variant, why)
                await slot.discard(waiting.kind)
                if tries == TRIES or waiting.answer.done() or self._is_off(waiting.kind):
                    raise EngineFailed(f"{tries} engines failed, the last: {why}") from error
                await asyncio.sleep(PAUSE_S * (tries - 1))
            else:
                if fewer is None and tries == 1:
                    self.costs.measured(job.game, job.variant, job.level, loop.time() - began)
                return _answer(job, level, result, is_reduced=fewer is not None)
        raise AssertionError("unreachable")

    async def _engine(self, slot: _Slot, kind: Kind) -> MoveEngine:
        """Return the engine of ``slot``. Raises ``EngineFailed``, at once while none of this kind can be started."""
        if self._is_off(kind):
            raise EngineFailed(f"the {kind} engine cannot be started")
        try:
            engine = await slot.engine(kind)
        except EngineFailed:
            self._failed_starts[kind] += 1
            if self._failed_starts[kind] >= TRIES:
                self._off_until_s[kind] = asyncio.get_running_loop().time() + OFF_S
                logger.error("the %s engine cannot be started; it is tried again in %.0f s", kind, OFF_S)  # noqa: TRY400
            raise
        self._failed_starts[kind] = 0
        return engine

    async def _probe_again(self) -> None:
        """Probe the engines that did not start, until they all have: the machine may only have been busy."""
        while self.engines.failures:
            await asyncio.sleep(OFF_S)
            failed = set(self.engines.failures)
            try:
                await self.engines.probe()
            except Exception:  # the top of a task
                logger.exception("an engine could not be probed")
            for kind in failed - self.engines.failures.keys():
                logger.info("the %s engine runs now", kind)

    def _is_off(self, kind: Kind) -> bool:
        return asyncio.get_running_loop().time() < self._off_until_s.get(kind, 0.0)


def _cores() -> int:
    """Return the number of cores that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Slot:
    """One engine of each kind, started when it is needed. Used by one job at a time."""

    def __init__(self, pool: EnginePool) -> None:
        self._engines_of = pool.engines
        self._running: dict[Kind, MoveEngine] = {}

    async def engine(self, kind: Kind) -> MoveEngine:
        """Return the running engine, or start one. Raises ``EngineFailed``."""
        engine = self._running.get(kind)
        if engine is None:
            engine = self._running[kind] = await self._engines_of.start(kind)
        return engine

    async def discard(self, kind: Kind) -> None:
        engine = self._running.pop(kind, None)
        if engine is None:
            return
        try:
            await engine.close()
        except Exception:
            logger.exception("an engine that was thrown away did not close")

    async def close(self) -> None:
        for kind in tuple(self._running):
            await self.discard(kind)


def _answer(job: Job, level: Level, result: FoundMoves, *, is_reduced: bool) -> JobAnswer:
    drawn = best = result.candidates[0]
    if not job.is_hint:
        drawn = draw_move(result.candidates, job.level, level, game_id=job.game_id, ply=len(job.moves))
    return JobAnswer(
        move=drawn.move,
        score=best.score,
        loss=max(0, best.score - drawn.score),
        mate=best.ends_in,
        choices=result.choices,
        difficulty=_difficulty(result),
        nodes=result.nodes,
        is_reduced=is_reduced,
    )


def _difficulty(result: FoundMoves) -> float:
    """Return how hard the choice is: by the lead of the best move."""
    if result.choices == 1:
        return 0.0
    if len(result.candidates) == 1:
        return 0.5  # others were not compared
    lead = result.candidates[0].score - result.candidates[1].score
    return max(0.0, round(1.0 - lead / CLEAR_LEAD, 2))
