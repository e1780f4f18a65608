"""Pairs of players on the real server or a bare one, and their games."""

from __future__ import annotations

import asyncio
import itertools
from typing import TYPE_CHECKING, TypeVar

from bench.load.guests import new_guests
from bench.load.match import Delays, Match
from bench.load.player import MatchPlayer
from bench.load.script import MEASURED_PLIES, OPENING_PLIES

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterable, Sequence

    Pair = tuple[MatchPlayer, MatchPlayer]

T = TypeVar("T")

TC = {"base_s": 10800, "inc_s": 5}
"""Long enough that no flag falls even on a slow machine."""

AT_ONCE = 50
"""Sockets opened, or games agreed on, concurrently."""

MOST_PAIRS = 2000
"""Beyond this number players have several games each: a socket takes a file descriptor, of which a process may have
about 20,000."""


class Arena:
    """Pairs of players on the real server.

    Attributes:
        matches: the games that are being played.
        measured_plies: length of their scripts after the opening.
    """

    measured_plies = MEASURED_PLIES

    def __init__(self, url: str, scripts: Sequence[tuple[str, ...]]) -> None:
        self.matches: list[Match] = []
        self._url = url
        self._scripts = itertools.cycle(scripts)
        self._numbers = itertools.count(1)
        self._pairs: list[Pair] = []

    async def open(self, pairs: int) -> None:
        """Connect players until there are ``pairs`` pairs."""
        more = 2 * (pairs - len(self._pairs))
        tokens = await self._tokens(more)
        players = [MatchPlayer() for _ in tokens]
        await self._all(player.connect(self._url, token) for player, token in zip(players, tokens, strict=True))
        self._pairs += zip(players[::2], players[1::2], strict=True)

    async def start(self, games: int) -> list[Match]:
        """Start ``games`` more games, spread evenly over the pairs; both players subscribe."""
        pairs = itertools.islice(itertools.cycle(self._pairs), games)
        started = await self._all(self._agree(pair) for pair in pairs)
        self.matches += started
        return started

    async def end(self) -> None:
        """End all games; nothing of them continues."""
        await self._all(self._part(match) for match in self.matches)
        for match in self.matches:
            for player in match.players:
                player.remove_match(match)
        self.matches = []

    async def close(self) -> None:
        """Close all sockets."""
        await self._all(player.close() for pair in self._pairs for player in pair)
        self._pairs = []

    async def _tokens(self, number: int) -> Sequence[str | None]:
        return await new_guests(self._url, number)

    async def _agree(self, pair: Pair) -> Match:
        """Begin a game by an open challenge and play the first moves."""
        white, black = pair
        offer = await white.request("challenge", tc=TC, color="w")
        game = (await black.request("challenge.accept", challenge=offer["challenge"]))["g"]
        match = Match(next(self._numbers), game, pair, next(self._scripts))
        for player in pair:
            await player.request("sub", topic=f"game:{game}")
        await match.play(OPENING_PLIES, Delays())
        return match

    async def _part(self, match: Match) -> None:
        """End a game: White resigns, and both players unsubscribe."""
        await match.players[0].request("resign", g=match.game)
        for player in match.players:
            await player.request("unsub", topic=f"game:{match.game}")

    async def _all(self, work: Iterable[Awaitable[T]]) -> list[T]:
        """Return all results in order, running ``AT_ONCE`` at a time."""
        results: list[T] = []
        work = list(work)
        for start in range(0, len(work), AT_ONCE):
            results += await asyncio.gather(*work[start : start + AT_ONCE])
        return results


class BareArena(Arena):
    """The same on a bare server, which has no users and no games: a game is a room whose two sockets exchange moves."""

    async def _tokens(self, number: int) -> Sequence[str | None]:
        return [None] * number

    async def _agree(self, pair: Pair) -> Match:
        number = next(self._numbers)
        room = f"{number:08}"  # as long as the id of a game
        match = Match(number, room, pair, next(self._scripts), answered=False)
        for player in pair:
            await player.request("join", room=room)
        await match.play(OPENING_PLIES, Delays())
        return match

    async def _part(self, match: Match) -> None:
        """Do nothing: a room without messages is idle."""
