"""Solver pool with real processes: answers, crashes, hangs, failed starts."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

from realtime.games.chances import solver_lane
from realtime.games.chances import solver_pool as module
from realtime.games.chances.solver_lane import Key
from realtime.games.chances.solver_pool import ENDS, FLAGS, SolverPool
from realtime.ops.metrics import Metrics
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    import pytest

    from realtime.games.chances.solver_lane import Answer, LaneTerms
    from realtime.games.chances.solver_pool import Urgency

ROOK = Key("chess", "standard", "8/8/8/8/8/5k2/8/5K1R w - -", "w")
WALL = Key("chess", "standard", "2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - -", "w")
FISCHER = Key("chess", "chess960", "4k3/8/8/8/8/8/8/1R2K2R w HB -", "w")

DIES = (sys.executable, "-c", "input()")
"""Ends when it is asked."""

SILENT = (sys.executable, "-c", "import time; time.sleep(3600)")


@asynccontextmanager
async def opened(
    metrics: Metrics | None = None,
    command: Sequence[str] = module.COMMAND,
    lanes: tuple[LaneTerms, LaneTerms] = (FLAGS, ENDS),
) -> AsyncIterator[SolverPool]:
    verdicts = SolverPool(metrics or Metrics(), command=command, lanes=lanes)
    try:
        yield verdicts
    finally:
        pids = verdicts.processes()
        await verdicts.close()
        assert not any(is_there(pid) for pid in pids)


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def ask(verdicts: SolverPool, key: Key, urgency: Urgency = "now") -> asyncio.Future[Answer]:
    answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
    verdicts.query(key, answered.set_result, urgency)
    return answered


async def test_answers_are_computed_and_cached() -> None:
    metrics = Metrics()
    async with opened(metrics) as verdicts:
        assert verdicts.known(ROOK) is None
        assert verdicts.processes() == []
        assert await ask(verdicts, ROOK) == "yes"
        assert verdicts.known(ROOK) == "yes"
        assert await ask(verdicts, ROOK._replace(color="b")) == "no"
        assert await ask(verdicts, WALL, "whenever") == "no"
        assert await ask(verdicts, FISCHER, "soon") == "yes"
        assert len(verdicts.processes()) == 2
    assert metrics.verdicts == {
        ("yes", "search"): 2,
        ("no", "material"): 1,
        ("no", "reach"): 1,
    }


async def test_flag_process_starts_before_a_flag_falls() -> None:
    async with opened() as verdicts:
        verdicts.get_ready()
        verdicts.get_ready()
        await until(lambda: len(verdicts.processes()) == 1)
        (process,) = verdicts.processes()
        assert await ask(verdicts, ROOK, "now") == "yes"
        assert verdicts.processes() == [process]


async def test_identical_queries_are_computed_once() -> None:
    metrics = Metrics()
    async with opened(metrics) as verdicts:
        first, second = ask(verdicts, ROOK), ask(verdicts, ROOK)
        assert await first == await second == "yes"
    assert sum(metrics.verdicts.values()) == 1


async def test_urgent_query_is_served_first() -> None:
    order: list[str] = []
    async with opened() as verdicts:
        keys = [
            ROOK._replace(identity=f"8/8/8/8/8/5k2/8/{king}") for king in ("5K1R w - -", "4K2R w - -", "3K3R w - -")
        ]
        verdicts.query(keys[0], lambda _: order.append("first"), "soon")
        verdicts.query(keys[1], lambda _: order.append("second"), "soon")
        verdicts.query(keys[2], lambda _: order.append("waits"), "now")
        await asyncio.gather(*(ask(verdicts, key, "soon") for key in keys))
    assert order == ["waits", "first", "second"]


async def test_killed_process_is_restarted() -> None:
    async with opened() as verdicts:
        assert await ask(verdicts, ROOK) == "yes"
        (killed,) = verdicts.processes()
        os.kill(killed, signal.SIGKILL)
        assert await ask(verdicts, ROOK._replace(identity="8/8/8/8/8/4k3/8/4K2R w - -")) == "yes"
        assert verdicts.processes() != [killed]


async def test_query_whose_process_dies_has_no_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(solver_lane, "RESTART_MIN_S", 0.0)
    metrics = Metrics()
    async with opened(metrics, DIES) as verdicts:
        assert await ask(verdicts, ROOK) == "none"
        assert verdicts.known(ROOK) is None
        assert await ask(verdicts, WALL) == "none"
    assert metrics.no_verdicts == {"flags": 2}


async def test_missing_solver_program_gives_no_answer() -> None:
    async with opened(command=("/nowhere/python",)) as verdicts:
        assert await ask(verdicts, ROOK) == "none"


async def test_hanging_process_is_killed() -> None:
    verdicts = SolverPool(Metrics(), command=SILENT, lanes=(FLAGS._replace(answer_s=0.05), ENDS))
    assert await ask(verdicts, ROOK) == "none"
    assert verdicts.processes() == []
    await verdicts.close()


async def test_solver_error_is_logged_and_gives_no_answer(caplog: pytest.LogCaptureFixture) -> None:
    async with opened() as verdicts:
        assert await ask(verdicts, ROOK._replace(identity="no position")) == "none"
        assert await ask(verdicts, ROOK) == "yes"
    assert "ValueError" in caplog.text


async def test_excess_queries_are_refused() -> None:
    metrics = Metrics()
    async with opened(metrics, SILENT) as verdicts:
        told: list[Answer] = []
        for number in range(ENDS.most_waiting + 3):
            verdicts.query(ROOK._replace(identity=str(number)), told.append, "whenever")
        assert await ask(verdicts, WALL, "whenever") == "none"
        assert told == ["none"] * 3
    assert metrics.no_verdicts == {"ends": 4}


async def test_urgent_query_replaces_a_precautionary_one() -> None:
    """Otherwise a flood of questions about unimportant games would win games on time without mating material."""
    async with opened(command=SILENT) as verdicts:
        told: list[int] = []

        def tell(number: int, answer: Answer) -> None:
            assert answer == "none"
            told.append(number)

        keys = [ROOK._replace(identity=str(number)) for number in range(FLAGS.most_waiting)]
        for number, key in enumerate(keys):
            verdicts.query(key, partial(tell, number), "soon")
        waits = ask(verdicts, WALL)
        await until(lambda: told == [len(keys) - 1])
        assert not waits.done()
        assert await ask(verdicts, FISCHER, "soon") == "none"


async def test_forgotten_queries_are_not_computed() -> None:
    async with opened(command=SILENT, lanes=(FLAGS._replace(most_waiting=3), ENDS)) as verdicts:
        told: list[Answer] = []
        keys = [ROOK._replace(identity=str(number)) for number in range(3)]
        for key in keys:
            verdicts.query(key, told.append, "soon")
        for key in keys[1:]:
            verdicts.forget(key, told.append)
        # The first is being asked; the others make room for those of the games' next positions.
        other = [ask(verdicts, ROOK._replace(identity=f"next {number}"), "soon") for number in range(2)]
        assert await ask(verdicts, WALL, "soon") == "none"
        assert not any(one.done() for one in other)
        verdicts.forget(WALL, told.append)
        assert told == []


async def test_query_of_two_games_survives_one_cancellation() -> None:
    async with opened() as verdicts:
        told: list[Answer] = []
        verdicts.query(WALL, print, "soon")
        verdicts.query(ROOK, told.append, "soon")
        answered = ask(verdicts, ROOK, "soon")
        verdicts.forget(ROOK, told.append)
        assert await answered == "yes"
        assert told == []


async def test_modest_query_yields_to_others() -> None:
    async with opened(command=SILENT) as verdicts:
        told: list[Answer] = []
        verdicts.query(ROOK, told.append, "now", modest=True)
        verdicts.query(WALL, told.append, "now", modest=True)
        await until(lambda: told == ["none"])
        verdicts.query(WALL, told.append, "now")
        verdicts.query(WALL, told.append, "now", modest=True)
        assert told == ["none"]


async def test_running_query_is_not_replaced() -> None:
    lane = FLAGS._replace(most_waiting=1)
    async with opened(command=SILENT, lanes=(lane, ENDS)) as verdicts:
        first = ask(verdicts, ROOK, "soon")
        await until(lambda: bool(verdicts.processes()))
        assert await ask(verdicts, WALL) == "none"
        assert not first.done()


async def test_queries_waiting_at_shutdown_get_no_answer() -> None:
    """They do not count as winnable either: the game continues at the next start, with a new query."""
    told: list[Answer] = []
    async with opened(command=SILENT) as verdicts:
        verdicts.query(ROOK, told.append, "now")
        verdicts.query(WALL, told.append, "now")
        await asyncio.sleep(0)
    assert told == []


async def test_undecided_answer_is_logged_and_hides_no_known_answer(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    short = (FLAGS._replace(nodes=0), ENDS)
    verdicts = SolverPool(Metrics(), lanes=short)
    assert await ask(verdicts, ROOK) == "undecided"
    assert verdicts.known(ROOK) == "undecided"
    assert await ask(verdicts, ROOK, "whenever") == "yes"
    assert await ask(verdicts, ROOK) == "undecided"
    assert verdicts.known(ROOK) == "yes"
    await verdicts.close()
    record = next(record for record in caplog.records if record.name == "realtime.games.chances.solver_pool")
    assert (record.__dict__["fen"], record.__dict__["nodes"]) == (ROOK.identity, 0)


async def test_answer_cache_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ANSWERS_KEPT", 2)
    async with opened() as verdicts:
        keys = [ROOK, WALL, FISCHER]
        for key in keys:
            await ask(verdicts, key)
        assert [verdicts.known(key) for key in keys] == [None, "no", "yes"]


async def test_process_ends_at_end_of_input() -> None:
    process = await asyncio.create_subprocess_exec(
        *module.COMMAND, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdin is not None
    process.stdin.write(b'{"game":"chess","variant":"standard"}\n')
    process.stdin.close()
    assert process.stdout is not None
    assert b"ValidationError" in await process.stdout.readline()
    assert await process.wait() == 0
