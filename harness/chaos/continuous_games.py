"""Games for the duration of the run: a fixed number at a time, each checked when it is over and replaced by another."""

from __future__ import annotations

import asyncio
import itertools
import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from harness.chaos.checker import check_game, read_truths
from harness.chaos.clients import ScriptedClient
from harness.chaos.clocks import check_charges
from harness.chaos.errors import Violation
from harness.chaos.league import TC, start_game
from harness.chaos.repeated_requests import new_member
from harness.chaos.script import random_game
from realtime.postgres.database import FAILURES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.chaos.disturbances import Disturbances
    from harness.chaos.league import LeagueGame

PLIES = 60

THINK_S = (0.05, 0.4)

WATCHERS = 2
"""Spectators of each game."""

MEMBERS = 6
"""Members who play rated games; every second game is rated."""

AGAIN_S = 0.5

PONDERS = 0.04
"""Share of moves with a thinking time of seconds."""


@dataclass
class Findings:
    """Findings so far."""

    games: int = 0
    moves: int = 0
    acknowledged: int = 0
    shown: int = 0
    """Events that clients were shown, counted once for each client."""
    away_s: list[float] = field(default_factory=list)
    """Each time a client was without a server, in seconds."""
    overcharge_ms: list[float] = field(default_factory=list)
    """By how much more than the thinking time each move was charged."""
    violations: list[str] = field(default_factory=list)


class ContinuousGames:
    """Plays until it is stopped.

    Args:
        url: URL of the servers.
        database: URL of the database to check against.
        slots: number of concurrent games.
        kinds: games and variants, used in turn.
        disturbances: the faults.
    """

    def __init__(
        self,
        url: str,
        database: str,
        *,
        slots: int,
        seed: int,
        kinds: Sequence[tuple[str, str]],
        disturbances: Disturbances,
        plies: int = PLIES,
    ) -> None:
        self.findings = Findings()
        self._url = url
        self._database = database
        self._slots = slots
        self._chance = random.Random(seed)
        self._kinds = itertools.cycle(kinds)
        self._plies = plies
        self._disturbances = disturbances
        self._stopping = False
        self._open: dict[str, Sequence[ScriptedClient]] = {}
        self._members: asyncio.Queue[tuple[str, dict[str, Any]]] = asyncio.Queue()

    async def run(self) -> None:
        """Play and check; returns after ``stop`` when every game is over."""
        for member in await asyncio.gather(*(new_member(self._url, self._stream()) for _ in range(MEMBERS))):
            self._members.put_nowait(member)
        streams = [self._stream() for _ in range(self._slots)]
        await asyncio.gather(*(self._slot(number, stream) for number, stream in enumerate(streams)))

    def stop(self) -> None:
        """Begin no more games."""
        self._stopping = True

    def unfinished(self) -> list[str]:
        """Return the unfinished games, and up to where each client has seen them."""
        return [
            f"game {game} is not over: seen up to {[view.seq for person in people for view in person.views.values()]}"
            for game, people in self._open.items()
        ]

    def _stream(self) -> random.Random:
        return random.Random(self._chance.random())

    async def _slot(self, number: int, chance: random.Random) -> None:
        while not self._stopping:
            is_rated = number % 2 == 0 and self._members.qsize() >= 2
            people = [self._members.get_nowait() for _ in range(2)] if is_rated else []
            try:
                await self._game(chance, people)
            except Violation as error:
                self.findings.violations.append(str(error))
            except BaseExceptionGroup as group:
                found = group.subgroup(Violation)
                if found is None:
                    raise
                self.findings.violations += [str(error) for error in found.exceptions]
            finally:
                for person in people:
                    self._members.put_nowait(person)

    async def _game(self, chance: random.Random, people: Sequence[tuple[str, dict[str, Any]]]) -> None:
        script = random_game(chance, self._plies, next(self._kinds))
        streams = random.Random(chance.random()), random.Random(chance.random())
        match = await start_game(self._url, script, streams, tc=TC, think_s=THINK_S, people=people, ponders=PONDERS)
        watchers = [
            ScriptedClient(self._url, None, [match.game], random.Random(chance.random()), codec)
            for codec in itertools.islice(itertools.cycle(("msgpack", "json")), WATCHERS)
        ]
        everybody = self._open[match.game] = [*match.players, *watchers]
        async with asyncio.TaskGroup() as group:
            for person in everybody:
                group.create_task(person.run())
        del self._open[match.game]
        await self._check(match, everybody)

    async def _check(self, match: LeagueGame, people: Sequence[ScriptedClient]) -> None:
        """Check a game against the database, waiting while that is unavailable."""
        while True:
            try:
                truths = await read_truths(self._database, [match.game])
            except FAILURES:
                await asyncio.sleep(AGAIN_S)
            else:
                break
        truth, findings = truths[match.game], self.findings
        findings.games += 1
        findings.moves += truth.states()[-1].ply
        findings.acknowledged += sum(len(player.view.acks) for player in match.players)
        findings.shown += sum(len(view.events) for person in people for view in person.views.values())
        findings.away_s += [gap for person in people for gap in person.away_s]
        check_game(match, truth, [view for person in people for view in person.views.values()], finished=True)
        findings.overcharge_ms += check_charges(match, truth, self._disturbances)
