"""Load of the scenario ``mixed``: people who play blitz with each other for a long time, and their spectators."""

from __future__ import annotations

import asyncio
import itertools
import math
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from bench.load.guests import new_guests
from bench.load.match import Delays, Match
from bench.load.player import MatchPlayer
from bench.load.requester import Requester, decode_header
from bench.load.script import FULL_PLIES, OPENING_PLIES
from bench.load.simul import in_batches

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from bench.load.socket import RequestFailed

ClientT = TypeVar("ClientT", bound=Requester)

INC_S = 3
SHORTEST_S = 300
"""5 + 3, which is blitz. Every pair has a few seconds more of its own, so that its seeks match in the lobby."""

PHASES = ((16, 1.2), (44, 4.0), (20, 1.5))
"""Plies of a phase, and the median thinking time in seconds for each: opening, middle game, time trouble."""

SPREAD = 0.8
"""Standard deviation of the logarithm of the thinking time: one move in ten takes three times the median."""

PAIRS_PER_SPECTATOR = 5
"""One spectator for ten players."""

LOBBY_WATCHERS = 100


class SilentClient(Requester):
    """A client that only receives."""

    def _on_message(self, payload: bytes) -> None:
        header = decode_header(payload)
        self.answered(header.t, header.id, payload)

    def _refused(self, number: int, error: RequestFailed) -> None:
        raise error


def think_s(chance: Random, haste: float) -> float:
    """Return the thinking time for a random move of a blitz game, in seconds."""
    plies, medians = zip(*PHASES, strict=True)
    (median,) = chance.choices(medians, plies)
    return chance.lognormvariate(math.log(median / haste), SPREAD)


class Pair:
    """Two players and, for some pairs, a spectator.

    Attributes:
        task: plays their games.
    """

    def __init__(
        self, number: int, people: tuple[MatchPlayer, MatchPlayer], spectator: SilentClient | None, load: BlitzLoad
    ) -> None:
        self.task: asyncio.Task[None]
        self._base_s = SHORTEST_S + number
        self._people = people
        self._spectator = spectator
        self._load = load
        self._game = 0

    async def start(self, plies: int) -> None:
        """Begin the first game, with ``plies`` moves left. Further games follow until ``task`` is cancelled."""
        match = await self._meet()
        self.task = asyncio.create_task(self._play_on(match, plies), name="games of a pair")

    async def _play_on(self, match: Match, plies: int) -> None:
        while True:
            await match.play(plies, self._load.delays, self._load.think)
            await self._part(match)
            match, plies = await self._meet(), FULL_PLIES - OPENING_PLIES

    async def _meet(self) -> Match:
        """Pair the players by a seek, subscribe both, and let them say hello in the chat."""
        white, black = self._people
        seek = await white.request("seek", tc={"base_s": self._base_s, "inc_s": INC_S}, color="w")
        game = (await black.request("accept", seek=seek["seek"]))["g"]
        self._game += 1
        match = Match(self._game, game, self._people, self._load.script())
        for person in self._people:
            await person.request("sub", topic=f"game:{game}")
        if self._spectator is not None:
            await self._spectator.request("sub", topic=f"game:{game}")
        await white.request("chat", topic=f"game:{game}", text="Hello")
        self._load.started += 1
        await match.play(OPENING_PLIES, Delays())
        return match

    async def _part(self, match: Match) -> None:
        """End the game: White resigns, Black writes in the chat, and all unsubscribe."""
        white, black = self._people
        topic = f"game:{match.game}"
        await white.request("resign", g=match.game)
        await black.request("chat", topic=topic, text="Thank you for the game")
        for person in (*self._people, *((self._spectator,) if self._spectator is not None else ())):
            await person.request("unsub", topic=topic)
        for player in self._people:
            player.remove_match(match)


class BlitzLoad:
    """All pairs.

    Attributes:
        delays: of the moves since ``begin``.
        started: number of games since then.
    """

    def __init__(self, url: str, scripts: Sequence[tuple[str, ...]], chance: Random, haste: float = 1.0) -> None:
        """``haste``: how many times faster than people they play."""
        self.delays = Delays()
        self.started = 0
        self.think = partial(think_s, chance, haste)
        self._url = url
        self._scripts = itertools.cycle(scripts)
        self._chance = chance
        self._pairs: list[Pair] = []
        self._people: list[Requester] = []

    def script(self) -> tuple[str, ...]:
        """Return the script of the next game."""
        return next(self._scripts)

    async def open(self) -> None:
        """Let the spectators of the lobby connect."""
        watchers = await self._connect([SilentClient() for _ in range(LOBBY_WATCHERS)], [None] * LOBBY_WATCHERS)
        await in_batches(watcher.request("sub", topic="lobby") for watcher in watchers)

    async def grow_to(self, games: int) -> None:
        """Add pairs until ``games`` games are being played."""
        numbers = range(len(self._pairs), games)
        tokens = await new_guests(self._url, 2 * len(numbers))
        players = await self._connect([MatchPlayer() for _ in tokens], tokens)
        watched = [number for number in numbers if number % PAIRS_PER_SPECTATOR == 0]
        spectators = dict(
            zip(watched, await self._connect([SilentClient() for _ in watched], [None] * len(watched)), strict=True)
        )
        pairs = [
            Pair(number, people, spectators.get(number), self)
            for number, people in zip(numbers, zip(players[::2], players[1::2], strict=True), strict=True)
        ]
        rests = [self._chance.randint(1, FULL_PLIES - OPENING_PLIES) for _ in pairs]
        await in_batches(pair.start(plies) for pair, plies in zip(pairs, rests, strict=True))
        self._pairs += pairs

    def begin(self) -> None:
        """Reset the counters. Raises the error of any client that has failed."""
        for pair in self._pairs:
            if pair.task.done():
                pair.task.result()
        self.delays.to_opponent.clear()
        self.delays.to_ok.clear()
        self.started = 0

    async def close(self) -> None:
        """Close all sockets, in the middle of the games. Raises the error of any client that has failed before."""
        tasks = [pair.task for pair in self._pairs]
        ended = [task for task in tasks if task.done()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await in_batches(person.close() for person in self._people)
        for task in ended:
            task.result()

    async def _connect(self, people: list[ClientT], tokens: Sequence[str | None]) -> list[ClientT]:
        await in_batches(person.connect(self._url, token) for person, token in zip(people, tokens, strict=True))
        self._people += people
        return people
