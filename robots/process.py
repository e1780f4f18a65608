"""The process of the robots: it plays for all eight while it holds the lease.

    report every second ──► active ──► eight accounts with their sockets and games
                       └──► not active: another process plays; wait

The lease is the server's (request ``robots``). A process that is killed is replaced four seconds later by another one
that reports, and its games go on with the moves that they had.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import signal
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from robots.client import BotClient, BotDisconnected, BotRefused
from robots.engines.available import find_engines
from robots.jobs import RobotError, Workload
from robots.levels import HIGHEST
from robots.playing.account import RobotAccount
from robots.pool.engine_pool import EnginePool

if TYPE_CHECKING:
    from robots.playing.player import MoveSource

REPORT_S = 1.0

LONGEST_PAUSE_S = 5.0
"""Longest pause between two attempts to reach the server."""

LEAVE_S = 1.0
"""Time to tell the server that the lease is free."""

FREE_AT_ONCE = 50
"""New games accepted between two reports: the engines are asked again before there are more."""

CLOCKS_S = (30, 60, 120, 180, 300, 600, 1200, 3600)
"""Times of a side that the engines are asked about, to report the shortest one that they can serve."""

UNKNOWN_TOKEN = 401

BAD_OPTIONS = 2
"""Exit status if an engine that was named is none."""

log = logging.getLogger(__name__)


class RobotsOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What the process needs to know."""

    url: str
    tokens: dict[int, str]
    """API tokens by level."""
    engine: Path | None = None
    hub_engine: Path | None = None
    tempo: float = 1.0
    """Factor of all pauses."""


class LeasedRobots:
    """All robots of one process.

    Args:
        options: as given.
        source: finds their moves.
    """

    def __init__(self, options: RobotsOptions, source: MoveSource) -> None:
        self._options = options
        self._source = source
        self._holder = secrets.token_urlsafe(12)
        self._accounts: list[RobotAccount] = []

    async def run(self) -> None:
        """Play while the lease is held, until cancelled."""
        pause_s = REPORT_S
        try:
            while True:
                try:
                    # A socket of its own: reports are not late because of many moves.
                    async with BotClient(self._options.url, self._options.tokens[1]) as client:
                        await client.request("unsub", topic="user")
                        pause_s = REPORT_S
                        await self._report_all(client)
                except (BotDisconnected, BotRefused) as error:
                    hint = isinstance(error, BotDisconnected) and error.status == UNKNOWN_TOKEN
                    is_first = pause_s == REPORT_S  # of an outage
                    text = "; the server has another service token" if hint else ""
                    log.log(logging.WARNING if is_first else logging.DEBUG, "%s%s", error, text)
                await asyncio.sleep(pause_s)
                pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
        finally:
            await self._stop()

    async def _report_all(self, client: BotClient) -> None:
        try:
            while True:
                answer = await client.request("robots", **self._report())
                if answer["active"] and not self._accounts:
                    log.info("this process plays for the robots")
                    self._start()
                elif not answer["active"] and self._accounts:
                    log.warning("another process plays for the robots")
                    await self._stop()
                await asyncio.sleep(REPORT_S)
        except asyncio.CancelledError:
            with suppress(BotDisconnected, BotRefused, TimeoutError):
                async with asyncio.timeout(LEAVE_S):
                    await client.request("robots", holder=self._holder, active=bool(self._accounts), leaving=True)
            raise

    def _report(self) -> dict[str, object]:
        games: dict[str, list[str]] = defaultdict(list)
        for game, variant in self._source.variants():
            games[game].append(variant)
        least_s = next((seconds for seconds in CLOCKS_S if games and self._can_accept(seconds)), None)
        return {
            "holder": self._holder,
            "active": bool(self._accounts),
            "games": dict(games),
            "free": 0 if least_s is None else FREE_AT_ONCE,
            "least_s": 0 if least_s in (None, CLOCKS_S[0]) else least_s,
        }

    def _can_accept(self, clock_s: int) -> bool:
        game, variant = self._source.variants()[0]
        workload = Workload(game=game, variant=variant, level=HIGHEST, clock_s=clock_s)
        return self._source.can_accept(workload)

    def _start(self) -> None:
        options = self._options
        self._accounts = [
            RobotAccount(options.url, token, level, self._source, tempo=options.tempo)
            for level, token in options.tokens.items()
        ]

    async def _stop(self) -> None:
        accounts, self._accounts = self._accounts, []
        await asyncio.gather(*(account.close() for account in accounts))


async def run_robots(options: RobotsOptions) -> int:
    """Run the process until SIGTERM or SIGINT; return the exit status."""
    try:
        engines = find_engines(engine=options.engine, hub_engine=options.hub_engine)
    except RobotError as error:
        log.error("%s", error)  # noqa: TRY400  an operator's to mend
        return BAD_OPTIONS
    pool = await EnginePool.start(engines)
    for line in engines.lines():
        log.info("%s", line)
    try:
        return await play(options, pool)
    finally:
        await pool.close()


async def play(options: RobotsOptions, source: MoveSource) -> int:
    """Play with the moves of ``source`` until SIGTERM or SIGINT; return the exit status."""
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    playing = asyncio.create_task(LeasedRobots(options, source).run(), name="robots")
    stopped = asyncio.create_task(stopping.wait(), name="wait for a signal")
    await asyncio.wait((playing, stopped), return_when=asyncio.FIRST_COMPLETED)
    for task in (playing, stopped):
        task.cancel()
    results = await asyncio.gather(playing, stopped, return_exceptions=True)
    if isinstance(results[0], Exception):
        log.error("the robots have failed", exc_info=results[0])
        return 1
    return 0
