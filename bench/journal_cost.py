"""Cost of the journal: ``python -m bench.journal_cost [--games 200] [--rows 40000]``.

Every game has one append with one move in flight; its answer queues the next. PostgreSQL is the embedded one, with
durable commits. The result is the rows a second of elapsed time, and the CPU time of this process for each row. That is
the journal's part of the cost of a move, including the creation of the event and the event loop. CPU time of
PostgreSQL's own processes is not included.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from typing import TYPE_CHECKING

from game_core.events import ClockReading, Moved
from realtime.journal.appends import Append, Cause, Committed, GameSummary
from realtime.journal.journal import Journal
from realtime.postgres.database import create_pool
from realtime.postgres.embedded import EmbeddedPostgres
from realtime.postgres.migrate import migrate

if TYPE_CHECKING:
    from realtime.journal.appends import Outcome
    from realtime.postgres.database import Trouble

NODE = "bench"
POSITION = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"


class Batches:
    """Counts batches and their durations."""

    def __init__(self) -> None:
        self.rows: list[int] = []
        self.took_s: list[float] = []

    def batch_stored(self, *, rows: int, waited_s: float, took_s: float) -> None:
        self.rows.append(rows)
        self.took_s.append(took_s)

    def batch_failed(self, trouble: Trouble | None) -> None:
        raise SystemExit(f"the database failed: {trouble}")


class GameWriter:
    """One game: appends its next move when the last one is stored."""

    def __init__(self, journal: Journal, game: str, moves: int, finished: asyncio.Semaphore) -> None:
        self._journal = journal
        self._game = game
        self._left = moves
        self._seq = 0
        self._finished = finished
        self._cause = Cause(user="user1234567890", key=None, request="move")

    def next(self, outcome: Outcome) -> None:
        """Append the next move."""
        if not isinstance(outcome, Committed):
            raise SystemExit(f"{self._game}: {outcome}")
        if not self._left:
            self._finished.release()
            return
        self._left -= 1
        self._seq += 1
        ply = self._seq - 1
        event = Moved(
            ply=ply,
            by="w",
            move="e1g1",
            san="O-O",
            position=POSITION,
            clock=ClockReading(w=180_000, b=171_300, run="b"),
            spent_ms=1200,
            lag_ms=30,
        )
        self._journal.append(
            Append(
                game=self._game,
                epoch=1,
                first_seq=self._seq,
                events=(event,),
                cause=self._cause,
                done=self.next,
                summary=GameSummary(status="live", plies=self._seq),
            )
        )


async def measure(url: str, games: int, rows: int) -> str:
    """Store ``rows`` rows in ``games`` games; return the result as text."""
    pool = await create_pool(url, max_size=1)
    ids = [f"{games}-{number:06}" for number in range(games)]
    await pool.executemany(
        "INSERT INTO game (id, game, variant, profile, rated, speed, owner, epoch) "
        "VALUES ($1, 'chess', 'standard', 'online', false, 'blitz', $2, 1)",
        [(game, NODE) for game in ids],
    )
    await pool.close()
    batches = Batches()
    journal = Journal(url, NODE, batches)
    await journal.start()
    finished = asyncio.Semaphore(0)
    players = [GameWriter(journal, game, rows // games, finished) for game in ids]
    began, cpu = time.perf_counter(), time.process_time()
    for player in players:
        player.next(Committed())
    for _ in players:
        await finished.acquire()
    wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    await journal.close()
    done = sum(batches.rows)
    took = sorted(batches.took_s)
    return (
        f"{games:5} games  {done / wall:8.0f} rows/s  {cpu / done * 1e6:6.1f} µs CPU a row  "
        f"{done / len(batches.rows):6.1f} rows a batch  "
        f"batch p50 {took[len(took) // 2] * 1e3:.2f} ms, p99 {took[len(took) * 99 // 100] * 1e3:.2f} ms"
    )


async def main() -> None:
    parser = argparse.ArgumentParser(description="CPU and throughput of the journal.")
    parser.add_argument("--games", type=int, nargs="*", default=[1, 10, 50, 200, 1000], help="games at once")
    parser.add_argument("--rows", type=int, default=40_000, help="rows a measurement (fewer for few games)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="zeitnot-bench-") as directory:
        async with EmbeddedPostgres(directory) as postgres:
            await migrate(postgres.url)
            for games in options.games:
                line = await measure(postgres.url, games, min(options.rows, games * 2000))
                sys.stdout.write(line + "\n")
                sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main())
