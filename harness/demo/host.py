"""The host of a demonstration. It announces the simul; a scripted one also plays it, from the overview alone."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING

from harness.demo.errors import RequestRefused
from harness.demo.moves import choose_move
from harness.demo.reconnecting_client import ReconnectingClient
from harness.demo.retries import LATER, Retries

if TYPE_CHECKING:
    from random import Random

    from harness.demo.options import DemoOptions
    from robots.client import Message

TC = {"base_s": 1800, "inc_s": 10}

HOST_EXTRA_PER_BOARD_S = 10
"""Nearly three hours more at a thousand boards."""

AGAIN_S = 1.0
"""Delay before a move that could not be stored is repeated."""

END_S = 20.0
"""Time for all boards to end."""


class SimulSpectator(ReconnectingClient):
    """An anonymous spectator who waits for the end of the simul, with its public delay.

    Attributes:
        variants: those that are offered, after the first snapshot (``is_known``).
    """

    def __init__(self, options: DemoOptions, token: str | None, chance: Random) -> None:
        super().__init__(options, token, chance)
        self.variants: list[Message] = []
        self.is_known = asyncio.Event()
        self._simul = ""

    async def subscribe_to(self, simul: str) -> None:
        """Subscribe to the simul. Raises ``DemoFailed``."""
        self._simul = simul
        if self.is_connected:
            await self.subscribe()
        else:
            await self.connect()

    async def subscribe(self) -> None:
        """Subscribe; after a restart the simul may not be loaded yet."""
        if self._simul:
            await self.request("sub", topic=f"simul:{self._simul}")

    def on_message(self, message: Message) -> None:
        """Handle a message of the simul."""
        kind = message["t"]
        if kind == "simul":
            self.variants = message["variants"]
            self.is_known.set()
        status = message["status"] if kind == "simul" else kind.removeprefix("simul.")
        if status in ("finished", "cancelled"):
            self.over.set()


class SimulHost(SimulSpectator):
    """Announces the simul. A human host plays on the page, and this object receives no messages."""

    def __init__(self, options: DemoOptions, token: str | None, chance: Random) -> None:
        super().__init__(options, token, chance)
        self._key = f"{chance.getrandbits(64):x}"
        """Idempotency key of repeated requests."""

    async def announce(self) -> str:
        """Announce the simul, once even if repeated; return its id. Raises ``DemoFailed``."""
        await self.connect()
        options = self._options
        answer = await self.request(
            "simul.create",
            key=f"{self._key}-new",
            name="Demonstration",
            text=f"{options.boards} scripted participants.",
            game=options.kind[0],
            variant=options.kind[1],
            tc=TC,
            mode=options.mode,
            host_color="alternating",
            host_extra_per_board_s=HOST_EXTRA_PER_BOARD_S,
            max_boards=options.boards,
            auto_accept=True,
        )
        simul: str = answer["simul"]
        return simul

    async def cancel(self, simul: str) -> None:
        """Cancel the announced simul. Raises ``RequestRefused``."""
        await self.request("simul.cancel", simul=simul)


class ScriptedHost(SimulHost):
    """Moves at every board where the host is to move, one after the other.

    Args:
        chance: also chooses the moves.
    """

    def __init__(self, options: DemoOptions, token: str | None, chance: Random) -> None:
        super().__init__(options, token, chance)
        self._boards: dict[int, Message] = {}
        self._kind = options.kind
        self._at: int | None = None
        self._waiting: deque[int] = deque()
        self._queued: set[int] = set()
        self._news = asyncio.Event()

    async def start(self, simul: str) -> None:
        """Start the simul, unless it has started, and see all boards. Raises ``DemoFailed``."""
        await self.connect()
        await self.request("simul.start", key=f"{self._key}-start", simul=simul)
        await self.subscribe_to(simul)

    async def stay_connected(self) -> None:
        """Play until it is over."""
        pause_s = self._options.host_think_s
        over = asyncio.create_task(self.over.wait(), name="the simul's end")
        try:
            while not self.over.is_set():
                await self.reconnect()
                board = self._next()
                if board is None:
                    self._news.clear()
                    news = asyncio.create_task(self._news.wait(), name="a board for the host")
                    try:
                        await asyncio.wait((news, over, self.closed), return_when=asyncio.FIRST_COMPLETED)
                    finally:
                        news.cancel()
                    continue
                start_s = asyncio.get_running_loop().time()
                await self._move(board)
                await asyncio.sleep(max(0.0, start_s + pause_s - asyncio.get_running_loop().time()))
        finally:
            over.cancel()

    async def end(self) -> None:
        """End all live boards with a draw."""
        if self.over.is_set() or not self.is_connected:
            return
        with suppress(RequestRefused, TimeoutError):
            async with asyncio.timeout(END_S):
                await Retries(self._chance).run(self._end_boards)
                await self.over.wait()

    async def _end_boards(self) -> None:
        if self.is_connected and not self.over.is_set():
            await self.request("simul.end", simul=self._simul, rest="draw")

    def on_message(self, message: Message) -> None:
        """Handle a message of the simul."""
        super().on_message(message)
        kind = message["t"]
        if kind == "simul":
            self._at = message["at"]
            for board in message["boards"]:
                self._see(board)
        elif kind == "simul.board":
            self._see(message)
        elif kind == "simul.at":
            self._at = message["board"]
            self._news.set()

    def _see(self, news: Message) -> None:
        number: int = news["board"]
        board = self._boards.setdefault(number, {})
        board.update(news)
        if self._is_waiting(board) and number not in self._queued:
            self._queued.add(number)
            self._waiting.append(number)
        self._news.set()

    def _is_waiting(self, board: Message) -> bool:
        return bool(board["turn"] == "host" and board["status"] != "over")

    def _next(self) -> Message | None:
        """Return a board where the host is to move: the present one, in ``clock`` mode the longest waiting one."""
        if self._options.mode == "round":
            here = self._boards.get(self._at or 0)
            is_there = here is not None and (here.get("clock") or {}).get("held") != "round"
            return here if here is not None and is_there and self._is_waiting(here) else None
        while self._waiting:
            number = self._waiting.popleft()
            self._queued.discard(number)
            if self._is_waiting(self._boards[number]):
                return self._boards[number]
        return None

    async def _move(self, board: Message) -> None:
        ply: int = board["ply"]
        move = choose_move(*self._kind, board["position"], self._chance)
        if move is None:
            return
        try:
            await self.request("move", g=board["g"], move=move, ply=ply)
        except RequestRefused as error:
            if error.code not in (*LATER, "conflict"):
                return  # the board has changed meanwhile, and a message reports how
            await asyncio.sleep(AGAIN_S)
        if board["ply"] == ply and self._is_waiting(board):
            self._see(board)  # not stored, or not announced yet
