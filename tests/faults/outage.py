"""A period in which the database is away. It may cost no player time, and no client its socket."""

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
    """An outage, which begins when it is created.

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
        """End the outage: the database may come back."""
        self.lasted_ms = (time.monotonic() - self._began) * 1000

    def check(self, truths: dict[str, Truth]) -> None:
        """Check that each running game was held and resumed, and that both clocks together lost less than half of the
        outage.

        A move that was being thought about at its beginning, or was on its way, is charged as usual.
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
    """Play to the end and check that everything is stored correctly and that no client lost its socket. Return what is
    stored."""
    await league.finish()
    truths = await read_truths(database, [match.game for match in league.matches])
    check_league(league, truths)
    await check_memory(server.url, truths)
    assert all(person.connects == 1 for person in league.people())
    return truths


@contextmanager
def suspended(postmaster: int) -> Iterator[list[psutil.Process]]:
    """Suspend all processes of a PostgreSQL (SIGSTOP); resume those that still exist at the end."""
    parent = psutil.Process(postmaster)
    parent.suspend()  # first, because it would start new ones
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
    """Return whether the lease is lost and the server decides nothing."""
    return not await is_ready(server)


async def is_ready(server: ServerProcess) -> bool:
    """Return the answer of ``/readyz``."""
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
    """Return one number of ``/metrics``."""
    return await asyncio.to_thread(_read_gauge, f"{server.url}/metrics", name)


def _read_gauge(url: str, name: str) -> float:
    with urllib.request.urlopen(url, timeout=20) as response:
        lines = response.read().decode().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(f"{name} "))
