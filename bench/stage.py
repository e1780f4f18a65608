"""What every scenario is given: where it runs, how large it is, and the PostgreSQL it may use."""

from __future__ import annotations

import contextlib
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from bench import process
from bench.machine import Cores, choose_cores, keep_to
from bench.meter import Meter
from bench.script import scripts
from realtime.embedded import EmbeddedPostgres

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from contextlib import AbstractAsyncContextManager

    from bench.process import ServerProcess


class Scale(msgspec.Struct, frozen=True, kw_only=True):
    """How large the scenarios are."""

    rounds: int = 3
    """Of each measurement; the median counts, the spread says how noisy they were."""
    relay_s: float = 2.0
    """Length of a round of the bare relay."""
    games: tuple[int, ...] = (200,)
    moves: int = 16_000
    """Least number of moves of a round."""
    load: float = 0.2
    """Of the capacity, at which latency is measured."""
    latency_s: float = 4.0
    """Length of a round of latency."""
    spectators: tuple[int, ...] = (100, 1_000, 10_000)
    deliveries: int = 300_000
    """Frames to spectators in a round, unless that would be more than ``watched_moves`` moves."""
    watched_moves: int = 800
    watchers: tuple[int, ...] = (500, 1_000, 2_000)
    """Of the lobby."""
    changes: int = 100
    """Seeks made or withdrawn, a second."""
    lobby_s: float = 8.0
    """Length of a round of the lobby."""
    boards: tuple[int, ...] = (1_000,)
    """Of an exhibition."""
    overview: int = 1_000
    """Spectators of it."""
    visits: int = 2_000
    """Moves of the host in a round."""
    watched_visits: int = 500
    """The same with spectators."""
    memory: int = 2_000
    """Sockets, then games, whose memory is measured, over all rounds."""


TINY = Scale(
    rounds=1,
    relay_s=0.1,
    games=(4,),
    moves=40,
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
)
"""For the test that the benchmark still runs; its figures mean nothing."""


class Stage:
    """One run.

    Attributes:
        moves_per_cpu_s: capacity by the number of games, once it has been measured.
    """

    def __init__(self, scale: Scale, cores: Cores, directory: Path, postgres: EmbeddedPostgres) -> None:
        self.scale = scale
        self.scripts: Sequence[tuple[str, ...]] = scripts()
        self.moves_per_cpu_s: dict[int, float] = {}
        self._cores = cores
        self._directory = directory
        self._postgres = postgres

    def zeitnot(self) -> AbstractAsyncContextManager[ServerProcess]:
        """The real server, started."""
        return process.zeitnot(self._cores.server, self._directory, self._postgres.url)

    def bare(self) -> AbstractAsyncContextManager[ServerProcess]:
        """A bare server, started."""
        return process.bare(self._cores.server, self._directory)

    def meter(self, server: ServerProcess) -> Meter:
        """What ``server``, this process and PostgreSQL spend."""
        return Meter(server, self._postgres.pid)

    def say(self, text: str) -> None:
        """Tell whoever waits how far it is."""
        sys.stderr.write(f"  {text}\n")
        sys.stderr.flush()


@contextlib.asynccontextmanager
async def set_up(scale: Scale) -> AsyncIterator[Stage]:
    """A stage with a new database, which is thrown away afterwards."""
    cores = choose_cores()
    keep_to(cores.client)  # before PostgreSQL starts: it inherits it
    process.raise_file_limit()
    with tempfile.TemporaryDirectory(prefix="zeitnot-bench-", ignore_cleanup_errors=True) as directory:
        async with EmbeddedPostgres(Path(directory) / "data") as postgres:
            yield Stage(scale, cores, Path(directory), postgres)
