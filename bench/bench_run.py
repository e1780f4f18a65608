"""The environment of every scenario: its processes, its size, and its PostgreSQL."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import psutil

from bench.load.robot_games import robot_games
from bench.load.script import scripts
from bench.machine import Cores, choose_cores, keep_to, on_any
from bench.server import process
from bench.server.cpu_meter import Meter
from bench.server.nodes import AS_THEY_COME, DIFFERENT, SAME
from realtime.postgres.embedded import EmbeddedPostgres

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence
    from collections.abc import Set as AbstractSet
    from contextlib import AbstractAsyncContextManager

    from bench.server.cpu_meter import Spends
    from bench.server.process import ServerProcess


class BenchSizes(msgspec.Struct, frozen=True, kw_only=True):
    """Sizes of the scenarios."""

    rounds: int = 3
    """Rounds of each measurement; the figure is the median, and the spread shows the noise."""
    relay_s: float = 2.0
    """Length of a round of the bare relay."""
    games: tuple[int, ...] = (10, 100, 200, 1_000, 10_000)
    mix: bool = False
    """Whether ``moves`` also measures games of all variants."""
    moves: int = 16_000
    """Least number of moves of a round."""
    latency_games: int = 200
    """Games of ``latency``, if ``games`` has several numbers."""
    loads: tuple[float, ...] = (0.2, 0.6)
    """Shares of the capacity at which latency is measured."""
    robots: int = 0
    """Games against robots beside ``latency``."""
    latency_s: float = 4.0
    """Length of a round of ``latency``."""
    workers: tuple[int, ...] = (1, 2)
    """Numbers of server processes on one port."""
    pairings: tuple[str, ...] = (AS_THEY_COME, SAME, DIFFERENT)
    """Ways to pair the players of ``workers`` if there are several processes."""
    spectators: tuple[int, ...] = (100, 1_000, 10_000)
    deliveries: int = 300_000
    """Frames to spectators in a round; ``watched_moves`` limits its moves."""
    watched_moves: int = 800
    watchers: tuple[int, ...] = (500, 1_000, 2_000)
    """Numbers of subscribers of the lobby."""
    changes: int = 100
    """Seeks made or withdrawn a second."""
    lobby_s: float = 8.0
    """Length of a round of ``lobby``."""
    boards: tuple[int, ...] = (1_000,)
    """Numbers of boards of a simul."""
    overview: int = 1_000
    """Spectators of its overview."""
    visits: int = 2_000
    """Moves of the host in a round."""
    watched_visits: int = 500
    """Moves of the host in a round with spectators."""
    memory: int = 2_000
    """Sockets, then games, whose memory is measured, over all rounds."""
    crowds: tuple[int, ...] = (10_000,)
    """Numbers of spectators of the one game of ``neighbours`` and ``join-storm``."""
    neighbours: int = 100
    """Other games of ``neighbours``."""
    neighbours_rate: float = 200.0
    """Moves a second of these games, in total."""
    neighbours_s: float = 10.0
    """Length of a round of ``ticks``."""
    storm_s: float = 5.0
    clocks: tuple[int, ...] = (10_000,)
    """Numbers of games of ``ticks``."""
    ticks_s: float = 10.0
    """Length of a round of ``ticks``."""
    restarted: int = 1_000
    """Live games when the server is killed."""
    restarted_plies: int = 40
    mixed: tuple[int, ...] = (500, 1_000, 2_000, 3_000, 4_000, 5_000)
    """Numbers of blitz games, step by step."""
    mixed_s: float = 15.0
    """Duration of the measurement of each step."""
    haste: float = 1.0
    """How many times faster than people the players of ``mixed`` are."""


TINY = BenchSizes(
    rounds=1,
    relay_s=0.1,
    games=(4,),
    mix=True,
    moves=40,
    workers=(2,),
    pairings=(DIFFERENT,),
    robots=1,
    latency_s=0.3,
    spectators=(3, 10),
    deliveries=20,
    watchers=(3,),
    lobby_s=0.2,
    boards=(3,),
    overview=2,
    visits=6,
    watched_visits=3,
    memory=12,
    crowds=(12,),
    neighbours=4,
    neighbours_rate=40.0,
    neighbours_s=1.0,
    storm_s=0.3,
    clocks=(4,),
    ticks_s=0.2,
    restarted=2,
    restarted_plies=4,
    mixed=(2, 6),
    mixed_s=1.0,
    haste=40.0,
)
"""For the test that the benchmarks run; these figures mean nothing."""


class BenchRun:
    """One run of the benchmarks.

    Attributes:
        moves_per_cpu_s: capacity by the number of games, once it has been measured.
        cores: assignment of the cores.
    """

    def __init__(self, sizes: BenchSizes, cores: Cores, directory: Path, postgres: EmbeddedPostgres) -> None:
        self.sizes = sizes
        self.scripts: Sequence[tuple[str, ...]] = scripts()
        self.moves_per_cpu_s: dict[int, float] = {}
        self.cores = cores
        self._directory = directory
        self._postgres = postgres
        self._token_file = directory / "robots-token"

    def zeitnot(self) -> AbstractAsyncContextManager[ServerProcess]:
        """Run the real server, without robots."""
        options = ("--no-robots", "--token-file", str(self._token_file))
        return process.zeitnot(self.cores.server, self._directory, self._postgres.url, *options)

    def robot_games(self, server: ServerProcess) -> AbstractAsyncContextManager[None]:
        """Let robots play with guests on a server of ``zeitnot``, if ``sizes`` says so."""
        return robot_games(server.url, self._token_file, self.sizes.robots, self.cores, self.write)

    def workers(self, number: int) -> AbstractAsyncContextManager[ServerProcess]:
        """Run the real server with ``number`` processes, on any core."""
        return process.zeitnot(None, self._directory, self._postgres.url, "--workers", str(number))

    def bare(self, *, pinned: bool = True) -> AbstractAsyncContextManager[ServerProcess]:
        """Run a bare server."""
        return process.bare(self.cores.server if pinned else None, self._directory)

    @contextlib.contextmanager
    def unpinned(self) -> Iterator[None]:
        """Let this process, PostgreSQL and what they start run on any core inside the block."""
        with on_any(self.cores):
            self._keep_postgres_to(self.cores.allowed)
            try:
                yield
            finally:
                self._keep_postgres_to(frozenset() if self.cores.client is None else {self.cores.client})

    def _keep_postgres_to(self, cores: AbstractSet[int]) -> None:
        if cores:
            postgres = psutil.Process(self._postgres.pid)
            for each in (postgres, *postgres.children()):
                with contextlib.suppress(ProcessLookupError):
                    os.sched_setaffinity(each.pid, cores)

    def meter(self, server: Spends) -> Meter:
        """Return a meter of ``server``, this process and PostgreSQL."""
        return Meter(server, self._postgres.pid)

    def write(self, text: str) -> None:
        """Report progress to the user."""
        sys.stderr.write(f"  {text}\n")
        sys.stderr.flush()


@contextlib.asynccontextmanager
async def set_up(sizes: BenchSizes) -> AsyncIterator[BenchRun]:
    """Yield a stage with a new database, which is deleted afterwards."""
    cores = choose_cores()
    keep_to(cores.client)  # before PostgreSQL starts, which inherits it
    process.raise_file_limit()
    with tempfile.TemporaryDirectory(prefix="zeitnot-bench-", ignore_cleanup_errors=True) as directory:
        async with EmbeddedPostgres(Path(directory) / "data") as postgres:
            yield BenchRun(sizes, cores, Path(directory), postgres)
