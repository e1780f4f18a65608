"""An engine process as the pool sees it, and how such a process is started: nice, with limited memory."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import msgspec

from robots.levels import Candidate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from robots.jobs import Job
    from robots.levels import Level

LAUNCHER = Path(__file__).with_name("launch.py")

MEMORY_MB = 512
"""Of one engine process: twice what any of them was seen to use, so a leak ends the process and not the machine."""

NICENESS = 10
"""Humans' moves go first: the server runs at 0."""

LINE_BYTES = 1 << 20
"""Longest line of an engine; the longest answer of ours has a hundred moves."""


class FoundMoves(msgspec.Struct, frozen=True):
    """What a search found."""

    candidates: list[Candidate]
    """The best moves with their scores, the best first; at least one."""
    choices: int
    """Number of legal moves."""
    nodes: int
    """Positions examined."""
    depth: int
    """Half-moves of the last complete iteration."""


class MoveEngine(Protocol):
    """A running engine process. It does one job at a time."""

    async def search(self, job: Job, number: int, level: Level) -> FoundMoves:
        """Return the moves among which level ``number`` draws.

        Raises:
            BadJob: the job cannot be done by any process.
            EngineFailed: the process is dead or answered nonsense. The caller kills it and starts another.
        """

    async def close(self) -> None:
        """End the process and wait for it."""


def limited(command: Sequence[str], memory_mb: int = MEMORY_MB) -> list[str]:
    """Return a command that runs ``command`` nice, with limited memory, and not longer than this process lives."""
    return [sys.executable, "-I", "-S", str(LAUNCHER), str(os.getpid()), str(NICENESS), str(memory_mb), *command]


def environment() -> Mapping[str, str]:
    """Return the environment in which this package can be imported, wherever the process was started from."""
    root = str(Path(__file__).parents[2])
    known = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{known}" if known else root}
