"""The pool: jobs by deadline, engines that die or hang, and processes that really run."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING

import chess
import pytest

from game_core.registry import rules_for
from robots.engines.available import Engines
from robots.engines.chess.discovery import ChessCommand
from robots.engines.search.process import SearchProcess
from robots.jobs import BadJob, EngineFailed, Job, NoEngine, Workload
from robots.levels import MOST_PLIES, WIN
from robots.pool import admission
from robots.pool import engine_pool as pool_module
from robots.pool.engine_pool import EnginePool
from tests.realtime.until import until
from tests.robots.programs import fake_engines, write_program

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from robots.engines.available import Kind
    from robots.engines.engine import FoundMoves, MoveEngine
    from robots.levels import Level

SECOND = 1.0


def job(
    game: str = "draughts", variant: str = "international", *, game_id: str = "g", level: int = 3, left_s: float = 60.0,
    moves: tuple[str, ...] = (), fen: str | None = None, is_hint: bool = False,
) -> Job:  # fmt: skip
    deadline = asyncio.get_running_loop().time() + left_s
    return Job(
        game_id=game_id, game=game, variant=variant, level=level, deadline=deadline, moves=moves, fen=fen,
        is_hint=is_hint,
    )  # fmt: skip


async def turns() -> None:
    """Let tasks run that wait for nothing but their turn."""
    for _ in range(10):
        await asyncio.sleep(0)


class WatchedEngines(Engines):
    """Engines of which those that were started are known."""

    def __init__(self) -> None:
        super().__init__(None, None)
        self.started: list[MoveEngine] = []

    async def start(self, kind: Kind) -> MoveEngine:
        engine = await super().start(kind)
        self.started.append(engine)
        return engine


class SlowEngine:
    """Answers when it is let; notes the order of the jobs."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.free = asyncio.Event()

    async def search(self, job: Job, number: int, level: Level) -> FoundMoves:
        self.asked.append(job.game_id)
        await self.free.wait()
        raise BadJob("done")

    async def close(self) -> None:
        pass


class BrokenEngine:
    """Raises what nobody expects, when it works and when it ends."""

    async def search(self, job: Job, number: int, level: Level) -> FoundMoves:
        raise ValueError("a defect")

    async def close(self) -> None:
        raise OSError("another")


@pytest.fixture
async def engines() -> WatchedEngines:
    return WatchedEngines()


@pytest.fixture
async def pool(engines: WatchedEngines) -> AsyncIterator[EnginePool]:
    made = await EnginePool.start(engines, slots=1)
    yield made
    await made.close()


async def test_answers_are_legal_and_the_same_for_the_same_game(pool: EnginePool) -> None:
    for variant in ("international", "losing-russian", "turkish"):
        first = await pool.answer(job(variant=variant, game_id="one"))
        assert first == await pool.answer(job(variant=variant, game_id="one"))
        rules = rules_for("draughts", variant)
        assert first.move in rules.legal_moves(rules.start(None))
        assert first.choices == len(rules.legal_moves(rules.start(None)))
        assert 0 <= first.difficulty <= 1
        assert first.loss >= 0
    games = {(await pool.answer(job(game_id=f"game {number}", level=1))).move for number in range(12)}
    assert len(games) > 1


async def test_the_star_is_played_too(pool: EnginePool) -> None:
    answer = await pool.answer(job("chinese-checkers", "fifteen", level=2))
    rules = rules_for("chinese-checkers", "fifteen")
    assert answer.move in rules.legal_moves(rules.start(None))


async def test_a_killed_engine_is_started_again_and_asked_again(pool: EnginePool, engines: WatchedEngines) -> None:
    before = await pool.answer(job())
    (engine,) = engines.started
    assert isinstance(engine, SearchProcess)
    os.kill(engine.process.pid, signal.SIGKILL)
    assert await pool.answer(job()) == before
    assert len(engines.started) == 2


async def test_an_engine_killed_at_work_is_asked_again(pool: EnginePool, engines: WatchedEngines) -> None:
    await pool.answer(job())
    (engine,) = engines.started
    assert isinstance(engine, SearchProcess)
    os.kill(engine.process.pid, signal.SIGSTOP)
    asked = asyncio.create_task(pool.answer(job(level=8)))
    await turns()
    assert pool.waiting == 1
    os.kill(engine.process.pid, signal.SIGKILL)
    assert (await asked).choices == 9
    assert len(engines.started) == 2


async def test_an_engine_that_hangs_is_replaced(
    pool: EnginePool, engines: WatchedEngines, monkeypatch: pytest.MonkeyPatch
) -> None:
    await pool.answer(job())
    monkeypatch.setattr(pool_module, "LEAST_PATIENCE_S", 2 * SECOND)
    (engine,) = engines.started
    assert isinstance(engine, SearchProcess)
    os.kill(engine.process.pid, signal.SIGSTOP)
    assert (await pool.answer(job())).choices == 9
    assert len(engines.started) >= 2  # on a busy machine the second may seem to hang, too


@pytest.mark.parametrize("mode", ["dies", "hangs"])
async def test_a_uci_engine_that_fails_once_is_asked_again(
    mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_module, "LEAST_PATIENCE_S", 2 * SECOND)
    pool = await EnginePool.start(fake_engines(mode, str(tmp_path / "failed")), slots=1)
    answer = await pool.answer(job("chess", "standard"))
    assert chess.Move.from_uci(answer.move) in chess.Board().legal_moves
    await pool.close()


async def test_an_engine_that_always_fails_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "PAUSE_S", 0.0)
    monkeypatch.setattr(pool_module, "LEAST_PATIENCE_S", 2 * SECOND)
    monkeypatch.setattr(pool_module, "PATIENCE", 1.0)
    pool = await EnginePool.start(fake_engines("nonsense"), slots=1)
    with pytest.raises(EngineFailed, match="3 engines failed"):
        await pool.answer(job("chess", "standard"))
    assert pool.waiting == 0
    await pool.close()


async def test_an_engine_that_cannot_be_started_is_offered_no_more_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_module, "PAUSE_S", 0.0)
    program = write_program(tmp_path / "engine", "fake_engine.py")
    pool = await EnginePool.start(Engines(ChessCommand((str(program),), "fake"), None), slots=1)
    program.write_text("#!/bin/sh\nexit 1\n")
    with pytest.raises(EngineFailed):
        await pool.answer(job("chess", "standard"))
    assert not pool.plays("chess", "standard")
    assert {game for game, _ in pool.variants()} == {"draughts", "chinese-checkers"}
    with pytest.raises(EngineFailed, match="cannot be started"):
        await pool.answer(job("chess", "standard"))
    assert (await pool.answer(job())).choices == 9
    write_program(tmp_path / "engine", "fake_engine.py")
    monkeypatch.setattr(pool_module, "OFF_S", 0.0)
    pool._off_until_s.clear()
    assert (await pool.answer(job("chess", "standard"))).move
    assert pool.plays("chess", "standard")
    await pool.close()


async def test_an_engine_that_was_late_when_it_was_probed_is_probed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_module, "OFF_S", 0.01)
    program = tmp_path / "engine"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    pool = await EnginePool.start(Engines(ChessCommand((str(program),), "fake"), None), slots=1)
    assert not pool.plays("chess", "standard")
    with pytest.raises(NoEngine):
        await pool.answer(job("chess", "standard"))
    write_program(program, "fake_engine.py")
    await until(lambda: pool.plays("chess", "standard"))
    assert ("chess", "standard") in pool.variants()
    assert (await pool.answer(job("chess", "standard"))).move
    assert pool.engines.failures == {}
    await pool.close()


async def test_an_engine_slower_than_expected_gets_more_patience(
    pool: EnginePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_module, "PAUSE_S", 0.0)
    monkeypatch.setattr(pool_module, "LEAST_PATIENCE_S", 0.05)
    slow = SlowEngine()

    async def start(kind: Kind) -> SlowEngine:
        return slow

    monkeypatch.setattr(pool.engines, "start", start)
    before = pool.costs.of("draughts", "international", 1)
    with pytest.raises(EngineFailed):
        await pool.answer(job(level=1))
    assert pool.costs.of("draughts", "international", 1) > before


async def test_the_most_urgent_job_is_done_first(pool: EnginePool, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = SlowEngine()

    async def start(kind: Kind) -> SlowEngine:
        return slow

    monkeypatch.setattr(pool.engines, "start", start)
    asked = []
    for game_id, left_s in (("first", 60.0), ("last", 50.0), ("hint", 1.0), ("urgent", 5.0), ("middle", 20.0)):
        asked.append(asyncio.create_task(pool.answer(job(game_id=game_id, left_s=left_s, is_hint=game_id == "hint"))))
        await turns()
    dropped = asyncio.create_task(pool.answer(job(game_id="dropped", left_s=1.0)))
    await turns()
    assert pool.waiting == 6
    dropped.cancel()
    slow.free.set()
    await asyncio.gather(*asked, dropped, return_exceptions=True)
    assert slow.asked == ["first", "urgent", "middle", "last", "hint"]


async def test_hints_leave_room_in_the_queue_for_moves(pool: EnginePool, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = SlowEngine()

    async def start(kind: Kind) -> SlowEngine:
        return slow

    monkeypatch.setattr(pool.engines, "start", start)
    monkeypatch.setattr(pool_module, "MOST_BEFORE_HINT", 3)
    asked = []
    for number in range(4):
        asked.append(asyncio.create_task(pool.answer(job(game_id=f"hint {number}", is_hint=True))))
        await turns()
    with pytest.raises(EngineFailed, match="3 jobs are waiting"):
        await pool.answer(job(game_id="late hint", is_hint=True))
    asked.append(asyncio.create_task(pool.answer(job(game_id="move"))))
    await turns()
    slow.free.set()
    await asyncio.gather(*asked, return_exceptions=True)
    assert slow.asked[:2] == ["hint 0", "move"]


async def test_a_hint_is_the_best_move(pool: EnginePool) -> None:
    answers = [await pool.answer(job(game_id=f"game {number}", level=1, is_hint=True)) for number in range(12)]
    assert len({answer.move for answer in answers}) == 1
    assert {answer.loss for answer in answers} == {0}


async def test_near_the_flag_fewer_nodes_are_examined(pool: EnginePool) -> None:
    calm = await pool.answer(job(level=8))
    late = await pool.answer(job(level=8, left_s=-1.0))
    assert not calm.is_reduced
    assert late.is_reduced
    assert late.nodes < calm.nodes // 10


async def test_variants_without_an_engine_are_refused(pool: EnginePool) -> None:
    assert not pool.plays("chess", "standard")
    assert not pool.can_accept(Workload(game="chess", variant="standard", level=1, clock_s=None))
    with pytest.raises(NoEngine):
        await pool.answer(job("chess", "standard"))
    assert "no robots" in pool.engines.lines()[0]


@pytest.mark.parametrize("level", [0, 9])
async def test_levels_that_do_not_exist_are_refused(pool: EnginePool, level: int) -> None:
    with pytest.raises(BadJob):
        await pool.answer(job(level=level))


async def test_bad_jobs_are_refused_and_others_go_on(pool: EnginePool, engines: WatchedEngines) -> None:
    for bad in (job(moves=("1-2",)), job(fen="nothing"), job(fen="W:W28,32,K48:B22", moves=("28x17",))):
        with pytest.raises(BadJob):
            await pool.answer(bad)
    assert (await pool.answer(job())).choices == 9
    assert len(engines.started) == 1


async def test_admission_counts_the_games_in_play(pool: EnginePool, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Workload(game="draughts", variant="english", level=8, clock_s=60.0)
    monkeypatch.setattr(admission, "MOST_BUSY", 1_000.0)
    for _ in range(100):
        pool.costs.measured("draughts", "english", 8, 2.0)
    assert pool.can_accept(game)
    assert pool.can_accept(game, 3)
    assert not pool.can_accept(game, 4)
    pool.enter("a", game)
    pool.enter("b", game)
    pool.enter("b", game)
    assert pool.can_accept(game)
    pool.enter("c", game)
    assert not pool.can_accept(game)
    pool.leave("b")
    pool.leave("b")
    assert pool.can_accept(game)


async def test_a_win_in_one_move_is_said(pool: EnginePool) -> None:
    answer = await pool.answer(job(fen="W:W28,32,K48:B22", level=5))
    assert (answer.move, answer.mate, answer.score) == ("28x17", 1, WIN + MOST_PLIES - 1)


async def test_a_defect_of_an_engine_ends_that_engine_only(
    pool: EnginePool, engines: WatchedEngines, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def start(kind: Kind) -> BrokenEngine:
        return BrokenEngine()

    with monkeypatch.context() as patch:
        patch.setattr(pool.engines, "start", start)
        with pytest.raises(EngineFailed, match="a defect"):
            await pool.answer(job())
    assert (await pool.answer(job())).choices == 9
    assert "did not close" in caplog.text


async def test_closing_ends_processes_and_cancels_jobs(engines: WatchedEngines) -> None:
    pool = await EnginePool.start(engines, slots=1)
    await pool.answer(job())
    (engine,) = engines.started
    assert isinstance(engine, SearchProcess)
    os.kill(engine.process.pid, signal.SIGSTOP)
    asked = [asyncio.create_task(pool.answer(job())) for _ in range(3)]
    await turns()
    await pool.close()
    assert all(isinstance(one, asyncio.CancelledError) for one in await asyncio.gather(*asked, return_exceptions=True))
    with pytest.raises(ProcessLookupError):
        os.kill(engine.process.pid, 0)
