"""A second socket of the host, beside their page, which moves at waiting boards other than the page's."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from harness.demo.moves import choose_move
from robots.client import BotClient, BotDisconnected, BotRefused

if TYPE_CHECKING:
    from random import Random
    from types import TracebackType

    from robots.client import Message


class SecondHostSocket:
    """Use as ``async with``.

    Args:
        token: the host's.
        chance: chooses the moves.
    """

    def __init__(self, url: str, token: str, simul: str, chance: Random) -> None:
        self._client = BotClient(url, token)
        self._simul = simul
        self._chance = chance
        self._reader: asyncio.Task[None]
        self._waiting: dict[int, Message] = {}
        self._boards: dict[int, Message] = {}
        self._at: int | None = None

    async def __aenter__(self) -> Self:
        await self._client.open()
        self._reader = asyncio.create_task(self._read(), name="the host's second socket")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.close()
        await self._reader

    async def start(self) -> None:
        """Start the simul, and see all boards. Raises ``BotRefused`` or ``BotDisconnected``."""
        await self._client.request("simul.start", simul=self._simul)
        await self._client.request("sub", topic=f"simul:{self._simul}")

    async def play(self, moves_s: float, *, goes: bool = False) -> None:
        """Make ``moves_s`` moves a second at the longest waiting boards, until cancelled.

        Args:
            goes: the host visits each of these boards, and followers are taken there.
        """
        loop = asyncio.get_running_loop()
        start_s, made = loop.time(), 0
        while True:
            await asyncio.sleep(max(0.0, start_s + made / moves_s - loop.time()))
            made += 1
            # A move at the page's own board would switch the page to the next one.
            number = next((number for number in self._waiting if number != self._at), None)
            if number is not None:
                with suppress(BotRefused, BotDisconnected):  # the game has ended meanwhile, or the page was quicker
                    await self._visit(self._waiting.pop(number), goes=goes)

    async def _visit(self, board: Message, *, goes: bool) -> None:
        if goes:
            await self._client.request("simul.at", simul=self._simul, board=board["board"])
        move = choose_move("chess", "standard", board["position"], self._chance)
        if move is not None:
            await self._client.request("move", g=board["g"], move=move, ply=board["ply"])

    async def _read(self) -> None:
        async for message in self._client:
            self._take(message)

    def _take(self, message: Message) -> None:
        if message["t"] == "simul":
            self._at = message["at"]
            for board in message["boards"]:
                self._see(board)
        elif message["t"] == "simul.board":
            self._see(message)
        elif message["t"] == "simul.at":
            self._at = message["board"]

    def _see(self, news: Message) -> None:
        number: int = news["board"]
        board = self._boards.setdefault(number, {})
        board.update(news)
        if board["turn"] != "host" or board["status"] == "over":
            self._waiting.pop(number, None)
        else:
            self._waiting.setdefault(number, board)
