"""CPU seconds of all processes over the measured parts of a round."""

from __future__ import annotations

import time
from typing import Protocol

import msgspec
import psutil


class Spends(Protocol):
    """A server of one or more processes."""

    def cpu_s(self) -> float:
        """Return its CPU seconds so far."""
        ...


class Cost(msgspec.Struct, frozen=True):
    """Seconds of elapsed time and of CPU time."""

    wall_s: float = 0.0
    server_s: float = 0.0
    client_s: float = 0.0
    postgres_s: float = 0.0

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            self.wall_s + other.wall_s,
            self.server_s + other.server_s,
            self.client_s + other.client_s,
            self.postgres_s + other.postgres_s,
        )


class Meter:
    """``with meter: …`` adds the cost of the block to ``meter.cost``.

    Args:
        server: the figures are divided by its CPU time.
        postgres: process id of the PostgreSQL server; None if it does not take part.
    """

    def __init__(self, server: Spends, postgres: int | None) -> None:
        self.cost = Cost()
        self._server = server
        self._postgres = postgres
        self._before = Cost()

    def __enter__(self) -> None:
        self._before = self._read()

    def __exit__(self, *_: object) -> None:
        after, before = self._read(), self._before
        self.cost += Cost(
            after.wall_s - before.wall_s,
            after.server_s - before.server_s,
            after.client_s - before.client_s,
            after.postgres_s - before.postgres_s,
        )

    def _read(self) -> Cost:
        return Cost(
            time.perf_counter(),
            self._server.cpu_s(),
            time.process_time(),
            0.0 if self._postgres is None else _family_cpu_s(self._postgres),
        )


def _family_cpu_s(pid: int) -> float:
    """Return the CPU seconds of a process and all its living children."""
    parent = psutil.Process(pid)
    total = 0.0
    for process in (parent, *parent.children(recursive=True)):
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system
    return total
