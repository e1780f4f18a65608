"""Scripted players of a simul, as clients on sockets: they join, and answer the host's moves until they lose."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, Self

from tests.wire_client import Client, Message, Refusal, guest

if TYPE_CHECKING:
    from types import TracebackType

SCRIPTS = {"w": ("f2f3", "g2g4"), "b": ("e7e5", "b8c6", "g8f6")}
"""What a player plays, by his colour: he is mated in two as White, in four as Black."""

HOST_SCRIPTS = {"w": ("e2e4", "d1h5", "f1c4", "h5f7"), "b": ("e7e5", "d8h4")}
"""What mates them."""


class Player:
    """One of them, on a line of his own."""

    def __init__(self, client: Client, user: Message, simul: str) -> None:
        self.client = client
        self.user = user
        self.simul = simul

    async def play(self) -> None:
        """Wait for a board, and play there until the game is over."""
        paired = await self.client.wait(lambda m: m["t"] == "paired")
        game: str = paired["g"]
        await self.client.sub(game, ticks=False)
        after = 0
        while True:
            told = await self.client.wait(lambda m: _goes_on(m, game), after)
            after = self.client.messages.index(told) + 1
            if told["t"] == "end" or told.get("status") == "over":
                return
            ply = len(told["moves"]) if told["t"] == "game" else told["ply"] + 1
            color = "w" if ply % 2 == 0 else "b"
            if paired["color"] == color and ply // 2 < len(SCRIPTS[color]):
                await self._move(game, ply, SCRIPTS[color][ply // 2])

    async def _move(self, game: str, ply: int, move: str) -> None:
        """Play it, or make it ready for when the host comes: whichever is possible now."""
        ways: tuple[dict[str, Any], ...] = (
            {"kind": "move", "g": game, "move": move, "ply": ply},
            {"kind": "simul.prepare", "simul": self.simul, "g": game, "move": move, "ply": ply},
        )
        # The host may come or go between the two: then the other is possible.
        while True:
            for way in ways:
                with contextlib.suppress(Refusal):
                    await self.client.request(**way)
                    return


def _goes_on(message: Message, game: str) -> bool:
    return message.get("g") == game and message["t"] in ("game", "move", "end")


class Players:
    """``count`` guests who join ``simul``. Use as ``async with``: inside, all of them have joined; at its end each has
    played his game to the end."""

    def __init__(self, url: str, simul: str, count: int) -> None:
        self._url = url
        self._simul = simul
        self._count = count
        self._stack = contextlib.AsyncExitStack()
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        for number in range(self._count):
            token, user = await asyncio.to_thread(guest, self._url)
            client = await self._stack.enter_async_context(Client(self._url, token))
            await client.request("simul.join", simul=self._simul, key=f"join-{number}-{user['id']}"[:64])
            player = Player(client, user, self._simul)
            self._tasks.append(asyncio.create_task(player.play(), name=f"player {number}"))
        return self

    def idle(self) -> None:
        """Let nobody make a move; what is not played to its end is left."""
        for task in self._tasks:
            task.cancel()
        self._tasks.clear()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                await asyncio.gather(*self._tasks)
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            await self._stack.aclose()
