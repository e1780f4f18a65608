"""A stretch of time in which the database is away, and what it may cost: nobody's time, nobody's socket."""

from __future__ import annotations

import asyncio
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from typing import TYPE_CHECKING

import psutil

from game_core.events import ClockSet
from harness.chaos.checker import check_league, check_memory, read_truths

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.chaos.checker import Truth
    from harness.chaos.league import League
    from tests.server_process import ServerProcess


class Outage:
    """Begins when it is made.

    Attributes:
        lasted_ms: from its beginning to ``end``.
    """

    def __init__(self, league: League) -> None:
        self.lasted_ms = 0.0
        self._began = time.monotonic()
        self._known = {
            match.game: max(view.seq for view in league.views_of(match.game))
            for match in league.matches
            if not any(player.view.over for player in match.players)
        }

    def end(self) -> None:
        """The database may come back."""
        self.lasted_ms = (time.monotonic() - self._began) * 1000

    def check(self, truths: dict[str, Truth]) -> None:
        """Every game that it met was held and resumed, and both clocks together lost less than half of it.

        A move that was being thought about when it began, or was on its way, is charged as ever.
        """
        assert self._known, "no game was being played"
        for game, known in self._known.items():
            truth = truths[game]
            states = truth.states()
            resumed = next(
                seq
                for seq, event in enumerate(truth.events, 1)
                if seq > known and isinstance(event, ClockSet) and event.why == "resumed"
            )
            before, after = states[known].clock, states[resumed].clock
            assert before is not None
            assert after is not None
            cost_ms = sum(before.left) - sum(after.left)
            assert cost_ms < self.lasted_ms / 2, f"game {game}: {cost_ms} of {self.lasted_ms} ms from {known} on"


async def survived(league: League, server: ServerProcess, database: str) -> dict[str, Truth]:
    """Play to the end: everything is as it should be, and nobody has lost his socket. The truth."""
    await league.finish()
    truths = await read_truths(database, [match.game for match in league.matches])
    check_league(league, truths)
    await check_memory(server.url, truths)
    assert all(person.connects == 1 for person in league.people())
    return truths


@contextmanager
def suspended(postmaster: int) -> Iterator[list[psutil.Process]]:
    """All processes of a PostgreSQL stand still (SIGSTOP); they go on at the end, those that are still there."""
    parent = psutil.Process(postmaster)
    parent.suspend()  # first: it would start new ones
    processes = [parent, *parent.children(recursive=True)]
    for process in processes:
        process.suspend()
    try:
        yield processes
    finally:
        for process in reversed(processes):
            if process.is_running():
                process.resume()


async def is_not_ready(server: ServerProcess) -> bool:
    """The lease is lost: the server decides nothing any more."""
    return not await is_ready(server)


async def is_ready(server: ServerProcess) -> bool:
    """What ``/readyz`` says."""
    return await asyncio.to_thread(_is_ready, f"{server.url}/readyz")


def _is_ready(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=20) as response:
            return bool(response.status == 200)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code != 503:
            raise
        return False


async def read_gauge(server: ServerProcess, name: str) -> float:
    """One number of ``/metrics``."""
    return await asyncio.to_thread(_read_gauge, f"{server.url}/metrics", name)


def _read_gauge(url: str, name: str) -> float:
    with urllib.request.urlopen(url, timeout=20) as response:
        lines = response.read().decode().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(f"{name} "))
