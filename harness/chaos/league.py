"""Many games at once, played and watched by scripted clients."""

from __future__ import annotations

import asyncio
import itertools
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from harness.chaos.clients import ScriptedClient, ScriptedPlayer
from harness.chaos.polling import until
from harness.chaos.repeated_requests import new_guest, request_until_done
from harness.chaos.script import CHESS, Script, random_game

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType

    from harness.chaos.view import View

LIMITS = "connections=20000,guests=20000,accounts=20000,rate=10000"
"""Limits as in a load test: all clients come from one address."""

AT_ONCE = 8
"""Pairs that begin games at the same time."""

WATCHED = 4
"""Games that a spectator watches on one socket."""

TC = {"base_s": 600, "inc_s": 0}
"""No increment, so that clocks show exactly what was charged."""

THINK_S = (0.0, 0.15)
"""Thinking time: about a move every tenth of a second a game."""


@dataclass
class LeagueGame:
    """One game, its players and its script."""

    game: str
    script: Script
    players: tuple[ScriptedPlayer, ScriptedPlayer]


class League:
    """``async with League(url, games=40, seed=1) as league``: all clients play until it is closed.

    Attributes:
        matches: all games.
        spectators: anonymous viewers; each watches ``WATCHED`` games.
    """

    def __init__(
        self,
        url: str,
        *,
        games: int,
        seed: int,
        plies: int = 80,
        tc: dict[str, Any] | None = None,
        think_s: tuple[float, float] = THINK_S,
        kinds: Sequence[tuple[str, str]] = (CHESS,),
    ) -> None:
        """``kinds``: games and variants of the matches, used in turn."""
        self.matches: list[LeagueGame] = []
        self.spectators: list[ScriptedClient] = []
        self.chance = random.Random(seed)
        self._url = url
        self._games = games
        self._plies = plies
        self._tc = tc or TC
        self._think_s = think_s
        self._kinds = itertools.cycle(kinds)
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        pairs = asyncio.Semaphore(AT_ONCE)
        self.matches = list(await asyncio.gather(*(self._start_game(pairs) for _ in range(self._games))))
        games = [match.game for match in self.matches]
        self.spectators = [
            ScriptedClient(self._url, None, games[first : first + WATCHED], self._stream(), "msgpack")
            for first in range(0, len(games), WATCHED)
        ]
        self._tasks = [asyncio.create_task(person.run(), name="person") for person in self.people()]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # -- waiting ------------------------------------------------------------------------------------------

    async def moves(self, count: int) -> None:
        """Wait until ``count`` more requests were acknowledged."""
        target = self.acknowledged + count
        await self.until(lambda: self.acknowledged >= target)

    async def every(self, condition: Callable[[ScriptedPlayer], bool]) -> None:
        """Wait until ``condition`` holds for every player whose game is not over."""
        await self.until(lambda: all(player.view.over or condition(player) for player in self.players()))

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until ``condition()``; an error of any client is raised."""

        def look() -> bool:
            for task in self._tasks:
                if task.done():
                    task.result()
            return condition()

        await until(look)

    async def finish(self) -> None:
        """Wait until every client has seen the end of its games."""
        await asyncio.gather(*self._tasks)

    # -- what there is ------------------------------------------------------------------------------------

    @property
    def acknowledged(self) -> int:
        """Number of requests that were answered with ``ok``."""
        return sum(len(player.view.acks) for player in self.players())

    def players(self) -> list[ScriptedPlayer]:
        """All players."""
        return [player for match in self.matches for player in match.players]

    def views_of(self, game: str) -> list[View]:
        """Return what each client of ``game`` was shown."""
        return [person.views[game] for person in self.people() if game in person.views]

    def people(self) -> list[ScriptedClient]:
        """Players and spectators."""
        return [*self.players(), *self.spectators]

    # -- beginning ----------------------------------------------------------------------------------------

    def _stream(self) -> random.Random:
        """Return a random stream for one client. With a common stream the order of draws would depend on the
        machine."""
        return random.Random(self.chance.random())

    async def _start_game(self, pairs: asyncio.Semaphore) -> LeagueGame:
        script = random_game(self.chance, self._plies, next(self._kinds))
        streams = self._stream(), self._stream()
        async with pairs:
            return await start_game(self._url, script, streams, tc=self._tc, think_s=self._think_s)


async def start_game(
    url: str,
    script: Script,
    streams: tuple[random.Random, random.Random],
    *,
    tc: dict[str, Any],
    think_s: tuple[float, float],
    people: Sequence[tuple[str, dict[str, Any]]] = (),
    ponders: float = 0.0,
) -> LeagueGame:
    """Let two ``people`` (token and user; by default new guests) begin a game by a challenge, despite faults.

    ``ponders``: as in ``ScriptedPlayer``.
    """
    chance = streams[0]
    two = people or await asyncio.gather(*(new_guest(url, chance) for _ in range(2)))
    (white, white_user), (black, black_user) = two
    is_rated = "guest" not in (white_user["kind"], black_user["kind"]) and script.start is None
    terms = {"game": script.kind[0], "variant": script.kind[1], "fen": script.start, "rated": is_rated}
    offer = {"t": "challenge", "key": f"offer-{chance.getrandbits(60):x}", "tc": tc, "color": "w", **terms}
    challenge = (await request_until_done(url, white, chance, offer))["challenge"]
    accept = {"t": "challenge.accept", "key": f"accept-{chance.getrandbits(60):x}", "challenge": challenge}
    g: str = (await request_until_done(url, black, chance, accept))["g"]

    def player(token: str, user: str, side: int) -> ScriptedPlayer:
        return ScriptedPlayer(url, token, user, g, side, script, streams[side], think_s, ponders)

    return LeagueGame(g, script, (player(white, white_user["id"], 0), player(black, black_user["id"], 1)))
