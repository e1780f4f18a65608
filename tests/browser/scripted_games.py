"""Games between scripted guests, for spectators: any number of games, continued one half-move at a time."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, Self

from tests.wire_client import Client, Message, guest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

OPENINGS = (
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8",
    "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7 e2e3 e8g8 g1f3 h7h6 g5h4 b7b6 c4d5 f6d5",
    "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6 c1e3 e7e5 d4b3 c8e6 f2f3 f8e7",
    "c2c4 e7e5 b1c3 g8f6 g1f3 b8c6 g2g3 d7d5 c4d5 f6d5 f1g2 d5b6 e1g1 f8e7 a2a3 e8g8",
)
"""Moves of the games, by the number of the game."""


class ScriptedGame:
    """One game and its two players.

    Attributes:
        g: id of the game.
        ply: number of half-moves played.
        users: the players, White first.
    """

    def __init__(
        self, g: str, clients: tuple[Client, Client], users: tuple[Message, Message], moves: Sequence[str]
    ) -> None:
        self.g = g
        self.ply = 0
        self.users = users
        self._clients = clients
        self._moves = moves

    async def play(self, plies: int = 1) -> None:
        """Play ``plies`` more half-moves."""
        for _ in range(plies):
            await self.move(self._moves[self.ply])

    async def move(self, move: str) -> None:
        """Play ``move``."""
        await self._clients[self.ply % 2].request("move", g=self.g, move=move, ply=self.ply)
        self.ply += 1

    async def resign(self) -> None:
        """Let White resign."""
        await self._clients[0].request("resign", g=self.g, key=f"resign-{self.g}")


class ScriptedGames:
    """``count`` games, the first with the moves of ``OPENINGS[opening]``. Use as ``async with``: inside, all have
    begun."""

    def __init__(
        self, url: str, count: int, tc: dict[str, int] | None = None, *, opening: int = 0, **terms: Any
    ) -> None:
        self.games: list[ScriptedGame] = []
        self._url = url
        self._count = count
        self._opening = opening
        self._terms = {"tc": tc or {"base_s": 300, "inc_s": 3}, **terms}
        self._stack = contextlib.AsyncExitStack()

    async def __aenter__(self) -> Self:
        for number in range(self._count):
            self.games.append(await self._begin(OPENINGS[(self._opening + number) % len(OPENINGS)].split()))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    def __getitem__(self, number: int) -> ScriptedGame:
        return self.games[number]

    @property
    def ids(self) -> list[str]:
        """Return the ids of all games."""
        return [game.g for game in self.games]

    async def play(self, plies: int = 1) -> None:
        """Play ``plies`` more half-moves in all games at once."""
        await asyncio.gather(*(game.play(plies) for game in self.games))

    async def _begin(self, moves: Sequence[str]) -> ScriptedGame:
        (white, one), (black, other) = [await self._player() for _ in range(2)]
        terms = await white.request("challenge", color="w", **self._terms)
        g: str = (await black.request("challenge.accept", challenge=terms["challenge"]))["g"]
        return ScriptedGame(g, (white, black), (one, other), moves)

    async def _player(self) -> tuple[Client, Message]:
        token, user = await asyncio.to_thread(guest, self._url)
        return await self._stack.enter_async_context(Client(self._url, token)), user
