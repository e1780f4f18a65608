"""The process of the robots: it plays for all eight while it holds the lease.

    report every second ──► active ──► eight accounts with their sockets and games
                       └──► not active: another process plays; wait

The lease is the server's (request ``robots``). A process that is killed is replaced four seconds later by another one
that reports, and its games go on where they were.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import signal
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from robots.client import BotClient, BotDisconnected, BotRefused
from robots.engines.available import find_engines
from robots.jobs import RobotError, Workload
from robots.levels import HIGHEST
from robots.playing.account import RobotAccount
from robots.playing.simul_host import RobotHost
from robots.pool.engine_pool import EnginePool

if TYPE_CHECKING:
    from robots.playing.move_source import MoveSource

REPORT_S = 1.0

LONGEST_PAUSE_S = 5.0
"""Longest pause between two attempts to reach the server."""

LEAVE_S = 1.0
"""Time to tell the server that the lease is free."""

FREE_AT_ONCE = (50, 20, 10, 5)
"""Numbers of new games to report as ``free``: the first for which there is room at the highest level. The last is also
reported if there is room for one game only: few games are of the highest level, and the next report counts those that
have begun."""

CLOCKS_S = (10, 30, 60, 120, 180, 300, 600, 1200, 3600)
"""Times of a side that the engines are asked about, to report the shortest one that they can serve."""

UNKNOWN_TOKEN = 401

BAD_OPTIONS = 2
"""Exit status if an engine that was named is none."""

log = logging.getLogger(__name__)


class RobotsOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What the process needs to know."""

    url: str
    tokens: Callable[[], dict[int, str]]
    """Reads the API tokens by level; again when the server refuses them. Raises ``RobotError``: there are none."""
    engine: Path | None = None
    hub_engine: Path | None = None
    slots: int | None = None
    """Engines that compute at a time; None: one less than there are cores."""
    tempo: float = 1.0
    """Factor of all pauses."""
    simul_level: int | None = 5
    """Level of the robot that gives a simul to all comers; None: none does."""


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
        self._tokens: dict[int, str] = {}
        self._accounts: list[RobotAccount] = []
        self._host: RobotHost | None = None

    async def run(self) -> None:
        """Play while the lease is held, until cancelled."""
        pause_s = REPORT_S
        try:
            while True:
                try:
                    self._tokens = self._tokens or self._options.tokens()
                    # A socket of its own: reports are not late because of many moves.
                    async with BotClient(self._options.url, self._tokens[1]) as client:
                        await client.request("unsub", topic="user")
                        pause_s = REPORT_S
                        await self._report_all(client)
                except (BotDisconnected, BotRefused, RobotError) as error:
                    text = ""
                    if isinstance(error, BotDisconnected) and error.status == UNKNOWN_TOKEN:
                        text = "; the server has another service token"
                        self._tokens = {}
                        await self._stop()
                    is_first = pause_s == REPORT_S  # of an outage
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
        # The first of each game stands for its variants, and the highest level, which takes longest, for all.
        kinds = [(game, variants[0]) for game, variants in games.items()]
        least_s = next((clock_s for clock_s in CLOCKS_S if kinds and self._can_accept(kinds, clock_s, 1)), 0)
        free = 0
        if least_s:
            free = next((one for one in FREE_AT_ONCE if self._can_accept(kinds, least_s, one)), FREE_AT_ONCE[-1])
        return {
            "holder": self._holder,
            "active": bool(self._accounts),
            "games": dict(games),
            "free": free,
            "least_s": least_s,
            "laws": True,
        }

    def _can_accept(self, kinds: list[tuple[str, str]], clock_s: int, number: int) -> bool:
        return all(
            self._source.can_accept(Workload(game=game, variant=variant, level=HIGHEST, clock_s=clock_s), number)
            for game, variant in kinds
        )

    def _start(self) -> None:
        options = self._options
        self._accounts = [
            RobotAccount(options.url, token, level, self._source, tempo=options.tempo)
            for level, token in self._tokens.items()
        ]
        for account in self._accounts:
            if account.level == options.simul_level:
                self._host = RobotHost(account, self._source)

    async def _stop(self) -> None:
        host, self._host = self._host, None
        if host is not None:
            await host.close()
        accounts, self._accounts = self._accounts, []
        await asyncio.gather(*(account.close() for account in accounts))


async def run_robots(options: RobotsOptions) -> int:
    """Run the process until SIGTERM or SIGINT; return the exit status."""
    try:
        engines = find_engines(engine=options.engine, hub_engine=options.hub_engine)
    except RobotError as error:
        log.error("%s", error)  # noqa: TRY400  an operator's to mend
        return BAD_OPTIONS
    pool = await EnginePool.start(engines, slots=options.slots)
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
